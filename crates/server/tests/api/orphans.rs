//! Stored files that belong to no edit.

use std::fs::File;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use retouch_server::edits::{sweep_files, sweep_orphans};
use serde_json::json;
use tracing::Instrument;

use crate::support::{START, TestApp, log, pictures};

const DAY_MS: i64 = 24 * 3_600_000;

fn folder(app: &TestApp) -> PathBuf {
    app.app.settings.store.blobs.folder().unwrap().join("files")
}

/// Makes the files with these names, and all others, look as if they had been stored that many days
/// ago.
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
    app.provider.make_files();
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
    let never = app.second_with(&[("RETOUCH_STORE__ORPHAN_AGE_MAX", "0")]).await;
    sweep_orphans(&never).await;
    assert_eq!(names(&app).len(), 8, "removal is switched off");
    sweep_orphans(&app.app).await;
    let mut left = [&[young.clone(), foreign.clone()], &kept[..]].concat();
    left.sort();
    assert_eq!(names(&app), left, "only old files without an edit are gone");
    // `check` would report these as left behind.
    for name in [young, small, foreign] {
        std::fs::remove_file(folder(&app).join(name)).unwrap();
    }
    app.check().await;
}

#[tokio::test]
async fn a_result_that_turns_out_to_be_unusable_leaves_no_file() {
    let app = TestApp::new().await;
    app.provider.make_files();
    let caller = app.rich_caller("ada@example.com").await;
    let edit = |instruction| json!({ "instruction": instruction, "model": "gamma-2" });
    let before = caller.available().await;
    caller.edit_with(&edit("spoil")).await.is_error(500, "upstream_error", None);
    assert!(names(&app).is_empty());
    assert_eq!(caller.available().await, before);
    let jpeg = json!({ "instruction": "go", "model": "gamma-2", "output_format": "jpeg" });
    caller.edit_with(&jpeg).await.ok();
    caller.edit_with(&edit("go")).await.ok();
    // The JPEG is so small that it is stored in the database.
    let kept = names(&app);
    assert!(kept.len() == 1 && kept[0].ends_with(".png"), "{kept:?}");
    // What arrived is not stored if the result is another file.
    caller.edit_with(&edit("change")).await.ok();
    for name in names(&app) {
        assert_eq!(std::fs::read(folder(&app).join(name)).unwrap(), pictures::noise(160));
    }
    assert_eq!(names(&app).len(), 2);
    app.check().await;
}

#[tokio::test]
async fn where_most_files_seem_to_be_nobodys_none_is_removed() {
    let app = TestApp::new().await;
    app.provider.make_files();
    let caller = app.caller("ada@example.com").await;
    caller.edit("go").await.ok();
    age(&app, 8, &strays(2));
    age(&app, 8, &[]);
    sweep_orphans(&app.app).await;
    assert_eq!(names(&app).len(), 3, "they may belong to another database, however few there are");
    std::fs::remove_file(folder(&app).join(&strays(1)[0])).unwrap();
    sweep_orphans(&app.app).await;
    assert_eq!(names(&app).len(), 1, "a minority is removed");
    app.check().await;
}

/// Puts folders in place of files, which cannot be removed like files.
fn stuck(app: &TestApp, names: &[String]) {
    let at = START.plus_ms(-8 * DAY_MS).0;
    let at = SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(at).unwrap());
    for name in names {
        let path = folder(app).join(name);
        std::fs::create_dir(&path).unwrap();
        File::open(path).unwrap().set_modified(at).unwrap();
    }
}

#[tokio::test]
async fn a_file_that_cannot_be_removed_keeps_none_of_the_others() {
    log::start();
    let app = TestApp::new().await;
    app.provider.make_files();
    let caller = app.rich_caller("ada@example.com").await;
    for _ in 0..20 {
        caller.edit("go").await.ok();
    }
    age(&app, 8, &[]);
    let (stuck_ones, others) = (&strays(16)[..6], &strays(16)[6..]);
    stuck(&app, stuck_ones);
    age(&app, 8, others);
    let marker = "the sweep of orphans";
    sweep_orphans(&app.app).instrument(tracing::info_span!("sweep", marker)).await;
    let left: Vec<_> = names(&app).into_iter().filter(|name| strays(16).contains(name)).collect();
    assert_eq!(left, stuck_ones, "everything removable is removed");
    let said = log::of(marker);
    assert!(said.iter().any(|line| line.contains("files=6")), "{said:?}");
    assert_eq!(said.iter().filter(|line| line.contains("ERROR")).count(), 1, "{said:?}");
    for name in left {
        std::fs::remove_dir(folder(&app).join(name)).unwrap();
    }
    app.check().await;
}

#[tokio::test]
async fn nor_do_the_files_of_deleted_edits() {
    log::start();
    let app = TestApp::new().await;
    app.provider.make_files();
    let caller = app.rich_caller("ada@example.com").await;
    for _ in 0..12 {
        caller.edit("go").await.ok();
    }
    let stuck_ones = names(&app).split_off(6);
    for name in &stuck_ones {
        std::fs::remove_file(folder(&app).join(name)).unwrap();
    }
    stuck(&app, &stuck_ones);
    let id = caller.get("/api/account").await.ok()["id"].as_str().unwrap().parse().unwrap();
    app.app.store.delete_account(&id).await.unwrap();
    let marker = "the sweep of deleted files";
    sweep_files(&app.app).instrument(tracing::info_span!("sweep", marker)).await;
    assert_eq!(names(&app), stuck_ones, "everything removable is removed");
    let said = log::of(marker);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("files=6"), "{said:?}");
    for name in stuck_ones {
        std::fs::remove_dir(folder(&app).join(name)).unwrap();
    }
    sweep_files(&app.app).await;
    assert_eq!(app.app.store.list_removals(0).await.unwrap(), [], "the rest is removed later");
    app.check().await;
}
