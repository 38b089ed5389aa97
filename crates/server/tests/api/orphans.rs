//! Stored files that no edit has.

use std::fs::File;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use retouch_server::edits::sweep_orphans;

use crate::support::{START, TestApp};

const DAY_MS: i64 = 24 * 3_600_000;

fn folder(app: &TestApp) -> PathBuf {
    app.app.settings.store.blobs.folder().unwrap().join("files")
}

/// Makes files look as if they had been stored so many days ago, with those of the names added.
fn age(app: &TestApp, days: i64, names: &[String]) {
    for name in names {
        std::fs::write(folder(app).join(name), b"x").unwrap();
    }
    let at = u64::try_from(START.plus_ms(-days * DAY_MS).0).unwrap();
    let at = SystemTime::UNIX_EPOCH + Duration::from_millis(at);
    for file in std::fs::read_dir(folder(app)).unwrap() {
        let path = file.unwrap().path();
        let is_meant = names.iter().any(|name| path.ends_with(name));
        if is_meant || names.is_empty() {
            File::options().write(true).open(path).unwrap().set_modified(at).unwrap();
        }
    }
}

fn names(app: &TestApp) -> Vec<String> {
    let files = std::fs::read_dir(folder(app)).unwrap();
    let mut names: Vec<_> =
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn strays(count: usize) -> Vec<String> {
    (0..count).map(|at| format!("{at:040x}.png")).collect()
}

#[tokio::test]
async fn an_old_file_of_no_edit_is_removed_and_no_other() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    caller.edit("go").await.ok();
    caller.edit("go").await.ok();
    let small = format!("{}.small", names(&app)[0]);
    std::fs::write(folder(&app).join(&small), b"small").unwrap();
    age(&app, 30, &[]);
    let kept = names(&app);
    assert_eq!(kept.len(), 3);
    age(&app, 8, &strays(1));
    age(&app, 8, &[format!("{:040x}.png.small", 0), format!("{:040x}.request", 9)]);
    let young = format!("{:040x}.png", 10);
    age(&app, 6, std::slice::from_ref(&young));
    let foreign = "2019-holiday-in-rome.jpg".to_owned();
    age(&app, 30, std::slice::from_ref(&foreign));
    let never = app.second_with(&[("RETOUCH_STORE__ORPHAN_AGE_MS", "0")]).await;
    sweep_orphans(&never).await;
    assert_eq!(names(&app).len(), 8, "an operator who wants none removed");
    sweep_orphans(&app.app).await;
    let mut left = [&[young.clone(), foreign.clone()], &kept[..]].concat();
    left.sort();
    assert_eq!(names(&app), left, "old files of no edit are gone, and no others");
    // What the check after a test takes for left behind.
    for name in [young, small, foreign] {
        std::fs::remove_file(folder(&app).join(name)).unwrap();
    }
    app.check().await;
}

#[tokio::test]
async fn where_most_files_seem_to_be_nobodys_none_is_removed() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    caller.edit("go").await.ok();
    age(&app, 8, &strays(2));
    age(&app, 8, &[]);
    sweep_orphans(&app.app).await;
    assert_eq!(
        names(&app).len(),
        3,
        "it may be another database than theirs, however few they are"
    );
    std::fs::remove_file(folder(&app).join(&strays(1)[0])).unwrap();
    sweep_orphans(&app.app).await;
    assert_eq!(names(&app).len(), 1, "one of two may be");
    app.check().await;
}
