//! Replicate's predictions: <https://api.replicate.com/v1>. See docs/providers/replicate.md.

mod answers;
mod failure;
mod families;
mod files;

use retouch_core::Warning;
use retouch_core::edit::Edit;
use serde::{Deserialize, Serialize};

use super::fields::Fields;
use super::{input, ticket};
use crate::error::Refused;
use crate::upstream::{
    Answer, Auth, Body, Call, Dialect, Fault, Meaning, Order, PictureRules, Submission, Ticket,
};

/// Number of characters in the hash of a model's version.
const VERSION_CHARS: usize = 64;

/// The protocol of Replicate. Submissions do not use `Prefer: wait`: a prediction's name is
/// recorded before waiting for it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Replicate;

/// The name of a prediction.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Task {
    id: String,
}

/// The body that creates a prediction.
#[derive(Serialize)]
struct Request<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<&'a str>,
    input: Fields<'a>,
}

impl Dialect for Replicate {
    fn auth(&self) -> Auth {
        Auth::Bearer
    }

    fn read(&self, edit: &Edit, model: &str) -> Result<Vec<Warning>, Refused> {
        input::read(families::of(model), edit)
    }

    fn supports_quality(&self, model: &str) -> bool {
        families::of(model).quality.is_some()
    }

    fn picture_rules(&self, model: &str) -> PictureRules {
        families::of(model).rules
    }

    fn uploads(&self, order: &Order<'_>) -> Vec<Call> {
        files::uploads(order)
    }

    fn submit(&self, order: &Order<'_>, uploaded: &[Answer]) -> Result<Submission, Fault> {
        let sent = files::sent(order, uploaded)?;
        let input = input::fields(families::of(order.model), order, sent);
        let (path, version) = address(order.model);
        Ok(Call::post(path, Body::json(&Request { version, input })).into())
    }

    fn submitted(&self, _order: &Order<'_>, answer: &Answer) -> Meaning {
        if !answer.status.is_success() {
            return Err(failure::of_submission(answer));
        }
        answers::created(answer)
    }

    fn poll(&self, ticket: &Ticket) -> Call {
        match ticket::read::<Task>(ticket) {
            Ok(task) => Call::get(format!("/predictions/{}", task.id)),
            Err(_) => self.probe(),
        }
    }

    fn polled(&self, ticket: &Ticket, answer: &Answer) -> Meaning {
        ticket::read::<Task>(ticket)?;
        if !answer.status.is_success() {
            return Err(failure::of_look_up(answer));
        }
        answers::prediction(answer)
    }

    fn probe(&self) -> Call {
        Call::get("/account")
    }

    fn probed(&self, answer: &Answer) -> Result<String, String> {
        match answer.status.as_u16() {
            200..=299 => Ok("the key is accepted".into()),
            401 | 403 => Err(format!("the key was rejected ({})", answer.shown())),
            404 => Err("not found; base_url should end in /v1".into()),
            _ => Err(answer.shown()),
        }
    }

    fn is_own_host(&self, host: &str) -> bool {
        host == "api.replicate.com"
    }
}

/// The path to create a prediction with `model`, and the version to send with the input.
/// `OWNER/NAME` is an official model, `OWNER/NAME:HASH` or `HASH` a version, and
/// `deployments/OWNER/NAME` a deployment of the operator.
fn address(model: &str) -> (String, Option<&str>) {
    let model = model.trim_matches('/');
    let is_hash =
        model.len() == VERSION_CHARS && model.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_hash || model.contains(':') {
        return ("/predictions".into(), Some(model));
    }
    if model.starts_with("deployments/") {
        return (format!("/{model}/predictions"), None);
    }
    (format!("/models/{model}/predictions"), None)
}
