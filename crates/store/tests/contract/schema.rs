//! Tests that an older schema is migrated only if the settings say so.

use std::fs;
use std::path::Path;

use retouch_store::{
    Error, Migration, STEPS, Schema, Settings, Step, Store, migrate, missing_steps,
};

use crate::database::TestDatabase;
use crate::place::{Place, assert_proved, credits, member};

/// The migration of a version that does not exist yet.
const NEXT: Step = Step {
    name: "9999_next",
    shared: "CREATE TABLE made_up (id TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID;
        ALTER TABLE account ADD COLUMN made_up TEXT; -- Only adds.
        INSERT INTO made_up (id, content) SELECT id, hash FROM api_key;",
    sqlite: "CREATE INDEX made_up_sqlite ON made_up (content);",
    postgres: "CREATE INDEX made_up_postgres ON made_up (content);",
};

/// The version of the schema that this program needs.
pub(crate) fn known() -> i64 {
    i64::try_from(STEPS.len()).unwrap()
}

/// This program's migrations and one more.
fn with(next: Step) -> &'static [Step] {
    [STEPS, &[next]].concat().leak()
}

/// Migrates to the next version, which only later programs know.
pub(crate) async fn migrate_to_next(settings: &Settings) -> Result<Migration, Error> {
    migrate(&Settings { steps: with(NEXT), ..settings.clone() }).await
}

impl Place {
    /// The settings of a program with these migrations.
    fn knowing(&self, steps: &'static [Step], schema: Schema) -> Settings {
        Settings { steps, schema, ..self.settings.clone() }
    }

    async fn try_open(&self, settings: &Settings) -> Result<Store, Error> {
        Store::open(settings, self.context.clone()).await
    }

    /// Whether a query finds anything.
    fn finds(&self, sql: &str) -> bool {
        !self.database.texts(sql).is_empty()
    }
}

#[tokio::test]
async fn an_older_schema_is_changed_only_by_a_migration_that_is_wanted() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    store.close().await.unwrap();
    let next = place.knowing(with(NEXT), Schema::AsIs);
    for _ in 0..2 {
        let refused = place.try_open(&next).await.unwrap_err();
        assert_eq!(refused, Error::TooOld { found: known(), known: known() + 1 });
        assert!(refused.to_string().contains("retouch migrate"), "{refused}");
        let missing = missing_steps(&next).await.unwrap();
        assert_eq!((missing.found, missing.known), (known(), known() + 1));
        assert_eq!(missing.steps, [NEXT.name]);
    }
    let ran = migrate(&next).await.unwrap();
    assert_eq!((ran.found, ran.steps), (known(), vec![NEXT.name]));
    let nothing = migrate(&next).await.unwrap();
    assert_eq!((nothing.found, nothing.steps), (known() + 1, Vec::new()));
    let store = place.try_open(&next).await.unwrap();
    assert_eq!(store.balance(&ada).await.unwrap().available, credits(15));
    member(&store, "bob@example.com").await;
    assert_proved(&store).await;
}

#[tokio::test]
async fn opening_migrates_an_older_schema_if_that_is_wanted() {
    let place = Place::new();
    place.open().await.close().await.unwrap();
    let next = place.knowing(with(NEXT), Schema::Migrate);
    let store = place.try_open(&next).await.unwrap();
    member(&store, "ada@example.com").await;
    assert_eq!(missing_steps(&next).await.unwrap().steps, [""; 0]);
    assert!(!place.finds("SELECT id FROM made_up"));
}

#[tokio::test]
async fn a_missing_schema_is_created_only_where_that_is_wanted() {
    let place = Place::new();
    let settings = place.knowing(with(NEXT), Schema::AsIs);
    let missing = missing_steps(&settings).await.unwrap();
    let all: Vec<&str> = settings.steps.iter().map(|step| step.name).collect();
    assert_eq!((missing.found, missing.steps), (0, all));
    assert_eq!(place.try_open(&settings).await.unwrap_err(), Error::Empty);
    if let TestDatabase::Sqlite(path) = &place.database {
        assert!(!path.exists(), "looking has created it");
    }
    let wanted = place.knowing(with(NEXT), Schema::Migrate);
    let store = place.try_open(&wanted).await.unwrap();
    member(&store, "ada@example.com").await;
}

#[tokio::test]
async fn a_newer_schema_is_refused() {
    let place = Place::new();
    place.open().await.close().await.unwrap();
    migrate_to_next(&place.settings).await.unwrap();
    let expected = Error::TooNew { found: known() + 1, known: known() };
    for schema in [Schema::AsIs, Schema::Migrate] {
        let refused = place.try_open(&place.knowing(STEPS, schema)).await.unwrap_err();
        assert_eq!(refused, expected);
    }
    assert_eq!(migrate(&place.settings).await.unwrap_err(), expected);
    assert_eq!(missing_steps(&place.settings).await.unwrap_err(), expected);
}

#[tokio::test]
async fn a_migration_that_was_edited_after_it_ran_is_refused() {
    let place = Place::new();
    let next = place.knowing(with(NEXT), Schema::Migrate);
    place.try_open(&next).await.unwrap().close().await.unwrap();
    let edited = NEXT.shared.replace("content", "text");
    let edited = Step { shared: edited.leak(), ..NEXT };
    let edited = place.knowing(with(edited), Schema::Migrate);
    let expected = Error::StepChanged { name: NEXT.name };
    assert_eq!(place.try_open(&edited).await.unwrap_err(), expected);
    assert_eq!(migrate(&edited).await.unwrap_err(), expected);
    assert_eq!(missing_steps(&edited).await.unwrap_err(), expected);
    // Comments and spaces do not count.
    let reworded = NEXT.shared.replace("Only adds.", "It only adds.").replace("; ", ";\n\n");
    let reworded = Step { shared: reworded.leak(), ..NEXT };
    place.try_open(&place.knowing(with(reworded), Schema::AsIs)).await.unwrap();
}

#[tokio::test]
async fn a_migration_that_fails_changes_nothing() {
    let place = Place::new();
    place.open().await.close().await.unwrap();
    let broken = format!("{} CREATE TABLE account (id TEXT);", NEXT.shared);
    let broken = Step { shared: broken.leak(), ..NEXT };
    let broken = place.knowing(with(broken), Schema::Migrate);
    let failed = migrate(&broken).await.unwrap_err();
    assert!(matches!(failed, Error::Database { .. }), "{failed}");
    assert_eq!(missing_steps(&place.settings).await.unwrap().steps, [""; 0]);
    place.open().await.close().await.unwrap();
    migrate_to_next(&place.settings).await.unwrap();
}

#[test]
fn every_file_of_a_migration_is_used() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let names = |folder: &Path| {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    };
    let steps: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
    assert_eq!(names(&folder), steps);
    for step in STEPS {
        let folder = folder.join(step.name);
        let text = |name: &String| fs::read_to_string(folder.join(name)).unwrap();
        let (own, shared): (Vec<String>, Vec<String>) = names(&folder)
            .into_iter()
            .partition(|name| ["sqlite.sql", "postgres.sql"].contains(&name.as_str()));
        let shared: String = shared.iter().map(text).collect();
        assert_eq!(shared, step.shared, "the other files of {}, in order", step.name);
        for name in own {
            let used = if name == "sqlite.sql" { step.sqlite } else { step.postgres };
            assert_eq!(text(&name), used, "{name} of {}", step.name);
        }
    }
}
