//! The words that people read: pages, scripts, messages, emails, settings and documents.

use super::source::{has_word, strings_only};
use super::tree::{File, Finding};

/// Words to avoid, and what to say instead.
const AVOID: [(&str, &str); 24] = [
    ("whoever", "you, or the administrator"),
    ("somebody", "someone, or you"),
    ("anew", "again"),
    ("stand-in", "simulator"),
    ("stand-ins", "simulators"),
    ("mend", "fix"),
    ("mends", "fixes"),
    ("mended", "fixed"),
    ("heed", "follow"),
    ("heeds", "follows"),
    ("vendor", "provider"),
    ("vendors", "providers"),
    ("e-mail", "email"),
    ("colour", "color"),
    ("colours", "colors"),
    ("behaviour", "behavior"),
    ("centre", "center"),
    ("licence", "license"),
    ("as it suits", "automatic"),
    ("in the making", "in progress"),
    ("goes on with", "continues"),
    ("cannot be meant", "invalid"),
    ("out of words", "from text"),
    ("server of mail", "SMTP server"),
];

/// Text that is read from its first line to its last. A script is, too: what it shows is in it.
const PROSE: [&str; 13] = [
    "md", "html", "js", "mjs", "css", "txt", "toml", "yaml", "yml", "json", "service", "cfg", "sh",
];

/// What people may write to the editor contains any word, and so does what quotes them. Licenses
/// are other people's texts. Simulators have fields and values with such names.
const EXCEPT: [&str; 16] = [
    "bench/results/",
    "crates/engine/fonts/",
    "crates/engine/src/color.rs",
    "crates/engine/src/operations/",
    "crates/engine/src/place.rs",
    "crates/engine/tests/",
    "crates/language/corpus/",
    "crates/language/src/passes/",
    "crates/language/words/",
    "crates/server/assets/auth/",
    "crates/server/tests/tidy/",
    "crates/sim/",
    "deny.toml",
    "docs/editing-by-words.md",
    "docs/style.md",
    "tests/",
];

/// No sentence that people read has a word to avoid. Rust files are read in their strings, and
/// documents outside their code.
pub(super) fn plain(file: &File) -> Vec<Finding> {
    if EXCEPT.iter().any(|path| file.path.starts_with(path)) {
        return Vec::new();
    }
    let text = if file.is_ours(&["rs"]) && !file.path.contains("/tests/") {
        strings_only(&file.text)
    } else if file.is_ours(&PROSE) && !file.path.ends_with("package-lock.json") {
        file.text.clone()
    } else {
        return Vec::new();
    };
    let lines = (1..).zip(text.lines());
    lines.flat_map(|(number, line)| in_line(file, number, line)).collect()
}

fn in_line(file: &File, number: usize, line: &str) -> Vec<Finding> {
    // Every second part is between backticks.
    let prose: Vec<_> = if file.is_ours(&["md"]) {
        line.split('`').step_by(2).map(str::to_lowercase).collect()
    } else {
        vec![line.to_lowercase()]
    };
    let found = AVOID.iter().filter(|(word, _)| prose.iter().any(|part| has_word(part, word)));
    found
        .map(|(word, better)| Finding::at(file, number, format!("\"{word}\": say {better}")))
        .collect()
}

#[test]
fn words_to_avoid_are_found_where_people_read_them() {
    let cases = [
        ("a.md", "Whoever runs this\nand `whoever` calls", vec![1]),
        ("crates/server/templates/web/a.html", "<p>Ask\nsomebody.</p>", vec![2]),
        ("crates/server/src/a.rs", "// anew\nlet anew = \"begin anew\";", vec![2]),
        ("crates/server/tests/a.rs", "let text = \"begin anew\";", vec![]),
        ("config.default.toml", "# The colour.\n", vec![1]),
        ("crates/language/corpus/a.md", "make the colour warmer", vec![]),
        ("a.js", "const mending = 'recommend';", vec![]),
    ];
    for (path, text, lines) in cases {
        let file = File::sample(path, text);
        let places: Vec<_> = lines.iter().map(|line| format!("{path}:{line}")).collect();
        let found: Vec<_> = plain(&file).into_iter().map(|finding| finding.place).collect();
        assert_eq!(found, places, "{text}");
    }
}
