//! stable-diffusion.cpp's native protocol.

use bytes::Bytes;
use proptest::prelude::*;
use retouch_core::Kind;
use retouch_core::catalogue::Quality;
use retouch_providers::openai::SdCpp;
use retouch_providers::upstream::{
    Artefact, Body, Call, Dialect, Fault, Harvest, Meaning, Step, Ticket,
};
use serde_json::{Value, json};

use crate::support::{Sample, answer, edit, fixture, with_header, words};

fn ticket(cropped: &[&str]) -> Ticket {
    Ticket(json!({ "id": "job_6920_00000001", "cropped": cropped }))
}

fn polled(status: u16, body: &'static str) -> Meaning {
    SdCpp.polled(&ticket(&[]), &answer(status, body))
}

fn sent(sample: &Sample) -> Value {
    let Body::Json(text) = sample.call(&SdCpp).body else { panic!("not JSON") };
    serde_json::from_slice(&text).unwrap()
}

#[test]
fn jobs_are_sent_in_its_own_terms() {
    let everything = edit("-", &[(1000, 1000), (640, 480)]).in_shape("3:2").with(|edit| {
        edit.quality = Some(Quality::High);
        edit.watermark = Some(true);
        edit.negative_prompt = Some("people".into());
        edit.prompt_extend = Some(true);
    });
    let shown = [
        edit("-", &[(1600, 1200)]).shown(&SdCpp),
        everything.shown(&SdCpp),
        words("-").shown(&SdCpp),
        words("-").in_size("640x360").shown(&SdCpp),
    ];
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn settings_within_the_words_stay_words() {
    let tag = "<sd_cpp_extra_args>{\"seed\":1}</sd_cpp_extra_args>";
    let sample = edit("-", &[(64, 64)]).with(|edit| edit.instruction = tag.into());
    assert_eq!(SdCpp.read(&sample.edit, "-"), Ok(Vec::new()));
    assert_eq!(sent(&sample)["prompt"], tag);
}

#[test]
fn it_makes_no_videos() {
    let video = Sample::new(Kind::Video, "-", &[]);
    assert!(SdCpp.read(&video.edit, "-").is_err());
}

#[test]
fn a_job_is_named_and_asked_for() {
    let sample = edit("-", &[(800, 400), (400, 400)]);
    let submitted = sample.answered(&SdCpp, &answer(202, fixture!("sdcpp_submitted")));
    assert_eq!(submitted, Ok(Step::Submitted(ticket(&["imageUrls[1]"]))));
    assert_eq!(SdCpp.poll(&ticket(&[])), Call::get("/sdcpp/v1/jobs/job_6920_00000001"));
    let unnamed = sample.answered(&SdCpp, &answer(202, r#"{"id":""}"#));
    assert!(matches!(unnamed, Err(Fault::Failed(_))), "{unnamed:?}");
    let odd = Ticket(json!({ "id": "../cancel?x" }));
    assert_eq!(SdCpp.poll(&odd), Call::get("/sdcpp/v1/jobs/..%2Fcancel%3Fx"));
}

#[test]
fn a_job_goes_through_its_states() {
    let working = Ok(Step::Working { wait_ms: None });
    assert_eq!(polled(200, fixture!("sdcpp_queued")), working);
    assert_eq!(polled(200, fixture!("sdcpp_generating")), working);
    let artefacts = vec![Artefact::Bytes(Bytes::from_static(b"\x89PNG\r\n\x1a\n"))];
    let done = Harvest { artefacts, ..Harvest::default() };
    assert_eq!(polled(200, fixture!("sdcpp_completed")), Ok(Step::Done(done)));
    for body in [
        fixture!("sdcpp_failed"),
        fixture!("sdcpp_cancelled"),
        fixture!("sdcpp_completed_empty"),
        "{}",
    ] {
        assert!(matches!(polled(200, body), Err(Fault::Failed(_))), "{body}");
    }
}

#[test]
fn it_is_asked_sooner_than_a_provider_and_then_less_often() {
    assert_eq!([0, 1, 7, 1000].map(|round| SdCpp.poll_wait_ms(round)), [250, 500, 2000, 2000]);
}

#[test]
fn pictures_that_were_cropped_are_named() {
    let completed = answer(200, fixture!("sdcpp_completed"));
    let Ok(Step::Done(harvest)) = SdCpp.polled(&ticket(&["imageUrls[1]"]), &completed) else {
        panic!("not done")
    };
    assert_eq!(harvest.warnings[0].param.as_deref(), Some("imageUrls[1]"));
}

#[test]
fn a_job_that_is_gone_is_lost_and_a_hiccup_is_none() {
    for (status, body) in [(404, fixture!("sdcpp_not_found")), (410, fixture!("sdcpp_expired"))] {
        assert!(matches!(polled(status, body), Err(Fault::Lost(_))), "{body}");
    }
    let hiccup = with_header(answer(502, "<html>"), "retry-after", "3");
    let again = SdCpp.polled(&ticket(&[]), &hiccup);
    assert!(matches!(again, Err(Fault::NotAccepted { wait_ms: Some(3_000), .. })), "{again:?}");
    let again = polled(200, "not JSON");
    assert!(matches!(again, Err(Fault::NotAccepted { is_lasting: false, .. })), "{again:?}");
    assert!(matches!(polled(401, ""), Err(Fault::Failed(_))));
}

#[test]
fn a_full_queue_is_tried_later_or_elsewhere() {
    let sample = edit("-", &[(64, 64)]);
    let full = sample.answered(&SdCpp, &answer(429, fixture!("sdcpp_queue_full")));
    assert!(matches!(full, Err(Fault::NotAccepted { is_lasting: false, .. })), "{full:?}");
    let wrong =
        sample.answered(&SdCpp, &answer(400, r#"{"error":"invalid generation parameters"}"#));
    assert!(matches!(wrong, Err(Fault::Refused(_))), "{wrong:?}");
}

#[test]
fn its_probe_names_its_model() {
    assert_eq!(SdCpp.probe(), Call::get("/sdcpp/v1/capabilities"));
    let there = SdCpp.probed(&answer(200, fixture!("sdcpp_capabilities")));
    assert_eq!(there.as_deref(), Ok("serves qwen-image-edit.gguf"));
    assert!(SdCpp.probed(&answer(404, "")).unwrap_err().contains("http://HOST:1234"));
}

proptest! {
    #[test]
    fn sizes_are_those_of_the_server(width in 1_u32..=8000, height in 1_u32..=8000) {
        let sent = sent(&edit("-", &[(width, height)]));
        let sides = ["width", "height"].map(|side| sent[side].as_u64().unwrap());
        prop_assert!(sides.iter().all(|side| side % 16 == 0 && (64..=4096).contains(side)));
        prop_assert!(sides[0] * sides[1] <= 2048 * 2048);
    }
}
