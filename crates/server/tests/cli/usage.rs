//! Help, wrong usage, and a reader that closes the pipe.

use std::process::Stdio;

use super::Folder;

#[test]
fn help_goes_to_standard_output_and_succeeds() {
    let folder = Folder::new();
    for arguments in [
        vec!["--help"],
        vec!["edit", "--help"],
        vec!["account", "create", "--help"],
        vec!["key", "create", "--help"],
        vec!["credits", "grant", "--help"],
        vec!["admin", "link", "--help"],
        vec!["migrate", "--help"],
        vec!["move", "--help"],
        vec!["config", "show", "--help"],
        vec!["--version"],
    ] {
        let done = folder.run(&arguments);
        assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{arguments:?}");
        assert!(done.stdout.contains("retouch"), "{arguments:?}: {}", done.stdout);
    }
    let help = folder.run(&["--help"]).stdout;
    for command in [
        "serve",
        "edit",
        "account",
        "admin",
        "key",
        "credits",
        "models",
        "config",
        "doctor",
        "healthcheck",
    ] {
        assert!(help.contains(&format!("\n  {command}")), "{command} is missing in {help}");
    }
    assert!(help.contains("Examples:") && help.contains("Exit status:"));
}

#[test]
fn what_is_not_understood_exits_2_with_nothing_on_standard_output() {
    let folder = Folder::new();
    let key = "key_00000000000000000000000000";
    for arguments in [
        vec![],
        vec!["fly"],
        vec!["serve", "--fast"],
        vec!["edit"],
        vec!["edit", "photo.jpg"],
        vec!["edit", "photo.jpg", "sepia"],
        vec!["edit", "photo.jpg", "sepia", "-o", "x.png", "--out-dir", "x"],
        vec!["edit", "photo.jpg", "sepia", "-o", "x.png", "--format", "gif"],
        vec!["edit", "photo.jpg", "sepia", "-o", "x.png", "--size", "1x1"],
        vec!["edit", "photo.jpg", "sepia", "-o", "x.png", "--aspect-ratio", "wide"],
        vec![
            "edit",
            "photo.jpg",
            "sepia",
            "-o",
            "x.png",
            "--size",
            "100x100",
            "--aspect-ratio",
            "3:2",
        ],
        vec!["edit", "a", "b", "c", "d", "e", "side by side", "-o", "x.png"],
        vec!["account", "create", "--email", "nobody", "--password-stdin"],
        vec!["account", "create", "--email", "ada@example.com"],
        vec!["key", "revoke", "laptop"],
        vec!["key", "revoke", key, "--force"],
        vec!["key", "create", "--account", "ada@example.com", "--name", " "],
        vec!["key", "create", "--account", "a@b.c", "--name", "x", "--expires-at", "tomorrow"],
        vec![
            "key",
            "create",
            "--account",
            "a@b.c",
            "--name",
            "x",
            "--expires-at",
            "2020-01-01T00:00:00Z",
        ],
        vec!["key", "create", "--account", "a@b.c", "--name", "x", "--credit-limit", "0"],
        vec!["credits", "grant", "--account", "a@b.c", "--credits", "0", "--reason", "x"],
        vec!["credits", "grant", "--account", "a@b.c", "--credits", "-5", "--reason", "x"],
        vec!["credits", "grant", "--account", "a@b.c", "--credits", "1.5", "--reason", "x"],
        vec!["credits", "grant", "--account", "a@b.c", "--credits", "5", "--reason", ""],
        vec!["credits", "grant", "--account", "a@b.c", "--credits", "5"],
    ] {
        let done = folder.run(&arguments);
        assert_eq!((done.status, done.stdout.as_str()), (2, ""), "{arguments:?}: {done:?}");
        assert!(!done.stderr.is_empty(), "{arguments:?}");
    }
    assert!(!folder.path("retouch-data").exists(), "wrong usage leaves nothing behind");
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let folder = Folder::new();
    for arguments in [vec!["models"], vec!["config", "show", "--json"], vec!["--help"]] {
        let mut command = folder.command(&arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    }
}
