//! fal's queue: <https://queue.fal.run>. See docs/providers/fal.md.

mod answers;
mod failure;
mod families;

use retouch_core::Warning;
use retouch_core::edit::Edit;
use serde::{Deserialize, Serialize};

use super::input;
use super::ticket::{self, Address};
use crate::error::Refused;
use crate::upstream::{
    Answer, Auth, Body, Call, Dialect, Fault, Meaning, Order, PictureRules, Step, Submission,
    Ticket,
};

/// The header that tells fal how long to keep results, in seconds. By default, fal keeps them
/// forever at public addresses. Retouch stores its own copy.
const KEEP: (&str, &str) =
    ("x-fal-object-lifecycle-preference", r#"{"expiration_duration_seconds":3600}"#);
/// A request that does not exist. Asking for it costs nothing and shows whether fal accepts the
/// key.
const PROBE: &str = "/fal-ai/flux/requests/00000000-0000-0000-0000-000000000000/status";

/// The protocol of fal's queue.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fal;

/// The addresses of a task: first its status is requested, then its result.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Task {
    /// fal's name for the task.
    request_id: String,
    /// The address of its status.
    status_url: Address,
    /// The address of its result.
    response_url: Address,
    /// Whether it has ended, so that its result is requested next.
    #[serde(default)]
    has_ended: bool,
}

impl Dialect for Fal {
    fn auth(&self) -> Auth {
        Auth::Scheme("Key")
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

    fn submit(&self, order: &Order<'_>, _uploaded: &[Answer]) -> Result<Submission, Fault> {
        let family = families::of(order.model);
        let fields = input::fields(family, order, input::inline(order, true));
        let path = format!("/{}", order.model.trim_matches('/'));
        Ok(Call::post(path, Body::json(&fields)).with_header(KEEP.0, KEEP.1).into())
    }

    fn submitted(&self, _order: &Order<'_>, answer: &Answer) -> Meaning {
        if !answer.status.is_success() {
            return Err(failure::of_submission(answer));
        }
        let task: Task = answer.json()?;
        Ok(Step::Submitted(ticket::write(&task)?))
    }

    fn poll(&self, ticket: &Ticket) -> Call {
        match ticket::read::<Task>(ticket) {
            Ok(task) if task.has_ended => task.response_url.call(),
            Ok(task) => task.status_url.call(),
            Err(_) => self.probe(),
        }
    }

    fn polled(&self, ticket: &Ticket, answer: &Answer) -> Meaning {
        let task: Task = ticket::read(ticket)?;
        if task.has_ended { answers::result(answer) } else { answers::status(task, answer) }
    }

    fn is_at_result(&self, ticket: &Ticket) -> bool {
        ticket::read::<Task>(ticket).is_ok_and(|task| task.has_ended)
    }

    fn probe(&self) -> Call {
        Call::get(PROBE)
    }

    fn probed(&self, answer: &Answer) -> Result<String, String> {
        match answer.status.as_u16() {
            401 | 403 => Err(format!(
                "the key was rejected; it should have the form ID:SECRET ({})",
                answer.shown()
            )),
            200..=299 | 400 | 404 | 422 => Ok("the key is accepted".into()),
            _ => Err(answer.shown()),
        }
    }

    fn is_own_host(&self, host: &str) -> bool {
        host == "queue.fal.run"
    }
}
