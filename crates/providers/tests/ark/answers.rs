//! How responses are read.

use bytes::Bytes;
use retouch_core::Kind;
use retouch_providers::ark::Ark;
use retouch_providers::upstream::{
    Answer, Artefact, CallUrl, Dialect, Fault, Meaning, Step, Ticket,
};
use retouch_providers::{RefusedKind, Usage};
use serde_json::json;

use crate::order::{Sample, answer};
use crate::shown::answer_with_wait;

macro_rules! fixture {
    ($status:expr, $name:literal) => {
        answer($status, include_str!(concat!("../fixtures/ark/", $name, ".json")))
    };
}

fn edited(answer: &Answer) -> Meaning {
    Sample::new(Kind::ImageEdit, "seedream-4-5-251128", &[(10, 10)]).answered(&Ark, answer)
}

fn submitted(answer: &Answer) -> Meaning {
    Sample::new(Kind::Video, "seedance-2-0-260128", &[]).answered(&Ark, answer)
}

fn polled(answer: &Answer) -> Meaning {
    Ark.polled(&Ticket(json!("cgt-1")), answer)
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
fn a_picture_arrives_with_its_usage() {
    let Ok(Step::Done(harvest)) = edited(&fixture!(200, "made")) else { panic!("no image") };
    let png = Bytes::from_static(b"\x89PNG\r\n\x1a\n");
    assert_eq!(harvest.artefacts, [Artefact::Bytes(png)]);
    let usage = Usage { prompt_tokens: 0, completion_tokens: 17_800, total_tokens: 17_800 };
    assert_eq!(harvest.usage, usage);
}

#[test]
fn an_address_will_do_where_no_bytes_come() {
    let Ok(Step::Done(harvest)) = edited(&fixture!(200, "made_at_address")) else { panic!() };
    let address = "https://ark-content-generation.example.com/0217/a.jpeg?X-Tos-Expires=86400";
    assert_eq!(harvest.artefacts, [Artefact::Address(address.into())]);
}

#[test]
fn an_item_that_failed_does_not_spoil_the_others() {
    let Ok(Step::Done(harvest)) = edited(&fixture!(200, "one_of_two_refused")) else { panic!() };
    assert_eq!(harvest.artefacts.len(), 1);
}

#[test]
fn a_success_without_a_picture_says_why() {
    assert_eq!(kind(edited(&fixture!(200, "all_refused"))), Some(RefusedKind::Content));
    assert_eq!(kind(edited(&fixture!(200, "refused_text"))), Some(RefusedKind::Content));
    assert_eq!(kind(edited(&fixture!(200, "refused_parameters"))), Some(RefusedKind::Parameters));
    assert!(is_failed(&edited(&fixture!(200, "nothing"))));
    assert!(is_failed(&edited(&fixture!(200, "internal"))));
    for garbage in ["", "{}", "[]", "null", "<html>", "{\"data\":[{\"b64_json\":\"a\"}]}"] {
        assert!(is_failed(&edited(&answer(200, garbage))), "{garbage}");
    }
    let cut = &include_str!("../fixtures/ark/made.json")[..90];
    assert!(is_failed(&edited(&answer(200, cut))));
}

#[test]
fn refusals_are_told_from_failures() {
    assert_eq!(kind(edited(&fixture!(400, "refused_text"))), Some(RefusedKind::Content));
    assert_eq!(kind(edited(&fixture!(400, "refused_parameters"))), Some(RefusedKind::Parameters));
    assert!(is_failed(&edited(&fixture!(500, "internal"))));
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
        fixture!(403, "overdue"),
        fixture!(404, "no_model"),
        fixture!(429, "quota"),
        answer(401, ""),
    ];
    for answer in &lasting {
        assert_eq!(wait(edited(answer)), Some((None, true)), "{}", answer.shown());
        assert_eq!(wait(submitted(answer)), Some((None, true)), "{}", answer.shown());
    }
    for answer in
        [fixture!(429, "throttled"), fixture!(503, "overloaded"), answer(429, "slow down")]
    {
        assert_eq!(wait(edited(&answer)), Some((None, false)), "{}", answer.shown());
    }
    let body = json!({"error": {"code": "ServerOverloaded", "message": "later"}});
    assert_eq!(wait(edited(&answer_with_wait(429, "7", &body))), Some((Some(7000), false)));
}

#[test]
fn a_task_is_named_and_looked_up_by_its_name() {
    let ticket = Ticket(json!("cgt-20261120155505-abcde"));
    assert_eq!(submitted(&fixture!(200, "task")), Ok(Step::Submitted(ticket.clone())));
    let place = "/contents/generations/tasks/cgt-20261120155505-abcde";
    assert_eq!(Ark.poll(&ticket).url, CallUrl::Path(place.into()));
    assert_eq!(kind(submitted(&fixture!(200, "refused_text"))), Some(RefusedKind::Content));
    for odd in ["{\"id\":\"../x\"}", "{\"id\":\"\"}", "{\"id\":\"a?b\"}", "{}"] {
        assert!(is_failed(&submitted(&answer(200, odd))), "{odd}");
    }
}

#[test]
fn a_task_ends_in_a_video_or_in_a_reason() {
    assert_eq!(polled(&fixture!(200, "task_running")), Ok(Step::Working { wait_ms: None }));
    let Ok(Step::Done(harvest)) = polled(&fixture!(200, "task_succeeded")) else { panic!() };
    let address = "https://ark-content-generation.example.com/0217/v.mp4?X-Tos-Expires=86400";
    assert_eq!(harvest.artefacts, [Artefact::Address(address.into())]);
    assert_eq!(harvest.usage.total_tokens, 108_900);
    assert_eq!(kind(polled(&fixture!(200, "task_refused"))), Some(RefusedKind::Content));
    assert!(is_failed(&polled(&fixture!(200, "task_failed"))));
    assert!(is_failed(&polled(&fixture!(200, "task_expired"))));
    assert!(is_failed(&polled(&answer(200, "{\"status\":\"succeeded\"}"))));
}

#[test]
fn a_look_up_that_fails_says_nothing_about_the_task() {
    for status in [401, 408, 429, 500, 502, 503] {
        let meaning = polled(&answer(status, "{}"));
        assert!(matches!(meaning, Err(Fault::NotAccepted { is_lasting: false, .. })), "{status}");
    }
    assert!(matches!(polled(&answer(200, "<html>")), Err(Fault::NotAccepted { .. })));
    assert!(matches!(polled(&answer(404, "{}")), Err(Fault::Lost(_))));
}

#[test]
fn the_probe_says_what_an_operator_can_do() {
    let path = "/contents/generations/tasks?page_num=1&page_size=1";
    assert_eq!(Ark.probe().url, CallUrl::Path(path.into()));
    assert!(Ark.probed(&answer(200, "{\"total\":0,\"items\":[]}")).is_ok());
    let wrong_key = Ark.probed(&fixture!(401, "wrong_key")).expect_err("it is wrong");
    assert!(wrong_key.contains("not interchangeable"), "{wrong_key}");
    assert!(Ark.probed(&answer(404, "")).expect_err("no").contains("/api/v3"));
}
