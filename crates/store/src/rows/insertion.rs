//! Inserts many rows into one table. SQLite is fastest row by row. On a server, each statement is a
//! message with its own constraint checks to prepare, so all rows go into one.

use super::{Params, Rows, Value};
use crate::Error;
use crate::postgres::Bound;

/// A statement that inserts rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Insert {
    /// The SQL before the values.
    pub(crate) head: &'static str,
    /// The number of values per row.
    pub(crate) columns: usize,
    /// The SQL after the values.
    pub(crate) tail: &'static str,
}

impl Insert {
    /// The statement for one row.
    pub(crate) fn one(&self) -> String {
        format!("{} VALUES ({}) {}", self.head, self.places(), self.tail)
    }

    /// The statement for many rows. Its values are the columns, each a list.
    pub(crate) fn many(&self) -> String {
        format!("{} SELECT * FROM UNNEST({}) {}", self.head, self.places(), self.tail)
    }

    fn places(&self) -> String {
        let places: Vec<String> = (1..=self.columns).map(|column| format!("?{column}")).collect();
        places.join(", ")
    }
}

/// An insertion in progress.
pub(crate) struct Insertion<'a> {
    rows: &'a Rows,
    insert: Insert,
    /// The statement for one row, if rows are inserted one by one.
    single: Option<String>,
    waiting: Vec<Bound>,
}

impl<'a> Insertion<'a> {
    pub(super) fn new(rows: &'a Rows, insert: Insert) -> Self {
        let single = matches!(rows, Rows::Sqlite(_)).then(|| insert.one());
        Self { rows, insert, single, waiting: Vec::new() }
    }

    /// Inserts a row, at the latest when the insertion ends.
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

    /// Inserts the rows that remain.
    pub(crate) fn end(self) -> Result<(), Error> {
        let Rows::Postgres(session) = self.rows else { return Ok(()) };
        match self.waiting.len() / self.insert.columns {
            0 => Ok(()),
            1 => session.put_bound(self.insert.one(), self.waiting),
            _ => session.put_bound(self.insert.many(), columns(self.waiting, self.insert.columns)),
        }
    }
}

/// Transposes rows, stored one after the other, into columns.
fn columns(rows: Vec<Bound>, columns: usize) -> Vec<Bound> {
    let mut all: Vec<Vec<Bound>> = Vec::new();
    all.resize_with(columns, Vec::new);
    for (number, value) in rows.into_iter().enumerate() {
        if let Some(column) = all.get_mut(number % columns) {
            column.push(value);
        }
    }
    all.into_iter().map(Bound::list).collect()
}
