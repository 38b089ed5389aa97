//! Requests for images from text and for videos: shared fields follow the same rules, and some
//! fields belong to one call only.

use crate::http;
use crate::row::{BadBody, Row, Sender, Wanted};

const IMAGE: &str = "/api/text-to-image";
const VIDEO: &str = "/api/video-generation";

/// Fields after a valid instruction, as they are written, and the expected error code, for both
/// calls.
const BOTH: [(&str, &str); 21] = [
    (r#""model":7"#, "invalid_type"),
    (r#""model":"none""#, "unknown_model"),
    (r#""model":"../../etc/passwd""#, "unknown_model"),
    (r#""n":0"#, "invalid_value"),
    (r#""n":"1""#, "invalid_type"),
    (r#""aspectRatio":{}"#, "invalid_type"),
    (r#""aspectRatio":"1:1:1""#, "unsupported_aspect_ratio"),
    (r#""size":"63x64""#, "invalid_value"),
    (r#""size":[64,64]"#, "invalid_type"),
    (r#""size":"64x128","aspectRatio":"1:1""#, "conflicting_fields"),
    (r#""quality":"ultra""#, "invalid_value"),
    (r#""watermark":"yes""#, "invalid_type"),
    (r#""prompt_extend":1"#, "invalid_type"),
    (r#""negative_prompt":[]"#, "invalid_type"),
    (r#""negative_prompt":"\u0000""#, "invalid_value"),
    (r#""imageUrl":7"#, "invalid_type"),
    (r#""imageUrls":{}"#, "invalid_type"),
    (r#""imageUrls":[null]"#, "invalid_type"),
    (r#""imageBase64":true"#, "invalid_type"),
    (r#""prompt":"another""#, "conflicting_fields"),
    (r#""n":1,"n":1"#, "duplicate_field"),
];

/// Fields like those in `BOTH`, for images from text.
const IMAGES: [(&str, &str); 6] = [
    (r#""model":"alpha-video-1""#, "unknown_model"),
    (r#""imageUrl":"http://127.0.0.1/""#, "too_many_images"),
    (r#""imageUrl":"""#, "too_many_images"),
    (r#""imageUrls":["file:///etc/passwd"]"#, "too_many_images"),
    (r#""imageBase64":"AAAA""#, "too_many_images"),
    (r#""imageBase64":"*""#, "too_many_images"),
];

/// Fields like those in `BOTH`, for videos.
const VIDEOS: [(&str, &str); 18] = [
    (r#""model":"gamma-2""#, "unknown_model"),
    (r#""duration_seconds":0"#, "invalid_value"),
    (r#""duration_seconds":-0"#, "invalid_value"),
    (r#""duration_seconds":-5"#, "invalid_value"),
    (r#""duration_seconds":5.5"#, "invalid_value"),
    (r#""duration_seconds":7"#, "invalid_value"),
    (r#""duration_seconds":1e999"#, "invalid_value"),
    (r#""duration_seconds":4294967301"#, "invalid_value"),
    (r#""duration_seconds":18446744073709551621"#, "invalid_value"),
    (r#""duration_seconds":5e-999999999999999999"#, "invalid_value"),
    (r#""duration_seconds":"5""#, "invalid_type"),
    (r#""duration_seconds":[5]"#, "invalid_type"),
    (r#""duration_seconds":true"#, "invalid_type"),
    (r#""duration_seconds":05"#, "invalid_json"),
    (r#""duration_seconds":5,"duration_seconds":5"#, "duplicate_field"),
    (r#""imageUrls":["data:,a","data:,b"]"#, "too_many_images"),
    (r#""imageUrl":"file:///etc/passwd""#, "invalid_value"),
    (r#""imageBase64":"*""#, "invalid_value"),
];

/// Instructions that are valid for a video but that no image can follow.
const MOTIONS: [&str; 8] = [
    "zoom in slowly",
    "zoom in slowly, then fade out",
    "slowly zoom out over 5 seconds",
    "pan from left to right",
    "fade in and out",
    "rotate slowly by 10 degrees",
    "an 8 second video: zoom in by 40%",
    "make a video of it at 24 fps",
];

pub(crate) fn rows(sender: &Sender) -> Vec<Row> {
    let mut rows = Vec::new();
    for path in [IMAGE, VIDEO] {
        rows.extend(BOTH.iter().map(|row| after_good_words(sender, path, row)));
        rows.extend(words(sender, path));
        rows.push(Row::raw(
            format!("GET {path}"),
            http::request(&format!("GET {path}"), &[http::bearer(&sender.key)], None),
            Wanted::Error(405, "method_not_allowed"),
        ));
        rows.push(Row::raw(
            format!("{path} without a key"),
            http::request(&format!("POST {path}"), &[], Some(b"{}")),
            Wanted::Error(401, "unauthenticated"),
        ));
    }
    rows.extend(IMAGES.iter().map(|row| after_good_words(sender, IMAGE, row)));
    for words in MOTIONS {
        rows.push(sender.field("instruction", &format!("{words:?}"), "instruction_not_supported"));
        let body = format!(r#"{{"instruction":{words:?}}}"#);
        let refused = BadBody { bytes: body.as_bytes(), code: "instruction_not_supported" };
        rows.push(sender.call(IMAGE, format!("{IMAGE} {words}"), refused));
    }
    rows.extend(VIDEOS.iter().map(|row| after_good_words(sender, VIDEO, row)));
    rows.push(sender.get("GET /api/models?kind=film", 400, "invalid_value"));
    rows.push(sender.get("GET /api/models?kind=%ff%00", 400, "invalid_value"));
    rows
}

fn after_good_words(sender: &Sender, path: &str, (fields, code): &(&str, &'static str)) -> Row {
    let body = format!(r#"{{"instruction":"zoom in slowly",{fields}}}"#);
    sender.call(path, format!("{path} {fields:.60}"), BadBody { bytes: body.as_bytes(), code })
}

/// Empty instructions, and instructions that no available model can follow.
fn words(sender: &Sender, path: &str) -> Vec<Row> {
    let quoted = |text: &str, times: usize| format!("\"{}\"", text.repeat(times));
    let rows = [
        ("7".to_owned(), "invalid_type"),
        ("null".to_owned(), "missing_field"),
        (quoted("\\u2003", 3), "invalid_value"),
        (quoted("a", 801), "too_long"),
        (quoted("\\u0000", 1), "invalid_value"),
        (quoted("'; DROP TABLE edit; --", 1), "instruction_not_supported"),
        (quoted("\\u202e", 1), "instruction_not_supported"),
        (quoted("make the dog run and jump", 1), "instruction_not_supported"),
        // The default video model does not make videos of this length.
        (quoted("a 7 second video: zoom in on a red picture", 1), "instruction_not_supported"),
    ];
    let call = |(words, code): (String, &'static str)| {
        let body = format!(r#"{{"instruction":{words}}}"#);
        sender.call(path, format!("{path} {words:.40}"), BadBody { bytes: body.as_bytes(), code })
    };
    rows.into_iter().map(call).collect()
}
