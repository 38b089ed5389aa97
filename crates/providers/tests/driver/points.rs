//! Calls that get a direct answer, or none.

use retouch_providers::{Provider, ProviderError};
use serde_json::json;

use crate::server::{Reply, ScriptedProvider, json as answer};
use crate::support::{KEY, job, perform, png, png_base64, upstream};
use crate::toy::Toy;

/// The outcome when a provider replies in this way, and how many requests it received.
async fn outcome(toy: Toy, replies: impl IntoIterator<Item = Reply>) -> (&'static str, usize) {
    let provider = ScriptedProvider::new(replies).await;
    let done = perform(&upstream(provider.address, toy)).await;
    (done.as_ref().map_or_else(ProviderError::outcome, |_| "done"), provider.seen().len())
}

fn picture() -> Reply {
    answer(200, &json!({ "png": png_base64() }))
}

#[tokio::test]
async fn a_picture_in_the_answer_is_done() {
    let provider = ScriptedProvider::new([picture()]).await;
    let done = perform(&upstream(provider.address, Toy::default())).await.unwrap();
    assert_eq!(done.file, png());
    assert_eq!(provider.seen(), ["POST /submit"]);
    assert!(provider.heads()[0].contains(&format!("x-toy-key: {KEY}")));
}

#[tokio::test]
async fn rule_1_a_closed_port_is_not_accepted() {
    let provider = ScriptedProvider::new([]).await;
    let upstream = upstream(provider.address, Toy::default());
    drop(provider);
    tokio::task::yield_now().await;
    let error = perform(&upstream).await.unwrap_err();
    assert!(matches!(error, ProviderError::NotAccepted { retry_ms: Some(_), .. }), "{error}");
}

#[tokio::test]
async fn rule_2_a_failed_upload_is_not_accepted() {
    let toy = Toy { uploads: true, ..Toy::default() };
    for reply in [Reply::CloseInRequest, Reply::CloseBeforeAnswer, Reply::CloseInAnswer] {
        assert_eq!(outcome(toy, [reply]).await, ("not_accepted", 1));
    }
    assert_eq!(outcome(toy, [answer(200, &json!({})), picture()]).await, ("done", 2));
}

#[tokio::test]
async fn rules_4_to_6_a_broken_connection_is_unknown_and_nothing_is_sent_again() {
    let broken = [
        Reply::CloseInRequest,
        Reply::CloseBeforeAnswer,
        Reply::CloseInAnswer,
        Reply::StopInAnswer,
        Reply::Hang,
    ];
    for reply in broken {
        let shown = format!("{reply:?}");
        assert_eq!(outcome(Toy::default(), [reply, picture()]).await, ("unknown", 1), "{shown}");
    }
}

#[tokio::test]
async fn rules_8_to_12_what_a_status_says_is_believed() {
    let cases = [(400, "refused"), (401, "not_accepted"), (429, "not_accepted"), (500, "failed")];
    for (status, expected) in cases {
        let replies = [answer(status, &json!({ "error": "no" })), picture()];
        assert_eq!(outcome(Toy::default(), replies).await, (expected, 1), "{status}");
    }
}

#[tokio::test]
async fn rule_9_a_hint_is_passed_on_and_keeps_the_next_call_away() {
    let slow = Reply::Whole(429, &[("retry-after", "7")], String::new());
    let provider = ScriptedProvider::new([slow, picture()]).await;
    let upstream = upstream(provider.address, Toy::default());
    for _ in 0..2 {
        let error = perform(&upstream).await.unwrap_err();
        let ProviderError::NotAccepted { retry_ms: Some(ms), .. } = error else {
            panic!("{error}")
        };
        assert!((6_000..=7_000).contains(&ms), "{ms}");
    }
    assert_eq!(provider.seen().len(), 1, "the second call was not sent");
}

#[tokio::test]
async fn rule_9_an_absurd_hint_is_no_hint_or_an_hour() {
    // The wait if there is no hint, and the longest wait that is passed on to callers.
    let (none, most) = (1_000, 3_600_000);
    for (header, value, expected) in [
        ("retry-after", "1e300", most),
        ("retry-after", "99999999999999999999999", most),
        ("retry-after", "3601", most),
        ("retry-after", "3600", 3_600_000),
        ("retry-after-ms", "18446744073709551615", most),
        ("retry-after", "inf", none),
        ("retry-after", "NaN", none),
        ("retry-after", "-5", none),
        ("retry-after", "Fri, 31 Dec 9999 23:59:59 GMT", none),
        ("retry-after", "", none),
    ] {
        let headers = Vec::leak(vec![(header, value)]);
        let provider = ScriptedProvider::new([Reply::Whole(429, headers, String::new())]).await;
        let error = perform(&upstream(provider.address, Toy::default())).await.unwrap_err();
        let ProviderError::NotAccepted { retry_ms, .. } = error else { panic!("{error}") };
        assert_eq!(retry_ms, Some(expected), "{header}: {value}");
    }
}

#[tokio::test]
async fn rule_13_a_200_without_a_usable_picture_has_failed() {
    let cut = base64_simd::STANDARD.encode_to_string(&png()[..40]);
    let bodies = [
        json!({}).to_string(),
        json!({ "png": "not base64 %%%" }).to_string(),
        json!({ "png": cut }).to_string(),
        json!({ "png": "aGVsbG8=" }).to_string(),
        "{\"png\": \"".to_owned(),
        "<html>".to_owned(),
        String::new(),
    ];
    for body in bodies {
        let reply = Reply::Whole(200, &[], body.clone());
        assert_eq!(outcome(Toy::default(), [reply]).await, ("failed", 1), "{body}");
    }
}

#[tokio::test]
async fn rule_17_a_result_at_home_is_fetched_and_tried_again() {
    let there = json!({ "path": "/file" });
    let replies = [answer(200, &there), answer(503, &json!({})), Reply::CloseBeforeAnswer];
    let provider = ScriptedProvider::new(replies).await;
    let error = perform(&upstream(provider.address, Toy::default())).await.unwrap_err();
    assert!(matches!(error, ProviderError::Failed(_)), "{error}");
    assert_eq!(provider.seen().len(), 5, "one submission, four attempts: {:?}", provider.seen());
}

#[tokio::test]
async fn a_result_at_a_private_address_is_not_fetched() {
    let replies = [answer(200, &json!({ "url": "http://10.0.0.1/picture.png" }))];
    let provider = ScriptedProvider::new(replies).await;
    let error = perform(&upstream(provider.address, Toy::default())).await.unwrap_err();
    let ProviderError::Failed(reason) = error else { panic!("{error}") };
    assert!(reason.contains("public internet address"), "{reason}");
}

#[tokio::test]
async fn no_error_shows_the_key() {
    let reply = || answer(500, &json!({ "error": format!("bad key {KEY}") }));
    let provider = ScriptedProvider::new([reply()]).await;
    let error = perform(&upstream(provider.address, Toy::default())).await.unwrap_err();
    assert!(error.to_string().contains("bad key [key]"), "{error}");
}

#[tokio::test]
async fn more_pictures_than_the_provider_takes_are_refused_before_anything_is_sent() {
    let provider = ScriptedProvider::new([]).await;
    let upstream = upstream(provider.address, Toy::default());
    let mut edit = (*job().edit).clone();
    let first = edit.pictures[0].clone();
    edit.pictures = vec![first.clone(), first.clone(), first];
    let refused = upstream.read(&edit, "toy-1").unwrap_err();
    assert!(refused.message.contains("3 input images"), "{}", refused.message);
}
