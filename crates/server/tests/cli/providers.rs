//! Providers on the command line: whether they respond, and what they cost.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;

use retouch_core::{OsEntropy, SystemClock};
use retouch_server::auth::sealing::SecretKey;
use retouch_server::config::Secret;
use retouch_store::{Context, Deed, Store, StoredProvider};
use serde_json::{Value, json};

use super::{Folder, Outcome, REFUSING, outcome};

/// 32 bytes in base64.
const SECRET_KEY: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

/// The address of a server that answers four requests in this way.
fn server(status: &'static str, body: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().take(4) {
            let mut stream = stream.unwrap();
            let mut head = [0; 4096];
            let read = stream.read(&mut head).unwrap();
            assert!(head[..read].starts_with(b"GET /v1/models "), "only calls that cost nothing");
            let length = body.len();
            let head =
                format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close");
            stream.write_all(format!("{head}\r\n\r\n{body}").as_bytes()).unwrap();
        }
    });
    address
}

/// What `doctor` reports about the provider `openai` at `address`, as text and as JSON.
fn doctor(address: &str) -> [Outcome; 2] {
    let folder = Folder::new();
    folder.database();
    [vec!["doctor"], vec!["doctor", "--json"]].map(|arguments| {
        let mut command = folder.command(&arguments);
        command.env("RETOUCH_SERVER__LISTEN", "127.0.0.1:0");
        command.env("RETOUCH_PROVIDERS__OPENAI__API_KEY", "hunter22");
        command.env("RETOUCH_PROVIDERS__OPENAI__BASE_URL", address);
        outcome(command, "")
    })
}

#[test]
fn the_doctor_asks_each_provider_without_spending() {
    let [text, told] = doctor(&server("200 OK", r#"{"data":[{"id":"a"},{"id":"b"}]}"#));
    assert_eq!(text.status, 0, "{text:?}");
    let line = text.stdout.lines().last().unwrap();
    assert!(line.starts_with("ok    provider openai") && line.ends_with(" ms)"), "{text:?}");
    let told: Value = serde_json::from_str(&told.stdout).unwrap();
    let check = told["checks"].as_array().unwrap().last().unwrap();
    assert_eq!((&check["name"], &check["ok"]), (&json!("provider openai"), &json!(true)));
}

#[test]
fn the_doctor_warns_of_a_model_that_the_providers_list_shuts_down() {
    let list = r#"{"data":[{"id":"gpt-image-2.5-flare","shutdown_date":"2027-09-08"},
        {"id":"unused","shutdown_date":"2026-12-01"},{"id":"gpt-image-2","shutdown_date":null}]}"#;
    let [text, _] = doctor(&server("200 OK", list));
    let warned: Vec<&str> = text.stdout.lines().filter(|line| line.starts_with("warn")).collect();
    assert_eq!((text.status, warned.len()), (0, 2), "{text:?}");
    for (line, model) in warned.iter().zip(["alpha-image-2-free", "beta-image-1-5"]) {
        let told = ["gpt-image-2.5-flare shuts down on 2027-09-08", model];
        assert!(told.iter().all(|part| line.contains(part)), "{line}");
    }
}

#[test]
fn routes_that_end_and_calls_that_lose_money_are_named() {
    let folder = Folder::new();
    folder.database();
    let catalogue = include_str!("../../../../models.toml");
    let first = "input_usd = \"0.008\" },";
    let ended = catalogue.replacen(first, "input_usd = \"0.008\", ends = \"2026-01-01\" },", 1);
    let dear = ended.replacen("cost_usd = \"0.0336\"", "cost_usd = \"0.5\"", 1);
    std::fs::write(folder.path("mine.toml"), dear).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = folder.command(arguments);
        command.env("RETOUCH_SERVER__LISTEN", "127.0.0.1:0");
        command.env("RETOUCH_PROVIDERS__OPENAI__API_KEY", "hunter22");
        command.env("RETOUCH_PROVIDERS__OPENAI__BASE_URL", "http://127.0.0.1:9/v1");
        command.env("RETOUCH_PROVIDERS__OPENAI__USD_PER_DAY_MAX", "25.00");
        command.env("RETOUCH_CATALOGUE__FILE", "mine.toml");
        outcome(command, "")
    };
    let loss = "alpha-image-2-free is sold below cost: quality medium, size 1K costs up to $0.50672 at gemini";
    let end = "the route of alpha-image-2-free to gpt-image-2.5-flare at openai has ended";
    let checked = run(&["config", "check"]);
    assert!(checked.stderr.contains(loss) && checked.stderr.contains(end), "{checked:?}");
    let examined = run(&["doctor"]).stdout;
    assert!(examined.contains(loss) && examined.contains(end), "{examined}");
    assert!(examined.contains("$0.00 of $25.00 spent today"), "{examined}");
    assert!(run(&["models"]).stdout.contains(loss));
}

#[test]
fn the_doctor_says_what_is_wrong_with_a_provider_and_never_the_key() {
    let complaint = r#"{"error":{"message":"Incorrect API key provided: hunter22"}}"#;
    for address in [server("401 Unauthorized", complaint), format!("http://{REFUSING}/v1")] {
        let [text, told] = doctor(&address);
        assert_eq!((text.status, told.status), (1, 1), "{text:?}");
        assert!(text.stdout.contains("FAIL  provider openai"), "{text:?}");
        assert!(!format!("{text:?}{told:?}").contains("hunter"), "{text:?}");
    }
}

#[test]
fn a_key_does_not_go_to_the_proxy_that_the_environment_names() {
    let folder = Folder::new();
    let proxy = TcpListener::bind("127.0.0.1:0").unwrap();
    proxy.set_nonblocking(true).unwrap();
    let mut command = folder.command(&["doctor"]);
    command.env("RETOUCH_SERVER__LISTEN", "127.0.0.1:0");
    command.env("RETOUCH_PROVIDERS__OPENAI__API_KEY", "hunter22");
    command.env("RETOUCH_PROVIDERS__OPENAI__BASE_URL", server("200 OK", r#"{"data":[]}"#));
    for name in ["HTTP_PROXY", "http_proxy", "ALL_PROXY"] {
        command.env(name, format!("http://{}", proxy.local_addr().unwrap()));
    }
    let told = outcome(command, "");
    assert_eq!(told.status, 0, "{told:?}");
    let came = proxy.accept().map(|(_, from)| from);
    assert!(came.is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock));
}

#[test]
fn the_doctor_warns_of_a_key_in_clear_text() {
    let folder = Folder::new();
    folder.database();
    let with = |address: &str, key: &str| {
        let mut command = folder.command(&["doctor", "--json"]);
        command.env("RETOUCH_SERVER__LISTEN", "127.0.0.1:0");
        command.env("RETOUCH_PROVIDERS__LITELLM__BASE_URL", address);
        command.env("RETOUCH_PROVIDERS__LITELLM__API_KEY", key);
        // There is no request: the name cannot exist, or nothing listens at the address.
        command.env("RETOUCH_PROVIDERS__LITELLM__CONNECT_TIME_MAX", "100 ms");
        let told: Value = serde_json::from_str(&outcome(command, "").stdout).unwrap();
        let checks = told["checks"].as_array().unwrap().clone();
        checks.into_iter().filter(|check| check["warning"] == true).collect::<Vec<_>>()
    };
    for address in ["http://gateway.invalid:4000/v1", "http://192.0.2.1/v1"] {
        let warned = with(address, "hunter22");
        let detail = warned[0]["detail"].as_str().unwrap();
        assert_eq!((warned.len(), &warned[0]["name"]), (1, &json!("provider litellm")));
        assert_eq!(warned[0]["ok"], true, "the server starts anyway");
        assert!(detail.contains("unencrypted") && !detail.contains("hunter"), "{detail}");
        assert_eq!(with(address, ""), Vec::<Value>::new(), "without a key");
    }
    for address in [
        "https://gateway.invalid/v1",
        "http://127.0.0.1:9/v1",
        "http://[::1]:9",
        "http://localhost:9",
    ] {
        assert_eq!(with(address, "hunter22"), Vec::<Value>::new(), "{address}");
    }
    let (mut command, address) = (folder.command(&["doctor"]), "http://192.0.2.1/v1");
    command.env("RETOUCH_PROVIDERS__LITELLM__BASE_URL", address);
    command.env("RETOUCH_PROVIDERS__LITELLM__API_KEY", "hunter22");
    command.env("RETOUCH_PROVIDERS__LITELLM__CONNECT_TIME_MAX", "100 ms");
    let said = outcome(command, "").stdout;
    assert!(said.contains("\nwarn  provider litellm"), "{said}");
}

#[test]
fn files_of_providers_and_strange_routes_are_checked_with_the_settings() {
    let folder = Folder::new();
    let check = || {
        let mut command = folder.command(&["config", "check"]);
        command.env("RETOUCH_PROVIDERS__COMFYUI__BASE_URL", "http://127.0.0.1:8188");
        command.env("RETOUCH_PROVIDERS__COMFYUI__WORKFLOWS", "edit.json");
        command.env("RETOUCH_CATALOGUE__FILE", "mine.toml");
        outcome(command, "")
    };
    let catalogue = include_str!("../../../../models.toml");
    let strange = catalogue.replace("provider = \"bfl\"", "provider = \"bfi\"");
    std::fs::write(folder.path("mine.toml"), strange).unwrap();
    let missing = check();
    assert_eq!(missing.status, 1, "{missing:?}");
    assert!(missing.stdout.contains("providers.comfyui: the workflow edit.json: No such file"));
    std::fs::write(folder.path("edit.json"), "[]").unwrap();
    let broken = check();
    assert!(broken.stdout.contains("providers.comfyui: the workflow edit: "), "{broken:?}");
    let note = "alpha-image-2-free has a route to bfi, which is not a known provider";
    assert!(broken.stderr.contains(note), "{broken:?}");
}

#[test]
fn models_say_who_performs_them_what_it_costs_and_what_is_left() {
    let folder = Folder::new();
    let with_keys = |arguments: &[&str]| {
        let mut command = folder.command(arguments);
        command.env("RETOUCH_PROVIDERS__OPENAI__API_KEY", "hunter22");
        command.env("RETOUCH_PROVIDERS__FAL__API_KEY", "hunter22");
        outcome(command, "").stdout
    };
    let text = with_keys(&["models"]);
    let row = |id: &str| text.lines().find(|line| line.starts_with(id)).unwrap().to_owned();
    assert!(row("beta-image-1-5").ends_with("openai, fal    $0.0132  $0.0722 (84 %)"), "{text}");
    assert!(row("delta-5-0").ends_with("built-in       -        -"), "{text}");
    assert!(row("epsilon-image").ends_with("fal, built-in  $0.05    $0.0354 (41 %)"), "{text}");
    assert!(text.contains("MARGIN is what"), "{text}");
    let bare = folder.run(&["models"]).stdout;
    assert!(!bare.contains("MARGIN is what") && !bare.contains('$'), "{bare}");

    let told: Value = serde_json::from_str(&with_keys(&["models", "--json"])).unwrap();
    let models = told["data"].as_array().unwrap();
    let model = models.iter().find(|model| model["id"] == "beta-image-1-5").unwrap();
    assert_eq!(model["providers"], json!(["openai", "fal"]));
    let first = json!({
        "provider": "openai", "model": "gpt-image-2.5-flare", "configured": true, "ends": null,
        "kinds": ["image_edit", "text_to_image"], "cost_usd": "0.0132", "margin_usd": "0.0722",
    });
    assert_eq!(model["routes"][0], first);
    assert_eq!(model["routes"][1]["configured"], false);
}

/// Adds the provider `openai` at `address`, as an administrator does in the browser.
fn add_in_browser(folder: &Folder, address: &str) {
    let secret_key = SecretKey::of(&Secret::new(SECRET_KEY)).unwrap();
    let sealed = secret_key.seal("openai", &Secret::new("hunter22"), &OsEntropy);
    let stored = StoredProvider {
        name: "openai".to_owned(),
        kind: "openai".to_owned(),
        settings: json!({ "base_url": address, "usd_per_day_max": "25.00" }).to_string(),
        sealed_key: Some(sealed.unwrap()),
        key_end: String::new(),
        is_on: true,
    };
    let data = folder.path("retouch-data");
    let settings = retouch_store::Settings::new(data.join("retouch.db"), data.join("blobs"));
    let context = Context { clock: Arc::new(SystemClock), entropy: Arc::new(OsEntropy) };
    let deed = Deed { by: None, reason: "a test".to_owned(), request_id: None };
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let store = Store::open(&settings, context).await.unwrap();
        store.put_provider(stored, deed).await.unwrap();
        store.close().await.unwrap();
    });
}

#[test]
fn providers_that_were_added_in_the_browser_count_on_the_command_line() {
    let folder = Folder::new();
    folder.database();
    add_in_browser(&folder, &server("200 OK", r#"{"data":[{"id":"a"}]}"#));
    let catalogue = include_str!("../../../../models.toml");
    let first = "input_usd = \"0.008\" },";
    let ended = catalogue.replacen(first, "input_usd = \"0.008\", ends = \"2026-01-01\" },", 1);
    std::fs::write(folder.path("mine.toml"), ended).unwrap();
    let run = |arguments: &[&str], secret_key: &str| {
        let mut command = folder.command(arguments);
        command.env("RETOUCH_SERVER__LISTEN", "127.0.0.1:0");
        command.env("RETOUCH_SERVER__SECRET_KEY", secret_key);
        command.env("RETOUCH_CATALOGUE__FILE", "mine.toml");
        outcome(command, "")
    };
    let models = run(&["models"], SECRET_KEY).stdout;
    let row = models.lines().find(|line| line.starts_with("beta-image-1-5")).unwrap();
    assert!(row.contains("openai ") && row.ends_with("$0.0132  $0.0722 (84 %)"), "{models}");
    let checked = run(&["config", "check"], SECRET_KEY);
    assert_eq!(checked.status, 0, "{checked:?}");
    assert!(checked.stderr.contains("at openai has ended"), "{checked:?}");
    let examined = run(&["doctor"], SECRET_KEY);
    assert_eq!(examined.status, 0, "{examined:?}");
    for line in ["ok    provider openai", "$0.00 of $25.00 spent today", "at openai has ended"] {
        assert!(examined.stdout.contains(line), "{line}: {examined:?}");
    }

    let locked = run(&["doctor"], "");
    assert_eq!(locked.status, 1, "{locked:?}");
    let reason = "FAIL  provider openai  Its API key is encrypted, but RETOUCH_SERVER__SECRET_KEY";
    assert!(locked.stdout.contains(reason), "{locked:?}");
    let models = run(&["models"], "");
    assert!(
        models.stderr.contains("The provider openai, which an administrator added, is not used")
    );
    assert!(!format!("{examined:?}{locked:?}").contains("hunter"));
}
