//! Responses of `generateContent` with status 200.

use bytes::Bytes;
use retouch_core::Kind;
use retouch_providers::gemini::Gemini;
use retouch_providers::upstream::{Artefact, Dialect, Fault, Harvest, Meaning, Step};
use retouch_providers::{RefusedKind, Usage};
use serde_json::json;

use super::support::{answer, edit, meaning, order, recorded, refused, refused_for};

fn done(meaning: Meaning) -> Harvest {
    match meaning {
        Ok(Step::Done(harvest)) => harvest,
        other => panic!("not done: {other:?}"),
    }
}

fn files(harvest: &Harvest) -> Vec<Bytes> {
    let file = |artefact: &Artefact| match artefact {
        Artefact::Bytes(bytes) => bytes.clone(),
        other => panic!("not a file: {other:?}"),
    };
    harvest.artefacts.iter().map(file).collect()
}

/// A response with one candidate and no image.
fn ended(reason: &str, message: &str, text: &str) -> Meaning {
    let candidate = json!({
        "content": { "role": "model", "parts": [{ "text": text }] },
        "finishReason": reason,
        "finishMessage": message,
    });
    meaning(&answer(200, json!({ "candidates": [candidate] }).to_string()))
}

#[test]
fn drafts_are_left_out_and_the_picture_is_taken() {
    let harvest = done(meaning(&recorded(200, "picture")));
    let files = files(&harvest);
    assert_eq!(files.len(), 1);
    assert!(files[0].starts_with(b"\x89PNG"));
    let usage = Usage { prompt_tokens: 1143, completion_tokens: 1330, total_tokens: 2473 };
    assert_eq!(harvest.usage, usage);
    assert_eq!(harvest.warnings, []);
}

#[test]
fn snake_case_is_understood_and_the_total_is_counted_where_it_is_missing() {
    let harvest = done(meaning(&recorded(200, "picture_snake_case")));
    assert!(files(&harvest)[0].starts_with(b"\x89PNG"));
    let usage = Usage { prompt_tokens: 7, completion_tokens: 1290, total_tokens: 1297 };
    assert_eq!(harvest.usage, usage);
}

#[test]
fn of_several_pictures_the_last_comes_first() {
    let harvest = done(meaning(&recorded(200, "two_pictures")));
    assert_eq!(files(&harvest), ["two", "one"]);
    assert_eq!(harvest.usage, Usage::default());
}

#[test]
fn a_blocked_instruction_is_a_refusal_of_content() {
    let message = refused_for(RefusedKind::Content, meaning(&recorded(200, "prompt_blocked")));
    assert!(message.contains("PROHIBITED_CONTENT"), "{message}");
}

#[test]
fn endings_for_content_are_refusals_with_googles_words() {
    let reasons = [
        "SAFETY",
        "IMAGE_SAFETY",
        "PROHIBITED_CONTENT",
        "IMAGE_PROHIBITED_CONTENT",
        "RECITATION",
        "IMAGE_RECITATION",
        "SPII",
        "BLOCKLIST",
    ];
    for reason in reasons {
        let message =
            refused_for(RefusedKind::Content, ended(reason, "Support code: 17.", "sorry"));
        assert!(message.contains("Support code: 17."), "{reason}: {message}");
    }
}

#[test]
fn an_ending_without_a_message_is_named() {
    let body = r#"{"candidates":[{"finishReason":"IMAGE_SAFETY","index":0}]}"#;
    let message = refused_for(RefusedKind::Content, meaning(&answer(200, body)));
    assert!(message.contains("IMAGE_SAFETY"), "{message}");
}

#[test]
fn endings_that_say_nothing_of_content_are_failures() {
    for reason in ["IMAGE_OTHER", "OTHER", "MALFORMED_RESPONSE", "MAX_TOKENS", "NEW_REASON"] {
        let Err(Fault::Failed(why)) = ended(reason, "", "half a sen") else {
            panic!("{reason} is not a failure")
        };
        assert_eq!(why, format!("no image: {reason}"));
    }
    let Err(Fault::Failed(why)) = ended("NO_IMAGE", "", "") else { panic!("not a failure") };
    assert_eq!(why, "no image: NO_IMAGE");
}

#[test]
fn words_instead_of_a_picture_are_told_to_the_caller_without_the_thoughts() {
    let refused = refused(meaning(&recorded(200, "words_instead")));
    assert_eq!(refused.kind, RefusedKind::Instruction);
    assert_eq!(refused.param.as_deref(), Some("instruction"));
    let said = "It said: I can't help with that, but I can describe a cat.";
    assert!(refused.message.ends_with(said), "{}", refused.message);
}

#[test]
fn a_language_that_is_not_understood_is_the_instructions_fault() {
    let message = refused_for(RefusedKind::Instruction, ended("LANGUAGE", "", ""));
    assert!(message.contains("language"), "{message}");
}

#[test]
fn answers_that_hold_nothing_are_failures() {
    let drafts_alone = meaning(&recorded(200, "only_thoughts"));
    assert_eq!(drafts_alone, Err(Fault::Failed("no image: STOP".into())));
    let broken = r#"{"candidates":[{"content":{"parts":[{"inlineData":{"data":"@@"}}]}}]}"#;
    for body in ["{}", r#"{"candidates":[]}"#, r#"{"candidates":null}"#, broken, "<html>", "", "{"]
    {
        let meaning = meaning(&answer(200, body));
        assert!(matches!(meaning, Err(Fault::Failed(_))), "{body}: {meaning:?}");
    }
}

#[test]
fn base64_with_escaped_padding_is_read() {
    let body =
        r#"{"candidates":[{"content":{"parts":[{"inlineData":{"data":"YQ\u003d\u003d"}}]}}]}"#;
    assert_eq!(files(&done(meaning(&answer(200, body)))), ["a"]);
}

#[test]
fn a_prompt_out_of_words_alone_is_answered_alike() {
    let edit = edit(Kind::TextToImage);
    let order = order(&edit, "gemini-2.5-flash-image", &[]);
    let meaning = Gemini::default().submitted(&order, &recorded(200, "picture"));
    assert_eq!(files(&done(meaning)).len(), 1);
}
