//! The tables of a database, read from the database itself, so that none can be forgotten.

use std::collections::BTreeMap;

use crate::Error;
use crate::rows::{Kind, Row, Rows, all, params};

/// Tables that belong to one database, or to one process, and mean nothing elsewhere. Small files
/// become files like any others.
const OWN: [&str; 5] = ["heartbeat", "rate", "schema_step", "small_file", "writer_mark"];
/// The table that others refer to, which must be written first.
const FIRST: &str = "account";

/// A table, with its columns sorted by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) name: String,
    pub(super) columns: Vec<Column>,
    /// The positions of the primary key's columns in `columns`, in the order of the key.
    pub(super) key: Vec<usize>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) kind: Kind,
}

/// A column as the database describes it. `key` is its position in the primary key, from 1, or 0
/// if it isn't part of it.
struct Told {
    table: String,
    column: String,
    kind: String,
    key: i64,
}

/// The tables to copy, in an order in which they can be written.
pub(super) fn tables(rows: &Rows) -> Result<Vec<Table>, Error> {
    let sql = match rows {
        Rows::Sqlite(_) => {
            "SELECT told.name, part.name, part.type, part.pk
             FROM sqlite_schema AS told, pragma_table_info(told.name) AS part
             WHERE told.type = 'table' AND told.name NOT LIKE 'sqlite_%'"
        }
        Rows::Postgres(_) => {
            "SELECT CAST(told.relname AS TEXT), CAST(part.attname AS TEXT),
                 format_type(part.atttypid, NULL),
                 CAST(COALESCE(array_position(CAST(key.indkey AS SMALLINT[]), part.attnum) + 1, 0) AS BIGINT)
             FROM pg_class AS told
             JOIN pg_attribute AS part
                 ON part.attrelid = told.oid AND part.attnum > 0 AND NOT part.attisdropped
             LEFT JOIN pg_index AS key ON key.indrelid = told.oid AND key.indisprimary
             WHERE told.relkind IN ('r', 'p')
                 AND told.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())"
        }
    };
    let read = |row: &Row<'_>| {
        Ok(Told { table: row.get(0)?, column: row.get(1)?, kind: row.get(2)?, key: row.get(3)? })
    };
    let mut tables: BTreeMap<String, Vec<Told>> = BTreeMap::new();
    for told in all(rows, sql, params![], read)? {
        if !OWN.contains(&told.table.as_str()) {
            tables.entry(told.table.clone()).or_default().push(told);
        }
    }
    let mut tables: Vec<_> = tables.into_iter().map(table).collect::<Result<_, _>>()?;
    tables.sort_by_key(|table| table.name != FIRST);
    Ok(tables)
}

fn table((name, mut told): (String, Vec<Told>)) -> Result<Table, Error> {
    told.sort_by(|one, other| one.column.cmp(&other.column));
    let mut key: Vec<(i64, usize)> = told.iter().zip(0..).map(|(it, at)| (it.key, at)).collect();
    key.retain(|(place, _)| *place > 0);
    key.sort_unstable();
    if key.is_empty() {
        return Err(Error::Corrupt { what: format!("the table {name} has no primary key") });
    }
    let key = key.into_iter().map(|(_, at)| at).collect();
    let column = |it: &Told| Ok(Column { name: it.column.clone(), kind: kind(it)? });
    let columns = told.iter().map(column).collect::<Result<_, Error>>()?;
    Ok(Table { name, columns, key })
}

fn kind(told: &Told) -> Result<Kind, Error> {
    match told.kind.to_lowercase().as_str() {
        "bigint" => Ok(Kind::Integer),
        "boolean" => Ok(Kind::Boolean),
        "text" => Ok(Kind::Text),
        "blob" | "bytea" => Ok(Kind::Bytes),
        other => {
            let what = format!("{}.{} is of type {other}", told.table, told.column);
            Err(Error::Corrupt { what })
        }
    }
}

impl Table {
    /// The query for the first rows by the key, or for those behind one whose key is bound.
    pub(super) fn page(&self, is_first: bool, rows_max: usize) -> String {
        let (columns, key) =
            (self.names(0..self.columns.len()), self.names(self.key.iter().copied()));
        let places: Vec<String> = (1..=self.key.len()).map(|place| format!("?{place}")).collect();
        let behind = match is_first {
            true => String::new(),
            false => format!("WHERE ({key}) > ({})", places.join(", ")),
        };
        format!("SELECT {columns} FROM \"{}\" {behind} ORDER BY {key} LIMIT {rows_max}", self.name)
    }

    /// The statement that inserts one row.
    pub(super) fn insert(&self) -> String {
        let columns = self.names(0..self.columns.len());
        let places: Vec<String> =
            (1..=self.columns.len()).map(|place| format!("?{place}")).collect();
        format!("INSERT INTO \"{}\" ({columns}) VALUES ({})", self.name, places.join(", "))
    }

    /// The statement that writes many rows to a server.
    pub(super) fn copy(&self) -> String {
        let columns = self.names(0..self.columns.len());
        format!("COPY \"{}\" ({columns}) FROM STDIN (FORMAT binary)", self.name)
    }

    /// The kinds of the columns.
    pub(super) fn kinds(&self) -> Vec<Kind> {
        self.columns.iter().map(|column| column.kind).collect()
    }

    fn names(&self, places: impl IntoIterator<Item = usize>) -> String {
        let columns = places.into_iter().filter_map(|place| self.columns.get(place));
        columns.map(|column| format!("\"{}\"", column.name)).collect::<Vec<_>>().join(", ")
    }
}
