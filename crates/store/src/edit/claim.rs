//! Which stored files are somebody's.

use std::collections::HashSet;

use crate::rows::{Value, all};
use crate::{Error, Store};

/// How many names are asked for at a time.
const NAMES_MAX: usize = 100;

impl Store {
    /// Those of these blobs that are an edit's: it is under way, has stored them, or has been
    /// deleted and they have to go yet.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn claimed_blobs(&self, names: Vec<String>) -> Result<HashSet<String>, Error> {
        let places: Vec<String> = (1..=NAMES_MAX).map(|place| format!("?{place}")).collect();
        let sql = format!(
            "SELECT blob FROM edit WHERE blob IN ({}) AND (status = 'processing' OR stored <> '[]')",
            places.join(", ")
        );
        self.read(move |rows| {
            let mut claimed = HashSet::new();
            for some in names.chunks(NAMES_MAX) {
                // One statement for any number: a place that is left over has a name that none has.
                let some = some.iter().map(String::as_str).chain(std::iter::repeat(""));
                let values: Vec<_> = some.take(NAMES_MAX).map(Value::Text).collect();
                claimed.extend(all(rows, &sql, values.as_slice(), |row| row.get(0))?);
            }
            Ok(claimed)
        })
        .await
    }
}
