//! Tests how image requests are parsed and validated.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::prelude::*;
use retouch_core::Kind;
use retouch_core::catalogue::{Catalogue, EMBEDDED, MicroDollars};
use retouch_core::edit::{Body, Edit, Origin, Reason, Rejected, RequestLimits};
use retouch_core::image::AspectRatio;
use serde_json::{Value, json};

const LIMITS: RequestLimits = RequestLimits { image_bytes_max: 1000 };

fn accept(body: &[u8]) -> Result<Edit, Rejected> {
    let catalogue = Catalogue::parse(EMBEDDED).unwrap();
    catalogue.accept(Kind::ImageEdit, &Body::parse(body)?, LIMITS)
}

fn reason(body: &[u8]) -> Reason {
    accept(body).unwrap_err().reason
}

#[test]
fn what_is_no_json_object_is_refused() {
    let deep = "[".repeat(100_000);
    let nested = format!("{{\"x\":{}1{}}}", "[".repeat(40), "]".repeat(40));
    let bodies: [&[u8]; 12] = [
        b"",
        b"null",
        b"[]",
        b"\"text\"",
        b"{",
        b"{} {}",
        b"{'a': 1}",
        b"\xff\xfe{\x00}\x00",
        b"\xef\xbb\xbf{}",
        br#"{"instruction": "\ud800"}"#,
        deep.as_bytes(),
        nested.as_bytes(),
    ];
    for body in bodies {
        assert_eq!(reason(body), Reason::InvalidJson, "{}", String::from_utf8_lossy(body));
    }
}

#[test]
fn a_key_that_stands_twice_is_refused_wherever_it_stands() {
    for body in [r#"{"n":1,"n":1}"#, r#"{"\u006e":1,"n":2}"#, r#"{"x":{"a":1,"a":2}}"#] {
        assert_eq!(reason(body.as_bytes()), Reason::DuplicateField, "{body}");
    }
}

#[test]
fn numbers_are_understood_however_they_are_written() {
    let with = |n: &str| format!(r#"{{"instruction":"x","imageBase64":"AAAA","n":{n}}}"#);
    for one in ["1", "1.0", "1.00", "10e-1", "0.1e1", "1e0", "0.0001e4"] {
        assert_eq!(accept(with(one).as_bytes()).unwrap().warnings, [], "{one}");
    }
    for several in [
        "2",
        "2.0",
        "1e999",
        "1e99999999999999999999",
        "100",
        "20e-1",
        "123456789012345678901234567890",
    ] {
        let warnings = accept(with(several).as_bytes()).unwrap().warnings;
        assert_eq!(warnings[0].code, "n_clamped", "{several}");
    }
    for none in [
        "0",
        "-0",
        "0.0",
        "0e5",
        "-1",
        "-1e999",
        "1.5",
        "1e-1",
        "1e-999",
        "1.0000000000000000000001",
        "15e-1",
    ] {
        assert_eq!(reason(with(none).as_bytes()), Reason::InvalidValue, "{none}");
    }
}

#[test]
fn pictures_count_together_in_order_and_the_first_that_is_over_is_named() {
    let fields = |urls: usize| {
        json!({
            "instruction": "x",
            "model": "epsilon-image",
            "imageUrl": "https://example.com/0.png",
            "imageUrls": (1..=urls).map(|n| format!("https://example.com/{n}.png")).collect::<Vec<_>>(),
            "imageBase64": "AAAA",
        })
    };
    let edit = accept(fields(1).to_string().as_bytes()).unwrap();
    let params: Vec<&str> = edit.pictures.iter().map(|picture| picture.param.as_str()).collect();
    assert_eq!(params, ["imageUrl", "imageUrls[0]", "imageBase64"]);
    assert!(matches!(&edit.pictures[2].origin, Origin::Inline(bytes) if **bytes == [0, 0, 0]));
    for (urls, param) in [(2, "imageBase64"), (3, "imageUrls")] {
        let rejected = accept(fields(urls).to_string().as_bytes()).unwrap_err();
        assert_eq!(rejected.reason, Reason::TooManyImages);
        assert_eq!(rejected.param.as_deref(), Some(param));
        assert!(rejected.message.contains(&(urls + 2).to_string()), "{rejected}");
    }
}

#[test]
fn an_answer_does_not_swell_with_what_the_caller_sends() {
    let mut body = json!({ "instruction": "x", "imageBase64": "AAAA" });
    for number in 0..4000 {
        body[format!("{}{number}", "k".repeat(500))] = Value::Bool(true);
    }
    let edit = accept(body.to_string().as_bytes()).unwrap();
    assert_eq!(edit.warnings.len(), 21);
    assert!(edit.warnings.iter().all(|warning| warning.message.len() < 300));
    let model = json!({ "instruction": "x", "imageBase64": "AAAA", "model": "m".repeat(100_000) });
    assert!(accept(model.to_string().as_bytes()).unwrap_err().message.len() < 500);
}

#[test]
fn a_body_with_more_fields_than_any_call_has_is_refused_wherever_they_are() {
    let fields: String = (0..5000).map(|number| format!("\"{number}\":{{}},")).collect();
    let digits = "1".repeat(2_000);
    for body in [
        format!("{{{fields}\"instruction\":\"x\"}}"),
        format!("{{\"x\":{{{fields}\"y\":1}}}}"),
        format!("{{\"x\":[{}0]}}", "{\"a\":1},".repeat(5000)),
        format!("{{\"n\":{digits}}}"),
    ] {
        assert_eq!(reason(body.as_bytes()), Reason::InvalidJson, "{}", &body[..40]);
    }
}

#[test]
fn an_escape_that_means_no_character_is_refused_wherever_it_is() {
    for escape in ["\\ud800", "\\udc00", "\\udc00\\ud800", "\\ud800x", "\\ud800\\n"] {
        for body in [
            format!("{{\"x\":\"{escape}\"}}"),
            format!("{{\"x\":[{{\"{escape}\":1}}]}}"),
            format!("{{\"instruction\":\"{escape}\"}}"),
        ] {
            assert_eq!(reason(body.as_bytes()), Reason::InvalidJson, "{body}");
        }
    }
    let pair = accept(br#"{"instruction":"\ud83d\ude00\/\t\u00e9","imageBase64":"AAAA"}"#).unwrap();
    assert_eq!(pair.instruction, "\u{1f600}/\t\u{e9}");
}

#[test]
fn an_image_has_a_ratio_within_two_percent_or_one_pixel() {
    for ((width, height), ratio, is_of) in [
        ((1536, 1024), "3:2", true),
        ((1020, 1000), "1:1", true),
        ((1030, 1000), "1:1", false),
        ((1024, 1024), "3:2", false),
        ((400, 100), "3:2", false),
        ((2, 1), "3:2", true),
        ((2, 1), "1:1", true),
        ((3, 1), "1:1", false),
        ((7, 3), "auto", true),
    ] {
        let ratio: AspectRatio = ratio.parse().unwrap();
        assert_eq!(ratio.is_of((width, height)), is_of, "{width}x{height}, {ratio}");
    }
}

#[test]
fn a_fingerprint_is_the_one_that_earlier_versions_stored() {
    let body = br#"{"b":[1.0,"x\u0041",null,{}],"a":{"d":true,"c":"\/"},"n":null}"#;
    let shown: String =
        Body::parse(body).unwrap().fingerprint().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(shown, "3a1fd27e395cd2ef9f35a445fd5653290bc98075b76966393f0507700d7d743b");
}

#[test]
fn a_catalogue_that_contradicts_itself_is_refused() {
    assert!(Catalogue::parse(EMBEDDED).is_ok());
    let changes = [
        ("default_model = \"alpha-image-2-free\"", "default_model = \"none\"", "default_model"),
        ("id = \"beta-image-2\"", "id = \"alpha-image-2\"", "duplicate"),
        ("max_input_images = 3", "max_input_images = 5", "max_input_images"),
        ("{ quality = \"high\", credits = 22 }", "{ quality = \"auto\", credits = 22 }", "auto"),
        ("{ quality = \"high\", credits = 22 }", "{ quality = \"high\", credits = 0 }", "price"),
        ("{ quality = \"high\", credits = 22 }", "{ quality = \"high\", credits = -1 }", "-1"),
        ("{ quality = \"high\", credits = 22 }", "{ quality = \"high\" }", "needs credits"),
        (
            "{ quality = \"high\", credits = 22 }",
            "{ quality = \"medium\", credits = 22 }",
            "duplicate",
        ),
        ("{ quality = \"high\", credits = 22 }", "{ seconds = 4, credits = 22 }", "for videos"),
        (
            "{ size = \"2K\", cost_usd = \"0.0504\" }",
            "{ size = \"4K\", cost_usd = \"1\" }",
            "not offer",
        ),
        ("ends = \"2027-10-21\"", "ends = \"2027-13-01\"", "not a date"),
        ("label = \"version 2\"", "label = \"\"", "label"),
        ("label = \"version 2\"", "lable = \"x\"", "lable"),
        ("[\"auto\", \"1:1\", \"3:2\", \"2:3\"]", "[\"auto\", \"1:1\", \"1:1\"]", "duplicate"),
        ("[\"auto\", \"1:1\", \"3:2\", \"2:3\"]", "[\"wide\"]", "aspect ratio"),
        ("price_usd = \"9.90\"", "price_usd = \"9.9\"", "price_usd"),
        ("default_video_model = \"alpha-video-1\"", "", "default_video_model"),
        (
            "default_video_model = \"alpha-video-1\"",
            "default_video_model = \"gamma-2\"",
            "not one of",
        ),
        (
            "default_model = \"alpha-image-2-free\"",
            "default_model = \"beta-video-1\"",
            "not one of",
        ),
        ("max_input_images = 3", "max_input_images = 0", "1 to 4"),
        ("kinds = [\"video\"]", "kinds = [\"video\", \"image_edit\"]", "two models"),
        ("kinds = [\"video\"]", "kinds = [\"film\"]", "film"),
        ("kinds = [\"video\"]", "kinds = [\"video\", \"video\"]", "duplicate"),
        ("kinds = [\"video\"]", "kinds = []", "kinds is empty"),
        ("seconds = 5\n", "", "seconds"),
        ("{ seconds = 10, credits = 42 }", "{ seconds = 5, credits = 42 }", "duplicate"),
        ("{ seconds = 10, credits = 42 }", "{ seconds = 700, credits = 42 }", "1 to 600"),
        ("aliases = [\"alpha-image-2\"]", "seconds = 5", "need seconds"),
        ("credits_per_month = 600", "credits_per_month = 0", "credits_per_month"),
        ("id = \"pro\"", "id = \"basic\"", "duplicate"),
    ];
    for (old, new, told) in changes {
        let changed = EMBEDDED.replacen(old, new, 1);
        assert_ne!(changed, EMBEDDED, "{old}");
        let error = Catalogue::parse(&changed).unwrap_err().to_string();
        assert!(error.contains(told), "{new}: {error}");
    }
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(".{0,6}", inner, 0..4).prop_map(|map| json!(map)),
        ]
    })
}

#[test]
fn a_route_is_for_what_its_model_does_and_costs_an_exact_amount() {
    let with = |rest: &str| {
        let (before, gamma) = EMBEDDED.split_once("id = \"gamma-2\"").unwrap();
        let route = format!("routes = [\n  {{ provider = \"p\", {rest} }},");
        let gamma = gamma.replacen("routes = [", &route, 1);
        Catalogue::parse(&format!("{before}id = \"gamma-2\"{gamma}"))
    };
    let catalogue = with("model = \"m\", kinds = [\"image_edit\"], cost_usd = \"0.039\"").unwrap();
    let route = &catalogue.find_model("gamma-2").unwrap().routes[0];
    assert!(route.does(Kind::ImageEdit) && !route.does(Kind::TextToImage));
    assert_eq!(route.cost_usd, Some(MicroDollars(39_000)));
    let wrong = [
        ("model = \"\"", "needs a provider"),
        ("model = \"m\", kinds = [\"video\"]", "model's kinds"),
        ("model = \"m\", kinds = [\"image_edit\", \"image_edit\"]", "duplicate"),
        ("model = \"m\", cost_usd = 0.039", "cost_usd"),
        ("model = \"m\", cost_usd = \"4 cents\"", "4 cents"),
    ];
    for (rest, told) in wrong {
        let error = with(rest).unwrap_err().to_string();
        assert!(error.contains(told), "{rest}: {error}");
    }
}

#[test]
fn dollars_are_read_and_written_exactly() {
    for (text, micros, shown) in [
        ("0.039", 39_000, "0.039"),
        ("0.5", 500_000, "0.50"),
        ("12", 12_000_000, "12.00"),
        ("0.000001", 1, "0.000001"),
        ("999999.999999", 999_999_999_999, "999999.999999"),
        ("00.10", 100_000, "0.10"),
    ] {
        assert_eq!(text.parse::<MicroDollars>().unwrap(), MicroDollars(micros), "{text}");
        assert_eq!(MicroDollars(micros).to_string(), shown);
    }
    for text in ["", ".", "1.", ".5", "-1", "+1", "1e3", "0.0000001", "1000000", "1,5", "0.03 "] {
        assert!(text.parse::<MicroDollars>().is_err(), "{text}");
    }
}

/// The same meaning, written differently: reversed keys, extra white space and escaped characters.
fn rewritten(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            format!("[ {} ]", items.iter().map(rewritten).collect::<Vec<_>>().join(" ,\n"))
        }
        Value::Object(members) => {
            let members = members
                .iter()
                .rev()
                .map(|(key, value)| format!("{}\t:{}", escaped(key), rewritten(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        Value::String(text) => escaped(text),
        Value::Number(number) => format!("{number}.0"),
        other => other.to_string(),
    }
}

fn escaped(text: &str) -> String {
    let units = text.encode_utf16().map(|unit| format!("\\u{unit:04x}"));
    format!("\"{}\"", units.collect::<String>())
}

/// What may make a text valid JSON, or may not. Without exponents: Serde refuses numbers that no
/// `f64` holds.
fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "", "{", "}", "[", "]", "[]", ":", ",", "\"", "\\", "\\\"", "\\u00e9", "\\ud800", "\\x",
        "\n", "\t", "\u{1}", "\u{7f}", "\u{e9}", " ", "0", "00", "-", "1.", ".5", "true", "nul",
        "null", "x",
    ])
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = accept(&bytes);
    }

    #[test]
    fn no_fields_make_it_panic(fields in prop::collection::btree_map(
        prop::sample::select(vec!["instruction", "prompt", "model", "imageUrl", "imageUrls", "imageBase64",
            "n", "aspectRatio", "watermark", "negative_prompt", "size", "quality", "prompt_extend", "x"]),
        json_value(), 0..8,
    )) {
        let _ = accept(json!(fields).to_string().as_bytes());
    }

    #[test]
    fn well_formed_is_what_serde_json_reads(
        value in prop::collection::btree_map(".{0,3}", json_value(), 0..5),
        length in 0..200_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..2_usize, piece()), 0..3),
    ) {
        // The scan of a string goes over its blocks and then over what is left.
        let padded = json!({ "a": value, "b": "x".repeat(length) }).to_string();
        let mut chars: Vec<char> = padded.chars().collect();
        for (index, removed, piece) in changes {
            let at = index.index(chars.len());
            chars.splice(at..(at + removed).min(chars.len()), piece.chars());
        }
        let text: String = chars.into_iter().collect();
        let is_object = serde_json::from_str::<Value>(&text).is_ok_and(|value| value.is_object());
        match Body::parse(text.as_bytes()) {
            Ok(_) => prop_assert!(is_object, "{text}"),
            // Serde keeps one of two equal keys. What follows them has not been read.
            Err(error) if error.reason == Reason::DuplicateField => {}
            Err(_) => prop_assert!(!is_object, "{text}"),
        }
    }

    #[test]
    fn a_fingerprint_is_of_the_meaning(
        fields in prop::collection::btree_map(".{1,6}", json_value(), 0..5),
        other in json_value(),
    ) {
        let value = json!(fields);
        let text = value.to_string();
        let fingerprint = |text: &str| Body::parse(text.as_bytes()).unwrap().fingerprint();
        prop_assert_eq!(fingerprint(&text), fingerprint(&rewritten(&value)));
        let mut changed = value;
        let same = other.is_null() || other == json!([]);
        changed["changed"] = other;
        prop_assert_eq!(fingerprint(&text) == fingerprint(&changed.to_string()), same);
    }
}
