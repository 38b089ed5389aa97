//! Black Forest Labs: <https://api.bfl.ai/v1>. See docs/providers/bfl.md.

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

/// The protocol of Black Forest Labs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bfl;

/// The name of a task.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Task {
    id: String,
    /// The address on the cluster that does the work. Other clusters do not know the task.
    polling_url: Address,
}

impl Dialect for Bfl {
    fn auth(&self) -> Auth {
        Auth::Header("x-key")
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
        let fields = input::fields(families::of(order.model), order, input::inline(order, false));
        let path = format!("/{}", order.model.trim_matches('/'));
        Ok(Call::post(path, Body::json(&fields)).into())
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
            Ok(task) => task.polling_url.call(),
            Err(_) => self.probe(),
        }
    }

    fn polled(&self, ticket: &Ticket, answer: &Answer) -> Meaning {
        ticket::read::<Task>(ticket)?;
        answers::result(answer)
    }

    fn probe(&self) -> Call {
        Call::get("/credits")
    }

    fn probed(&self, answer: &Answer) -> Result<String, String> {
        match answer.status.as_u16() {
            200..=299 => Ok(answers::credits(answer)),
            401 | 403 => Err(format!("the key was rejected ({})", answer.shown())),
            404 => Err("not found; base_url should end in /v1".into()),
            _ => Err(answer.shown()),
        }
    }

    fn is_own_host(&self, host: &str) -> bool {
        host.starts_with("api.") && (host.ends_with(".bfl.ai") || host == "api.bfl.ml")
    }
}
