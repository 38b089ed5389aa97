//! How responses are read.

use retouch_core::Kind;
use retouch_providers::RefusedKind;
use retouch_providers::dashscope::DashScope;
use retouch_providers::upstream::{
    Answer, Artefact, CallUrl, Dialect, Fault, Meaning, Step, Ticket,
};
use serde_json::json;

use crate::order::{Sample, answer};
use crate::shown::answer_with_wait;

macro_rules! fixture {
    ($status:expr, $name:literal) => {
        answer($status, include_str!(concat!("../fixtures/dashscope/", $name, ".json")))
    };
}

fn edited(answer: &Answer) -> Meaning {
    Sample::new(Kind::ImageEdit, "qwen-image-edit-plus", &[(10, 10)]).answered(&DashScope, answer)
}

fn polled(answer: &Answer) -> Meaning {
    DashScope.polled(&Ticket(json!("t1")), answer)
}

fn addresses(meaning: Meaning) -> Vec<String> {
    let Ok(Step::Done(harvest)) = meaning else { panic!("no result: {meaning:?}") };
    let address = |artefact| match artefact {
        Artefact::Address(address) => address,
        other => panic!("no URL: {other:?}"),
    };
    harvest.artefacts.into_iter().map(address).collect()
}

fn result(name: &str) -> String {
    format!("https://dashscope-result.example.com/7d/{name}?Expires=1795286400")
}

fn kind(meaning: Meaning) -> Option<RefusedKind> {
    match meaning {
        Err(Fault::Refused(refused)) => Some(refused.kind),
        _ => None,
    }
}

fn is_failed(meaning: &Meaning) -> bool {
    matches!(meaning, Err(Fault::Failed(_)))
}

#[test]
fn pictures_are_found_wherever_they_stand() {
    assert_eq!(addresses(edited(&fixture!(200, "made"))), [result("1.png")]);
    assert_eq!(addresses(edited(&fixture!(200, "made_by_3"))), [result("1.png")]);
    let spread = ["1.png", "2.png", "3.png"].map(result);
    assert_eq!(addresses(edited(&fixture!(200, "spread"))), spread);
    assert_eq!(addresses(polled(&fixture!(200, "task_results"))), [result("1.png")]);
    assert_eq!(addresses(polled(&fixture!(200, "task_choices"))), [result("1.png")]);
    assert_eq!(addresses(polled(&fixture!(200, "task_video"))), [result("v.mp4")]);
}

#[test]
fn tokens_are_the_providers_own_where_it_counts_any() {
    let Ok(Step::Done(harvest)) = edited(&fixture!(200, "spread")) else { panic!() };
    let usage = harvest.usage;
    assert_eq!((usage.prompt_tokens, usage.completion_tokens, usage.total_tokens), (10, 2, 12));
    let Ok(Step::Done(harvest)) = edited(&fixture!(200, "made")) else { panic!() };
    assert_eq!(harvest.usage.total_tokens, 0);
}

#[test]
fn a_success_without_a_picture_says_why() {
    let said = |meaning: Meaning| match meaning {
        Err(Fault::Failed(said)) => said,
        other => panic!("not failed: {other:?}"),
    };
    assert!(said(edited(&fixture!(200, "words"))).contains("I cannot draw that."));
    assert!(said(edited(&fixture!(200, "words_alone"))).contains("I cannot draw that."));
    assert!(is_failed(&edited(&fixture!(200, "nothing"))));
    for garbage in ["", "{}", "[]", "null", "<html>", "{\"output\":null}", "{\"output\":{}}"] {
        assert!(is_failed(&edited(&answer(200, garbage))), "{garbage}");
    }
    let cut = &include_str!("../fixtures/dashscope/made.json")[..90];
    assert!(is_failed(&edited(&answer(200, cut))));
}

#[test]
fn refusals_are_told_from_failures_at_any_status() {
    for status in [200, 400] {
        let of = |answer: Answer| kind(edited(&answer));
        assert_eq!(of(fixture!(status, "refused_content")), Some(RefusedKind::Content));
        let inspected = of(fixture!(status, "refused_parameter_content"));
        assert_eq!(inspected, Some(RefusedKind::Content));
        assert_eq!(of(fixture!(status, "refused_parameters")), Some(RefusedKind::Parameters));
        assert!(is_failed(&edited(&fixture!(status + 300, "internal"))));
    }
    assert!(is_failed(&edited(&fixture!(200, "internal"))));
    for status in [400, 500, 502, 503, 504] {
        assert!(is_failed(&edited(&answer(status, "<html>Bad gateway</html>"))), "{status}");
    }
}

#[test]
fn what_was_certainly_not_taken_on_may_go_elsewhere() {
    let wait = |meaning: Meaning| match meaning {
        Err(Fault::NotAccepted { wait_ms, is_lasting, .. }) => Some((wait_ms, is_lasting)),
        _ => None,
    };
    let lasting = [
        fixture!(401, "wrong_key"),
        fixture!(400, "arrearage"),
        fixture!(200, "arrearage"),
        fixture!(403, "free_tier"),
        fixture!(404, "no_model"),
        answer(403, "denied"),
    ];
    for answer in &lasting {
        assert_eq!(wait(edited(answer)), Some((None, true)), "{}", answer.shown());
    }
    let passing = [
        fixture!(429, "throttled"),
        fixture!(200, "throttled"),
        fixture!(503, "overloaded"),
        answer(429, "slow down"),
        answer(429, "{\"code\":\"SomethingNew\"}"),
    ];
    for answer in &passing {
        assert_eq!(wait(edited(answer)), Some((None, false)), "{}", answer.shown());
    }
    let body = json!({"code": "Throttling", "message": "later"});
    assert_eq!(wait(edited(&answer_with_wait(429, "7", &body))), Some((Some(7000), false)));
}

#[test]
fn a_task_is_named_and_looked_up_by_its_name() {
    let ticket = Ticket(json!("13b1848b-5493-4c0e-8c44-68d038b492af"));
    assert_eq!(edited(&fixture!(200, "task")), Ok(Step::Submitted(ticket.clone())));
    let place = "/tasks/13b1848b-5493-4c0e-8c44-68d038b492af";
    assert_eq!(DashScope.poll(&ticket).url, CallUrl::Path(place.into()));
    for odd in ["../x", "", "a?b", "a/b"] {
        let body = json!({"output": {"task_id": odd, "task_status": "PENDING"}});
        assert!(is_failed(&edited(&answer(200, body.to_string()))), "{odd}");
    }
}

#[test]
fn a_task_that_failed_says_why_in_a_200() {
    let working = Ok(Step::Working { wait_ms: None });
    assert_eq!(polled(&fixture!(200, "task_pending")), working);
    assert_eq!(polled(&fixture!(200, "task_running")), working);
    assert!(is_failed(&polled(&fixture!(200, "task_failed"))));
    assert!(is_failed(&polled(&fixture!(200, "task_cancelled"))));
    assert_eq!(kind(polled(&fixture!(200, "task_refused"))), Some(RefusedKind::Content));
    assert_eq!(kind(polled(&fixture!(200, "task_results_refused"))), Some(RefusedKind::Content));
    assert_eq!(kind(polled(&fixture!(200, "task_wrong"))), Some(RefusedKind::Parameters));
    assert!(matches!(polled(&fixture!(200, "task_unknown")), Err(Fault::Lost(_))));
}

#[test]
fn a_task_that_was_throttled_after_it_began_is_not_given_to_anybody_else() {
    let body = json!({"output": {
        "task_id": "t1", "task_status": "FAILED", "code": "Throttling", "message": "busy",
    }});
    assert!(is_failed(&polled(&answer(200, body.to_string()))));
}

#[test]
fn a_look_up_that_fails_says_nothing_about_the_task() {
    for status in [401, 408, 429, 500, 502, 503] {
        let meaning = polled(&answer(status, "{}"));
        assert!(matches!(meaning, Err(Fault::NotAccepted { is_lasting: false, .. })), "{status}");
    }
    assert!(matches!(polled(&answer(200, "<html>")), Err(Fault::NotAccepted { .. })));
    assert!(matches!(polled(&fixture!(200, "throttled")), Err(Fault::NotAccepted { .. })));
    assert!(matches!(polled(&answer(404, "{}")), Err(Fault::Lost(_))));
}

#[test]
fn the_probe_says_what_an_operator_can_do() {
    let path = "/tasks?page_no=1&page_size=1";
    assert_eq!(DashScope.probe().url, CallUrl::Path(path.into()));
    assert!(DashScope.probed(&answer(200, "{}")).is_ok());
    let wrong_key = DashScope.probed(&fixture!(401, "wrong_key")).expect_err("it is wrong");
    assert!(wrong_key.contains("region"), "{wrong_key}");
    assert!(DashScope.probed(&answer(404, "")).expect_err("no").contains("/api/v1"));
}
