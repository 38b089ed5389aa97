//! Reads the manifests of the workspace's crates.

use toml::{Table, Value};

use super::tree::File;

/// One line of a table of dependencies.
pub(super) struct Dependency {
    /// The name of the package.
    pub(super) name: String,
    /// A version, or a table.
    pub(super) value: Value,
    /// Whether only tests use it.
    pub(super) only_for_tests: bool,
}

/// The crate's short name and its manifest, if `file` is one.
pub(super) fn manifest(file: &File) -> Option<(&str, Table)> {
    let name = file.path.strip_prefix("crates/")?.strip_suffix("/Cargo.toml")?;
    Some((name, file.text.parse().expect("cargo has parsed it already")))
}

/// Every dependency, including those for single targets.
pub(super) fn dependencies(manifest: &Table) -> Vec<Dependency> {
    let targets = manifest.get("target").and_then(Value::as_table);
    let of_targets = targets.into_iter().flat_map(Table::values).filter_map(Value::as_table);
    std::iter::once(manifest).chain(of_targets).flat_map(in_tables).collect()
}

fn in_tables(tables: &Table) -> Vec<Dependency> {
    let sections = ["dependencies", "build-dependencies", "dev-dependencies"];
    let mut found = Vec::new();
    for section in sections {
        let table = tables.get(section).and_then(Value::as_table);
        for (name, value) in table.into_iter().flatten() {
            found.push(Dependency {
                name: name.clone(),
                value: value.clone(),
                only_for_tests: section == "dev-dependencies",
            });
        }
    }
    found
}
