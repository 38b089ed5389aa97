//! Fields of wrong types, with impossible values, or of absurd sizes.

use crate::row::{Row, Sender};

const TEXTS: [&str; 8] = [
    "instruction",
    "prompt",
    "model",
    "imageUrl",
    "imageBase64",
    "aspectRatio",
    "size",
    "negative_prompt",
];

/// The field, its value as it is written, and the expected error code.
const VALUES: [(&str, &str, &str); 49] = [
    ("instruction", r#""""#, "invalid_value"),
    ("instruction", r#"" \t\n\u2003""#, "invalid_value"),
    ("instruction", "null", "missing_field"),
    ("instruction", r#""sepia\u0000""#, "invalid_value"),
    ("instruction", r#""do not rotate""#, "instruction_not_supported"),
    ("instruction", r#""'; DROP TABLE edit; --""#, "instruction_not_supported"),
    ("instruction", r#""rotate NaN degrees""#, "instruction_not_supported"),
    ("instruction", r#""resize to 999999999999999999999x1""#, "instruction_not_supported"),
    ("prompt", r#""\u202e""#, "instruction_not_supported"),
    ("model", r#""""#, "unknown_model"),
    ("model", r#""ALPHA-IMAGE-2""#, "unknown_model"),
    ("model", r#""../../etc/passwd""#, "unknown_model"),
    ("model", r#""alpha-image-2\u0000""#, "unknown_model"),
    ("imageUrl", r#""""#, "invalid_value"),
    ("imageUrls", "[null]", "invalid_type"),
    ("imageUrls", r#"[""]"#, "invalid_value"),
    ("imageUrls", "[7]", "invalid_type"),
    ("imageUrls", "[[[]]]", "invalid_type"),
    ("imageUrls", r#"["a","b","c","d"]"#, "too_many_images"),
    ("n", "0", "invalid_value"),
    ("n", "-1", "invalid_value"),
    ("n", "-0", "invalid_value"),
    ("n", "1.5", "invalid_value"),
    ("n", "1e-999999999999999999999", "invalid_value"),
    ("n", "-1e999999999999999999999", "invalid_value"),
    ("n", r#""1""#, "invalid_type"),
    ("n", "NaN", "invalid_json"),
    ("n", "Infinity", "invalid_json"),
    ("n", "01", "invalid_json"),
    ("n", "+1", "invalid_json"),
    ("n", "0x1", "invalid_json"),
    ("n", "1e", "invalid_json"),
    ("aspectRatio", r#""""#, "unsupported_aspect_ratio"),
    ("aspectRatio", r#""1:0""#, "unsupported_aspect_ratio"),
    ("aspectRatio", r#""99999999999999999999:1""#, "unsupported_aspect_ratio"),
    ("aspectRatio", r#""1:1:1""#, "unsupported_aspect_ratio"),
    ("aspectRatio", r#""-1:-1""#, "unsupported_aspect_ratio"),
    ("aspectRatio", "\"\u{ff11}:\u{ff11}\"", "unsupported_aspect_ratio"),
    ("size", r#""""#, "invalid_value"),
    ("size", r#""0x0""#, "invalid_value"),
    ("size", r#""63x64""#, "invalid_value"),
    ("size", r#""4097x64""#, "invalid_value"),
    ("size", r#""99999999999999999999x64""#, "invalid_value"),
    ("size", r#""-64x64""#, "invalid_value"),
    ("size", r#""64x64x64""#, "invalid_value"),
    ("size", r#""1e3x64""#, "invalid_value"),
    ("size", "\"\u{ff16}\u{ff14}x64\"", "invalid_value"),
    ("quality", r#""ultra""#, "invalid_value"),
    ("quality", r#""""#, "invalid_value"),
];

pub(crate) fn rows(sender: &Sender) -> Vec<Row> {
    let mut rows = Vec::new();
    for name in TEXTS {
        for value in ["7", "true", "[]", "{}"] {
            rows.push(sender.field(name, value, "invalid_type"));
        }
    }
    for (name, value) in [("watermark", "1"), ("prompt_extend", "\"true\""), ("watermark", "[]")] {
        rows.push(sender.field(name, value, "invalid_type"));
    }
    for (name, value) in
        [("imageUrls", "7"), ("imageUrls", "{}"), ("imageUrls", "\"a\""), ("n", "[1]")]
    {
        rows.push(sender.field(name, value, "invalid_type"));
    }
    rows.extend(VALUES.iter().map(|(name, value, code)| sender.field(name, value, code)));
    rows.extend(long(sender));
    rows.push(sender.edit("no fields", "{}", "missing_field"));
    rows.push(sender.edit("no image", r#"{"instruction":"sepia"}"#, "missing_field"));
    rows.push(sender.field("prompt", r#""sepia","instruction":"invert""#, "conflicting_fields"));
    let contradiction = r#""64x128","aspectRatio":"1:1""#;
    rows.push(sender.field("size", contradiction, "conflicting_fields"));
    let malformed = r#""beta-image-2","aspectRatio":"0:1""#;
    rows.push(sender.field("model", malformed, "invalid_value"));
    rows
}

/// Texts and lists that are too long.
fn long(sender: &Sender) -> Vec<Row> {
    let quoted = |text: &str, times: usize| format!("\"{}\"", text.repeat(times));
    let addresses = vec!["\"http://192.0.2.1/\""; 4_000].join(",");
    vec![
        sender.field("instruction", &quoted("a", 801), "too_long"),
        sender.field("instruction", &quoted("\u{1f5bc}", 801), "too_long"),
        sender.field("instruction", &quoted("\\u0061", 801), "too_long"),
        sender.field("instruction", &quoted("sepia ", 3_000_000), "too_long"),
        sender.field("prompt", &quoted(" ", 801), "too_long"),
        sender.field("negative_prompt", &quoted("b", 801), "too_long"),
        sender.field("model", &quoted("m", 1_000_000), "unknown_model"),
        sender.field("aspectRatio", &quoted("1", 1_000_000), "unsupported_aspect_ratio"),
        sender.field("size", &quoted("9", 1_000_000), "invalid_value"),
        sender.field("imageUrl", &quoted("http://192.0.2.1/", 600), "invalid_value"),
        sender.field("imageUrls", &format!("[{addresses}]"), "too_many_images"),
        sender.field("imageBase64", &quoted("AAAA", 7_000_000), "image_too_large"),
        sender.field("imageBase64", &quoted("    ", 15_000_000), "invalid_value"),
    ]
}
