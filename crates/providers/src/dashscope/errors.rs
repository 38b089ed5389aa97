//! What DashScope's errors mean. New codes appear over time, so they are matched by their beginning
//! or by a word in them. The status, which may even be 200, is only used if the code is unknown.

use http::StatusCode;
use serde::Deserialize;

use crate::upstream::{Answer, Fault};

/// An error as DashScope writes it: as a response, in a task's output, or in one of its results.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct Problem {
    #[serde(default)]
    pub(super) code: Option<String>,
    #[serde(default)]
    message: Option<String>,
}

/// What a code means, whatever the status.
enum Class {
    Content,
    Parameters,
    /// The key, the balance, a quota or the model. This does not change within minutes.
    Barred,
    /// Too many calls or too much load, rejected before any work.
    Busy,
    Other,
}

impl Problem {
    fn code(&self) -> &str {
        self.code.as_deref().unwrap_or_default()
    }

    fn message(&self) -> &str {
        self.message.as_deref().unwrap_or_default()
    }

    fn shown(&self) -> String {
        format!("{}: {}", self.code(), self.message())
    }

    fn class(&self) -> Class {
        const CONTENT: [&str; 3] = ["DataInspection", "data_inspection", "IPInfringementSuspect"];
        const BARRED: [&str; 7] = [
            "InvalidApiKey",
            "Arrearage",
            "AccessDenied",
            "Model.AccessDenied",
            "AllocationQuota",
            "ModelNotFound",
            "Workspace.AccessDenied",
        ];
        const BUSY: [&str; 4] =
            ["Throttling", "LimitRequests", "ModelServingError", "ServiceUnavailable"];
        const PARAMETERS: [&str; 4] =
            ["InvalidParameter", "BadRequest", "InvalidURL", "UnsupportedOperation"];
        let begins = |any: &[&str]| any.iter().any(|start| self.code().starts_with(start));
        if CONTENT.iter().any(|word| self.code().contains(word)) {
            Class::Content
        } else if begins(&BARRED) {
            Class::Barred
        } else if begins(&BUSY) {
            Class::Busy
        } else if begins(&PARAMETERS) {
            Class::Parameters
        } else {
            Class::Other
        }
    }

    /// What the error means if it occurs after the work was accepted.
    pub(super) fn after_work(&self) -> Fault {
        match self.class() {
            Class::Content => Fault::content(self.message()),
            Class::Parameters => Fault::parameters(self.message()),
            Class::Barred | Class::Busy | Class::Other => Fault::Failed(self.shown()),
        }
    }

    /// What the error means as the response to a submission.
    pub(super) fn instead_of_work(&self, answer: &Answer) -> Fault {
        let wait_ms = answer.retry_after_ms();
        match (self.class(), answer.status) {
            (Class::Content, _) => Fault::content(self.message()),
            (Class::Barred, _) => Fault::barred(self.shown()),
            (Class::Busy, _) | (Class::Other, StatusCode::TOO_MANY_REQUESTS) => {
                Fault::busy(self.shown(), wait_ms)
            }
            (Class::Parameters, _)
            | (
                Class::Other,
                StatusCode::BAD_REQUEST
                | StatusCode::PAYLOAD_TOO_LARGE
                | StatusCode::UNPROCESSABLE_ENTITY,
            ) => Fault::parameters(self.message()),
            (Class::Other, status) if is_barred(status) => Fault::barred(self.shown()),
            (Class::Other, status) => {
                Fault::Failed(format!("status {}, {}", status.as_u16(), self.shown()))
            }
        }
    }
}

/// What a response other than success to a submission means.
pub(super) fn not_taken_on(answer: &Answer) -> Fault {
    let problem = answer.json::<Problem>().ok().filter(|problem| problem.code.is_some());
    match (problem, answer.status) {
        (Some(problem), _) => problem.instead_of_work(answer),
        // A response that does not come from DashScope itself, such as a proxy's page. Only
        // conclusions that its status alone allows are drawn.
        (None, status) if is_barred(status) => Fault::barred(answer.shown()),
        (None, StatusCode::TOO_MANY_REQUESTS) => {
            Fault::busy(answer.shown(), answer.retry_after_ms())
        }
        (None, _) => Fault::Failed(answer.shown()),
    }
}

fn is_barred(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::UNAUTHORIZED
            | StatusCode::PAYMENT_REQUIRED
            | StatusCode::FORBIDDEN
            | StatusCode::NOT_FOUND
    )
}

/// What a response other than success to a status request means. Usually, it says nothing about the
/// task.
pub(super) fn while_asking(answer: &Answer) -> Fault {
    match answer.status {
        StatusCode::NOT_FOUND => Fault::Lost(answer.shown()),
        _ => Fault::busy(answer.shown(), answer.retry_after_ms()),
    }
}

/// The problem, and what the operator can do.
pub(super) fn for_operator(answer: &Answer) -> String {
    let said = answer.json::<Problem>().map_or_else(|_| answer.shown(), |it| it.shown());
    match answer.status {
        StatusCode::UNAUTHORIZED => format!(
            "the key was rejected; a key works in one region only, and base_url must belong to it \
             ({said})"
        ),
        StatusCode::FORBIDDEN => format!("the key has no permission for this ({said})"),
        StatusCode::NOT_FOUND => {
            format!("not found; base_url should end in /api/v1 ({said})")
        }
        _ => said,
    }
}
