//! Durations and sizes: which texts are accepted, what they become, and how they are shown.

use insta::assert_snapshot;
use retouch_server::config::{Settings, Sources};
use serde_json::Value;

use super::{file, file_refused, lines, load, refused};

/// What `store.orphan_age_max`, which has the widest range, becomes, in milliseconds.
fn duration_ms(text: &str) -> Option<i64> {
    let settings = load(&[("RETOUCH_STORE__ORPHAN_AGE_MAX", text)]);
    settings.ok().map(|settings| settings.store.orphan_age_ms)
}

/// What `server.bodies_memory_per_account_max` becomes, in bytes.
fn size_bytes(text: &str) -> Option<usize> {
    let settings = load(&[("RETOUCH_SERVER__BODIES_MEMORY_PER_ACCOUNT_MAX", text)]);
    settings.ok().map(|settings| settings.server.bodies_bytes_per_account_max)
}

/// How `config show` shows the setting `key` with these variables.
fn shown(variables: &[(&str, &str)], key: &str) -> Value {
    let settings = load(variables).unwrap().show();
    settings.into_iter().find(|setting| setting.key == key).unwrap().value
}

#[test]
fn durations_are_read_as_people_write_them() {
    const DAY_MS: i64 = 86_400_000;
    for (text, ms) in [
        ("14 d", 14 * DAY_MS),
        ("14d", 14 * DAY_MS),
        (" 2 days ", 2 * DAY_MS),
        ("2 w", 14 * DAY_MS),
        ("48 h", 2 * DAY_MS),
        ("72 h 5 min", 3 * DAY_MS + 300_000),
        ("2d 250ms", 2 * DAY_MS + 250),
        ("48.5 h", 2 * DAY_MS + 1_800_000),
        ("0", 0),
        ("0 s", 0),
        ("0d", 0),
    ] {
        assert_eq!(duration_ms(text), Some(ms), "{text}");
    }
}

#[test]
fn sizes_are_read_in_binary_units() {
    for (text, bytes) in [
        ("1 TiB", 1 << 40),
        ("1GiB", 1 << 30),
        (" 64 MiB ", 64 << 20),
        ("65536 KiB", 64 << 20),
        ("67108865 B", (64 << 20) + 1),
    ] {
        assert_eq!(size_bytes(text), Some(bytes), "{text}");
    }
    for zero in ["0", "0 B", "0MiB"] {
        assert_eq!(size_bytes(zero), Some(128 << 20), "{zero}: 0 means a quarter of the memory");
    }
}

#[test]
fn what_is_no_duration_or_size_is_refused_with_an_example() {
    assert_snapshot!(file_refused(
        r#"
[server]
stop_wait_max = 20000
stop_announce = 1.5
body_size_max = 67108864
bodies_memory_max = "512 MB"

[edits]
lease = "30"
lease_renew_every = "10 seconds and more"
sweep_every = true
memory_max = ["2 GiB"]
"#
    ), @r#"
    edits.lease: "30": expected a duration such as "20 s", in ms, s, min, h or d (FILE:9)
    edits.lease_renew_every: "10 seconds and more": expected a duration such as "20 s", in ms, s, min, h or d (FILE:10)
    edits.memory_max: a list with other elements: expected a size such as "20 MiB", in B, KiB, MiB, GiB or TiB (FILE:12)
    edits.sweep_every: true: expected a duration such as "20 s", in ms, s, min, h or d (FILE:11)
    server.bodies_memory_max: "512 MB": expected a size such as "20 MiB", in B, KiB, MiB, GiB or TiB (FILE:6)
    server.body_size_max: 67108864: expected a size such as "20 MiB", in B, KiB, MiB, GiB or TiB (FILE:5)
    server.stop_announce: 1.5: expected a duration such as "20 s", in ms, s, min, h or d (FILE:4)
    server.stop_wait_max: 20000: expected a duration such as "20 s", in ms, s, min, h or d (FILE:3)
    "#);
    assert_snapshot!(refused(&[("RETOUCH_SERVER__STOP_WAIT_MAX", "20000")]), @r#"
    server.stop_wait_max: "20000": expected a duration such as "20 s", in ms, s, min, h or d (RETOUCH_SERVER__STOP_WAIT_MAX)
    "#);
}

#[test]
fn texts_that_could_be_misread_are_refused() {
    let durations = "|s|20|20 S|-1 s|10 s ago|20,000 ms|1.5 ms|0.5 ms|1 month|1 y|01:30:00|PT20S|5 M\
                     |99999999999999999999 s";
    for text in durations.split('|') {
        let said = refused(&[("RETOUCH_STORE__ORPHAN_AGE_MAX", text)]);
        assert!(said.contains("expected a duration"), "{text:?}: {said}");
    }
    let sizes = "|MiB|64|64 mib|64 MB|64M|64 Mi|64 Mb|-1 MiB|+1 MiB|1.5 GiB|0.5 B|1,000 B|1_000 B\
                 |1 GiB 5 MiB|1 PiB|99999999999 TiB";
    for text in sizes.split('|') {
        let said = refused(&[("RETOUCH_SERVER__BODIES_MEMORY_PER_ACCOUNT_MAX", text)]);
        assert!(said.contains("expected a size"), "{text:?}: {said}");
    }
}

#[test]
fn limits_are_said_with_units() {
    assert_snapshot!(refused(&[
        ("RETOUCH_EDITS__SWEEP_EVERY", "2 d"),
        ("RETOUCH_EDITS__IMAGE_SIZE_MAX", "2 GiB"),
        ("RETOUCH_MAIL__CONFIRM_LINK_AGE_MAX", "90 s"),
        ("RETOUCH_MAIL__RESET_LINK_AGE_MAX", "59999 ms"),
        ("RETOUCH_SERVER__STOP_WAIT_MAX", "1h 1ms"),
        ("RETOUCH_SERVER__TRANSFER_PER_SECOND_MIN", "0"),
    ]), @r#"
    server.transfer_per_second_min: 0 B is out of range; expected 1 B to 1 GiB (RETOUCH_SERVER__TRANSFER_PER_SECOND_MIN)
    server.stop_wait_max: 1 h 1 ms is out of range; expected 0 s to 1 h (RETOUCH_SERVER__STOP_WAIT_MAX)
    edits.image_size_max: 2 GiB is out of range; expected 1 KiB to 1 GiB (RETOUCH_EDITS__IMAGE_SIZE_MAX)
    edits.sweep_every: 2 d is out of range; expected 100 ms to 1 h (RETOUCH_EDITS__SWEEP_EVERY)
    mail.reset_link_age_max: 59 s 999 ms is out of range; expected 1 min to 36500 d (RETOUCH_MAIL__RESET_LINK_AGE_MAX)
    "#);
}

#[test]
fn settings_that_were_renamed_are_unknown() {
    assert_snapshot!(file_refused(
        r#"
[server]
connection_idle_ms_max = 30000
body_bytes_max = 67108864
[auth]
letters_per_hour_per_address = 300
"#
    ), @r#"
    auth.letters_per_hour_per_address: unknown setting; did you mean auth.emails_per_hour_per_address? (FILE:6)
    server.body_bytes_max: unknown setting; did you mean server.body_size_max? (FILE:4)
    server.connection_idle_ms_max: unknown setting; did you mean server.connection_idle_max? (FILE:3)
    "#);
    assert_snapshot!(refused(&[("RETOUCH_SERVER__STOP_WAIT_MS_MAX", "20000")]), @r#"
    RETOUCH_SERVER__STOP_WAIT_MS_MAX: unknown setting; did you mean RETOUCH_SERVER__STOP_WAIT_MAX?
    "#);
}

#[test]
fn values_are_shown_in_the_largest_exact_units() {
    for (set, expected) in [
        ("336h", "14 d"),
        ("2880 min", "2 d"),
        ("50h 90s", "2 d 2 h 1 min 30 s"),
        ("172800250 ms", "2 d 250 ms"),
        ("0 min", "0 s"),
    ] {
        let set = ("RETOUCH_STORE__ORPHAN_AGE_MAX", set);
        assert_eq!(shown(&[set], "store.orphan_age_max"), expected);
    }
    for (set, expected) in [
        ("131072KiB", "128 MiB"),
        ("1048575 MiB", "1048575 MiB"),
        ("1024 GiB", "1 TiB"),
        ("67108865 B", "67108865 B"),
        ("0MiB", "0 B"),
    ] {
        let set = ("RETOUCH_SERVER__BODIES_MEMORY_PER_ACCOUNT_MAX", set);
        assert_eq!(shown(&[set], "server.bodies_memory_per_account_max"), expected);
    }
}

#[test]
fn a_plain_nought_needs_no_unit() {
    let (_folder, path) = file(
        "[server]\nstop_announce = 0\nbodies_memory_per_account_max = 0\n\
         [store]\norphan_age_max = \"0\"\n",
    );
    let settings = Settings::load(&Sources { file: Some(path), ..Sources::none() }).unwrap();
    assert_eq!((settings.server.stop_announce_ms, settings.store.orphan_age_ms), (0, 0));
    assert_eq!(settings.server.bodies_bytes_per_account_max, 128 << 20);
}

#[test]
fn every_default_that_is_shown_is_read_back() {
    let openai = ("RETOUCH_PROVIDERS__OPENAI__API_KEY", "hunter22");
    let read = |key: &str, value: &Value| {
        let (section, name) = key.rsplit_once('.').unwrap();
        let (_folder, path) = file(&format!("[{section}]\n{name} = {value}\n"));
        let sources = Sources { file: Some(path), ..Sources::none() };
        Settings::load(&sources.with(openai.0, openai.1))
    };
    let defaults = load(&[openai]).unwrap().show();
    for setting in defaults.iter().filter(|one| one.origin == "default") {
        let again = read(&setting.key, &setting.value).unwrap().show();
        let again = again.iter().find(|one| one.key == setting.key).unwrap();
        assert_eq!(again.value, setting.value, "{}", setting.key);
        let text = setting.value.as_str().unwrap_or_default();
        if text.starts_with(|first: char| first.is_ascii_digit()) && text.contains(' ') {
            let said = lines(read(&setting.key, &7.into()).err());
            assert!(said.contains(": 7: expected a "), "has no unit: {said}");
        }
    }
}

#[test]
fn the_defaults_are_written_as_they_are_shown() {
    let written: toml::Table = include_str!("../../../../config.default.toml").parse().unwrap();
    for setting in load(&[]).unwrap().show() {
        let (section, key) = setting.key.split_once('.').unwrap();
        assert_eq!(written[section][key].as_str(), setting.value.as_str(), "{}", setting.key);
    }
}
