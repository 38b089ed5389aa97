//! Work that the provider names as a task and that must be polled.

use retouch_core::Kind;
use retouch_providers::upstream::Ticket;
use retouch_providers::{Provider, ProviderError, Task};
use serde_json::json;

use crate::server::{Reply, ScriptedProvider, json as answer};
use crate::support::{Memory, job, png, png_base64, upstream};
use crate::toy::Toy;

fn picture() -> Reply {
    answer(200, &json!({ "png": png_base64() }))
}

fn working() -> Reply {
    answer(200, &json!({ "working": 50 }))
}

fn taken_on() -> Reply {
    answer(200, &json!({ "task": "t-1" }))
}

fn task(ticket: Option<Ticket>) -> Task {
    Task {
        kind: Kind::ImageEdit,
        provider: "toy".into(),
        model: "toy-1".into(),
        ticket,
        warnings: Vec::new(),
        cost: None,
    }
}

#[tokio::test]
async fn a_task_is_recorded_before_it_is_waited_for() {
    let provider = ScriptedProvider::new([taken_on(), working(), picture()]).await;
    let journal = Memory::default();
    let done = upstream(provider.address, Toy::default()).perform(&job(), &journal).await.unwrap();
    assert_eq!(done.file, png());
    assert_eq!(provider.seen(), ["POST /submit", "GET /task/t-1", "GET /task/t-1"]);
    let ticket = Ticket(json!({ "id": "t-1" }));
    assert_eq!(*journal.tasks.lock().unwrap(), [task(Some(ticket))]);
}

#[tokio::test]
async fn rule_3_what_needs_a_record_and_gets_none_is_not_sent() {
    let provider = ScriptedProvider::new([picture()]).await;
    let journal = Memory { refuses: true, ..Memory::default() };
    let toy = Toy { names_tasks: true, ..Toy::default() };
    let error = upstream(provider.address, toy).perform(&job(), &journal).await.unwrap_err();
    assert!(matches!(error, ProviderError::Failed(_)), "{error}");
    assert!(provider.seen().is_empty());
}

#[tokio::test]
async fn a_task_that_cannot_be_recorded_any_more_is_waited_for_all_the_same() {
    let provider = ScriptedProvider::new([taken_on(), picture()]).await;
    let journal = Memory { refuses: true, ..Memory::default() };
    let done = upstream(provider.address, Toy::default()).perform(&job(), &journal).await.unwrap();
    assert_eq!(done.file, png());
}

#[tokio::test]
async fn rule_7_a_task_that_we_named_is_asked_about_when_no_answer_comes() {
    let toy = Toy { names_tasks: true, ..Toy::default() };
    let name = job().id.to_string();
    for broken in [Reply::CloseInRequest, Reply::CloseBeforeAnswer, Reply::CloseInAnswer] {
        let provider = ScriptedProvider::new([broken, picture()]).await;
        let done = upstream(provider.address, toy).perform(&job(), &Memory::default()).await;
        assert_eq!(done.unwrap().file, png());
        assert_eq!(provider.seen(), ["POST /submit".to_owned(), format!("GET /task/{name}")]);
    }
}

#[tokio::test]
async fn rule_14_a_failed_look_up_is_made_again() {
    let replies = [
        taken_on(),
        Reply::CloseBeforeAnswer,
        answer(503, &json!({})),
        answer(429, &json!({})),
        Reply::CloseInAnswer,
        picture(),
    ];
    let provider = ScriptedProvider::new(replies).await;
    let done = upstream(provider.address, Toy::default()).perform(&job(), &Memory::default()).await;
    assert_eq!(done.unwrap().file, png());
    let submitted = provider.seen().iter().filter(|line| line.starts_with("POST")).count();
    assert_eq!(submitted, 1);
}

#[tokio::test]
async fn rule_16_a_task_that_ended_in_an_error_is_asked_for_its_result_a_few_times() {
    let ended = || answer(200, &json!({ "ended": "t-1" }));
    let failed = || answer(500, &json!({}));
    let provider =
        ScriptedProvider::new([taken_on(), ended(), failed(), failed(), failed(), picture()]).await;
    let done = upstream(provider.address, Toy::default()).perform(&job(), &Memory::default()).await;
    assert_eq!(done.unwrap().file, png(), "a result after a hiccup is still a result");
    let lasting = [taken_on(), ended()].into_iter().chain((0..20).map(|_| failed()));
    let provider = ScriptedProvider::new(lasting).await;
    let done = upstream(provider.address, Toy::default()).perform(&job(), &Memory::default()).await;
    let error = done.unwrap_err();
    assert!(matches!(error, ProviderError::Failed(_)), "{error}");
    assert_eq!(provider.seen().len(), 2 + 4, "{:?}", provider.seen());
}

#[tokio::test]
async fn rule_15_a_task_that_the_provider_does_not_know_is_unknown() {
    let provider = ScriptedProvider::new([taken_on(), answer(404, &json!({}))]).await;
    let done = upstream(provider.address, Toy::default()).perform(&job(), &Memory::default()).await;
    let error = done.unwrap_err();
    assert!(matches!(error, ProviderError::Unknown(_)), "{error}");
}

#[tokio::test]
async fn rule_16_a_task_that_was_refused_is_refused() {
    let provider = ScriptedProvider::new([taken_on(), answer(400, &json!({}))]).await;
    let done = upstream(provider.address, Toy::default()).perform(&job(), &Memory::default()).await;
    let error = done.unwrap_err();
    assert!(matches!(error, ProviderError::Refused(_)), "{error}");
}

#[tokio::test]
async fn rule_19_a_recorded_task_is_waited_for_and_not_asked_for_again() {
    let provider = ScriptedProvider::new([working(), picture()]).await;
    let ticket = Ticket(json!({ "id": "t-9" }));
    let recorded = serde_json::to_string(&task(Some(ticket))).unwrap();
    let resumed: Task = serde_json::from_str(&recorded).unwrap();
    let done = upstream(provider.address, Toy::default()).resume(&resumed).await.unwrap();
    assert_eq!(done.file, png());
    assert_eq!(provider.seen(), ["GET /task/t-9", "GET /task/t-9"]);
}

#[tokio::test]
async fn rule_20_an_attempt_without_a_name_cannot_be_resumed() {
    let provider = ScriptedProvider::new([]).await;
    let error = upstream(provider.address, Toy::default()).resume(&task(None)).await.unwrap_err();
    assert!(matches!(error, ProviderError::Unknown(_)), "{error}");
    assert!(provider.seen().is_empty());
}
