//! Writes many rows into a table with `COPY`, the fastest way.

use std::pin::pin;

use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::Type;

use super::{Bound, Session};
use crate::Error;
use crate::rows::Kind;

impl Session {
    /// Writes rows with the statement `sql`, a `COPY ... FROM STDIN (FORMAT binary)` whose columns
    /// are of these kinds. Either all rows are written or none.
    pub(crate) fn copy_in(
        &self,
        sql: &str,
        kinds: &[Kind],
        rows: &[Vec<Bound>],
    ) -> Result<(), Error> {
        let types: Vec<Type> = kinds.iter().map(|kind| Bound::Null(*kind).declared()).collect();
        self.run(async {
            let sink = self.client.copy_in(sql).await?;
            let mut writer = pin!(BinaryCopyInWriter::new(sink, &types));
            for row in rows {
                writer.as_mut().write_raw(row).await?;
            }
            writer.as_mut().finish().await?;
            Ok(())
        })
    }
}
