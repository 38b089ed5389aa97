//! Which layer wins, and what is reported about a value's origin.

use retouch_server::config::{Settings, ShownSetting, Sources};

use super::{file, load};

fn shown(settings: &Settings, key: &str) -> ShownSetting {
    settings.show().into_iter().find(|setting| setting.key == key).unwrap()
}

#[test]
fn the_defaults_are_those_of_the_product() {
    let settings = load(&[]).unwrap();
    assert_eq!(settings.server.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(settings.server.body_bytes_max, 64 << 20);
    assert_eq!(settings.server.stop_wait_ms_max, 20_000);
    assert_eq!(settings.edits.image_bytes_max, 20 << 20);
    assert_eq!(settings.edits.image_pixels_max, 50_000_000);
    assert_eq!(settings.edits.lease_ms, 30_000);
    assert_eq!(settings.edits.provider_ms_max, 300_000);
    assert_eq!(settings.fetch.total_ms_max, 10_000);
    assert_eq!(settings.fetch.redirects_max, 3);
    assert!(settings.fetch.allowed_networks.is_empty());
    assert!(settings.metrics.token.is_none());
    assert!(settings.providers.is_empty());
    assert_eq!(settings.store.database.to_string(), "retouch-data/retouch.db");
    assert_eq!(settings.store.blobs.to_string(), "retouch-data/blobs");
}

#[test]
fn every_default_is_explained() {
    let text = include_str!("../../../../config.default.toml");
    let lines: Vec<&str> = text.lines().collect();
    for (number, line) in lines.iter().enumerate().filter(|(_, line)| line.contains(" = ")) {
        if !line.starts_with('#') {
            assert!(lines[number - 1].starts_with("# "), "has no comment: {line}");
        }
    }
    // The settings of a provider are listed in the file, but `show` has none until a provider is
    // set.
    let (single, of_providers) = text.split_once("[providers.NAME]").unwrap();
    assert_eq!(load(&[]).unwrap().show().len(), single.matches(" = ").count());
    let one = load(&[("RETOUCH_PROVIDERS__OPENAI__API_KEY", "hunter22")]).unwrap();
    let shown = one.show().iter().filter(|one| one.key.starts_with("providers.openai.")).count();
    assert_eq!(shown, of_providers.matches(" = ").count());
}

#[test]
fn the_file_wins_over_the_defaults_and_the_environment_over_both() {
    let (folder, path) =
        file("[server]\nlisten = \"0.0.0.0:80\"\nconnections_max = 0x10\n[log]\nlevel='warn'\n");
    let sources = Sources { file: Some(path), ..Sources::none() };
    let settings = Settings::load(&sources.with("RETOUCH_SERVER__LISTEN", "[::1]:0")).unwrap();
    assert_eq!(settings.server.listen.to_string(), "[::1]:0");
    assert_eq!(settings.server.connections.connections_max, 16);
    assert_eq!(settings.log.level, "warn");
    assert_eq!(settings.server.header_read_ms_max, 10_000);

    assert_eq!(shown(&settings, "server.listen").origin, "RETOUCH_SERVER__LISTEN");
    let file = folder.path().join("retouch.toml").display().to_string();
    assert_eq!(shown(&settings, "server.connections_max").origin, format!("{file}:3"));
    assert_eq!(shown(&settings, "log.level").origin, format!("{file}:5"));
    assert_eq!(shown(&settings, "log.format").origin, "default");
    assert_eq!(shown(&settings, "server.connections_max").value, serde_json::json!(16));
}

#[test]
fn variables_are_read_by_the_type_of_the_default() {
    let settings = load(&[
        ("RETOUCH_FETCH__ALLOWED_NETWORKS", "10.0.0.0/8, ::1 ,,192.168.1.7"),
        ("RETOUCH_EDITS__QUEUE_MAX", " 1_000 "),
        ("PATH", "/bin"),
        ("RETOUCHER", "someone"),
    ])
    .unwrap();
    let networks: Vec<String> =
        settings.fetch.allowed_networks.iter().map(ToString::to_string).collect();
    assert_eq!(networks, ["10.0.0.0/8", "::1/128", "192.168.1.7/32"]);
    assert_eq!(settings.edits.queue_max, 1000);
}

#[test]
fn secrets_are_read_from_files_and_never_shown() {
    let (_folder, path) = file("hunter22\n");
    let sources = Sources::none().with("RETOUCH_METRICS__TOKEN_FILE", path.to_str().unwrap());
    let settings = Settings::load(&sources).unwrap();
    let token = settings.metrics.token.clone().unwrap();
    assert!(token.is("hunter22"));
    assert!(!token.is("hunter2") && !token.is("hunter222") && !token.is(""));
    assert_eq!(shown(&settings, "metrics.token").value, "[secret]");
    assert_eq!(shown(&settings, "metrics.token").origin, "RETOUCH_METRICS__TOKEN_FILE");
    assert_eq!(shown(&load(&[]).unwrap(), "metrics.token").value, "");
    let everything = format!("{settings:?} {token:?} {token}");
    assert!(!everything.contains("hunter"), "{everything}");
    assert_eq!(serde_json::to_string(&token).unwrap(), "\"[secret]\"");
}
