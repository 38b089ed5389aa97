//! The length of files and functions, and what is at their beginning.

use super::source::{code_only, functions};
use super::tree::{File, Finding};

/// The most lines of a file of code.
const FILE_LINES_MAX: usize = 500;
/// Most files are shorter: at most [`LONG_FILES_PERCENT_MAX`] percent of them are longer.
const FILE_LINES_USUAL: usize = 300;
const LONG_FILES_PERCENT_MAX: usize = 15;
/// The most lines of the median file.
const FILE_LINES_MEDIAN_MAX: usize = 150;
/// The most lines of a function, from `fn` to its closing brace.
const FUNCTION_LINES_MAX: usize = 70;
/// The mark of a test that only the complete `./test` runs.
const SLOW: &str = "#[ignore = \"slow: ";

const CODE: [&str; 9] = ["rs", "py", "sh", "js", "mjs", "ts", "css", "html", "sql"];

/// A file of code answers one question, so it does not grow without end.
pub(super) fn file_length(file: &File) -> Vec<Finding> {
    let lines = file.text.lines().count();
    let what = format!("{lines} lines; at most {FILE_LINES_MAX}: split it by question");
    finding_if(file.is_ours(&CODE) && lines > FILE_LINES_MAX, || Finding::of(file, what))
}

/// Most Rust files are far below the limit.
pub(super) fn usual_length(files: &[File]) -> Vec<Finding> {
    let ours = files.iter().filter(|file| file.is_ours(&["rs"]));
    let mut lengths: Vec<_> = ours.map(|file| file.text.lines().count()).collect();
    lengths.sort_unstable();
    let median = lengths.get(lengths.len() / 2).copied().unwrap_or_default();
    let long = lengths.iter().filter(|lines| **lines > FILE_LINES_USUAL).count();
    let all = lengths.len();
    let about = |what| Finding { place: "all Rust files".into(), what };
    let mut findings = Vec::new();
    if median > FILE_LINES_MEDIAN_MAX {
        findings.push(about(format!("median {median} lines; at most {FILE_LINES_MEDIAN_MAX}")));
    }
    if long * 100 > all * LONG_FILES_PERCENT_MAX {
        let most = format!("at most {LONG_FILES_PERCENT_MAX} %");
        findings.push(about(format!("{long} of {all} have over {FILE_LINES_USUAL} lines; {most}")));
    }
    findings
}

/// A function fits on a screen or two.
pub(super) fn function_length(file: &File) -> Vec<Finding> {
    if !file.is_ours(&["rs"]) {
        return Vec::new();
    }
    let long = functions(&file.text).into_iter().filter(|f| f.lines > FUNCTION_LINES_MAX);
    long.map(|f| Finding::at(file, f.line, format!("{} lines; at most 70", f.lines))).collect()
}

/// A source file begins with a sentence that says what it is for.
pub(super) fn described(file: &File) -> Vec<Finding> {
    let described = file.text.lines().next().is_some_and(|line| line.starts_with("//! "));
    let what = "the first line is no `//! ` sentence that says what the file is for";
    finding_if(file.is_ours(&["rs"]) && !described, || Finding::of(file, what))
}

/// `foo.rs` is next to `foo/`, so that a tab in an editor shows which module it is.
pub(super) fn module_name(file: &File) -> Vec<Finding> {
    let named_mod = file.path.ends_with("/mod.rs");
    finding_if(named_mod, || Finding::of(file, "name it after its folder, next to the folder"))
}

/// `#[expect(lint, reason = "…")]` warns when it is no longer needed; `allow` never does.
pub(super) fn silenced_lints(file: &File) -> Vec<Finding> {
    if !file.is_ours(&["rs"]) {
        return Vec::new();
    }
    let code = code_only(&file.text);
    let mut findings = Vec::new();
    for (number, line) in (1..).zip(code.lines()) {
        if line.contains("[allow(") || line.contains(", allow(") {
            findings.push(Finding::at(file, number, "`expect` it, and give the reason"));
        }
    }
    for (at, _) in code.match_indices("[expect(") {
        let attribute = &code[at..code[at..].find(")]").map_or(code.len(), |end| at + end)];
        if !attribute.contains("reason =") {
            let line = code[..at].matches('\n').count() + 1;
            findings.push(Finding::at(file, line, "no `reason = \"…\"`"));
        }
    }
    findings
}

/// A test may be left out of `./test quick` only because it is slow. `./test` runs it all the same.
pub(super) fn ignored_tests(file: &File) -> Vec<Finding> {
    let lines = (1..).zip(file.text.lines()).filter(|_| file.is_ours(&["rs"]));
    let ignored = lines.filter(|(_, line)| line.trim_start().starts_with("#[ignore"));
    let unnamed = ignored.filter(|(_, line)| !line.trim_start().starts_with(SLOW));
    unnamed.map(|(number, _)| Finding::at(file, number, format!("say {SLOW}…\"]"))).collect()
}

fn finding_if(wrong: bool, finding: impl FnOnce() -> Finding) -> Vec<Finding> {
    wrong.then(finding).into_iter().collect()
}

fn lines(count: usize) -> File {
    File::sample("a/b.rs", &"x\n".repeat(count))
}

#[test]
fn a_file_of_501_lines_is_found() {
    assert_eq!(file_length(&lines(500)), []);
    assert_eq!(file_length(&lines(501)).len(), 1);
    assert_eq!(file_length(&File { path: "a/vendor/b.rs".into(), ..lines(501) }), []);
    assert_eq!(file_length(&File { path: "a.md".into(), ..lines(501) }), []);
}

#[test]
fn many_long_files_are_found() {
    assert_eq!(usual_length(&[lines(100), lines(100), lines(151)]), []);
    let found = usual_length(&[lines(100), lines(301), lines(301)]);
    let what: Vec<_> = found.iter().map(|finding| finding.what.as_str()).collect();
    assert_eq!(what, ["median 301 lines; at most 150", "2 of 3 have over 300 lines; at most 15 %"]);
}

#[test]
fn a_function_of_71_lines_is_found() {
    let function = |body: usize| {
        File::sample("a.rs", &format!("//! A.\nfn a() {{\n{}}}\n", "    b();\n".repeat(body)))
    };
    assert_eq!(function_length(&function(68)), []);
    let found = function_length(&function(69));
    assert_eq!(found, [Finding::at(&function(69), 2, "71 lines; at most 70")]);
}

#[test]
fn a_file_without_a_sentence_is_found() {
    assert_eq!(described(&File::sample("a.rs", "//! Why.\n")), []);
    assert_eq!(described(&File::sample("a.rs", "use b;\n//! Late.\n")).len(), 1);
    assert_eq!(described(&File::sample("a.rs", "")).len(), 1);
}

#[test]
fn a_module_named_mod_is_found() {
    assert_eq!(module_name(&File::sample("src/model.rs", "")), []);
    assert_eq!(module_name(&File::sample("src/model/mod.rs", "")).len(), 1);
}

#[test]
fn a_silenced_lint_is_found() {
    let found = |text: &str| silenced_lints(&File::sample("a.rs", text)).len();
    assert_eq!(found("#[allow(dead_code)]\nfn a() {}"), 1);
    assert_eq!(found("#![allow(dead_code)]"), 1);
    assert_eq!(found("#[cfg_attr(test, allow(dead_code))]"), 1);
    assert_eq!(found("#[expect(dead_code)]"), 1);
    assert_eq!(found("#[expect(\n    dead_code,\n    reason = \"it (too) lives\"\n)]"), 0);
    assert_eq!(found("// #[allow(dead_code)]\nfn a() { b(\"[allow(\") }"), 0);
}

#[test]
fn a_test_ignored_for_another_reason_is_found() {
    let found = |line: &str| ignored_tests(&File::sample("a.rs", line)).len();
    assert_eq!(found("    #[ignore]"), 1);
    assert_eq!(found("#[ignore = \"broken\"]"), 1);
    assert_eq!(found("#[ignore = \"slow: kills the server 50 times\"]"), 0);
}
