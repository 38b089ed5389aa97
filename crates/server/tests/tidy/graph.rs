//! Which crate may depend on which, and what each keeps to itself. The dependencies are those of
//! ARCHITECTURE.md. The first two rules read the manifests, and the last one reads the sources.

use toml::Value;

use super::manifest::{dependencies, manifest};
use super::source::code_only;
use super::tree::{File, Finding};

/// Each crate, and the crates of this workspace that it may depend on.
const ARROWS: [(&str, &[&str]); 9] = [
    ("core", &[]),
    ("engine", &[]),
    // Words on one side, pixels on the other.
    ("language", &["engine"]),
    ("engine/tests", &["engine", "language"]),
    ("store", &["core"]),
    // The simulators share no code with what they test.
    ("sim", &[]),
    ("outbound", &["core"]),
    ("providers", &["core", "engine", "language", "outbound"]),
    // `retouch edit` is the engine on the command line: no provider, no account, no server. Only
    // the server's tests use the simulators.
    ("server", &["core", "engine", "language", "outbound", "providers", "sim", "store"]),
];

/// Dependencies that only these crates may use. Tests may use any of them.
const OWNED: [(&[&str], &[&str]); 7] = [
    (&["server", "sim"], &["axum", "tower", "tower-http", "utoipa", "askama", "clap"]),
    // Providers describe their calls with the types of `http`, and leave sending them to outbound.
    (&["outbound", "providers", "server", "sim"], &["http"]),
    (&["outbound", "server", "sim"], &["hyper", "hyper-util"]),
    // The store calls only the servers that hold its data.
    (&["outbound", "store"], &["reqwest", "tokio-rustls"]),
    (&["outbound"], &["hyper-rustls", "lettre"]),
    (&["store"], &["rusqlite", "tokio-postgres", "deadpool-postgres", "object_store"]),
    (&["engine", "sim"], &PIXELS),
];

const PIXELS: [&str; 13] = [
    "zune-jpeg",
    "zune-core",
    "png",
    "fdeflate",
    "image-webp",
    "gif",
    "tiff",
    "fast_image_resize",
    "moxcms",
    "kamadak-exif",
    "cosmic-text",
    "jpeg-encoder",
    "openh264",
];

/// Crates whose code depends only on its arguments, and what would break that.
const PURE: [&str; 3] = ["crates/core/src/", "crates/engine/src/", "crates/language/src/"];
const OUTSIDE: [&str; 6] =
    ["std::fs", "std::net", "std::process", "std::env", "tokio::", "std::thread::sleep"];

/// The workspace's crates depend on each other only as in `ARROWS`, in tests too.
pub(super) fn own_dependencies(file: &File) -> Vec<Finding> {
    let Some((name, manifest)) = manifest(file) else { return Vec::new() };
    let Some((_, allowed)) = ARROWS.iter().find(|(known, _)| *known == name) else {
        return vec![Finding::of(file, "unknown crate: add it to ARROWS")];
    };
    let mut findings = Vec::new();
    for dependency in dependencies(&manifest) {
        // Any crate's tests may use the simulators, but no crate may be built on them.
        let is_tried = dependency.only_for_tests && dependency.name == "retouch-sim";
        let ours = dependency.name.strip_prefix("retouch-").filter(|_| !is_tried);
        if let Some(other) = ours.filter(|other| *other != name && !allowed.contains(other)) {
            findings.push(Finding::of(file, format!("{name} must not depend on {other}")));
        }
    }
    findings
}

/// Only server answers over HTTP, only store knows SQL, only outbound calls out, only engine touches
/// pixels.
pub(super) fn owned_dependencies(file: &File) -> Vec<Finding> {
    let Some((name, manifest)) = manifest(file) else { return Vec::new() };
    let mut findings = Vec::new();
    for dependency in dependencies(&manifest).iter().filter(|found| !found.only_for_tests) {
        let row = OWNED.iter().find(|(_, owned)| owned.contains(&dependency.name.as_str()));
        if let Some((owners, _)) = row.filter(|(owners, _)| !owners.contains(&name)) {
            let what = format!("{} is for {} only", dependency.name, owners.join(" and "));
            findings.push(Finding::of(file, what));
        }
    }
    findings
}

/// Versions and lints are in the workspace's manifest.
pub(super) fn inherits_the_workspace(file: &File) -> Vec<Finding> {
    let Some((_, manifest)) = manifest(file) else { return Vec::new() };
    let inherited = |value: &Value| value.get("workspace") == Some(&Value::Boolean(true));
    let mut findings = Vec::new();
    for dependency in dependencies(&manifest).iter().filter(|found| !inherited(&found.value)) {
        let what = format!("{} is not `workspace = true`", dependency.name);
        findings.push(Finding::of(file, what));
    }
    if !manifest.get("lints").is_some_and(inherited) {
        findings.push(Finding::of(file, "[lints] is not `workspace = true`"));
    }
    findings
}

/// The code of core and engine depends only on its arguments.
pub(super) fn no_input_or_output(file: &File) -> Vec<Finding> {
    if !PURE.iter().any(|folder| file.path.starts_with(folder)) || !file.is_ours(&["rs"]) {
        return Vec::new();
    }
    let code = code_only(&file.text);
    let mut findings = Vec::new();
    for (number, line) in (1..).zip(code.lines()) {
        for outside in OUTSIDE.iter().filter(|outside| line.contains(**outside)) {
            findings.push(Finding::at(
                file,
                number,
                format!("{outside} is not allowed in this crate"),
            ));
        }
    }
    findings
}

fn what(findings: Vec<Finding>) -> Vec<String> {
    findings.into_iter().map(|finding| finding.what).collect()
}

#[test]
fn an_arrow_that_is_not_drawn_is_found() {
    let text = "[dependencies]\nretouch-core.workspace = true\n\
                [dev-dependencies]\nretouch-server.workspace = true\n";
    let file = File::sample("crates/store/Cargo.toml", text);
    assert_eq!(what(own_dependencies(&file)), ["store must not depend on server"]);
    let file = File::sample("crates/mail/Cargo.toml", text);
    assert_eq!(own_dependencies(&file).len(), 1);
    let text = "[dependencies]\nretouch-sim.workspace = true\n\
                [dev-dependencies]\nretouch-sim.workspace = true\n";
    let file = File::sample("crates/providers/Cargo.toml", text);
    assert_eq!(what(own_dependencies(&file)), ["providers must not depend on sim"]);
}

#[test]
fn a_dependency_of_another_crate_is_found() {
    let text = "[dependencies]\npng.workspace = true\nserde.workspace = true\n\
                [target.'cfg(unix)'.build-dependencies]\nrusqlite.workspace = true\n\
                [dev-dependencies]\naxum.workspace = true\n";
    let found = what(owned_dependencies(&File::sample("crates/core/Cargo.toml", text)));
    assert_eq!(found, ["png is for engine and sim only", "rusqlite is for store only"]);
    let found = what(owned_dependencies(&File::sample("crates/engine/Cargo.toml", text)));
    assert_eq!(found, ["rusqlite is for store only"]);
}

#[test]
fn a_version_of_its_own_is_found() {
    let text = "[dependencies]\nserde = \"1\"\npng.workspace = true\n";
    let found = what(inherits_the_workspace(&File::sample("crates/core/Cargo.toml", text)));
    assert_eq!(found, ["serde is not `workspace = true`", "[lints] is not `workspace = true`"]);
    let text = "[dependencies]\npng = { workspace = true }\n[lints]\nworkspace = true\n";
    assert_eq!(inherits_the_workspace(&File::sample("crates/core/Cargo.toml", text)), []);
}

#[test]
fn reaching_outside_is_found() {
    let text = "use std::fs; // std::net\n";
    let found = what(no_input_or_output(&File::sample("crates/core/src/a.rs", text)));
    assert_eq!(found, ["std::fs is not allowed in this crate"]);
    assert_eq!(no_input_or_output(&File::sample("crates/core/tests/a.rs", text)), []);
    assert_eq!(no_input_or_output(&File::sample("crates/store/src/a.rs", text)), []);
}
