//! Enough of Rust's grammar to tell code from text, and to find the end of a function.

/// A function with a body.
#[derive(Debug, PartialEq)]
pub(super) struct Function {
    /// The line of `fn`, counted from 1.
    pub(super) line: usize,
    /// Lines from `fn` to the closing brace, both included.
    pub(super) lines: usize,
}

/// Every function with a body, including nested ones.
pub(super) fn functions(source: &str) -> Vec<Function> {
    let code = code_only(source);
    let starts = code.match_indices("fn ").filter(|(at, _)| is_word_start(&code, *at));
    starts.filter_map(|(at, _)| function_at(&code, at)).collect()
}

/// `source` with every comment, string and character literal replaced by spaces, so that the
/// remaining words and braces are code. Lines keep their numbers.
pub(super) fn code_only(source: &str) -> String {
    kept(source, str::is_empty)
}

/// `source` with everything but its strings replaced by spaces. Lines keep their numbers.
pub(super) fn strings_only(source: &str) -> String {
    kept(source, |text| text.starts_with(['"', 'r']))
}

/// `source` with every part replaced by spaces that `keeps` does not want. It is asked for each
/// comment and literal, and with an empty text for each character of code.
fn kept(source: &str, keeps: fn(&str) -> bool) -> String {
    let mut kept = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let text = text_len(rest);
        let (part, after) = rest.split_at(text.max(first.len_utf8()));
        if keeps(&part[..text]) {
            kept.push_str(part);
        } else {
            kept.extend(part.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        }
        rest = after;
    }
    kept
}

/// Whether `text` contains `word` as a whole word.
pub(super) fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word)
        .any(|(at, _)| is_word_start(text, at) && !continues(&text[at + word.len()..]))
}

fn continues(rest: &str) -> bool {
    rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

fn is_word_start(code: &str, at: usize) -> bool {
    let before = code[..at].chars().next_back();
    !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
}

/// The function whose `fn` is at `at`; none if it has no body or is a type.
fn function_at(code: &str, at: usize) -> Option<Function> {
    let rest = &code[at..];
    let open = body_start(rest)?;
    let close = open + closing_brace(&rest[open..])?;
    let lines = rest[..close].matches('\n').count() + 1;
    Some(Function { line: code[..at].matches('\n').count() + 1, lines })
}

/// Where the body opens: the first brace outside brackets, before any semicolon.
fn body_start(signature: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in signature.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ';' if depth == 0 => return None,
            '{' if depth == 0 => return Some(at),
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    None
}

/// Where the brace at the start of `block` is closed.
fn closing_brace(block: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in block.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The bytes of the comment or literal at the start of `rest`; 0 if it starts with code.
fn text_len(rest: &str) -> usize {
    if rest.starts_with("//") {
        rest.find('\n').unwrap_or(rest.len())
    } else if rest.starts_with("/*") {
        block_comment_len(rest)
    } else if rest.starts_with('"') {
        string_len(rest)
    } else if rest.starts_with("r\"") || rest.starts_with("r#") {
        raw_string_len(rest)
    } else if rest.starts_with('\'') {
        character_len(rest)
    } else {
        0
    }
}

/// Block comments nest.
fn block_comment_len(rest: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while let Some(step) = rest[at..].find(['/', '*']) {
        at += step;
        let token = rest[at..].get(..2).unwrap_or_default();
        match token {
            "/*" => depth += 1,
            "*/" => depth -= 1,
            _ => {}
        }
        at += if token == "/*" || token == "*/" { 2 } else { 1 };
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

fn string_len(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if c == '"' && !escaped {
            return at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    rest.len()
}

/// 0 for a raw identifier such as `r#type`.
fn raw_string_len(rest: &str) -> usize {
    let hashes = rest[1..].bytes().take_while(|byte| *byte == b'#').count();
    let open = 1 + hashes;
    if !rest[open..].starts_with('"') {
        return 0;
    }
    let close = format!("\"{}", "#".repeat(hashes));
    let content = open + 1;
    rest[content..].find(&close).map_or(rest.len(), |at| content + at + close.len())
}

/// 0 for a lifetime.
fn character_len(rest: &str) -> usize {
    let mut after = rest.char_indices().skip(1);
    match (after.next(), after.next()) {
        (Some((_, '\\')), Some((at, escaped))) => {
            let content = at + escaped.len_utf8();
            rest[content..].find('\'').map_or(rest.len(), |end| content + end + 1)
        }
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 0,
    }
}

#[test]
fn text_is_blanked_and_code_is_kept() {
    let cases = [
        ("a // }\nb", "a b"),
        ("a /* } /* } */ } */ b", "a b"),
        (r#"a("}\"}") b"#, "a( ) b"),
        (r##"a(r#"}"}"#) b"##, "a( ) b"),
        ("r#type b\"}\"", "r#type b"),
        ("f::<'a>('}', '\\'', '\\u{7d}', '\u{e9}') b", "f::<'a>( , , , ) b"),
        ("a \"open }", "a"),
    ];
    for (source, code) in cases {
        let blanked = code_only(source);
        assert_eq!(blanked.split_whitespace().collect::<Vec<_>>().join(" "), code, "{source}");
        assert_eq!(blanked.chars().count(), source.chars().count(), "{source}");
        assert_eq!(blanked.lines().count(), source.lines().count(), "{source}");
    }
}

#[test]
fn strings_are_kept_and_code_is_blanked() {
    let source = "say(\"a\", r#\"b\"#, 'c'); // \"d\"\nrun(\"e\")";
    let strings = strings_only(source);
    assert_eq!(strings.split_whitespace().collect::<Vec<_>>(), ["\"a\"", "r#\"b\"#", "\"e\""]);
    assert_eq!(strings.lines().count(), 2);
}

#[test]
fn functions_are_measured_by_their_braces() {
    let source = "fn a() {\n let b = \"}\";\n}\n\
                  trait T { fn none(&self, x: [u8; 4]); }\n\
                  pub async fn c<F: Fn(u8) -> u8>(f: F)\nwhere F: Send {\n fn inner() {}\n}\n\
                  const P: fn (u8) = p;";
    let lines = |line, lines| Function { line, lines };
    assert_eq!(functions(source), [lines(1, 3), lines(5, 4), lines(7, 1)]);
}
