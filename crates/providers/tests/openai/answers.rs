//! Responses with images.

use bytes::Bytes;
use retouch_providers::Usage;
use retouch_providers::openai::{LITELLM, OPENAI, Profile, SGLANG};
use retouch_providers::upstream::{Artefact, Fault, Harvest, Meaning, Step};

use crate::support::{answer, dialect, edit, fixture, words};

const PNG_START: &[u8] = b"\x89PNG\r\n\x1a\n";

fn meaning(profile: &'static Profile, body: &'static str) -> Meaning {
    edit("gpt-image-2", &[(1024, 1024)]).answered(&dialect(profile), &answer(200, body))
}

fn harvest(profile: &'static Profile, body: &'static str) -> Harvest {
    match meaning(profile, body) {
        Ok(Step::Done(harvest)) => harvest,
        other => panic!("not done: {other:?}"),
    }
}

fn file(bytes: &'static [u8]) -> Artefact {
    Artefact::Bytes(Bytes::from_static(bytes))
}

#[test]
fn the_picture_and_the_count_are_taken() {
    let usage = Usage { prompt_tokens: 412, completion_tokens: 1056, total_tokens: 1468 };
    let expected = Harvest { artefacts: vec![file(PNG_START)], usage, warnings: Vec::new() };
    assert_eq!(harvest(&OPENAI, fixture!("done")), expected);
}

#[test]
fn a_picture_may_come_in_any_form() {
    let of = |body| harvest(&OPENAI, body).artefacts;
    assert_eq!(of(fixture!("done_data_uri")), [file(PNG_START)]);
    assert_eq!(of(r#"{"data":[{"url":"data:image/png;base64,iVBORw0KGgo="}]}"#), [file(PNG_START)]);
    let address = "https://pictures.example/1.png?sig=a%2Fb".to_owned();
    assert_eq!(of(fixture!("done_address")), [Artefact::Address(address)]);
    assert_eq!(of(fixture!("done_two")), [file(b"first"), file(b"second")]);
    assert_eq!(
        of(r#"{"data":[{"b64_json":"iVBORw0K\/x8="}]}"#).len(),
        1,
        "escapes in the base64 are accepted"
    );
}

#[test]
fn other_servers_count_otherwise_or_not_at_all() {
    assert_eq!(harvest(&SGLANG, fixture!("done_sglang")).usage, Usage::default());
    let litellm = harvest(&LITELLM, fixture!("done_litellm")).usage;
    assert_eq!(litellm.total_tokens, 1553);
    let chat =
        r#"{"data":[{"b64_json":"eA=="}],"usage":{"prompt_tokens":2,"completion_tokens":3}}"#;
    let usage = Usage { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 };
    assert_eq!(harvest(&OPENAI, chat).usage, usage);
    let odd = r#"{"data":[{"b64_json":"eA=="}],"usage":{"total_tokens":-1,"input_tokens":"many"}}"#;
    assert_eq!(harvest(&OPENAI, odd).usage, Usage::default());
}

#[test]
fn a_success_without_a_picture_is_a_failure() {
    let bodies = [fixture!("empty"), fixture!("empty_items"), "{}", r#"{"data":null}"#, "", "[]"];
    for body in bodies.into_iter().chain([fixture!("broken_base64"), r#"{"data":[{"b64_j"#]) {
        assert!(matches!(meaning(&OPENAI, body), Err(Fault::Failed(_))), "{body}");
    }
}

#[test]
fn litellm_passes_a_refusal_on_as_nothing() {
    let Err(Fault::Refused(refused)) = meaning(&LITELLM, fixture!("empty")) else { panic!() };
    assert!(refused.message.contains("no image and no reason"), "{}", refused.message);
}

#[test]
fn an_error_within_a_success_is_read() {
    let failed = meaning(&OPENAI, fixture!("error_in_success"));
    assert!(matches!(failed, Err(Fault::Failed(_))), "{failed:?}");
    let refused = meaning(&OPENAI, fixture!("refusal_in_success"));
    assert!(matches!(refused, Err(Fault::Refused(_))), "{refused:?}");
}

#[test]
fn an_instruction_that_was_rewritten_is_named_unless_that_was_wanted() {
    let done = |allowed| {
        let sample = words("dall-e-3").with(|edit| edit.prompt_extend = Some(allowed));
        match sample.answered(&dialect(&OPENAI), &answer(200, fixture!("done_revised"))) {
            Ok(Step::Done(harvest)) => harvest.warnings,
            other => panic!("not done: {other:?}"),
        }
    };
    assert_eq!(done(false)[0].param.as_deref(), Some("instruction"));
    assert_eq!(done(true), []);
    assert_eq!(harvest(&SGLANG, fixture!("done_sglang")).warnings, []);
}

#[test]
fn a_shape_that_the_model_does_not_make_is_named() {
    let done = |model, size| {
        let meaning =
            edit(model, &[size]).answered(&dialect(&OPENAI), &answer(200, fixture!("done")));
        let Ok(Step::Done(harvest)) = meaning else { panic!("not done: {meaning:?}") };
        harvest.warnings.into_iter().map(|warning| warning.message).collect::<Vec<_>>()
    };
    let warnings = done("gpt-image-1.5", (1600, 1200));
    assert!(warnings[0].contains("1536x1024 was used"), "{warnings:?}");
    assert!(done("gpt-image-1.5", (600, 400)).is_empty());
    assert!(done("gpt-image-2", (1600, 1200)).is_empty());
    assert!(!done("gpt-image-2", (1600, 120)).is_empty());
}
