//! The steps of the schema: for each database a text under the same name.

/// A step of the schema.
pub(crate) struct Step {
    /// The name of its files.
    pub(crate) name: &'static str,
    /// What it is in SQLite.
    pub(crate) sqlite: &'static str,
    /// What it is in PostgreSQL, where nodes of the version before still serve while it is taken: it
    /// adds, and takes nothing away that they use.
    pub(crate) postgres: &'static str,
}

macro_rules! steps {
    ($($name:literal),+ $(,)?) => {
        &[$(Step {
            name: $name,
            sqlite: include_str!(concat!("../migrations/sqlite/", $name, ".sql")),
            postgres: include_str!(concat!("../migrations/postgres/", $name, ".sql")),
        }),+]
    };
}

/// All steps in order; the number of the last one is the schema's version.
pub(crate) const STEPS: &[Step] = steps![
    "0001_begin",
    "0002_task",
    "0003_lineage",
    "0004_billing",
    "0005_admin",
    "0006_account",
    "0007_mail",
    "0008_identity",
    "0009_payments",
    "0010_admin",
    "0011_claim",
    "0012_expiry",
    "0013_plan_left",
];
