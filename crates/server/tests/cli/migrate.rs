//! What commands do with a missing schema, and with the schema of another version.

use std::fs::{self, File};

use retouch_store::STEPS;
use rusqlite::Connection;

use super::Folder;

fn database(folder: &Folder) -> Connection {
    Connection::open(folder.path("retouch-data/retouch.db")).unwrap()
}

/// The version of the schema.
fn schema(folder: &Folder) -> i64 {
    let sql = "SELECT MAX(number) FROM schema_step";
    database(folder).query_row(sql, [], |row| row.get(0)).unwrap()
}

/// Lets commands that change the schema fail because a server is running.
fn lock(folder: &Folder) -> File {
    let lock = File::create(folder.path("retouch-data/retouch.lock")).unwrap();
    lock.try_lock().unwrap();
    lock
}

#[test]
fn the_schema_is_migrated_once() {
    let folder = Folder::new();
    fs::create_dir(folder.path("retouch-data")).unwrap();
    File::create(folder.path("retouch-data/retouch.db")).unwrap();
    let missing = folder.json(&["migrate", "--dry-run", "--json"]);
    assert_eq!((&missing["found"], &missing["migrated"]), (&0.into(), &false.into()));
    let empty = folder.run(&["account", "list"]);
    assert_eq!((empty.status, empty.stdout.as_str()), (1, ""), "{empty:?}");
    assert!(empty.stderr.contains("the database is empty"), "{empty:?}");
    let steps = missing["steps"].as_array().unwrap();
    assert_eq!(missing["known"], steps.len());

    let running = lock(&folder);
    let refused = folder.run(&["migrate"]);
    assert_eq!(refused.status, 1, "{refused:?}");
    assert!(refused.stderr.contains("another server is using"), "{refused:?}");
    drop(running);

    let done = folder.run(&["migrate"]);
    assert_eq!(done.status, 0, "{done:?}");
    assert!(steps.iter().all(|step| done.stdout.contains(step.as_str().unwrap())), "{done:?}");
    assert_eq!(missing["known"], schema(&folder));
    let again = folder.run(&["migrate"]);
    assert_eq!((again.status, again.stderr.as_str()), (0, ""), "{again:?}");
    assert!(again.stdout.contains("is up to date"), "{again:?}");
    assert_eq!(folder.run(&["credits", "verify"]).status, 0);
}

#[test]
fn commands_refuse_a_newer_schema_and_leave_it_as_it_is() {
    let folder = Folder::new();
    folder.database();
    let known = schema(&folder);
    let later = "INSERT INTO schema_step VALUES (99, '0099_later', 0)";
    database(&folder).execute(later, []).unwrap();
    for asked in
        [vec!["credits", "verify"], vec!["account", "list"], vec!["admin", "link"], vec!["migrate"]]
    {
        let refused = folder.run(&asked);
        assert_eq!((refused.status, refused.stdout.as_str()), (1, ""), "{refused:?}");
        let said = format!("has schema 99, but this program supports up to {known}");
        assert!(refused.stderr.contains(&said), "{refused:?}");
    }
    let examined = folder.run(&["doctor"]);
    assert_eq!(examined.status, 1, "{examined:?}");
    let line = examined.stdout.lines().find(|line| line.contains("  database ")).unwrap();
    assert!(line.starts_with("FAIL") && line.contains("use a newer one"), "{line}");
    // A backup needs no particular schema.
    let backup = folder.run(&["backup", "create", "backup"]);
    assert_eq!(backup.status, 0, "{backup:?}");
    assert_eq!(schema(&folder), 99);
}

#[test]
fn commands_refuse_a_schema_made_by_an_edited_migration() {
    let folder = Folder::new();
    folder.database();
    database(&folder).execute("UPDATE schema_step SET checksum = 0", []).unwrap();
    for asked in [vec!["credits", "verify"], vec!["migrate"], vec!["migrate", "--dry-run"]] {
        let refused = folder.run(&asked);
        assert_eq!((refused.status, refused.stdout.as_str()), (1, ""), "{refused:?}");
        let said = "0001_initial differs from the one that ran on this database";
        assert!(refused.stderr.contains(said), "{refused:?}");
    }
}

#[test]
fn restoring_a_backup_migrates_its_schema() {
    let folder = Folder::new();
    fs::create_dir(folder.path("retouch-data")).unwrap();
    let nothing = folder.run(&["backup", "create", "another"]);
    assert!(nothing.stderr.contains("there is no database at"), "{nothing:?}");
    // The oldest schema of all: none.
    database(&folder).execute_batch("PRAGMA journal_mode = WAL; VACUUM").unwrap();
    let backup = folder.run(&["backup", "create", "backup"]);
    assert_eq!(backup.status, 0, "{backup:?}");
    fs::remove_dir_all(folder.path("retouch-data")).unwrap();
    let done = folder.run(&["backup", "restore", "backup"]);
    assert_eq!(
        (done.status, schema(&folder)),
        (0, i64::try_from(STEPS.len()).unwrap()),
        "{done:?}"
    );
}
