//! What commands do with a database of the previous version.

use std::fs::{self, File};
use std::path::Path;

use super::Folder;

/// Sets the database back to before its newest migration. Returns how many migrations it has then.
fn older(folder: &Folder) -> i64 {
    let steps = Path::new(env!("CARGO_MANIFEST_DIR")).join("../store/migrations/sqlite");
    let mut steps: Vec<_> =
        fs::read_dir(steps).unwrap().map(|entry| entry.unwrap().path()).collect();
    steps.sort();
    steps.pop();
    fs::create_dir(folder.path("retouch-data")).unwrap();
    let rows = rusqlite::Connection::open(folder.path("retouch-data/retouch.db")).unwrap();
    for step in &steps {
        rows.execute_batch(&fs::read_to_string(step).unwrap()).unwrap();
    }
    let found = i64::try_from(steps.len()).unwrap();
    rows.pragma_update(None, "user_version", found).unwrap();
    found
}

fn schema(folder: &Folder) -> i64 {
    let rows = rusqlite::Connection::open(folder.path("retouch-data/retouch.db")).unwrap();
    rows.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap()
}

#[test]
fn commands_leave_an_older_schema_as_it_is_and_say_what_to_do() {
    let folder = Folder::new();
    let found = older(&folder);
    for asked in [vec!["credits", "verify"], vec!["account", "list"], vec!["admin", "link"]] {
        let refused = folder.run(&asked);
        assert_eq!((refused.status, refused.stdout.as_str()), (1, ""), "{refused:?}");
        let said = format!("has schema {found}, and this program needs {}", found + 1);
        assert!(refused.stderr.contains(&said), "{refused:?}");
        assert!(refused.stderr.contains("run `retouch migrate`"), "{refused:?}");
    }
    let examined = folder.run(&["doctor"]);
    assert_eq!(examined.status, 1, "{examined:?}");
    let line = examined.stdout.lines().find(|line| line.contains("  database ")).unwrap();
    assert!(line.starts_with("FAIL") && line.contains("retouch migrate"), "{line}");
    // Back up before migrating.
    let backup = folder.run(&["backup", "create", "backup"]);
    assert_eq!(backup.status, 0, "{backup:?}");
    assert_eq!(schema(&folder), found);
}

#[test]
fn the_schema_is_brought_up_to_date_step_by_step() {
    let folder = Folder::new();
    let found = older(&folder);
    let missing = folder.json(&["migrate", "--dry-run", "--json"]);
    assert_eq!((&missing["found"], &missing["known"]), (&found.into(), &(found + 1).into()));
    assert_eq!((&missing["migrated"], schema(&folder)), (&false.into(), found));
    let steps = missing["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 1);

    let lock = File::create(folder.path("retouch-data/retouch.lock")).unwrap();
    lock.try_lock().unwrap();
    let refused = folder.run(&["migrate"]);
    assert_eq!((refused.status, schema(&folder)), (1, found), "{refused:?}");
    assert!(refused.stderr.contains("another server is using"), "{refused:?}");
    drop(lock);

    let done = folder.run(&["migrate"]);
    assert_eq!((done.status, schema(&folder)), (0, found + 1), "{done:?}");
    assert!(done.stdout.contains(steps[0].as_str().unwrap()), "{done:?}");
    let again = folder.run(&["migrate"]);
    assert_eq!((again.status, again.stderr.as_str()), (0, ""), "{again:?}");
    assert!(again.stdout.contains("is up to date"), "{again:?}");
    assert_eq!(folder.run(&["credits", "verify"]).status, 0);
}

#[test]
fn a_backup_of_the_version_before_is_brought_up_to_date_when_it_is_put_back() {
    let folder = Folder::new();
    let found = older(&folder);
    assert_eq!(folder.run(&["backup", "create", "backup"]).status, 0);
    fs::remove_dir_all(folder.path("retouch-data")).unwrap();
    let nothing = folder.run(&["backup", "create", "another"]);
    assert!(nothing.stderr.contains("there is no database at"), "{nothing:?}");
    let done = folder.run(&["backup", "restore", "backup"]);
    assert_eq!((done.status, schema(&folder)), (0, found + 1), "{done:?}");
}

#[test]
fn a_dry_run_makes_no_database() {
    let folder = Folder::new();
    let missing = folder.json(&["migrate", "--dry-run", "--json"]);
    assert_eq!(missing["found"], 0);
    assert!(!folder.path("retouch-data").exists());
    assert_eq!(folder.run(&["migrate"]).status, 0);
    assert_eq!(folder.run(&["migrate"]).status, 0);
}
