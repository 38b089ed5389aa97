//! The file with the secret key of an embedded database.

use std::fs;

use base64_simd::STANDARD;
use serde_json::json;

use super::Folder;
use super::serve::Server;

const FILE: &str = "retouch-data/retouch.key";

/// Signs up and creates a webhook. Returns the answer.
fn webhook(server: &Server) -> String {
    let same_origin = "sec-fetch-site: same-origin".to_owned();
    let who = json!({ "email": "ada@example.com", "password": "correct horse battery" });
    let entered = server.answer("POST /api/auth/sign-up", std::slice::from_ref(&same_origin), &who);
    let cookie = entered.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    let cookie = format!("cookie: {}", cookie.split(';').next().unwrap());
    let wanted = json!({ "url": "https://example.com/hook", "events": ["generation.succeeded"] });
    server.answer("POST /api/webhooks", &[cookie, same_origin], &wanted)
}

#[test]
fn the_first_start_creates_a_key_so_that_webhooks_work_without_settings() {
    let folder = Folder::new();
    let server = Server::start(folder.command(&["serve"]));
    let made = webhook(&server);
    assert!(made.contains(" 201 ") && made.contains("whsec_"), "{made}");
    let key = fs::read_to_string(folder.path(FILE)).unwrap();
    assert_eq!(STANDARD.decode_to_vec(&key).unwrap().len(), 32);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(folder.path(FILE)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    assert!(!folder.path("retouch-data/retouch.key.unfinished").exists());
    drop(server);
    let server = Server::start(folder.command(&["serve"]));
    assert!(server.line.contains("is ready at"), "{}", server.line);
    assert_eq!(fs::read_to_string(folder.path(FILE)).unwrap(), key, "the next start keeps it");
}

#[test]
fn a_key_in_the_settings_wins_and_a_broken_file_is_reported() {
    let folder = Folder::new();
    let with_key = |arguments: &[&str]| {
        let mut command = folder.command(arguments);
        command.env("RETOUCH_SERVER__SECRET_KEY", STANDARD.encode_to_string([7; 32]));
        command
    };
    let server = Server::start(with_key(&["serve"]));
    let made = webhook(&server);
    assert!(made.contains(" 201 "), "{made}");
    assert!(!folder.path(FILE).exists());
    drop(server);
    fs::write(folder.path(FILE), "half a k").unwrap();
    let checked = folder.run(&["config", "check"]);
    assert_eq!(checked.status, 1, "{checked:?}");
    let said = format!("{}{}", checked.stdout, checked.stderr);
    assert!(said.contains("server.secret_key: cannot read the key in"), "{said}");
    assert!(said.contains("retouch.key") && said.contains("Restore the file"), "{said}");
    assert!(!said.contains("half a k"), "{said}");
    let server = Server::start(folder.command(&["serve"]));
    assert_eq!(server.line, "", "it must not start");
    assert!(Server::start(with_key(&["serve"])).line.contains("is ready at"));
}
