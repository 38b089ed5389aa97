//! Checks whether a server responds, without spending anything.

use retouch_providers::openai::{AZURE, NIM, OPENAI, OpenAi, Options};
use retouch_providers::upstream::{Call, Dialect, Fault, Ticket};
use serde_json::Value;

use crate::support::{answer, dialect, fixture};

#[test]
fn each_server_is_asked_for_what_it_has() {
    let options = Options { api_version: Some("2025-04-01-preview".into()) };
    let old_azure = OpenAi::new(&AZURE, options);
    let cases = [
        (dialect(&OPENAI), "/models"),
        (dialect(&AZURE), "/openai/v1/models"),
        (old_azure, "/openai/models?api-version=2025-04-01-preview"),
        (dialect(&NIM), "/health/ready"),
    ];
    for (dialect, path) in cases {
        assert_eq!(dialect.probe(), Call::get(path));
    }
}

#[test]
fn the_answer_says_what_to_do() {
    let dialect = dialect(&OPENAI);
    let models = dialect.probed(&answer(200, fixture!("models")));
    assert_eq!(models.as_deref(), Ok("it lists 2 models"));
    assert_eq!(dialect.probed(&answer(200, "ok")).as_deref(), Ok("it responds"));
    let wrong_key = dialect.probed(&answer(401, fixture!("invalid_api_key"))).unwrap_err();
    assert_eq!(wrong_key, "the key was rejected (status 401)");
    let nowhere = dialect.probed(&answer(404, "")).unwrap_err();
    assert!(nowhere.contains("https://api.openai.com/v1"), "{nowhere}");
    assert!(dialect.probed(&answer(500, "")).unwrap_err().contains("status 500"));
}

#[test]
fn a_task_is_never_known() {
    let ticket = Ticket(Value::Null);
    let dialect = dialect(&OPENAI);
    assert_eq!(dialect.poll(&ticket), dialect.probe());
    let polled = dialect.polled(&ticket, &answer(200, fixture!("models")));
    assert!(matches!(polled, Err(Fault::Lost(_))), "{polled:?}");
}
