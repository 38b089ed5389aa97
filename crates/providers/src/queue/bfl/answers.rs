//! What Black Forest Labs' responses about a task mean.

use http::StatusCode;
use serde::Deserialize;
use serde_json::Value;

use crate::upstream::{Answer, Artefact, Fault, Harvest, Meaning, Step};

#[derive(Deserialize)]
struct Polled {
    status: String,
    result: Option<Made>,
    #[serde(default)]
    details: Value,
    #[serde(default)]
    error: Value,
}

/// The result. Its seed is not read, because it does not fit into 32 bits and is not needed.
#[derive(Deserialize)]
struct Made {
    sample: Option<String>,
}

#[derive(Deserialize)]
struct Credits {
    credits: f64,
}

/// The status or the result of a task.
pub(super) fn result(answer: &Answer) -> Meaning {
    if answer.status == StatusCode::TOO_MANY_REQUESTS {
        return Err(Fault::busy(answer.shown(), super::failure::wait_ms(answer)));
    }
    let polled: Polled = match answer.json() {
        Ok(polled) => polled,
        Err(_) if answer.status == StatusCode::NOT_FOUND => {
            return Err(Fault::Lost(answer.shown()));
        }
        Err(_) => return Err(Fault::Failed(answer.shown())),
    };
    match polled.status.as_str() {
        "Pending" | "Queued" | "Reasoning" | "Generating" => Ok(Step::Working { wait_ms: None }),
        "Ready" => {
            let sample = polled.result.and_then(|made| made.sample);
            let artefacts = sample.map(Artefact::Address).into_iter().collect();
            Ok(Step::Done(Harvest { artefacts, ..Harvest::default() }))
        }
        "Request Moderated" | "Content Moderated" => {
            Err(Fault::content(&moderation(&polled.status, &polled.details)))
        }
        "Task not found" => Err(Fault::Lost(answer.shown())),
        _ => Err(Fault::Failed(format!("{}: {} {}", polled.status, polled.error, polled.details))),
    }
}

/// The remaining credits of the account, for the operator.
pub(super) fn credits(answer: &Answer) -> String {
    let credits = answer.json::<Credits>();
    credits.map_or_else(
        |_| "the key is accepted".into(),
        |credits| format!("the key is accepted; {} credits left", credits.credits),
    )
}

/// The status, with the reasons if given: `{"Moderation Reasons": ["…"]}`.
fn moderation(status: &str, details: &Value) -> String {
    let reasons = details.get("Moderation Reasons").and_then(Value::as_array);
    let reasons: Vec<&str> = reasons.into_iter().flatten().filter_map(Value::as_str).collect();
    if reasons.is_empty() { status.to_owned() } else { format!("{status}: {}", reasons.join(", ")) }
}
