//! Copies a table page by page, and then compares it row by row.

use super::field::Field;
use super::schema::Table;
use super::{Stage, TransferError, Watch};
use crate::Error;
use crate::postgres::Bound;
use crate::rows::{Row, Rows, Value, all, one, params};

/// How many rows of each side are in memory at a time.
const ROWS_AT_ONCE: usize = 500;

/// The result of moving a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableMoved {
    /// Its name.
    pub name: String,
    /// How many rows were read.
    pub rows: u64,
    /// How many rows the target has afterwards.
    pub rows_written: u64,
    /// The first row that differs, counting from 1 in the order of the table's key.
    pub first_difference: Option<u64>,
}

impl TableMoved {
    /// Whether both sides are the same.
    pub fn is_same(&self) -> bool {
        self.rows == self.rows_written && self.first_difference.is_none()
    }
}

/// The two databases.
#[derive(Clone, Copy)]
pub(super) struct Sides<'a> {
    pub(super) source: &'a Rows,
    pub(super) target: &'a Rows,
}

type Record = Vec<Field>;

/// Copies all rows; how many.
pub(super) fn copy(sides: Sides<'_>, table: &Table, watch: &Watch) -> Result<u64, Error> {
    let (mut pages, mut rows) = (Pages::new(sides.source, table), 0);
    loop {
        let page = pages.next_page()?;
        if page.is_empty() {
            return Ok(rows);
        }
        write(sides.target, table, &page)?;
        rows += page.len() as u64;
        watch(Stage::Copying { table: &table.name, rows });
    }
}

/// Compares the rows of both sides in the order of the key.
pub(super) fn compare(
    sides: Sides<'_>,
    table: &Table,
    rows: u64,
    watch: &Watch,
) -> Result<TableMoved, Error> {
    let (mut here, mut there) = (Pages::new(sides.source, table), Pages::new(sides.target, table));
    let (mut seen, mut first_difference) = (0_u64, None);
    while first_difference.is_none() {
        let (one, other) = (here.next_page()?, there.next_page()?);
        let same = one.iter().zip(&other).take_while(|(one, other)| are_same(one, other)).count();
        if same < one.len().max(other.len()) {
            first_difference = Some(seen + same as u64 + 1);
        }
        if one.is_empty() {
            break;
        }
        seen += one.len() as u64;
        watch(Stage::Comparing { table: &table.name, rows: seen });
    }
    let rows_written = count(sides.target, table)?;
    Ok(TableMoved { name: table.name.clone(), rows, rows_written, first_difference })
}

/// Makes sure that the other side has the same table.
pub(super) fn check_same(table: &Table, there: &[Table]) -> Result<(), TransferError> {
    match there.contains(table) {
        true => Ok(()),
        false => Err(TransferError::Unlike { table: table.name.clone() }),
    }
}

fn are_same(one: &Record, other: &Record) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.is_same(other))
}

fn count(rows: &Rows, table: &Table) -> Result<u64, Error> {
    let sql = format!("SELECT COUNT(*) FROM \"{}\"", table.name);
    let found: Option<i64> = one(rows, &sql, params![], |row| row.get(0))?;
    Ok(u64::try_from(found.unwrap_or_default()).unwrap_or_default())
}

fn write(target: &Rows, table: &Table, page: &[Record]) -> Result<(), Error> {
    match target {
        Rows::Sqlite(_) => {
            let sql = table.insert();
            target.put("BEGIN IMMEDIATE", params![])?;
            for record in page {
                let values: Vec<Value<'_>> = record.iter().map(Field::value).collect();
                target.put(&sql, values.as_slice())?;
            }
            target.put("COMMIT", params![])
        }
        Rows::Postgres(session) => {
            let bound = |record: &Record| record.iter().map(Field::bound).collect();
            let rows: Vec<Vec<Bound>> = page.iter().map(bound).collect();
            session.copy_in(&table.copy(), &table.kinds(), &rows)
        }
    }
}

/// Reads the rows of a table in the order of its key.
struct Pages<'a> {
    rows: &'a Rows,
    table: &'a Table,
    /// The key of the last row that was read.
    after: Option<Record>,
}

impl<'a> Pages<'a> {
    fn new(rows: &'a Rows, table: &'a Table) -> Self {
        Self { rows, table, after: None }
    }

    /// The next rows. Empty at the end.
    fn next_page(&mut self) -> Result<Vec<Record>, Error> {
        let kinds = self.table.kinds();
        let read = |row: &Row<'_>| {
            let fields = kinds.iter().enumerate();
            fields.map(|(place, kind)| Field::read(row, place, *kind)).collect()
        };
        let sql = self.table.page(self.after.is_none(), ROWS_AT_ONCE);
        let after: Vec<Value<'_>> = self.after.iter().flatten().map(Field::value).collect();
        let page: Vec<Record> = all(self.rows, &sql, after.as_slice(), read)?;
        if let Some(last) = page.last() {
            let key = self.table.key.iter().filter_map(|place| last.get(*place));
            self.after = Some(key.cloned().collect());
        }
        Ok(page)
    }
}
