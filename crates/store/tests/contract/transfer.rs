//! Tests moving a store: the copy is the same, and an unfinished copy can't be opened.

use std::fs;
use std::sync::Arc;

use retouch_core::credits::{BucketKind, Grant};
use retouch_store::{
    BlobsPlace, Context, Database, Error, Settings, Stage, Store, Transfer, TransferError,
    Transferred, transfer,
};
use tempfile::TempDir;

use crate::database::TestDatabase;
use crate::edits::success;
use crate::everything::{Everything, fill, portrait};
use crate::place::{Place, assert_proved, credits, member};
use crate::schema::{known, migrate_to_next};

/// Two databases and two places for files: one database on a server and one in a file, or both in
/// files.
struct Move {
    place: Place,
    folder: TempDir,
}

impl Move {
    fn new() -> Self {
        let mut place = Place::new();
        place.settings.emails_max = 30;
        Self { place, folder: TempDir::new().unwrap() }
    }

    fn file(&self) -> TestDatabase {
        TestDatabase::Sqlite(self.folder.path().join("moved.db"))
    }

    /// The settings of a store with an SQLite file and a folder.
    fn in_files(&self) -> Settings {
        let settings = self.file().settings(&self.folder.path().join("images"));
        Settings { emails_max: 30, ..settings }
    }

    async fn open(&self, settings: &Settings) -> Store {
        self.try_open(settings).await.unwrap()
    }

    async fn try_open(&self, settings: &Settings) -> Result<Store, Error> {
        let context = Context {
            clock: self.place.clock.clone(),
            entropy: Arc::new(retouch_core::SeededEntropy::new(3)),
        };
        Store::open(settings, context).await
    }

    async fn filled(&self, settings: &Settings) -> Everything {
        let store = self.open(settings).await;
        let there = fill(&self.place, &store).await;
        store.close().await.unwrap();
        there
    }
}

/// The plan for moving everything from one store to another.
fn all(from: &Settings, to: &Settings) -> Transfer {
    Transfer {
        from: from.database.clone(),
        from_blobs: from.blobs.clone(),
        to: Some(to.database.clone()),
        to_blobs: Some(to.blobs.clone()),
        anew: false,
    }
}

async fn run(plan: Transfer) -> Result<Transferred, TransferError> {
    transfer(plan, Arc::new(|_| {})).await
}

/// The rows of all tables that are moved, column by column, as texts.
fn rows(database: &TestDatabase, tables: &[(String, Vec<String>)]) -> Vec<(String, Vec<String>)> {
    let mut rows = Vec::new();
    for (table, columns) in tables {
        for column in columns {
            let mut texts = database.texts(&format!("SELECT \"{column}\" FROM {table}"));
            for text in &mut texts {
                *text = match text.as_str() {
                    "t" => "1".into(),
                    "f" => "0".into(),
                    other => other.trim_start_matches("\\x").replace('\0', "\u{fffd}"),
                };
            }
            texts.sort();
            rows.push((format!("{table}.{column}"), texts));
        }
    }
    rows
}

/// The tables of an SQLite database, and their columns.
fn tables(database: &TestDatabase) -> Vec<(String, Vec<String>)> {
    let names = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('heartbeat', 'schema_step', 'small_file')";
    let names = database.texts(names).into_iter();
    let columns = |table: &str| {
        database.texts(&format!("SELECT name FROM pragma_table_info('{table}') ORDER BY name"))
    };
    names.map(|table| (table.clone(), columns(&table))).collect()
}

async fn assert_moved(moving: &Move, (from, to): (&Settings, &Settings), there: &Everything) {
    let before = portrait(&moving.open(from).await, there).await;
    let done = run(all(from, to)).await.unwrap();
    assert!(done.is_sound(), "{done:?}");
    assert_eq!(done.results.count, there.results.len() as u64);
    let store = moving.open(to).await;
    assert_proved(&store).await;
    let after = portrait(&store, there).await;
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before, after);
    }
    for name in &there.results {
        let found = store.blobs().read(name).await.unwrap().unwrap();
        assert_eq!(found.into_bytes().await.unwrap(), name.as_bytes());
    }
    // The target works: the open edit is closed, and source keys still count once.
    store.close_edit(&there.ada, &there.open, success(6)).await.unwrap();
    member(&store, "new@example.com").await;
    let again = Grant {
        kind: BucketKind::Operator,
        credits: credits(1),
        source_key: "thanks".into(),
        expires_at: None,
        priority: None,
        description: String::new(),
    };
    let again = store.grant(&there.ada, again).await.unwrap();
    assert_eq!(again, retouch_store::Granted::Already);
    assert_proved(&store).await;
}

#[tokio::test]
async fn everything_is_moved_from_a_file() {
    let moving = Move::new();
    let (from, to) = (moving.in_files(), moving.place.settings.clone());
    moving.filled(&from).await;
    let tables = tables(&moving.file());
    let before = rows(&moving.file(), &tables);
    for (table, _) in &tables {
        let filled = before
            .iter()
            .any(|(name, rows)| name.starts_with(&format!("{table}.")) && !rows.is_empty());
        assert!(filled, "nothing is in {table}: the test does not see whether it is moved");
    }
    let done = run(all(&from, &to)).await.unwrap();
    assert!(done.is_sound(), "{done:?}");
    let mut names: Vec<&str> = done.tables.iter().map(|table| table.name.as_str()).collect();
    names.sort_unstable();
    let mut expected: Vec<&str> = tables.iter().map(|(name, _)| name.as_str()).collect();
    expected.sort_unstable();
    assert_eq!(names, expected);
    assert_eq!(rows(&moving.place.database, &tables), before);
}

#[tokio::test]
async fn what_was_moved_from_a_file_is_found_by_the_verbs() {
    let moving = Move::new();
    let (from, to) = (moving.in_files(), moving.place.settings.clone());
    let there = moving.filled(&from).await;
    assert_moved(&moving, (&from, &to), &there).await;
}

#[tokio::test]
async fn what_was_moved_to_a_file_is_found_by_the_verbs() {
    let moving = Move::new();
    let (from, to) = (moving.place.settings.clone(), moving.in_files());
    let there = moving.filled(&from).await;
    if let TestDatabase::Postgres(_) = moving.place.database {
        // Two nodes have ended edits of a day.
        let other =
            "INSERT INTO edit_day (day, model, provider, outcome, share, edits, credits, took_ms,
                         cost_micros, unpriced)
                     SELECT day, model, provider, outcome, share + 99, 2, 3, 4, 5, 6 FROM edit_day";
        moving.place.database.execute(other).unwrap();
    }
    assert_moved(&moving, (&from, &to), &there).await;
}

#[tokio::test]
async fn a_move_that_breaks_off_is_not_served_and_begins_anew() {
    let moving = Move::new();
    let (from, to) = (moving.in_files(), moving.place.settings.clone());
    let there = moving.filled(&from).await;
    moving.open(&to).await.close().await.unwrap();
    let database = &moving.place.database;
    database.execute(&upon_session(database, "RAISE(ABORT, 'the disk is full')")).unwrap();
    let broken = run(all(&from, &to)).await.unwrap_err();
    assert!(broken.to_string().contains("the disk is full"), "{broken}");
    assert_eq!(moving.try_open(&to).await.unwrap_err(), Error::Unfinished);
    let again = run(all(&from, &to)).await.unwrap_err();
    assert!(again.to_string().contains("--start-over"), "{again}");

    database.execute(no_more(database)).unwrap();
    let done = run(Transfer { anew: true, ..all(&from, &to) }).await.unwrap();
    assert!(done.is_sound(), "{done:?}");
    assert_eq!(done.files.unwrap().count, 5, "with those that have to go");
    assert_eq!((done.small_files.count, done.small_files.differing), (1, 0));
    let store = moving.open(&to).await;
    assert_proved(&store).await;
    assert_eq!(store.list_open_edits().await.unwrap()[0].id, there.open);
    store.close().await.unwrap();
    // A finished transfer is not deleted.
    let twice = run(Transfer { anew: true, ..all(&from, &to) }).await.unwrap_err();
    assert!(matches!(twice, TransferError::NotEmpty { .. }), "{twice}");
}

#[tokio::test]
async fn a_row_that_is_not_the_same_is_found_and_nobody_serves_it() {
    let moving = Move::new();
    let (from, to) = (moving.in_files(), moving.place.settings.clone());
    moving.filled(&from).await;
    moving.open(&to).await.close().await.unwrap();
    let database = &moving.place.database;
    let change = "UPDATE session SET expires_at = 1 WHERE last_seen_at = NEW.last_seen_at";
    database.execute(&upon_session(database, change)).unwrap();
    let done = run(all(&from, &to)).await.unwrap();
    assert!(!done.is_sound());
    let wrong: Vec<_> = done.tables.iter().filter(|table| !table.is_same()).collect();
    assert_eq!((wrong.len(), wrong[0].name.as_str()), (1, "session"));
    assert_eq!((wrong[0].rows, wrong[0].first_difference), (2, Some(1)));
    assert_eq!(moving.try_open(&to).await.unwrap_err(), Error::Unfinished);
}

/// SQL for a trigger that runs after a session was inserted.
fn upon_session(database: &TestDatabase, what: &str) -> String {
    match database {
        TestDatabase::Sqlite(_) => {
            let what =
                if what.starts_with("RAISE") { format!("SELECT {what}") } else { what.into() };
            format!("CREATE TRIGGER trap AFTER INSERT ON session BEGIN {what}; END")
        }
        TestDatabase::Postgres(_) => {
            let what = what.replace("RAISE(ABORT, ", "RAISE EXCEPTION ").replace(")", "");
            format!(
                "CREATE FUNCTION trap() RETURNS trigger LANGUAGE plpgsql AS $$
                     BEGIN {what}; RETURN NEW; END $$;
                 CREATE TRIGGER trap AFTER INSERT ON session FOR EACH ROW EXECUTE FUNCTION trap()"
            )
        }
    }
}

fn no_more(database: &TestDatabase) -> &'static str {
    match database {
        TestDatabase::Sqlite(_) => "DROP TRIGGER trap",
        TestDatabase::Postgres(_) => "DROP TRIGGER trap ON session",
    }
}

#[tokio::test]
async fn nothing_is_moved_where_something_is_and_nothing_where_the_books_are_wrong() {
    let moving = Move::new();
    let (from, to) = (moving.in_files(), moving.place.settings.clone());
    moving.filled(&from).await;
    let store = moving.open(&to).await;
    member(&store, "carol@example.com").await;
    store.close().await.unwrap();
    let refused = run(all(&from, &to)).await.unwrap_err();
    assert!(matches!(&refused, TransferError::NotEmpty { table, .. } if table == "account"));
    let store = moving.open(&to).await;
    assert_proved(&store).await;
    store.close().await.unwrap();

    moving.file().execute("UPDATE balance SET seq = seq + 1").unwrap();
    let refused = run(all(&from, &to)).await.unwrap_err();
    assert!(matches!(refused, TransferError::Books { .. }), "{refused}");
    let nothing = Database::File(moving.folder.path().join("nothing.db"));
    let refused = run(Transfer { from: nothing, ..all(&from, &to) }).await.unwrap_err();
    assert!(matches!(refused, TransferError::NoDatabase(_)), "{refused}");
    assert!(!moving.folder.path().join("nothing.db").exists());
}

#[tokio::test]
async fn a_newer_schema_is_left_as_it_is() {
    let moving = Move::new();
    let (from, to) = (moving.in_files(), moving.place.settings.clone());
    moving.filled(&from).await;
    migrate_to_next(&to).await.unwrap();
    for plan in [all(&from, &to), all(&to, &from)] {
        let refused = run(plan).await.unwrap_err();
        let expected = Error::TooNew { found: known() + 1, known: known() };
        assert!(matches!(&refused, TransferError::Store(error) if *error == expected), "{refused}");
    }
    assert_eq!(migrate_to_next(&to).await.unwrap().steps, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_is_started_meanwhile_is_seen() {
    let moving = Move::new();
    let (from, to) = (moving.place.settings.clone(), moving.in_files());
    if let Database::File(_) = from.database {
        return;
    }
    moving.filled(&from).await;
    let (settings, context) = (from.clone(), moving.place.context.clone());
    let start = move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let node = Store::open(&settings, context).await.unwrap();
            node.ready().await.unwrap();
            node.close().await.unwrap();
        });
    };
    let start = std::sync::Mutex::new(Some(start));
    let watch = move |stage: Stage<'_>| {
        let start = start.lock().unwrap().take_if(|_| matches!(stage, Stage::Results { .. }));
        start.into_iter().for_each(|start| std::thread::spawn(start).join().unwrap());
    };
    let refused = transfer(all(&from, &to), Arc::new(watch)).await.unwrap_err();
    assert!(matches!(refused, TransferError::Written { .. }), "{refused}");
    assert_eq!(moving.try_open(&to).await.unwrap_err(), Error::Unfinished);
}

fn files(settings: &Settings) -> std::path::PathBuf {
    settings.blobs.folder().unwrap().join("files")
}

#[tokio::test]
async fn files_move_alone_and_only_those_that_are_not_there() {
    let moving = Move::new();
    let from = moving.in_files();
    let there = moving.filled(&from).await;
    let elsewhere = BlobsPlace::Folder(moving.folder.path().join("elsewhere"));
    let plan = Transfer { to: None, to_blobs: Some(elsewhere.clone()), ..all(&from, &from) };
    let done = run(plan.clone()).await.unwrap();
    assert!(done.is_sound() && done.tables.is_empty(), "{done:?}");
    let files_moved = done.files.unwrap();
    assert_eq!((files_moved.count, files_moved.known), (5, 0));
    assert_eq!(done.small_files.count, 0, "it stays in the database");

    // One file was cut short in the target, and one was lost in the source.
    let [_, first, second, ..] = &there.results[..] else { panic!("{:?}", there.results) };
    let target = Settings { blobs: elsewhere, ..from.clone() };
    fs::write(files(&target).join(first), "x").unwrap();
    fs::remove_file(files(&from).join(second)).unwrap();
    fs::remove_file(files(&target).join(second)).unwrap();
    let done = run(plan).await.unwrap();
    assert!(done.is_sound(), "{done:?}");
    let files_moved = done.files.unwrap();
    assert_eq!((files_moved.count, files_moved.known), (4, 3));
    assert_eq!((done.results.missing, done.results.lost_before), (0, 1));
    assert_eq!(done.results.names, std::slice::from_ref(second));
    assert_eq!(fs::read_to_string(files(&target).join(first)).unwrap(), *first);
}

#[tokio::test]
async fn both_databases_have_the_same_tables() {
    let moving = Move::new();
    let (file, server) = (moving.in_files(), moving.place.settings.clone());
    for settings in [&file, &server] {
        moving.open(settings).await.close().await.unwrap();
    }
    // Each database is moved to the other while empty, which detects tables and columns that one
    // side is missing.
    let done = run(all(&file, &server)).await.unwrap();
    assert!(done.is_sound() && done.tables.len() > 20, "{done:?}");
    let done = run(all(&server, &file)).await.unwrap();
    assert!(done.is_sound() && done.tables.len() > 20, "{done:?}");
    // A column that only one has.
    moving.file().execute("ALTER TABLE email_message ADD COLUMN extra TEXT").unwrap();
    let refused = run(all(&file, &server)).await.unwrap_err();
    assert!(
        matches!(&refused, TransferError::Unlike { table } if table == "email_message"),
        "{refused}"
    );
}
