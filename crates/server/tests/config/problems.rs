//! What is said about settings that cannot be: all at once, with the value, what is expected and
//! where it was set.

use insta::assert_snapshot;
use retouch_server::config::{ConfigError, Settings, Sources};

use super::{file_refused, lines, refused};

#[test]
fn everything_is_said_at_once() {
    assert_snapshot!(file_refused(
        r#"
[server]
listen = "nonsense"
public_url = "ftp://example.com"
lisen = "127.0.0.1:1"
stop_wait_ms_max = -1

[log]
format = "xml"

[fetch]
allowed_networks = ["10.0.0.0/8", "everything"]
redirects_max = "three"
"#
    ), @r#"
    "#);
}

#[test]
fn variables_that_are_no_settings_are_errors() {
    assert_snapshot!(refused(&[
        ("RETOUCH_SERVER__LISEN", "127.0.0.1:1"),
        ("RETOUCH_SERVER_LISTEN", "127.0.0.1:1"),
        ("RETOUCH_COLOUR", "blue"),
        ("RETOUCH_SERVER__LISTEN_FILE", "/etc/listen"),
        ("RETOUCH_EDITS__QUEUE_MAX", "many"),
        ("RETOUCH_PROVIDERS__NOBODY__API_KEY", "hunter22"),
    ]), @r#"
    "#);
}

#[test]
fn sections_and_types_that_are_not_there_are_errors() {
    assert_snapshot!(file_refused(
        r#"
listen = "127.0.0.1:1"
log = "debug"

[servr]
listen = "127.0.0.1:1"

[edits]
queue_max = 1.5
workers_max = true
memory_bytes_max = 99999999999999999999

[metrics]
token = 7

[fetch]
allowed_networks = [1]

[providers.nobody]
api_key = "hunter22"
"#
    ), @r#"
    "#);
}

#[test]
fn settings_that_contradict_each_other_are_errors() {
    assert_snapshot!(refused(&[
        ("RETOUCH_EDITS__LEASE_MS", "20000"),
        ("RETOUCH_FETCH__TOTAL_MS_MAX", "1000"),
        ("RETOUCH_AUTH__SESSION_ABSOLUTE_MS", "5000"),
        ("RETOUCH_SERVER__BODIES_BYTES_MAX", "2048"),
    ]), @r#"
    "#);
}

#[test]
fn a_database_or_store_of_another_kind_is_refused_without_its_password() {
    let said = refused(&[
        ("RETOUCH_STORE__DATABASE_URL", "postgres://retouch:hunter22@db/retouch"),
        ("RETOUCH_STORE__BLOBS_URL", "s3://bucket/prefix"),
    ]);
    assert_snapshot!(said, @r#"
    "#);
    assert!(!said.contains("hunter"));
}

#[test]
fn a_file_that_is_no_toml_is_shown_with_the_line() {
    assert_snapshot!(file_refused("[server]\nlisten = 127.0.0.1\n"), @r#"
    "#);
}

#[test]
fn a_file_that_is_named_must_be_there() {
    let sources = Sources { file: Some("no/such/file.toml".into()), ..Sources::none() };
    let error = Settings::load(&sources).err();
    assert!(matches!(error, Some(ConfigError::Unreadable { .. })));
    assert_snapshot!(lines(error), @"");
}

#[test]
fn a_secret_can_be_set_once_only() {
    assert_snapshot!(refused(&[
        ("RETOUCH_METRICS__TOKEN", "hunter22"),
        ("RETOUCH_METRICS__TOKEN_FILE", "/no/such/file"),
    ]), @r#"
    "#);
    assert_snapshot!(refused(&[("RETOUCH_METRICS__TOKEN_FILE", "/no/such/file")]), @r#"
    "#);
}
