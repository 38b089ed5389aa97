//! Bodies that are not JSON, barely JSON, or far too much of it.

use crate::row::{Row, Sender};

pub(crate) fn rows(sender: &Sender) -> Vec<Row> {
    let mut rows = broken(sender);
    rows.extend(encodings(sender));
    rows.extend(doubled(sender));
    rows.extend(vast(sender));
    rows
}

fn broken(sender: &Sender) -> Vec<Row> {
    let bodies = [
        "",
        " ",
        "null",
        "[]",
        "7",
        "\"sepia\"",
        "true",
        "{",
        "}",
        "{\"instruction\"",
        "{\"instruction\":}",
        "{'instruction':'sepia'}",
        "{instruction:\"sepia\"}",
        "{\"instruction\":\"sepia\",}",
        "{} {}",
        "{}x",
        "// a\n{}",
        "{\"instruction\":\"sep",
        "{\"instruction\":\"a\nb\"}",
        "{\"instruction\":\"\\x41\"}",
        "instruction=sepia",
        "<edit/>",
        "--b\r\nContent-Disposition: form-data\r\n\r\n",
        "{\"n\":1}\0",
    ];
    bodies
        .iter()
        .map(|body| sender.edit(format!("body {body:.40?}"), *body, "invalid_json"))
        .collect()
}

fn encodings(sender: &Sender) -> Vec<Row> {
    let utf16 = |text: &str, big: bool| -> Vec<u8> {
        let both = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
        text.encode_utf16().flat_map(both).collect()
    };
    let text = "{\"instruction\":\"sepia\"}";
    let inside = |bytes: &[u8]| [b"{\"instruction\":\"", bytes, b"\"}"].concat();
    let invalid = "invalid_json";
    vec![
        sender.edit("UTF-16, little-endian", utf16(text, false), invalid),
        sender.edit("UTF-16, big-endian", utf16(text, true), invalid),
        sender.edit("a byte order mark", format!("\u{feff}{text}"), invalid),
        sender.edit("a lone continuation byte", inside(b"\x80"), invalid),
        sender.edit("a truncated sequence", inside(b"\xE2\x82"), invalid),
        sender.edit("an overlong slash", inside(b"\xC0\xAF"), invalid),
        sender.edit("a surrogate in UTF-8", inside(b"\xED\xA0\x80"), invalid),
        sender.edit("beyond Unicode", inside(b"\xF4\x90\x80\x80"), invalid),
        sender.edit("Latin-1", inside(b"caf\xE9"), invalid),
        sender.edit("a lone high surrogate", inside(b"\\ud800"), invalid),
        sender.edit("a lone low surrogate", inside(b"\\udc00"), invalid),
        sender.edit("surrogates in the wrong order", inside(b"\\udc00\\ud800"), invalid),
        sender.edit("a NUL in a string", inside(b"\0"), invalid),
        sender.edit("a NUL between tokens", b"{\0}".as_slice(), invalid),
        sender.edit("compressed bytes", b"\x1f\x8b\x08\0\0\0\0\0\0\x03".as_slice(), invalid),
    ]
}

fn doubled(sender: &Sender) -> Vec<Row> {
    let long = "k".repeat(1_000_000);
    vec![
        sender.field("n", "1,\"n\":2", "duplicate_field"),
        sender.field("n", "1,\"\\u006e\":1", "duplicate_field"),
        sender.field("x", "{\"a\":1,\"a\":1}", "duplicate_field"),
        sender.field("x", "[[{\"\":1,\"\":1}]]", "duplicate_field"),
        sender.field(&long, &format!("1,\"{long}\":1"), "duplicate_field"),
    ]
}

/// Bodies with huge depth, length and numbers.
fn vast(sender: &Sender) -> Vec<Row> {
    let nested = |open: &str, close: &str, depth: usize| {
        format!("{}0{}", open.repeat(depth), close.repeat(depth))
    };
    let fields: String = (0..1_000_000).map(|number| format!("\"f{number}\":0,")).collect();
    let digits = "9".repeat(5_000_000);
    vec![
        sender.field("x", &nested("[", "]", 33), "invalid_json"),
        sender.field("x", &nested("[", "]", 100_000), "invalid_json"),
        sender.field("x", &nested("{\"a\":", "}", 100_000), "invalid_json"),
        sender.edit("a million brackets", "[".repeat(1_000_000), "invalid_json"),
        sender.edit("a million braces", "{\"a\":".repeat(1_000_000), "invalid_json"),
        sender.edit("a million fields", format!("{{{fields}\"n\":0}}"), "invalid_json"),
        sender.field("x", &format!("{{{fields}\"n\":0}}"), "invalid_json"),
        sender.field("imageUrls", &format!("[{}0]", "0,".repeat(1_000_000)), "invalid_json"),
        sender.field("imageUrls", &format!("[{}\"\"]", "\"\",".repeat(4_000)), "too_many_images"),
        // Each of these took gigabytes when it was read as a tree.
        sender.field("imageUrls", &format!("[{}\"\"]", "\"\",".repeat(20_000_000)), "invalid_json"),
        sender.field("x", &format!("[{}0], \"n\":0", "0,".repeat(20_000_000)), "invalid_json"),
        sender.field(
            "plan",
            &format!("{{\"steps\":[{}0]}}", "{},".repeat(1_000_000)),
            "invalid_json",
        ),
        sender.field("model", &format!("\"{}\"", "\\u0041".repeat(9_000_000)), "unknown_model"),
        sender.field("model", &digits, "invalid_json"),
        sender.field("n", &format!("0.{digits}"), "invalid_json"),
        sender.field("n", &format!("-{digits}"), "invalid_json"),
        sender.field("x", &format!("[{}0], \"n\":0", "[],".repeat(1_000_000)), "invalid_json"),
    ]
}
