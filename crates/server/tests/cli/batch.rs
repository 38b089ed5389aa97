//! `edit --out-dir`: one instruction on many images.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use super::{Folder, sample};

/// A folder with these copies of the sample photo.
fn photos(names: &[&str]) -> Folder {
    let folder = Folder::new();
    for name in names {
        let path = folder.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::copy(sample(), path).unwrap();
    }
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn inputs(told: &Value, what: &str) -> Vec<String> {
    let list = told[what].as_array().unwrap().iter();
    list.map(|one| one["input"].as_str().unwrap().to_owned()).collect()
}

const BATCH: [&str; 3] = ["resize to 100 px wide", "--out-dir", "results"];

#[test]
fn patterns_folders_and_files_are_edited_one_by_one() {
    let folder =
        photos(&["a/1.jpg", "a/2.JPG", "a/.hidden.jpg", "a/sub/3.jpg", "b/4.jpg", "5.jpg"]);
    fs::write(folder.path("b/notes.txt"), "no image").unwrap();
    let named = ["edit", "a/*.jpg", "a/1.jpg", "b", "5.jpg"];
    let told = folder.json(&[&named[..], &BATCH, &["--format", "png", "--json"]].concat());
    assert_eq!(inputs(&told, "done"), ["5.jpg", "a/1.jpg", "a/2.JPG", "b/4.jpg"]);
    assert_eq!(told["failed"], json!([]));
    assert_eq!((&told["done"][0]["width"], &told["stopped"]), (&json!(100), &json!(false)));
    assert!(told["seconds"].as_f64().unwrap() > 0.0);
    assert_eq!(names(&folder.path("results")), ["1.png", "2.png", "4.png", "5.png"]);
    let saved = fs::read(folder.path("results/1.png")).unwrap();
    assert!(saved.starts_with(b"\x89PNG\r\n\x1a\n"));
    assert_eq!(fs::read(folder.path("a/1.jpg")).unwrap(), fs::read(sample()).unwrap());
}

#[test]
fn failures_are_named_with_their_reason_and_results_are_kept() {
    let folder = photos(&["in/1.jpg", "in/2.jpg"]);
    fs::write(folder.path("in/broken.jpg"), "not an image").unwrap();
    let asked = [&["edit", "in"], &BATCH[..], &["--format", "png"]].concat();
    let first = folder.run(&asked);
    assert_eq!(first.status, 1, "{first:?}");
    assert!(first.stdout.starts_with("2 edited, 1 failed, 0 skipped, "), "{first:?}");
    assert!(first.stdout.contains("\nfailed: in/broken.jpg: "), "{first:?}");
    fs::write(folder.path("results/1.png"), "mine").unwrap();
    fs::remove_file(folder.path("in/broken.jpg")).unwrap();
    let second = folder.run(&asked);
    assert_eq!(second.status, 0, "{second:?}");
    assert!(second.stdout.starts_with("0 edited, 0 failed, 2 skipped, "), "{second:?}");
    let said = "\nskipped: in/1.jpg: results/1.png already exists\n";
    assert!(second.stdout.contains(said), "{second:?}");
    assert_eq!(fs::read(folder.path("results/1.png")).unwrap(), b"mine");
}

#[test]
fn nothing_is_edited_if_an_input_would_be_lost_or_is_not_there() {
    let folder = photos(&["in/1.jpg", "in/1.png", "other/1.jpg"]);
    fs::create_dir(folder.path("empty")).unwrap();
    let png = &["--format", "png"][..];
    for (asked, said) in [
        (
            vec!["edit", "in", "sepia", "--out-dir", "out"],
            "in/1.png would both be saved as out/1.png",
        ),
        (vec!["edit", "in/1.png", "sepia", "--out-dir", "in"], "in/1.png would be overwritten"),
        (vec!["edit", "none*.jpg", "sepia", "--out-dir", "out"], "none*.jpg: no file matches"),
        (vec!["edit", "empty", "sepia", "--out-dir", "out"], "empty: this folder has no images"),
        (vec!["edit", "in", "remove the dog", "--out-dir", "out"], "dog"),
    ] {
        let refused = folder.run(&[&asked[..], png].concat());
        assert_eq!((refused.status, refused.stdout.as_str()), (1, ""), "{asked:?}: {refused:?}");
        assert!(refused.stderr.contains(said), "{asked:?}: {refused:?}");
        assert!(!folder.path("out").exists(), "{asked:?}");
    }
    let many: Vec<String> = (0..6).map(|number| format!("{number}.jpg")).collect();
    let many = many.iter().map(String::as_str);
    let asked: Vec<&str> =
        ["edit"].into_iter().chain(many).chain(["sepia", "-o", "x.png"]).collect();
    let refused = folder.run(&asked);
    assert!(refused.status == 2 && refused.stderr.contains("--out-dir FOLDER"), "{refused:?}");
}

#[cfg(unix)]
#[test]
fn a_stop_leaves_no_half_written_file() {
    let files: Vec<String> = (0..60).map(|number| format!("in/{number}.jpg")).collect();
    let folder = photos(&files.iter().map(String::as_str).collect::<Vec<_>>());
    // Takes long enough for the signal to come in the middle.
    let asked = ["edit", "in", "resize to 300%", "--out-dir", "results", "--format", "png"];
    let mut command = folder.command(&asked);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let results = folder.path("results");
    let is_png = |name: &String| name.ends_with(".png");
    while !(results.exists() && names(&results).iter().any(is_png)) {
        std::thread::yield_now();
    }
    let id = rustix::process::Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("Stopped."), "{output:?}");
    let left = names(&results);
    assert!(left.len() < files.len() && left.iter().all(is_png), "{left:?}");
    for name in left {
        let saved = fs::read(results.join(&name)).unwrap();
        assert!(saved.ends_with(b"IEND\xaeB`\x82"), "{name}");
    }
}

fn granted(folder: &Folder, credits: &str) {
    let grant = ["credits", "grant", "--account", "ada@example.com", "--reason", "test"];
    folder.json(&[&grant[..], &["--credits", credits, "--json"]].concat());
}

/// The batch by a server.
fn remotely(url: &str, more: &[&str]) -> Vec<String> {
    let asked = [&["edit", "in"], &BATCH[..], &["--format", "png", "--server", url], more].concat();
    asked.into_iter().map(str::to_owned).collect()
}

#[test]
fn a_server_edits_each_image_of_a_folder() {
    let folder = photos(&["in/1.jpg", "in/2.jpg", "in/3.jpg"]);
    let (server, key) = folder.serving();
    let run = |more: &[&str]| {
        let asked = remotely(&server.url(), more);
        folder.run_with_key(&key, &asked.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let refused = run(&[]);
    assert_eq!((refused.status, refused.stdout.as_str()), (1, ""), "{refused:?}");
    let said = "3 images cost 18 credits; 15 are available";
    assert!(refused.stderr.contains(said), "{refused:?}");
    assert!(!folder.path("results").exists());

    fs::write(folder.path("in/3.jpg"), "no image").unwrap();
    granted(&folder, "100");
    let first = run(&[]);
    assert_eq!(first.status, 1, "{first:?}");
    assert!(first.stdout.starts_with("2 edited, 1 failed, 0 skipped, "), "{first:?}");
    assert!(first.stdout.contains("failed: in/3.jpg: http"), "{first:?}");
    assert!(first.stdout.contains("(invalid_image)"), "{first:?}");
    assert!(first.stderr.contains("12 credits charged."), "{first:?}");
    assert_eq!(names(&folder.path("results")), ["1.png", "2.png"]);
    fs::copy(sample(), folder.path("in/3.jpg")).unwrap();
    let second = run(&["--json"]);
    assert_eq!((second.status, second.stderr.as_str()), (0, "6 credits charged.\n"), "{second:?}");
    let told: Value = serde_json::from_str(&second.stdout).unwrap();
    assert_eq!((&told["cost"], &told["done"][0]["cost"]), (&json!(6), &json!(6)), "{told}");
    assert_eq!(
        (inputs(&told, "done"), inputs(&told, "skipped").len()),
        (vec!["in/3.jpg".to_owned()], 2)
    );
    let local = folder.run(&["edit", "in/3.jpg", BATCH[0], "-o", "local.png"]);
    assert_eq!(local.status, 0);
    let [here, there] = ["local.png", "results/3.png"].map(|it| fs::read(folder.path(it)).unwrap());
    assert_eq!(here, there);
}

#[test]
fn what_would_fail_for_all_images_is_not_tried_for_all() {
    let files: Vec<String> = (10..30).map(|number| format!("in/{number}.jpg")).collect();
    let folder = photos(&files.iter().map(String::as_str).collect::<Vec<_>>());
    let (server, _) = folder.serving();
    granted(&folder, "1000");
    let limited = ["key", "create", "--account", "ada@example.com", "--name", "limited"];
    let key = folder.json(&[&limited[..], &["--credit-limit", "6", "--json"]].concat());
    let key = key["key"].as_str().unwrap();
    let asked = remotely(&server.url(), &[]);
    let asked: Vec<&str> = asked.iter().map(String::as_str).collect();
    let done = folder.run_with_key(key, &asked);
    assert_eq!(done.status, 1, "{done:?}");
    assert!(done.stdout.starts_with("1 edited, 19 failed, 0 skipped, "), "{done:?}");
    let tried = done.stdout.matches("(key_credit_limit_reached)").count();
    assert!((1..=4).contains(&tried), "{done:?}");
    let rest = done.stdout.matches("not tried after another image's error").count();
    assert_eq!(tried + rest, 19, "{done:?}");
}
