//! Videos: requests to Veo, and its operations.

use retouch_core::Kind;
use retouch_core::edit::Edit;
use retouch_core::image::AspectRatio;
use retouch_engine::codec::Format;
use retouch_providers::RefusedKind;
use retouch_providers::gemini::Gemini;
use retouch_providers::upstream::{
    Answer, Artefact, Call, CallUrl, Dialect, Fault, Meaning, Picture, Step, Ticket,
};
use serde_json::{Value, json};

use super::support::{answer, call, codes, edit, json, order, picture, recorded, refused_for};

const VEO: &str = "veo-3.1-generate-preview";
const LITE: &str = "veo-3.1-lite-generate-preview";

fn video() -> Edit {
    edit(Kind::Video)
}

fn submitted(pictures: &[Picture], answer: &Answer) -> Meaning {
    let edit = video();
    Gemini::default().submitted(&order(&edit, VEO, pictures), answer)
}

fn ticket(pictures: &[Picture]) -> Ticket {
    match submitted(pictures, &recorded(200, "operation")) {
        Ok(Step::Submitted(ticket)) => ticket,
        other => panic!("no ticket: {other:?}"),
    }
}

fn polled(answer: &Answer) -> Meaning {
    Gemini::default().polled(&ticket(&[]), answer)
}

#[test]
fn the_whole_request_goes_from_the_first_picture_to_the_last() {
    let mut asked = video();
    asked.negative_prompt = Some("text".into());
    let pictures = [picture("one", Format::Png, (900, 1600)), picture("two", Format::Jpeg, (9, 9))];
    let call = call(&asked, VEO, &pictures);
    assert_eq!(call.url, CallUrl::Path(format!("/v1beta/models/{VEO}:predictLongRunning")));
    assert_eq!(
        json(&call),
        json!({
            "instances": [{
                "prompt": "make it dusk",
                "image": { "bytesBase64Encoded": "b25l", "mimeType": "image/png" },
                "lastFrame": { "bytesBase64Encoded": "dHdv", "mimeType": "image/jpeg" },
            }],
            "parameters": {
                "sampleCount": 1,
                "durationSeconds": 8,
                "aspectRatio": "9:16",
                "negativePrompt": "text",
            },
        })
    );
    let warnings = Gemini::default().read(&asked, VEO).unwrap();
    assert_eq!(warnings, []);
    assert_eq!(Gemini::default().picture_rules(VEO).count_max, 2);
}

#[test]
fn words_alone_leave_the_shape_to_veo() {
    let sent = json(&call(&video(), VEO, &[]));
    let expected = json!({
        "instances": [{ "prompt": "make it dusk" }],
        "parameters": { "sampleCount": 1, "durationSeconds": 8 },
    });
    assert_eq!(sent, expected);
}

#[test]
fn lengths_become_the_nearest_of_three() {
    for (asked, made) in [(1, 4), (4, 4), (5, 6), (6, 6), (7, 8), (8, 8), (30, 8)] {
        let mut edit = video();
        edit.duration_seconds = Some(asked);
        assert_eq!(json(&call(&edit, VEO, &[]))["parameters"]["durationSeconds"], made);
        let warnings = Gemini::default().read(&edit, VEO).unwrap();
        let expected = [("parameter_approximated", "duration_seconds")];
        assert_eq!(codes(&warnings), expected[usize::from(asked == made)..], "{asked}");
    }
}

#[test]
fn sizes_become_a_shape_and_a_resolution() {
    let cases = [
        (VEO, "1280x720", 4, ("16:9", "720p"), 0),
        (VEO, "720x1280", 8, ("9:16", "720p"), 0),
        (VEO, "1920x1080", 8, ("16:9", "1080p"), 0),
        (VEO, "1920x1080", 6, ("16:9", "720p"), 1),
        (VEO, "3840x2160", 8, ("16:9", "4k"), 0),
        (LITE, "3840x2160", 8, ("16:9", "1080p"), 1),
        (VEO, "640x640", 8, ("16:9", "720p"), 1),
    ];
    for (model, size, seconds, (ratio, resolution), warned) in cases {
        let mut edit = video();
        (edit.size, edit.duration_seconds) = (Some(size.parse().unwrap()), Some(seconds));
        edit.tier = crate::gemini::edit::tier(edit.kind, edit.size);
        let parameters = json(&call(&edit, model, &[]))["parameters"].clone();
        let sent = (&parameters["aspectRatio"], &parameters["resolution"]);
        assert_eq!(sent, (&Value::from(ratio), &Value::from(resolution)), "{model} {size}");
        let warnings = Gemini::default().read(&edit, model).unwrap();
        assert_eq!(warnings.len(), warned, "{model} {size} {seconds}: {warnings:?}");
    }
}

#[test]
fn a_ratio_that_veo_does_not_make_is_the_nearest_and_that_is_said() {
    let mut edit = video();
    edit.aspect_ratio = AspectRatio::Ratio(3, 4);
    assert_eq!(json(&call(&edit, VEO, &[]))["parameters"]["aspectRatio"], "9:16");
    let warnings = Gemini::default().read(&edit, VEO).unwrap();
    assert_eq!(codes(&warnings), [("parameter_approximated", "aspectRatio")]);
}

#[test]
fn an_operation_is_a_ticket_that_is_asked_for_by_name() {
    let poll = Gemini::default().poll(&ticket(&[]));
    assert_eq!(poll, Call::get(format!("/v1beta/models/{VEO}/operations/abc123")));
    let working = polled(&recorded(200, "operation_working"));
    assert_eq!(working, Ok(Step::Working { wait_ms: None }));
}

#[test]
fn names_that_would_lead_elsewhere_are_no_operations() {
    let names =
        ["", "abc", "../../secret/x", "a/./b", "a//b", "https://evil.test/x", "a/b?c", "/a"];
    for name in names {
        let meaning = submitted(&[], &answer(200, json!({ "name": name }).to_string()));
        assert!(matches!(meaning, Err(Fault::Failed(_))), "{name}: {meaning:?}");
    }
    assert!(matches!(submitted(&[], &answer(200, "{}")), Err(Fault::Failed(_))));
}

#[test]
fn a_finished_video_is_fetched_from_googles_host_with_the_key() {
    let Ok(Step::Done(harvest)) = polled(&recorded(200, "operation_done")) else {
        panic!("not done")
    };
    let [Artefact::Call(call)] = &harvest.artefacts[..] else { panic!("{harvest:?}") };
    let CallUrl::Absolute(url) = &call.url else { panic!("{call:?}") };
    assert_eq!(url.path(), "/v1beta/files/xyz:download");
    let gemini = Gemini::default();
    assert!(gemini.is_own_host(url.host_str().unwrap()));
    assert!(!gemini.is_own_host("storage.googleapis.com"));
    assert!(!gemini.is_own_host("generativelanguage.googleapis.com.evil.test"));
    assert_eq!(harvest.warnings, []);
}

#[test]
fn what_is_to_be_said_about_the_shape_survives_in_the_ticket() {
    let square = [picture("one", Format::Png, (500, 500))];
    let kept = serde_json::to_string(&ticket(&square)).unwrap();
    let ticket: Ticket = serde_json::from_str(&kept).unwrap();
    let done = Gemini::default().polled(&ticket, &recorded(200, "operation_done"));
    let Ok(Step::Done(harvest)) = done else { panic!("{done:?}") };
    assert_eq!(codes(&harvest.warnings), [("parameter_approximated", "aspectRatio")]);
}

#[test]
fn filtered_videos_and_forbidden_words_are_refusals_of_content() {
    let cases =
        [("operation_filtered", "Support code: 29310472"), ("operation_refused", "rephras")];
    for (name, words) in cases {
        let message = refused_for(RefusedKind::Content, polled(&recorded(200, name)));
        assert!(message.contains(words), "{message}");
    }
    let bad = r#"{"done":true,"error":{"code":3,"message":"`resolution` 5k is not supported."}}"#;
    let message = refused_for(RefusedKind::Parameters, polled(&answer(200, bad)));
    assert!(message.contains("5k"), "{message}");
}

#[test]
fn operations_that_end_without_a_video_are_failures() {
    let empty = r#"{"done":true,"response":{"generateVideoResponse":{}}}"#;
    let nowhere =
        r#"{"done":true,"response":{"generateVideoResponse":{"generatedSamples":[{"video":{}}]}}}"#;
    let file = r#"{"done":true,"response":{"generateVideoResponse":{"generatedSamples":[{"video":{"uri":"file:///etc/passwd"}}]}}}"#;
    let answers =
        [empty, nowhere, file, r#"{"done":true}"#, "<html>"].map(|body| answer(200, body));
    for answer in answers.iter().chain([&recorded(200, "operation_failed")]) {
        let meaning = polled(answer);
        assert!(matches!(meaning, Err(Fault::Failed(_))), "{meaning:?}");
    }
}

#[test]
fn troubles_of_asking_are_no_end_of_the_work() {
    let again = |answer: &Answer| match polled(answer) {
        Err(Fault::NotAccepted { wait_ms, .. }) => wait_ms,
        other => panic!("not polled again: {other:?}"),
    };
    for status in [401, 403, 429, 500, 502, 503, 504] {
        assert_eq!(again(&answer(status, "later")), None, "{status}");
    }
    assert_eq!(again(&recorded(429, "throttled")), Some(3_500));
    assert_eq!(again(&recorded(400, "bad_key")), None);
    assert!(matches!(polled(&answer(404, "{}")), Err(Fault::Lost(_))));
    assert!(matches!(polled(&recorded(400, "wrong_argument")), Err(Fault::Failed(_))));
}
