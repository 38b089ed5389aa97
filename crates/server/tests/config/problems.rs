//! Reports about invalid settings: all problems together, each with the value, what is expected and
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
stop_wait_max = -1

[log]
format = "xml"

[fetch]
allowed_networks = ["10.0.0.0/8", "everything"]
redirects_max = "three"
"#
    ), @r#"
    fetch.redirects_max: expected a whole number, found the string "three" (FILE:13)
    server.lisen: unknown setting; did you mean server.listen? (FILE:5)
    server.stop_wait_max: -1: expected a duration such as "20 s", in ms, s, min, h or d (FILE:6)
    server.listen: "nonsense": expected an address and port such as 127.0.0.1:8080 (FILE:3)
    server.public_url: "ftp://example.com": expected an address such as https://example.com (FILE:4)
    fetch.allowed_networks: "everything": expected a network such as 10.0.0.0/8 or fd00::/8 (FILE:12)
    log.format: "xml": expected text or json (FILE:9)
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
    ]), @r#"
    RETOUCH_COLOUR: unknown setting; `retouch config show` lists all settings
    edits.queue_max: expected a whole number, found "many" (RETOUCH_EDITS__QUEUE_MAX)
    RETOUCH_SERVER_LISTEN: unknown setting; did you mean RETOUCH_SERVER__LISTEN?
    RETOUCH_SERVER__LISEN: unknown setting; did you mean RETOUCH_SERVER__LISTEN?
    RETOUCH_SERVER__LISTEN_FILE: unknown setting; did you mean RETOUCH_SERVER__LISTEN?
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
memory_max = 99999999999999999999

[metrics]
token = 7

[fetch]
allowed_networks = [1]
"#
    ), @r#"
    edits.memory_max: 99999999999999999999: expected a size such as "20 MiB", in B, KiB, MiB, GiB or TiB (FILE:11)
    edits.queue_max: expected a whole number, found the number 1.5 (FILE:9)
    edits.workers_max: expected a whole number, found true (FILE:10)
    fetch.allowed_networks: expected a list of strings, found a list with other elements (FILE:17)
    listen: unknown setting; did you mean server.listen? (FILE:2)
    log: unknown setting; `retouch config show` lists all settings (FILE:3)
    metrics.token: expected a string in quotation marks (FILE:14)
    servr.listen: unknown setting; did you mean server.listen? (FILE:6)
    "#);
}

#[test]
fn settings_that_contradict_each_other_are_errors() {
    assert_snapshot!(refused(&[
        ("RETOUCH_EDITS__LEASE", "20 s"),
        ("RETOUCH_FETCH__TOTAL_TIME_MAX", "1 s"),
        ("RETOUCH_AUTH__SESSION_AGE_MAX", "5 s"),
        ("RETOUCH_SERVER__BODIES_MEMORY_MAX", "2 MiB"),
    ]), @r#"
    server.body_size_max: 64 MiB is more than server.bodies_memory_max (2 MiB) (default)
    fetch.connect_time_max: 3 s is more than fetch.total_time_max (1 s) (default)
    edits.lease_renew_every: 10 s is more than a third of edits.lease (20 s) (default)
    auth.session_idle_max: 14 d is more than auth.session_age_max (5 s) (default)
    "#);
}

#[test]
fn a_refused_setting_contradicts_no_other() {
    assert_snapshot!(refused(&[
        ("RETOUCH_EDITS__LEASE", "2 d"),
        ("RETOUCH_FETCH__TOTAL_TIME_MAX", "soon"),
        ("RETOUCH_AUTH__SESSION_AGE_MAX", "0 s"),
        ("RETOUCH_SERVER__BODIES_MEMORY_MAX", "2 MB"),
    ]), @r#"
    fetch.total_time_max: "soon": expected a duration such as "20 s", in ms, s, min, h or d (RETOUCH_FETCH__TOTAL_TIME_MAX)
    server.bodies_memory_max: "2 MB": expected a size such as "20 MiB", in B, KiB, MiB, GiB or TiB (RETOUCH_SERVER__BODIES_MEMORY_MAX)
    edits.lease: 2 d is out of range; expected 1 s to 1 h (RETOUCH_EDITS__LEASE)
    auth.session_age_max: 0 s is out of range; expected 1 s to 36500 d (RETOUCH_AUTH__SESSION_AGE_MAX)
    "#);
}

#[test]
fn a_second_factor_of_administrators_is_required_or_off() {
    assert_snapshot!(refused(&[("RETOUCH_AUTH__ADMIN_SECOND_FACTOR", "maybe")]), @r#"
    auth.admin_second_factor: "maybe": expected required or off (RETOUCH_AUTH__ADMIN_SECOND_FACTOR)
    "#);
}

#[test]
fn a_database_or_store_of_another_kind_is_refused_without_its_password() {
    let said = refused(&[
        ("RETOUCH_STORE__DATABASE_URL", "postgres://retouch:hunter22@db/retouch?sslmode=perhaps"),
        ("RETOUCH_STORE__BLOBS_URL", "gs://bucket/prefix"),
    ]);
    assert_snapshot!(said, @r#"
    store.database_url: sslmode: expected disable, require or verify-full (RETOUCH_STORE__DATABASE_URL)
    store.blobs_url: expected file:///PATH or s3://BUCKET/PREFIX (RETOUCH_STORE__BLOBS_URL)
    "#);
    assert!(!said.contains("hunter"));
}

#[test]
fn a_file_that_is_no_toml_is_shown_with_the_line() {
    assert_snapshot!(file_refused("[server]\nlisten = 127.0.0.1\n"), @r#"
    FILE: TOML parse error at line 2, column 15
      |
    2 | listen = 127.0.0.1
      |               ^^^^
    invalid float, expected nothing
    "#);
}

#[test]
fn a_file_that_is_named_must_be_there() {
    let sources = Sources { file: Some("no/such/file.toml".into()), ..Sources::none() };
    let error = Settings::load(&sources).err();
    assert!(matches!(error, Some(ConfigError::Unreadable { .. })));
    assert_snapshot!(lines(error), @r#"
    no/such/file.toml: No such file or directory (os error 2)
    "#);
}

#[test]
fn a_secret_can_be_set_once_only() {
    assert_snapshot!(refused(&[
        ("RETOUCH_METRICS__TOKEN", "hunter22"),
        ("RETOUCH_METRICS__TOKEN_FILE", "/no/such/file"),
    ]), @r#"
    metrics.token: also set by RETOUCH_METRICS__TOKEN; remove one of the two (RETOUCH_METRICS__TOKEN_FILE)
    "#);
    assert_snapshot!(refused(&[("RETOUCH_METRICS__TOKEN_FILE", "/no/such/file")]), @r#"
    metrics.token: cannot read the secret in "/no/such/file": No such file or directory (os error 2) (RETOUCH_METRICS__TOKEN_FILE)
    "#);
}

#[test]
fn files_of_edits_under_way_are_not_taken_for_files_of_nobody() {
    assert_snapshot!(refused(&[("RETOUCH_STORE__ORPHAN_AGE_MAX", "1 h")]), @"store.orphan_age_max: 1 h is too low; expected 0 or at least 2 d (RETOUCH_STORE__ORPHAN_AGE_MAX)");
}

#[test]
fn unencrypted_addresses_of_payments_and_identities_and_rules_without_domains_are_refused() {
    assert_snapshot!(refused(&[
        ("RETOUCH_BILLING__STRIPE_SECRET_KEY", "sk_test_1"),
        ("RETOUCH_BILLING__STRIPE_WEBHOOK_SECRET", "whsec_1"),
        ("RETOUCH_BILLING__STRIPE_PRICES", "basic=price_1"),
        ("RETOUCH_BILLING__STRIPE_BASE_URL", "http://10.0.0.7"),
        ("RETOUCH_OIDC__ISSUER", "http://id.example.com"),
        ("RETOUCH_OIDC__CLIENT_ID", "retouch"),
        ("RETOUCH_OIDC__MISSING_AUTH_TIME", "perhaps"),
        ("RETOUCH_AUTH__SIGN_UP", "domains"),
    ]), @r#"
    auth.sign_up_domains: missing: list the domains whose addresses can sign up (RETOUCH_AUTH__SIGN_UP)
    billing.stripe_base_url: the secret key would be sent unencrypted to another machine; use https:// (RETOUCH_BILLING__STRIPE_BASE_URL)
    oidc.missing_auth_time: "perhaps": expected refuse or accept (RETOUCH_OIDC__MISSING_AUTH_TIME)
    oidc.issuer: without encryption, an attacker on the network could sign in as any user; use https:// (RETOUCH_OIDC__ISSUER)
    "#);
    for host in ["http://127.0.0.1:8091", "http://[::1]:8091", "http://localhost:8091"] {
        let sources = Sources::none()
            .with("RETOUCH_OIDC__ISSUER", host)
            .with("RETOUCH_OIDC__CLIENT_ID", "retouch");
        assert!(Settings::load(&sources).is_ok(), "{host}");
    }
}
