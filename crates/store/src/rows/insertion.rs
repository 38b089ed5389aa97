//! Many rows into one table. SQLite is quickest row by row; on a server each statement is a message
//! to it, so there many rows go into one.

use super::{Params, Rows, Value};
use crate::Error;
use crate::postgres::Bound;

/// How many rows a statement has on a server: few sizes, so that few statements are prepared.
const SIZES: [usize; 5] = [128, 32, 8, 2, 1];

/// A statement that writes rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Insert {
    /// What stands before the values.
    pub(crate) head: &'static str,
    /// How many values a row has.
    pub(crate) columns: usize,
    /// What stands behind the values.
    pub(crate) tail: &'static str,
}

impl Insert {
    /// The statement for so many rows.
    pub(crate) fn text(&self, rows: usize) -> String {
        let mut text = format!("{} VALUES ", self.head);
        for row in 0..rows {
            text.push_str(if row == 0 { "(" } else { ", (" });
            for column in 1..=self.columns {
                text.push_str(if column == 1 { "?" } else { ", ?" });
                text.push_str(&(row * self.columns + column).to_string());
            }
            text.push(')');
        }
        text.push(' ');
        text.push_str(self.tail);
        text
    }
}

/// Rows on their way into a table.
pub(crate) struct Insertion<'a> {
    rows: &'a Rows,
    insert: Insert,
    /// The statement for one row, where rows go one by one.
    single: Option<String>,
    waiting: Vec<Bound>,
}

impl<'a> Insertion<'a> {
    pub(super) fn new(rows: &'a Rows, insert: Insert) -> Self {
        let single = matches!(rows, Rows::Sqlite(_)).then(|| insert.text(1));
        Self { rows, insert, single, waiting: Vec::new() }
    }

    /// Writes a row, at the latest when the insertion ends.
    #[expect(clippy::needless_pass_by_value, reason = "the values are listed where they are bound")]
    pub(crate) fn row(&mut self, values: impl Params) -> Result<(), Error> {
        let values: Vec<Value<'_>> = values.list();
        match &self.single {
            Some(text) => self.rows.put(text, values.as_slice()),
            None => {
                self.waiting.extend(values.iter().map(Bound::from));
                Ok(())
            }
        }
    }

    /// Writes what is still to be written.
    pub(crate) fn end(self) -> Result<(), Error> {
        let Rows::Postgres(session) = self.rows else { return Ok(()) };
        let mut left = self.waiting.into_iter();
        loop {
            let rows = left.len() / self.insert.columns;
            let Some(size) = SIZES.into_iter().find(|size| *size <= rows) else { return Ok(()) };
            let values = left.by_ref().take(size * self.insert.columns).collect();
            session.put_rows(&self.insert, size, values)?;
        }
    }
}
