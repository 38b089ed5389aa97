//! Tests that an older schema is migrated only if the settings say so.

use std::fs;
use std::path::Path;

use retouch_store::{Error, Schema, Settings, Store, migrate, missing_steps};

use crate::database::TestDatabase;
use crate::place::{Place, assert_proved, member};

/// The steps of a database's schema in order, each with its name and its SQL.
fn steps(database: &TestDatabase) -> Vec<(String, String)> {
    let kind = match database {
        TestDatabase::Sqlite(_) => "sqlite",
        TestDatabase::Postgres(_) => "postgres",
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations").join(kind);
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let read = |file: std::path::PathBuf| {
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        (name, fs::read_to_string(file).unwrap())
    };
    let mut steps: Vec<_> = files.map(read).collect();
    steps.sort();
    steps
}

/// Creates the schema as it was before the last step. Returns that step's number and name.
pub(crate) fn make_older(database: &TestDatabase) -> (i64, String) {
    let mut steps = steps(database);
    let last = steps.pop().unwrap();
    if let TestDatabase::Postgres(_) = database {
        let table = "CREATE TABLE schema_step (number BIGINT PRIMARY KEY, name TEXT NOT NULL)";
        database.execute(table).unwrap();
    }
    for (number, (name, text)) in (1..).zip(&steps) {
        database.execute(text).unwrap();
        let noted = match database {
            TestDatabase::Sqlite(_) => format!("PRAGMA user_version = {number}"),
            TestDatabase::Postgres(_) => {
                format!("INSERT INTO schema_step (number, name) VALUES ({number}, '{name}')")
            }
        };
        database.execute(&noted).unwrap();
    }
    (i64::try_from(steps.len()).unwrap() + 1, last.0)
}

impl Place {
    async fn try_open(&self, schema: Schema) -> Result<Store, Error> {
        let settings = Settings { schema, ..self.settings.clone() };
        Store::open(&settings, self.context.clone()).await
    }
}

#[tokio::test]
async fn an_older_schema_is_changed_only_by_whoever_is_meant_to() {
    let place = Place::new();
    let (known, last) = make_older(&place.database);
    for _ in 0..2 {
        let refused = place.try_open(Schema::AsIs).await.unwrap_err();
        assert_eq!(refused, Error::TooOld { found: known - 1, known });
        assert!(refused.to_string().contains("retouch migrate"), "{refused}");
        let missing = missing_steps(&place.settings).await.unwrap();
        assert_eq!((missing.found, missing.known), (known - 1, known));
        assert_eq!(missing.steps, [&last]);
    }
    let taken = migrate(&place.settings).await.unwrap();
    assert_eq!((taken.found, taken.steps), (known - 1, vec![last.as_str()]));
    let nothing = migrate(&place.settings).await.unwrap();
    assert_eq!((nothing.found, nothing.steps), (known, Vec::new()));
    let store = place.try_open(Schema::AsIs).await.unwrap();
    member(&store, "ada@example.com").await;
    assert_proved(&store).await;
}

#[tokio::test]
async fn opening_brings_an_older_schema_up_to_date_where_that_is_wanted() {
    let place = Place::new();
    make_older(&place.database);
    let store = place.try_open(Schema::Migrate).await.unwrap();
    member(&store, "ada@example.com").await;
    assert_eq!(missing_steps(&place.settings).await.unwrap().steps, [""; 0]);
}

#[tokio::test]
async fn where_there_is_none_looking_makes_none_and_opening_does() {
    let place = Place::new();
    let all: Vec<String> = steps(&place.database).into_iter().map(|(name, _)| name).collect();
    let missing = missing_steps(&place.settings).await.unwrap();
    assert_eq!((missing.found, missing.steps), (0, all.iter().map(String::as_str).collect()));
    if let TestDatabase::Sqlite(path) = &place.database {
        assert!(!path.exists(), "looking has made it");
    }
    let store = place.try_open(Schema::AsIs).await.unwrap();
    member(&store, "ada@example.com").await;
}

#[tokio::test]
async fn a_schema_of_a_later_version_is_left_alone() {
    let place = Place::new();
    place.open().await.close().await.unwrap();
    let later = match &place.database {
        TestDatabase::Sqlite(_) => "PRAGMA user_version = 99",
        TestDatabase::Postgres(_) => "INSERT INTO schema_step (number, name) VALUES (99, 'later')",
    };
    place.database.execute(later).unwrap();
    for schema in [Schema::AsIs, Schema::Migrate] {
        let refused = place.try_open(schema).await.unwrap_err();
        assert!(matches!(refused, Error::TooNew { found: 99, .. }), "{refused}");
    }
    let refused = migrate(&place.settings).await.unwrap_err();
    assert!(matches!(refused, Error::TooNew { found: 99, .. }), "{refused}");
}
