//! Unused dependencies: they slow down every build and still have to be reviewed.

use std::collections::BTreeSet;

use toml::{Table, Value};

use super::manifest::{Dependency, dependencies, manifest};
use super::source::{code_only, has_word};
use super::tree::{File, Finding};

/// Packages whose library has another name.
const RENAMED: [(&str, &str); 1] = [("kamadak-exif", "exif")];

/// Every dependency of a crate is named in its code: normal ones in `src/` or `build.rs`, those for
/// tests anywhere.
pub(super) fn unused_by_crates(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files {
        let Some((name, manifest)) = manifest(file) else { continue };
        let folder = format!("crates/{name}/");
        let sources: Vec<_> = files
            .iter()
            .filter(|file| file.path.starts_with(&folder) && file.is_ours(&["rs"]))
            .collect();
        for dependency in dependencies(&manifest) {
            if !sources.iter().any(|source| uses(source, &folder, &dependency)) {
                findings.push(Finding::of(file, format!("nothing uses {}", dependency.name)));
            }
        }
    }
    findings
}

/// Every dependency of the workspace is inherited by a crate.
pub(super) fn unused_by_workspace(files: &[File]) -> Vec<Finding> {
    let manifests = files.iter().filter_map(manifest);
    let used: BTreeSet<String> = manifests
        .flat_map(|(_, manifest)| dependencies(&manifest))
        .map(|dependency| dependency.name)
        .collect();
    let root = files.iter().find(|file| file.path == "Cargo.toml");
    let listed = root.map(|root| (root, listed(&root.text)));
    let findings = listed.into_iter().flat_map(|(root, names)| {
        names
            .into_iter()
            .map(move |name| (Finding::of(root, format!("no crate uses {name}")), name))
    });
    let ours = |name: &str| name.starts_with("retouch-");
    findings
        .filter(|(_, name)| !used.contains(name) && !ours(name))
        .map(|(found, _)| found)
        .collect()
}

fn uses(source: &File, folder: &str, dependency: &Dependency) -> bool {
    let below = &source.path[folder.len()..];
    let counts = dependency.only_for_tests || below.starts_with("src/") || below == "build.rs";
    let renamed = RENAMED.iter().find(|(package, _)| *package == dependency.name);
    let library = renamed.map_or(dependency.name.as_str(), |(_, library)| library);
    counts && has_word(&code_only(&source.text), &library.replace('-', "_"))
}

fn listed(manifest: &str) -> Vec<String> {
    let manifest: Table = manifest.parse().expect("cargo has parsed it already");
    let workspace = manifest.get("workspace").and_then(|table| table.get("dependencies"));
    workspace.and_then(Value::as_table).into_iter().flat_map(Table::keys).cloned().collect()
}

#[test]
fn a_dependency_that_nothing_uses_is_found() {
    let manifest = "[dependencies]\nkamadak-exif.workspace = true\nimage-webp.workspace = true\n\
                    serde.workspace = true\n[dev-dependencies]\nproptest.workspace = true\n";
    let files = [
        File::sample("crates/engine/Cargo.toml", manifest),
        File::sample("crates/engine/src/a.rs", "use exif::Tag; // image_webp\n"),
        File::sample("crates/engine/tests/a.rs", "use proptest::proptest; use serde::Serialize;\n"),
        File::sample("crates/store/src/a.rs", "use image_webp::Decoder;\n"),
    ];
    let found: Vec<_> = unused_by_crates(&files).into_iter().map(|found| found.what).collect();
    assert_eq!(found, ["nothing uses image-webp", "nothing uses serde"]);
}

#[test]
fn a_listed_dependency_that_no_crate_inherits_is_found() {
    let files = [
        File::sample("Cargo.toml", "[workspace.dependencies]\npng = \"1\"\ngif = \"1\"\n"),
        File::sample("crates/engine/Cargo.toml", "[dependencies]\ngif.workspace = true\n"),
    ];
    let found: Vec<_> = unused_by_workspace(&files).into_iter().map(|found| found.what).collect();
    assert_eq!(found, ["no crate uses png"]);
}
