//! The editor without a server.

use serde_json::json;

use super::{Folder, Outcome, sample};

#[test]
fn a_picture_is_edited_and_saved() {
    let folder = Folder::new();
    let picture = sample().display().to_string();
    let words = "make it grayscale, then rotate 90 degrees";
    let done = folder.run(&["edit", &picture, words, "-o", "out.png"]);
    assert_eq!(done.status, 0, "{done:?}");
    assert!(done.stdout.starts_with("Saved out.png ("), "{done:?}");
    let saved = std::fs::read(folder.path("out.png")).unwrap();
    assert!(saved.starts_with(b"\x89PNG\r\n\x1a\n"));
    assert!(!folder.path("retouch-data").exists(), "no account and no database are needed");
    assert!(!folder.path("out.png.part").exists());

    let out = folder.path("same.png").display().to_string();
    let told = folder.json(&["edit", &picture, words, "--output", &out, "--json"]);
    assert_eq!(told["plan"]["steps"].as_array().unwrap().len(), 2, "{told}");
    assert_eq!(told["file"], json!(out));
    assert_eq!(std::fs::read(out).unwrap(), saved, "the same instruction gives the same bytes");
}

#[test]
fn the_shape_and_the_size_of_the_result_can_be_asked_for() {
    let folder = Folder::new();
    let picture = sample().display().to_string();
    let ask = |extra: &[&str]| {
        let all = ["edit", &picture, "sepia", "-o", "out.png", "--json"];
        let told = folder.json(&[&all[..], extra].concat());
        (told["width"].as_i64().unwrap(), told["height"].as_i64().unwrap())
    };
    assert_eq!(ask(&["--size", "120x80"]), (120, 80));
    let (width, height) = ask(&["--aspect-ratio", "1:1"]);
    assert_eq!(width, height);
}

#[test]
fn a_plan_is_explained_without_doing_it() {
    let folder = Folder::new();
    let told = folder.run(&["edit", "no-such.jpg", "a bit brighter, then sepia", "--explain"]);
    assert_eq!((told.status, told.stderr.as_str()), (0, ""), "{told:?}");
    assert!(told.stdout.contains("sepia"), "{told:?}");
    let plan = folder.json(&["edit", "no-such.jpg", "sepia", "--explain", "--json"]);
    assert_eq!(plan["plan"]["steps"].as_array().unwrap().len(), 1, "{plan}");
}

#[test]
fn a_plan_does_what_its_words_did() {
    let folder = Folder::new();
    let picture = sample().display().to_string();
    let words = "brighten the top half, then crop to a square";
    folder.run(&["edit", &picture, words, "-o", "words.png"]);
    let explained = folder.json(&["edit", &picture, words, "--explain", "--json"]);
    std::fs::write(folder.path("plan.json"), explained.to_string()).unwrap();
    let done = folder.run(&["edit", &picture, "--plan", "plan.json", "-o", "plan.png"]);
    assert_eq!(done.status, 0, "{done:?}");
    let bytes = |name| std::fs::read(folder.path(name)).unwrap();
    assert_eq!(bytes("plan.png"), bytes("words.png"));

    let mut wrong = explained["plan"].clone();
    wrong["steps"][0]["strength"] = json!(3);
    std::fs::write(folder.path("wrong.json"), wrong.to_string()).unwrap();
    for (file, said) in [("wrong.json", "`strength`"), ("no.json", "no.json"), (&picture, "UTF-8")]
    {
        let refused = folder.run(&["edit", &picture, "--plan", file, "-o", "no.png"]);
        assert_eq!(refused.status, 1, "{refused:?}");
        assert!(refused.stderr.contains(said), "{refused:?}");
    }
    let refused = folder.run(&["edit", &picture, "-o", "no.png"]);
    assert_eq!(refused.status, 2, "{refused:?}");
}

#[test]
fn the_result_can_go_to_standard_output() {
    let folder = Folder::new();
    let picture = sample().display().to_string();
    let output = folder.command(&["edit", &picture, "sepia", "-o", "-"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.starts_with(b"\x89PNG\r\n\x1a\n"));
}

#[test]
fn the_instruction_may_say_the_format() {
    let folder = Folder::new();
    let picture = sample().display().to_string();
    let size = |name: &str| std::fs::metadata(folder.path(name)).unwrap().len();
    for (name, words) in [("low.jpg", "save as jpg with quality 10"), ("high.jpg", "jpeg at 95")] {
        let done = folder.run(&["edit", &picture, words, "-o", name]);
        assert_eq!(done.status, 0, "{done:?}");
        assert!(done.stdout.contains("save as JPEG with quality"), "{done:?}");
    }
    assert!(size("low.jpg") < size("high.jpg"));
    let refused = folder.run(&["edit", &picture, "save as jpg", "-o", "out.png"]);
    assert_eq!((refused.status, refused.stdout.as_str()), (1, ""), "{refused:?}");
    assert!(refused.stderr.contains("as PNG and as JPEG"), "{refused:?}");
    assert!(!folder.path("out.png").exists());
    let all = folder.run(&["edit", &picture, "sepia, then save as webp", "--out-dir", "all"]);
    assert_eq!(all.status, 0, "{all:?}");
    let name = sample().with_extension("webp");
    let saved = folder.path("all").join(name.file_name().unwrap());
    assert_eq!(std::fs::read(saved).unwrap().get(8..12), Some(&b"WEBP"[..]));
}

#[test]
fn what_cannot_be_done_leaves_nothing_behind() {
    let folder = Folder::new();
    let picture = sample().display().to_string();
    std::fs::write(folder.path("text.jpg"), "not a picture").unwrap();
    for (arguments, said) in [
        (["edit", &picture, "remove the dog", "-o", "out.png"], "dog"),
        (["edit", &picture, "do not rotate", "-o", "out.png"], ""),
        (["edit", "no-such.jpg", "sepia", "-o", "out.png"], "no-such.jpg"),
        (["edit", "text.jpg", "sepia", "-o", "out.png"], "text.jpg"),
        (["edit", &picture, "sepia", "-o", "no/such/folder/out.png"], "cannot save"),
    ] {
        let refused = folder.run(&arguments);
        assert_eq!((refused.status, refused.stdout.as_str()), (1, ""), "{arguments:?}");
        assert!(refused.stderr.starts_with("error: "), "{refused:?}");
        assert!(refused.stderr.contains(said), "{refused:?}");
    }
    assert!(!folder.path("out.png").exists());
}

#[test]
fn a_photo_of_a_phone_is_refused_by_its_name() {
    let folder = Folder::new();
    for (brand, name) in [(b"heic", "a HEIC photo"), (b"avif", "an AVIF image")] {
        let file = [b"\0\0\0\x1cftyp".as_slice(), brand, b"\0\0\0\0mif1", brand, b"miaf"].concat();
        std::fs::write(folder.path("photo.jpg"), file).unwrap();
        let told = folder.run(&["edit", "photo.jpg", "sepia", "-o", "out.png"]);
        assert_eq!(told.status, 1, "{told:?}");
        let says = |words: &str| told.stderr.contains(words);
        assert!(says(name) && (says("Export it") || says("export it")), "{told:?}");
        assert!(!folder.path("out.png").exists());
    }
}

#[test]
fn the_instruction_stands_last() {
    let folder = Folder::new();
    let picture = sample().display().to_string();
    let refused = folder.run(&["edit", "sepia", &picture, "-o", "out.png"]);
    assert_eq!(refused.status, 2);
    assert!(refused.stderr.contains("must come last"), "{refused:?}");
}

#[test]
fn a_font_of_yours_draws_what_the_built_in_ones_lack() {
    let folder = Folder::new();
    let picture = sample().display().to_string();
    let words = "write \"日本\" at the top";
    let refused = folder.run(&["edit", &picture, words, "-o", "out.png"]);
    assert_eq!(refused.status, 1, "{refused:?}");
    assert!(refused.stderr.contains("\"日\", \"本\""), "{refused:?}");
    assert!(!folder.path("out.png").exists());
    let font = concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/tests/fonts/cjk.otf");
    let done = folder.run(&["edit", &picture, words, "-o", "out.png", "--font", font]);
    assert_eq!(done.status, 0, "{done:?}");
}

#[test]
fn a_server_edits_for_the_account_of_a_key() {
    let folder = Folder::new();
    let (server, key) = folder.serving();
    let url = server.url();
    let picture = sample().display().to_string();
    let edit = |key: &str, words: &str, more: &[&str]| -> Outcome {
        let asked = ["edit", &picture, words, "--server", &url];
        folder.run_with_key(key, &[&asked[..], more].concat())
    };
    let words = "resize to 320 px wide, then sepia";
    let done = edit(&key, words, &["-o", "out.webp", "--json"]);
    assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{done:?}");
    let told: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!((&told["width"], &told["cost"]), (&json!(320), &json!(6)), "{told}");
    assert_eq!(told["generation"]["plan"]["steps"].as_array().unwrap().len(), 2, "{told}");
    assert_eq!(&std::fs::read(folder.path("out.webp")).unwrap()[8..12], b"WEBP");

    std::fs::write(folder.path("key.txt"), format!("{key}\n")).unwrap();
    std::fs::write(folder.path("plan.json"), told["generation"].to_string()).unwrap();
    let asked = ["edit", &picture, "--plan", "plan.json", "--server", &url, "-o", "two.png"];
    let again = folder.run(&[&asked[..], &["--key-file", "key.txt"]].concat());
    assert_eq!(again.status, 0, "{again:?}");
    assert!(again.stdout.starts_with("Saved two.png (320x"), "{again:?}");

    let no = ["-o", "no.png"];
    for (refused, status, said) in [
        (edit(&key, "remove the dog", &no), 1, "(instruction_not_supported)"),
        (edit(&key, words, &no), 1, "(insufficient_credits)"),
        (edit(&key, words, &["-o", "no.png", "--model", "none"]), 1, "(unknown_model)"),
        (edit("rtk_wrong", words, &no), 1, "(unauthenticated)"),
        (edit(" ", words, &no), 2, "RETOUCH_API_KEY"),
        (edit(&key, "remove the dog", &["--explain"]), 1, "(instruction_not_supported)"),
        (edit(&key, words, &["--explain", "--out-dir", "no"]), 2, "--out-dir"),
    ] {
        assert_eq!(refused.status, status, "{refused:?}");
        assert!(refused.stderr.contains(said) && !refused.stderr.contains(&key), "{refused:?}");
    }
    assert!(!folder.path("no.png").exists());
    drop(server);
    let away = edit(&key, words, &no);
    assert_eq!(away.status, 1, "{away:?}");
    assert!(away.stderr.contains("did not answer"), "{away:?}");
}

#[test]
fn a_server_explains_an_edit_and_its_cost_without_charging() {
    let folder = Folder::new();
    let (server, key) = folder.serving();
    let url = server.url();
    let asked = ["edit", "no-such.jpg", "a bit brighter, then sepia", "--explain"];
    let told = folder.run_with_key(&key, &[&asked[..], &["--server", &url]].concat());
    assert_eq!((told.status, told.stderr.as_str()), (0, ""), "{told:?}");
    let local = folder.run(&asked);
    assert!(told.stdout.starts_with(&local.stdout), "{told:?} {local:?}");
    assert!(told.stdout.ends_with("6 credits by built-in; 15 are available.\n"), "{told:?}");
    let json = [&asked[..], &["--server", &url, "--json"]].concat();
    let told: serde_json::Value =
        serde_json::from_str(&folder.run_with_key(&key, &json).stdout).unwrap();
    assert_eq!((&told["cost"], &told["available"]), (&json!(6), &json!(15)), "{told}");
    std::fs::write(folder.path("plan.json"), told.to_string()).unwrap();
    let picture = sample().display().to_string();
    let asked = ["edit", &picture, "--plan", "plan.json", "-o", "out.png"];
    assert_eq!(folder.run(&asked).status, 0, "the plan works here as well");
    let asked = [
        "edit",
        "1.jpg",
        "2.jpg",
        "put the second picture in the bottom right corner at 20%",
        "--explain",
        "--server",
    ];
    let two = folder.run_with_key(&key, &[&asked[..], &[&url]].concat());
    assert_eq!(two.status, 0, "{two:?}");
}
