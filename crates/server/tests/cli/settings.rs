//! `config`, `models` and `doctor`.

use std::net::TcpListener;

use serde_json::{Value, json};

use super::{Folder, outcome};

#[test]
fn right_settings_are_right() {
    let folder = Folder::new();
    let done = folder.run(&["config", "check"]);
    assert_eq!((done.status, done.stdout.as_str()), (0, "The settings are valid.\n"));
    let json = folder.json(&["config", "check", "--json"]);
    assert_eq!(json, json!({ "ok": true, "problems": [], "notes": [] }));
}

#[test]
fn wrong_settings_are_all_named_and_nothing_else_runs_with_them() {
    let folder = Folder::new();
    std::fs::write(folder.path("retouch.toml"), "[server]\nlisten = \"x\"\n[log]\nlevle = 1\n")
        .unwrap();
    let done = folder.run(&["config", "check", "--json"]);
    assert_eq!(done.status, 1);
    let told: Value = serde_json::from_str(&done.stdout).unwrap();
    let origins: Vec<&str> = told["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["origin"].as_str().unwrap())
        .collect();
    assert_eq!(origins, ["retouch.toml:4", "retouch.toml:2"]);
    for arguments in [vec!["serve"], vec!["models"], vec!["account", "list"], vec!["doctor"]] {
        let refused = folder.run(&arguments);
        assert_eq!(refused.status, 1, "{arguments:?}");
        let said = refused.stdout + &refused.stderr;
        assert!(said.contains("log.level"), "{arguments:?}: {said}");
    }
    assert!(!folder.path("retouch-data").exists());
}

#[test]
fn settings_are_shown_with_their_origins_and_without_secrets() {
    let folder = Folder::new();
    std::fs::write(folder.path("my.toml"), "[log]\nlevel = \"warn\"\n").unwrap();
    let mut command = folder.command(&["config", "show", "--config", "my.toml"]);
    command.env("RETOUCH_METRICS__TOKEN", "hunter22").env("RETOUCH_SERVER__LISTEN", "[::1]:0");
    let shown = outcome(command, "");
    assert_eq!((shown.status, shown.stderr.as_str()), (0, ""));
    assert!(shown.stdout.contains("\n[log]\n"), "{}", shown.stdout);
    assert!(shown.stdout.contains("\nlevel = \"warn\"  # my.toml:2\n"), "{}", shown.stdout);
    assert!(shown.stdout.contains("\nlisten = \"[::1]:0\"  # RETOUCH_SERVER__LISTEN\n"));
    assert!(shown.stdout.contains("\ntoken = \"[secret]\"  # RETOUCH_METRICS__TOKEN\n"));
    assert!(!shown.stdout.contains("hunter"));
}

#[test]
fn what_is_shown_can_be_used_as_a_file_of_settings() {
    let folder = Folder::new();
    let shown = folder.run(&["config", "show"]).stdout;
    std::fs::write(folder.path("all.toml"), &shown).unwrap();
    let again = folder.run(&["config", "show", "--config", "all.toml"]);
    let values = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split("  # ").next().unwrap().to_owned()).collect()
    };
    assert_eq!(values(&again.stdout), values(&shown), "{again:?}");
}

#[test]
fn the_models_are_listed() {
    let folder = Folder::new();
    let told = folder.json(&["models", "--json"]);
    let models = told["data"].as_array().unwrap();
    let find = |id: &str| models.iter().find(|model| model["id"] == id).unwrap();
    let videos = models.iter().filter(|model| model["kinds"] == serde_json::json!(["video"]));
    assert_eq!((models.len(), videos.count()), (9, 3));
    assert_eq!(find("beta-video-1")["durations_seconds"], serde_json::json!([4, 6, 8]));
    assert_eq!(find("alpha-image-2-free")["credits"], 6);
    assert_eq!(find("beta-image-1-5")["quality_credits"]["high"], 22);
    let text = folder.run(&["models"]).stdout;
    assert!(text.starts_with("MODEL ") && text.contains("6 or 22"), "{text}");
}

#[test]
fn a_catalogue_that_contradicts_itself_is_named() {
    let folder = Folder::new();
    std::fs::write(folder.path("mine.toml"), "default_model = \"none\"\n").unwrap();
    let mut command = folder.command(&["config", "check"]);
    command.env("RETOUCH_CATALOGUE__FILE", "mine.toml");
    let told = outcome(command, "");
    assert_eq!(told.status, 1);
    assert!(
        told.stdout.contains("catalogue.file") && told.stdout.contains("mine.toml"),
        "{told:?}"
    );
}

/// What `doctor` reports for this `server.listen`.
fn doctor(folder: &Folder, listen: &str) -> (i32, Value) {
    let mut command = folder.command(&["doctor", "--json"]);
    command.env("RETOUCH_SERVER__LISTEN", listen);
    let told = outcome(command, "");
    (told.status, serde_json::from_str(&told.stdout).unwrap())
}

fn check<'a>(told: &'a Value, name: &str) -> &'a Value {
    told["checks"].as_array().unwrap().iter().find(|one| one["name"] == name).unwrap()
}

#[test]
fn the_doctor_finds_a_healthy_service() {
    let folder = Folder::new();
    folder.database();
    let (status, told) = doctor(&folder, "127.0.0.1:0");
    assert_eq!((status, &told["ok"]), (0, &json!(true)), "{told}");
    assert_eq!(told["checks"].as_array().unwrap().len(), 9);
    assert_eq!(check(&told, "database")["warning"], false, "{told}");
}

#[test]
fn the_doctor_creates_nothing() {
    let folder = Folder::new();
    let (status, told) = doctor(&folder, "127.0.0.1:0");
    assert_eq!((status, &told["ok"]), (0, &json!(true)), "{told}");
    let database = check(&told, "database");
    assert_eq!(database["warning"], true, "{told}");
    let detail = database["detail"].as_str().unwrap();
    assert!(detail.contains("`retouch serve`") && detail.contains("store.data_dir"), "{detail}");
    assert!(!folder.path("retouch-data").exists());
}

#[test]
fn the_doctor_finds_what_is_wrong() {
    let folder = Folder::new();
    folder.database();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let stranger = std::thread::spawn(move || drop(taken.accept()));
    let (status, told) = doctor(&folder, &address);
    assert_eq!((status, &check(&told, "address")["ok"]), (1, &json!(false)), "{told}");
    assert_eq!(check(&told, "database")["ok"], true);
    stranger.join().unwrap();

    std::fs::remove_dir_all(folder.path("retouch-data")).unwrap();
    std::fs::write(folder.path("retouch-data"), "a file in the way").unwrap();
    let (status, told) = doctor(&folder, "127.0.0.1:0");
    assert_eq!(status, 1);
    for name in ["data folder", "database", "images"] {
        assert_eq!(check(&told, name)["ok"], false, "{told}");
    }
}

#[test]
fn a_font_that_cannot_be_used_is_named_before_anything_is_served() {
    let folder = Folder::new();
    for (font, said) in [("none.ttf", "cannot be read"), ("retouch.toml", "is not a TrueType")] {
        let settings =
            format!("[server]\nlisten = \"127.0.0.1:0\"\n[edits]\nfonts = [\"{font}\"]\n");
        std::fs::write(folder.path("retouch.toml"), settings).unwrap();
        for arguments in [["config", "check"].as_slice(), &["serve"]] {
            let refused = folder.run(arguments);
            assert_eq!(refused.status, 1, "{refused:?}");
            let all = refused.stdout + &refused.stderr;
            assert!(all.contains("edits.fonts") && all.contains(said), "{arguments:?}: {all}");
        }
    }
}
