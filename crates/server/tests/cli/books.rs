//! Accounts, keys and credits.

use retouch_server::auth::password::PasswordPool;
use serde_json::json;

use super::Folder;
use super::serve::Server;

#[test]
fn an_account_is_made_once_with_the_sign_up_credits() {
    let folder = Folder::new();
    folder.database();
    let asked = ["account", "create", "--email", "Ada@Example.com", "--password-stdin", "--json"];
    let made = folder.run_with(&asked, "correct horse\n");
    assert_eq!((made.status, made.stderr.as_str()), (0, ""), "{made:?}");
    let account: serde_json::Value = serde_json::from_str(&made.stdout).unwrap();
    assert_eq!(account["email"], "Ada@Example.com");
    assert_eq!(account["credits"], json!({ "available": 15, "held": 0 }));
    assert!(account["id"].as_str().unwrap().starts_with("acct_"));

    let again = ["account", "create", "--email", "ada@example.COM", "--password-stdin"];
    let refused = folder.run_with(&again, "correct horse\n");
    assert_eq!((refused.status, refused.stdout.as_str()), (1, ""));
    assert!(refused.stderr.contains("email address"), "{refused:?}");

    let listed = folder.json(&["account", "list", "--json"]);
    assert_eq!(listed["data"].as_array().unwrap().len(), 1);
    assert_eq!(listed["data"][0]["id"], account["id"]);
    let text = folder.run(&["account", "list"]).stdout;
    assert!(text.starts_with("ID ") && text.contains("Ada@Example.com"), "{text}");
}

#[test]
fn a_password_that_breaks_the_rules_makes_no_account() {
    let folder = Folder::new();
    folder.database();
    let asked = ["account", "create", "--email", "ada@example.com", "--password-stdin"];
    let long = "x".repeat(2000);
    for (password, reason) in
        [("", "0 characters"), ("seven77\n", "7 characters"), (&long, "bytes")]
    {
        let refused = folder.run_with(&asked, password);
        assert_eq!((refused.status, refused.stdout.as_str()), (1, ""));
        assert!(refused.stderr.contains(reason), "{refused:?}");
    }
    assert_eq!(folder.json(&["account", "list", "--json"]), json!({ "data": [] }));
}

#[test]
fn credits_are_granted_shown_and_proved() {
    let folder = Folder::new();
    folder.account("ada@example.com");
    let grant = ["credits", "grant", "--account", "ADA@example.com", "--credits", "100"];
    let asked = [&grant[..], &["--reason", "thank you"]].concat();
    let first = folder.run(&asked);
    assert_eq!(first.stdout, "Granted 100 credits to ada@example.com; 115 available.\n");
    let second = folder.json(&[&asked[..], &["--json"]].concat());
    assert_eq!(second["credits"], json!({ "available": 215, "held": 0 }));

    let show = ["credits", "show", "--account", "ada@example.com"];
    let shown = folder.json(&[&show[..], &["--json"]].concat());
    assert_eq!((&shown["available"], &shown["held"]), (&json!(215), &json!(0)));
    let buckets = shown["buckets"].as_array().unwrap();
    let remaining = |kind: &str| -> i64 {
        let of_kind = buckets.iter().filter(|bucket| bucket["kind"] == kind);
        of_kind.map(|bucket| bucket["remaining"].as_i64().unwrap()).sum()
    };
    assert_eq!((remaining("sign_up"), remaining("operator")), (15, 200));
    assert!(folder.run(&show).stdout.starts_with("215 credits available, 0 held.\n"));

    let proved = folder.json(&["credits", "verify", "--json"]);
    assert_eq!((&proved["accounts"], &proved["entries"]), (&json!(1), &json!(3)));
    assert_eq!(proved["disagreements"], json!([]));
    let text = folder.run(&["credits", "verify"]);
    assert_eq!((text.status, text.stderr.as_str()), (0, ""));
    assert_eq!(text.stdout, "The ledger is correct: 1 account, 3 entries.\n");
}

#[test]
fn nobody_gets_nothing() {
    let folder = Folder::new();
    folder.database();
    for arguments in [
        vec!["credits", "show", "--account", "ada@example.com"],
        vec!["credits", "grant", "--account", "ada@example.com", "--credits", "5", "--reason", "x"],
        vec!["key", "create", "--account", "ada@example.com", "--name", "laptop"],
    ] {
        let refused = folder.run(&arguments);
        assert_eq!((refused.status, refused.stdout.as_str()), (1, ""), "{arguments:?}");
        let said = "error: no account has the email address ada@example.com\n";
        assert_eq!(refused.stderr, said, "{arguments:?}");
    }
}

#[test]
fn a_key_is_shown_alone_on_standard_output_and_revoked_by_its_id() {
    let folder = Folder::new();
    folder.account("ada@example.com");
    let create = ["key", "create", "--account", "ada@example.com", "--name", "laptop"];
    let made = folder.run(&create);
    assert_eq!(made.status, 0, "{made:?}");
    let secret = made.stdout.trim_end();
    assert!(secret.starts_with("retouch_") && secret.len() == 44, "{secret}");
    assert!(!made.stderr.contains(secret) && made.stderr.contains("shown again"), "{made:?}");

    let limits = ["--expires-at", "2099-01-01T00:00:00Z", "--credit-limit", "60"];
    let periods = ["--credit-limit-per-day", "7", "--credit-limit-per-month", "9", "--json"];
    let other = folder.json(&[&create[..], &limits[..], &periods[..]].concat());
    assert_eq!((&other["name"], &other["credit_limit"]), (&json!("laptop"), &json!(60)));
    let periods = (&other["credit_limit_per_day"], &other["credit_limit_per_month"]);
    assert_eq!(periods, (&json!(7), &json!(9)));
    assert_eq!(other["expires_at"], "2099-01-01T00:00:00.000Z");
    let secret = other["key"].as_str().unwrap();
    assert!(secret.starts_with(other["start"].as_str().unwrap()));

    let id = other["id"].as_str().unwrap();
    assert_eq!(folder.run(&["key", "revoke", id]).stdout, format!("Revoked {id}.\n"));
    let unknown = folder.run(&["key", "revoke", "key_00000000000000000000000000"]);
    assert_eq!((unknown.status, unknown.stdout.as_str()), (1, ""));
    assert!(unknown.stderr.contains("there is no key"), "{unknown:?}");
}

#[test]
fn an_account_gets_another_password() {
    let folder = Folder::new();
    folder.account("ada@example.com");
    let asked = ["account", "set-password", "--email", "ada@example.com", "--password-stdin"];
    let done = folder.run_with(&asked, "battery staple\n");
    assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{done:?}");
    let short = folder.run_with(&asked, "short\n");
    assert_eq!(short.status, 1, "{short:?}");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let hash = runtime.block_on(stored_hash(&folder, "ada@example.com"));
    let pool = PasswordPool::new(1, 1);
    for (password, right) in [("battery staple", true), ("correct horse", false)] {
        let verdict = pool.verify(password.to_owned(), Some(hash.clone()));
        assert_eq!(runtime.block_on(verdict).unwrap(), right, "{password}");
    }
    let nobody = ["account", "set-password", "--email", "bob@example.com", "--password-stdin"];
    let refused = folder.run_with(&nobody, "battery staple\n");
    assert_eq!(refused.status, 1);
    assert!(refused.stderr.contains("bob@example.com"), "{refused:?}");
}

async fn stored_hash(folder: &Folder, email: &str) -> String {
    let data = folder.path("retouch-data");
    let settings = retouch_store::Settings::new(data.join("retouch.db"), data.join("blobs"));
    let context = retouch_store::Context {
        clock: std::sync::Arc::new(retouch_core::SystemClock),
        entropy: std::sync::Arc::new(retouch_core::OsEntropy),
    };
    let store = retouch_store::Store::open(&settings, context).await.unwrap();
    let found = store.find_account_by_email(&email.parse().unwrap()).await.unwrap();
    store.close().await.unwrap();
    found.and_then(|(_, hash)| hash).unwrap()
}

#[cfg(unix)]
#[test]
fn what_the_service_stores_is_for_its_own_user_alone() {
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::new();
    drop(Server::start(folder.command(&["serve"])));
    for name in [
        "retouch-data",
        "retouch-data/retouch.lock",
        "retouch-data/retouch.db",
        "retouch-data/blobs",
    ] {
        let mode = std::fs::metadata(folder.path(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{name}: {mode:o}");
    }
}

#[test]
fn books_that_do_not_agree_are_named_and_fail() {
    let folder = Folder::new();
    folder.account("ada@example.com");
    let account = folder.json(&["account", "list", "--json"])["data"][0]["id"].clone();
    let rows = rusqlite::Connection::open(folder.path("retouch-data/retouch.db")).unwrap();
    rows.execute("UPDATE balance SET available = available + 1, granted = granted + 1", [])
        .unwrap();
    drop(rows);
    let proved = folder.run(&["credits", "verify"]);
    assert_eq!(proved.status, 1, "{proved:?}");
    assert!(proved.stdout.contains(account.as_str().unwrap()), "{proved:?}");
}
