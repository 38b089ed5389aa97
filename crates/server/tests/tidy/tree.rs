//! The files that the rules check, and how findings are reported.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// Folders that are never part of the repository, for when git is not available.
const NOT_OURS: [&str; 5] = [".git", "target", "node_modules", ".venv", "retouch-data"];

/// One file of the repository.
pub(super) struct File {
    /// The path from the root of the repository, with `/` between its parts.
    pub(super) path: String,
    pub(super) bytes: usize,
    /// Its content; empty if it is not UTF-8.
    pub(super) text: String,
}

impl File {
    /// A file to try a rule on.
    pub(super) fn sample(path: &str, text: &str) -> Self {
        Self { path: path.into(), bytes: text.len(), text: text.into() }
    }

    /// Whether the path ends in one of these extensions and the file was written here.
    pub(super) fn is_ours(&self, extensions: &[&str]) -> bool {
        let extension = self.path.rsplit_once('.').map_or("", |(_, extension)| extension);
        extensions.contains(&extension) && !self.path.contains("/vendor/")
    }
}

/// Something that a rule forbids, and where it is.
#[derive(Debug, PartialEq)]
pub(super) struct Finding {
    /// The path and, if there is one, the line.
    pub(super) place: String,
    /// What is wrong, with numbers, and what would be right.
    pub(super) what: String,
}

impl Finding {
    /// A finding about a whole file.
    pub(super) fn of(file: &File, what: impl Into<String>) -> Self {
        Self { place: file.path.clone(), what: what.into() }
    }

    /// A finding in one line, counted from 1.
    pub(super) fn at(file: &File, line: usize, what: impl Into<String>) -> Self {
        Self { place: format!("{}:{line}", file.path), what: what.into() }
    }
}

/// Fails with everything that `rule` finds in any file.
#[track_caller]
pub(super) fn hold(rule: fn(&File) -> Vec<Finding>) {
    report(&FILES.iter().flat_map(rule).collect::<Vec<_>>());
}

/// Fails with everything that `rule` finds in the files together.
#[track_caller]
pub(super) fn hold_all(rule: fn(&[File]) -> Vec<Finding>) {
    report(&rule(&FILES));
}

#[track_caller]
fn report(findings: &[Finding]) {
    let lines = findings.iter().map(|finding| format!("  {}: {}\n", finding.place, finding.what));
    assert!(findings.is_empty(), "see docs/style.md\n{}", lines.collect::<String>());
}

static FILES: LazyLock<Vec<File>> = LazyLock::new(|| {
    let root = root();
    let paths = listed_by_git(&root).unwrap_or_else(|| walked(&root, &root));
    let mut files: Vec<File> = paths.iter().filter_map(|path| read(&root, path)).collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
});

/// The folder with the lock file: cargo starts a test in the folder of its crate.
fn root() -> PathBuf {
    let here = std::env::current_dir().expect("the current folder can be read");
    let root = here.ancestors().find(|folder| folder.join("Cargo.lock").exists());
    root.expect("Cargo.lock is in a parent folder").to_path_buf()
}

/// What git tracks or would track; none if git or its folder is missing.
fn listed_by_git(root: &Path) -> Option<Vec<String>> {
    let list = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .ok()?;
    let names = String::from_utf8(list.stdout).ok()?;
    let paths = names.split_terminator('\0').map(str::to_owned).collect();
    list.status.success().then_some(paths)
}

fn walked(root: &Path, folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder of the repository can be read");
    let mut paths = Vec::new();
    for path in entries.map(|entry| entry.expect("its entries can be read").path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && !NOT_OURS.contains(&name.as_ref()) {
            paths.extend(walked(root, &path));
        } else if path.is_file() {
            let below = path.strip_prefix(root).expect("the path is below the root");
            paths.push(below.to_string_lossy().replace('\\', "/"));
        }
    }
    paths
}

/// None if the file was deleted but is still in git's list.
fn read(root: &Path, path: &str) -> Option<File> {
    let content = fs::read(root.join(path)).ok()?;
    let bytes = content.len();
    Some(File { path: path.into(), bytes, text: String::from_utf8(content).unwrap_or_default() })
}

#[test]
fn walking_finds_what_git_lists() {
    let root = root();
    let walked = walked(&root, &root);
    for path in ["Cargo.toml", "crates/core/src/lib.rs", "crates/server/tests/tidy/tree.rs"] {
        assert!(walked.iter().any(|walked| walked == path), "{path}");
        assert!(FILES.iter().any(|file| file.path == path), "{path}");
    }
    assert!(!walked.iter().any(|path| path.starts_with(".git/") || path.starts_with("target/")));
}

#[test]
#[should_panic(expected = "a.rs:3: too odd")]
fn a_finding_fails_the_test_and_names_its_place() {
    report(&[Finding::at(&File::sample("a.rs", ""), 3, "too odd")]);
}
