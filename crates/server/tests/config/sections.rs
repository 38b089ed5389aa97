//! What single settings accept, and what they become.

use std::net::SocketAddr;
use std::path::Path;

use retouch_server::config::LogFormat;
use retouch_store::BlobsPlace;

use super::{load, refused};

fn public_url(setting: &str, bound: &str) -> String {
    let settings = load(&[("RETOUCH_SERVER__PUBLIC_URL", setting)]).unwrap();
    settings.public_url(bound.parse::<SocketAddr>().unwrap()).to_string()
}

#[test]
fn the_public_address_is_what_the_operator_says_else_what_is_listened_on() {
    assert_eq!(public_url("", "127.0.0.1:8080"), "http://127.0.0.1:8080/");
    assert_eq!(public_url("", "[::1]:81"), "http://[::1]:81/");
    assert_eq!(public_url("", "0.0.0.0:9000"), "http://localhost:9000/");
    assert_eq!(public_url("", "[::]:9000"), "http://localhost:9000/");
    assert_eq!(public_url("https://edit.example.com", "0.0.0.0:1"), "https://edit.example.com/");
    assert_eq!(
        public_url("https://edit.example.com:444/", "0.0.0.0:1"),
        "https://edit.example.com:444/"
    );
}

#[test]
fn a_public_address_is_nothing_but_scheme_host_and_port() {
    for setting in [
        "edit.example.com",
        "ftp://example.com",
        "https://",
        "https://example.com/app",
        "https://example.com?a=b",
        "https://example.com/#top",
        "https://ada@example.com",
        "https://ada:secret@example.com",
    ] {
        let said = refused(&[("RETOUCH_SERVER__PUBLIC_URL", setting)]);
        assert!(said.contains("expected an address"), "{setting}: {said:?}");
    }
}

#[test]
fn places_of_the_store_are_given_as_addresses_or_follow_the_data_folder() {
    let place = |variables: &[(&str, &str)]| {
        let store = load(variables).unwrap().store;
        (store.database.to_string(), store.blobs.to_string())
    };
    let moved = place(&[("RETOUCH_STORE__DATA_DIR", "/srv/x")]);
    assert_eq!(moved, ("/srv/x/retouch.db".into(), "/srv/x/blobs".into()));
    for (url, path) in [
        ("sqlite:books.db", "books.db"),
        ("sqlite:/srv/books.db", "/srv/books.db"),
        ("sqlite:///srv/books.db", "/srv/books.db"),
        ("postgres://ada:secret@db.example.com:6432/books", "postgres://db.example.com:6432/books"),
    ] {
        assert_eq!(place(&[("RETOUCH_STORE__DATABASE_URL", url)]).0, path);
    }
    let blobs = place(&[("RETOUCH_STORE__BLOBS_URL", "file:///srv/my%20images")]).1;
    assert_eq!(blobs, "/srv/my images");
    for (url, shown) in
        [("s3://images", "s3://images/"), ("s3://images/retouch/main/", "s3://images/retouch/main")]
    {
        assert_eq!(place(&[("RETOUCH_STORE__BLOBS_URL", url)]).1, shown);
    }
}

#[test]
fn each_account_has_a_quarter_of_the_memory_for_bodies_and_at_least_room_for_one() {
    let share =
        |settings: &[(&str, &str)]| load(settings).unwrap().server.bodies_bytes_per_account_max;
    assert_eq!(share(&[]), 128 << 20);
    assert_eq!(share(&[("RETOUCH_SERVER__BODY_SIZE_MAX", "300 MiB")]), 300 << 20);
    let own = ("RETOUCH_SERVER__BODIES_MEMORY_PER_ACCOUNT_MAX", "100 MiB");
    assert_eq!(share(&[own]), 100 << 20);
    let said = refused(&[(own.0, "1000 B")]);
    assert!(said.contains("1000 B is less than one request may need (64 MiB)"), "{said:?}");
}

#[test]
fn a_bucket_is_opened_with_a_key_that_nothing_shows() {
    let bucket = [
        ("RETOUCH_STORE__BLOBS_URL", "s3://images/main"),
        ("RETOUCH_STORE__S3_ENDPOINT", "https://s3.example.com:9000/"),
        ("RETOUCH_STORE__S3_REGION", "eu-central-1"),
        ("RETOUCH_STORE__S3_ACCESS_KEY_ID", "AKIAEXAMPLE"),
        ("RETOUCH_STORE__S3_SECRET_ACCESS_KEY", "hunter22"),
        ("RETOUCH_STORE__S3_CALL_TIME_MAX", "5 s"),
        ("RETOUCH_STORE__S3_SILENCE_MAX", "2 s"),
        ("RETOUCH_STORE__S3_BUCKET_IN", "host"),
        ("RETOUCH_STORE__S3_CA_FILE", "/etc/ssl/ours.pem"),
    ];
    let settings = load(&bucket).unwrap();
    let BlobsPlace::S3(s3) = &settings.store.blobs else { panic!("{}", settings.store.blobs) };
    assert_eq!((s3.bucket.as_str(), s3.prefix.as_str(), s3.call_ms_max), ("images", "main", 5_000));
    assert!(settings.store.blobs.to_string().ends_with(" at https://s3.example.com:9000"));
    assert_eq!((s3.bucket_in_host, s3.silence_ms_max), (true, 2_000));
    assert_eq!(s3.authority.as_deref(), Some(Path::new("/etc/ssl/ours.pem")));
    assert_eq!(s3.region.as_deref(), Some("eu-central-1"));
    let keys = s3.keys.as_ref().unwrap();
    assert_eq!((keys.id.as_str(), keys.secret.as_str()), ("AKIAEXAMPLE", "hunter22"));
    let shown = format!("{settings:?} {} {:?}", settings.store.blobs, settings.show());
    assert!(!shown.contains("hunter22") && !shown.contains("AKIAEXAMPLE"), "{shown}");
    let said = refused(&bucket[..4]);
    assert!(said.contains("store.s3_secret_access_key: "), "{said:?}");
    for endpoint in ["s3.example.com", "https://key@s3.example.com", "https://s3.example.com/path"]
    {
        let said = refused(&[("RETOUCH_STORE__S3_ENDPOINT", endpoint)]);
        assert!(said.contains("expected http:// or https://"), "{endpoint}: {said:?}");
    }
}

#[test]
fn other_places_are_refused() {
    for url in ["books.db", "sqlite:", "sqlite::memory:", "mysql://db", "sqlite:a.db?mode=memory"] {
        let said = refused(&[("RETOUCH_STORE__DATABASE_URL", url)]);
        assert!(said.contains("expected sqlite:PATH"), "{url}: {said:?}");
    }
    for url in ["images", "file:images", "file://host/images", "https://example.com/images"] {
        let said = refused(&[("RETOUCH_STORE__BLOBS_URL", url)]);
        assert!(said.contains("expected file:///PATH"), "{url}: {said:?}");
    }
    for url in ["s3://", "s3:///prefix", "s3://key:hunter22@host/images", "s3://images/../other"] {
        let said = refused(&[("RETOUCH_STORE__BLOBS_URL", url)]);
        assert!(said.contains("expected s3://BUCKET"), "{url}: {said:?}");
        assert!(!said.contains("hunter22"));
    }
    assert!(!refused(&[("RETOUCH_STORE__DATA_DIR", "")]).is_empty());
}

#[test]
fn nought_means_as_the_machine_allows() {
    let edits = load(&[]).unwrap().edits;
    assert!(edits.workers_max >= 1);
    assert!(edits.memory_bytes_max > 16 << 20, "{}", edits.memory_bytes_max);
    let set = load(&[("RETOUCH_EDITS__WORKERS_MAX", "3"), ("RETOUCH_EDITS__MEMORY_MAX", "7 B")]);
    let edits = set.unwrap().edits;
    assert_eq!((edits.workers_max, edits.memory_bytes_max), (3, 7));
}

#[test]
fn calls_are_limited_unless_the_operator_says_otherwise() {
    let settings = load(&[]).unwrap();
    let (edits, server) = (&settings.edits, &settings.server);
    assert_eq!((edits.calls_per_minute_per_account, edits.calls_per_minute_per_address), (60, 120));
    assert_eq!((edits.calls_per_minute_per_key, edits.failures_per_minute_per_account), (0, 30));
    assert_eq!(server.reads_per_minute_per_account, 600);
    assert_eq!(server.reads_per_minute_per_address, 600);
    for name in [
        "RETOUCH_EDITS__FAILURES_PER_MINUTE_PER_ACCOUNT",
        "RETOUCH_SERVER__READS_PER_MINUTE_PER_ACCOUNT",
        "RETOUCH_SERVER__READS_PER_MINUTE_PER_ADDRESS",
    ] {
        assert!(load(&[(name, "0")]).is_ok(), "0 means no limit");
        assert!(refused(&[(name, "100000001")]).contains("100000000"), "{name}");
    }
}

#[test]
fn the_log_takes_levels_and_rules() {
    for level in ["error", "debug", "INFO", "info,retouch_store=debug", "retouch_server=trace"] {
        assert_eq!(load(&[("RETOUCH_LOG__LEVEL", level)]).unwrap().log.level, level);
    }
    for level in ["", "loud", "info,retouch_store=loud", "=", "in fo"] {
        assert!(refused(&[("RETOUCH_LOG__LEVEL", level)]).contains("expected"), "{level}");
    }
    let json = load(&[("RETOUCH_LOG__FORMAT", "json")]).unwrap();
    assert_eq!(json.log.format, LogFormat::Json);
}

#[test]
fn the_catalogue_is_the_embedded_one_or_the_operators() {
    let embedded = load(&[]).unwrap().catalogue.load().unwrap();
    assert!(embedded.find_model("alpha-image-2").is_some());
    let set = load(&[("RETOUCH_CATALOGUE__FILE", "no/such/models.toml")]).unwrap();
    let error = set.catalogue.load().unwrap_err().to_string();
    assert!(error.contains("no/such/models.toml"), "{error}");
}

#[test]
fn connections_have_limits_that_an_operator_may_change() {
    let shipped = load(&[]).unwrap().server.connections;
    assert_eq!((shipped.connections_max, shipped.per_address_max), (1_024, 64));
    assert_eq!((shipped.idle_ms_max, shipped.age_ms_max), (30_000, 3_600_000));
    assert_eq!((shipped.bytes_per_second_min, shipped.grace_ms), (8_192, 10_000));
    let set = [
        ("RETOUCH_SERVER__CONNECTIONS_PER_ADDRESS_MAX", "0"),
        ("RETOUCH_SERVER__TRANSFER_PER_SECOND_MIN", "1 B"),
    ];
    let changed = load(&set).unwrap().server.connections;
    assert_eq!((changed.per_address_max, changed.bytes_per_second_min), (0, 1));
    let said = refused(&[
        ("RETOUCH_SERVER__CONNECTIONS_PER_ADDRESS_MAX", "-1"),
        ("RETOUCH_SERVER__CONNECTION_IDLE_MAX", "0"),
        ("RETOUCH_SERVER__CONNECTION_AGE_MAX", "0"),
        ("RETOUCH_SERVER__TRANSFER_PER_SECOND_MIN", "0"),
        ("RETOUCH_SERVER__TRANSFER_GRACE", "0"),
    ]);
    assert_eq!(said.matches(" is out of range").count(), 5, "{said}");
}
