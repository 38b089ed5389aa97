//! Which stored files belong to an edit, and which results have lost their files.

use std::collections::HashSet;

use crate::rows::{Rows, Value, all, params};
use crate::{Error, Store};

/// The maximum number of names per query.
const NAMES_MAX: usize = 100;
/// The number of results that are checked between two queries.
const RESULTS_MAX: i64 = 1_000;

impl Store {
    /// Which of these blobs belong to an upload or an edit: it is in progress, has stored them, or
    /// was deleted and they still have to be removed.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn claimed_blobs(&self, names: Vec<String>) -> Result<HashSet<String>, Error> {
        let places: Vec<String> = (1..=NAMES_MAX).map(|place| format!("?{place}")).collect();
        let places = places.join(", ");
        let sql = format!(
            "SELECT blob FROM edit WHERE blob IN ({places}) AND (status = 'processing' OR stored <> '[]')
             UNION ALL SELECT blob FROM upload WHERE blob IN ({places})"
        );
        self.read(move |rows| {
            let mut claimed = HashSet::new();
            for some in names.chunks(NAMES_MAX) {
                // One prepared statement for any number of names. Unused placeholders get a name
                // that no blob has.
                let some = some.iter().map(String::as_str).chain(std::iter::repeat(""));
                let values: Vec<_> = some.take(NAMES_MAX).map(Value::Text).collect();
                claimed.extend(all(rows, &sql, values.as_slice(), |row| row.get(0))?);
            }
            Ok(claimed)
        })
        .await
    }

    /// Results that are promised but whose files are missing: how many there are, and the names of
    /// some. This checks every file, which takes a while on a server.
    ///
    /// # Errors
    /// Faults of the database and of the file storage.
    pub async fn missing_files(&self) -> Result<(usize, Vec<String>), Error> {
        const SHOWN_MAX: usize = 20;
        let (mut missing, mut shown) = (0, Vec::new());
        let mut names = self.results_after("").await?;
        while let Some(last) = names.last() {
            let next = self.results_after(last).await?;
            for name in std::mem::replace(&mut names, next) {
                if !self.blobs().confirm(&name).await? {
                    missing += 1;
                    shown.extend((shown.len() < SHOWN_MAX).then_some(name));
                }
            }
        }
        Ok((missing, shown))
    }

    async fn results_after(&self, after: &str) -> Result<Vec<String>, Error> {
        let after = after.to_owned();
        self.read(move |rows| results_after(rows, &after)).await
    }
}

/// Up to a thousand names of promised results after `after`, in order.
///
/// # Errors
/// Faults of the database.
pub(crate) fn results_after(rows: &Rows, after: &str) -> Result<Vec<String>, Error> {
    let sql = "SELECT blob FROM edit
               WHERE blob > ?1 AND status = 'succeeded' AND stored <> '[]'
                   AND deleted_at IS NULL AND expired_at IS NULL
               ORDER BY blob LIMIT ?2";
    all(rows, sql, params![after, RESULTS_MAX], |row| row.get(0))
}
