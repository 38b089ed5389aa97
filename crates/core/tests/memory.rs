//! Measures, with a counting allocator, how much memory parsing a request takes besides the bytes
//! of its body. It must stay small whatever the body contains.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../../engine/tests/memory/counting.rs"]
mod counting;

use std::sync::{Mutex, PoisonError};

use base64_simd::STANDARD;
use counting::{Counting, peak_bytes};
use retouch_core::Kind;
use retouch_core::catalogue::{Catalogue, EMBEDDED};
use retouch_core::edit::{Body, Edit, Origin, Reason, Rejected, RequestLimits};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The counters belong to the whole process, so only one test measures at a time.
static MEASURING: Mutex<()> = Mutex::new(());
const LIMITS: RequestLimits = RequestLimits { image_bytes_max: 20 << 20 };
const MIB: usize = 1 << 20;
/// The size of a body that repeats one unit, in bytes.
const BODY_BYTES: usize = MIB;
/// The maximum memory that parsing any body may take, apart from its images: field names and
/// texts.
const READING_BYTES_MAX: u64 = 512 << 10;

/// Parses `body` like a call with an `Idempotency-Key`. Returns the peak memory too, in bytes.
fn read(body: &str) -> (Result<Edit, Rejected>, u64) {
    let catalogue = Catalogue::parse(EMBEDDED).unwrap();
    peak_bytes(|| {
        let body = Body::parse(body.as_bytes())?;
        body.fingerprint();
        catalogue.accept(Kind::ImageEdit, &body, LIMITS)
    })
}

/// Repeats `unit`, separated by commas, until the body is full.
fn repeated(unit: &str) -> String {
    format!("{unit},").repeat(BODY_BYTES / (unit.len() + 1)).trim_end_matches(',').to_owned()
}

#[test]
fn what_a_body_says_takes_no_memory_beside_its_bytes() {
    let _alone = MEASURING.lock().unwrap_or_else(PoisonError::into_inner);
    let long = "k".repeat(BODY_BYTES);
    let escaped = "\\u006b".repeat(BODY_BYTES / 6);
    let fields = |from: usize, to: usize| -> String {
        (from..to).map(|number| format!("\"{number}\":{{}},")).collect()
    };
    let edit = r#""instruction":"x","imageBase64":"AAAA""#;
    let cases = [
        (
            format!(r#"{{"instruction":"x","imageUrls":[{}]}}"#, repeated("\"\"")),
            Some(Reason::InvalidJson),
        ),
        (
            format!(r#"{{"instruction":"x","imageUrls":[{}0]}}"#, "\"\",".repeat(4_000)),
            Some(Reason::InvalidType),
        ),
        (format!(r#"{{"instruction":"x","imageUrl":"{long}"}}"#), Some(Reason::InvalidValue)),
        (format!(r#"{{"instruction":"x","imageUrl":"{escaped}"}}"#), Some(Reason::InvalidValue)),
        (format!(r#"{{{edit},"x":[{}]}}"#, repeated("0")), Some(Reason::InvalidJson)),
        (format!(r#"{{{edit},"x":[{}]}}"#, repeated("[]")), Some(Reason::InvalidJson)),
        (format!(r#"{{{edit},"x":[{}]}}"#, repeated("{}")), Some(Reason::InvalidJson)),
        (format!(r#"{{{edit},"x":"{escaped}"}}"#), None),
        (format!(r#"{{{edit},"{escaped}":1}}"#), None),
        (format!(r#"{{{edit},"{long}":1,"{escaped}":2}}"#), None),
        (format!(r#"{{{edit},"x":{{{}"y":0}}}}"#, fields(0, 4_000)), None),
        (format!(r#"{{{}{edit}}}"#, fields(0, 50_000)), Some(Reason::InvalidJson)),
        (format!(r#"{{{edit},"x":{}}}"#, "9".repeat(BODY_BYTES)), Some(Reason::InvalidJson)),
        (format!(r#"{{{edit},"x":{}"#, "[".repeat(BODY_BYTES)), Some(Reason::InvalidJson)),
        (format!(r#"{{"instruction":"{escaped}"}}"#), Some(Reason::TooLong)),
        (format!(r#"{{"instruction":"x","model":"{escaped}"}}"#), Some(Reason::UnknownModel)),
        (format!(r#"{{{edit},"size":"{escaped}"}}"#), Some(Reason::InvalidValue)),
        (format!(r#"{{"plan":{{"steps":[{}]}}}}"#, repeated("{}")), Some(Reason::InvalidJson)),
        (format!(r#"{{"plan":{{"steps":"{escaped}"}}}}"#), Some(Reason::TooLong)),
    ];
    for (body, wanted) in cases {
        let (read, peak_bytes) = read(&body);
        let shown = &body[..80];
        assert_eq!(read.err().map(|rejected| rejected.reason), wanted, "{shown}");
        assert!(peak_bytes <= READING_BYTES_MAX, "{peak_bytes} bytes for {shown}");
    }
}

#[test]
fn a_picture_takes_its_own_bytes_however_it_is_written() {
    let _alone = MEASURING.lock().unwrap_or_else(PoisonError::into_inner);
    let picture: Vec<u8> = (0..2 * MIB).map(|at| (at * 7 % 251).to_le_bytes()[0]).collect();
    let base64 = STANDARD.encode_to_string(&picture);
    let lines = base64.as_bytes().chunks(76).map(|line| String::from_utf8_lossy(line).into_owned());
    let percent = |text: &str| text.replace('+', "%2B").replace('/', "%2f");
    let written = [
        base64.clone(),
        base64.replace('/', "\\/"),
        base64.replacen('A', "\\u0041", 1),
        base64.replace('+', "-").replace('/', "_"),
        lines.collect::<Vec<_>>().join("\\r\\n"),
        format!("data:image/png;base64,{base64}"),
        format!("data:image\\/png;base64,{}", base64.replace('/', "\\/")),
        format!("data:;base64,{}", percent(&base64)),
    ];
    for text in written {
        let body = format!(r#"{{"instruction":"x","imageBase64":"{text}"}}"#);
        let (edit, peak_bytes) = read(&body);
        let most = picture.len() as u64 + READING_BYTES_MAX;
        assert!(peak_bytes <= most, "{peak_bytes} bytes for {}", &text[..80]);
        let Origin::Inline(bytes) = &edit.unwrap().pictures[0].origin else {
            panic!("{}", &text[..80])
        };
        assert!(*bytes == picture, "another picture from {}", &text[..80]);
    }
}
