//! The commands that `serve` prints for a first edit, pasted into another terminal.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use super::Folder;
use super::serve::Server;

/// Starts a server and returns the printed commands as well.
fn serve(folder: &Folder, settings: &[(&str, &str)]) -> (Server, String) {
    let mut command = folder.command(&["serve"]);
    command.envs(settings.iter().copied());
    let mut server = Server::start(command);
    let output = BufReader::new(server.process.stderr.take().unwrap());
    let mut block = String::new();
    for line in output.lines().map(Result::unwrap) {
        if !block.is_empty() || line.starts_with("  PASSWORD=") {
            block.push_str(&line);
            block.push('\n');
        }
        if line.contains("\"message\"") {
            break;
        }
    }
    (server, block)
}

/// What a shell prints that runs `block` in an empty folder. It finds curl, and no `retouch`.
fn paste(block: &str) -> (String, bool) {
    let elsewhere = tempfile::tempdir().unwrap();
    let output = Command::new("sh")
        .args(["-c", &format!("{block}echo \"KEY=$KEY\"")])
        .current_dir(elsewhere.path())
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].map(|it| String::from_utf8_lossy(&it).into_owned());
    let edited = std::fs::read(elsewhere.path().join("edited.png")).unwrap_or_default();
    (text.concat(), edited.starts_with(b"\x89PNG\r\n\x1a\n"))
}

#[test]
fn the_printed_commands_work_in_any_folder_and_say_what_is_wrong() {
    let folder = Folder::new();
    let (server, block) = serve(&folder, &[]);
    assert!(!block.contains("samples/"), "{block}");
    let (text, is_edited) = paste(&block);
    assert!(is_edited && text.contains("Saved edited.png\n"), "{text}");
    assert!(text.contains("Account: me@example.com, password: "), "{text}");
    assert!(text.contains("KEY=retouch_"), "{text}");
    // The account exists now.
    let (again, is_edited) = paste(&block);
    assert!(!is_edited && again.contains("There is already an account with"), "{again}");
    assert!(!again.contains("{\"error\""), "the message alone: {again}");
    drop(server);
    let (stopped, is_edited) = paste(&block);
    assert!(!is_edited && stopped.contains("curl: (7)"), "{stopped}");
}

#[test]
fn the_printed_commands_work_where_only_the_operator_creates_accounts() {
    let folder = Folder::new();
    let (server, block) = serve(&folder, &[("RETOUCH_AUTH__SIGN_UP", "closed")]);
    let data = folder.0.path().canonicalize().unwrap().join("retouch-data");
    let setting = format!("RETOUCH_STORE__DATA_DIR={}", data.display());
    assert_eq!(block.matches(&setting).count(), 2, "{block}");
    let (text, is_edited) = paste(&block);
    assert!(is_edited, "{text}");
    drop(server);
}
