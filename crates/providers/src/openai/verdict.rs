//! What a response without a result means, as docs/providers/openai.md lists it.

use super::complaint::Complaint;
use super::wait;
use crate::upstream::{Answer, Fault};

/// Signs of a content refusal: codes of OpenAI and Azure, and words in the messages of gateways.
const CONTENT: [&str; 8] = [
    "moderation_blocked",
    "content_policy_violation",
    "contentFilter",
    "content_filter",
    "ContentPolicyViolationError",
    "ResponsibleAIPolicyViolation",
    "rejected by the safety system",
    "rejected as a result of our safety system",
];

/// Signs of a used-up balance, which come with status 429 or 400.
const NO_CREDIT: [&str; 5] = [
    "insufficient_quota",
    "billing_hard_limit_reached",
    "budget_exceeded",
    "ExceededBudget",
    "exceeded your current quota",
];

/// Signs of an unknown model or key, which gateways and vLLM send with status 400.
const UNKNOWN: [&str; 7] = [
    "model_not_found",
    "DeploymentNotFound",
    "invalid_model",
    "Invalid model name passed in",
    "Model mismatch",
    "no_db_connection",
    "invalid_api_key",
];

/// What `answer`, whose status is not a success, means.
pub(super) fn of(answer: &Answer) -> Fault {
    let complaint = Complaint::of(answer);
    let status = answer.status.as_u16();
    // The message may quote the key, so only the code is logged.
    if status == 401 {
        return Fault::barred(format!("status 401: the key was rejected {}", complaint.code));
    }
    if complaint.mentions(&CONTENT) {
        return Fault::content(&complaint.message);
    }
    if complaint.mentions(&NO_CREDIT) || complaint.mentions(&UNKNOWN) {
        return Fault::barred(answer.shown());
    }
    match status {
        300..=399 | 402 | 403 | 404 | 405 | 501 => Fault::barred(answer.shown()),
        429 => Fault::busy(answer.shown(), wait::hint_ms(answer, &complaint)),
        503 if !complaint.kind.starts_with("image_generation") => {
            Fault::busy(answer.shown(), wait::hint_ms(answer, &complaint))
        }
        400 if complaint.param == "model" => Fault::barred(answer.shown()),
        408 | 409 | 425 => Fault::Failed(answer.shown()),
        400..=499 => of_request(answer, &complaint),
        _ => Fault::Failed(answer.shown()),
    }
}

/// What an error inside a successful response means. Work may have been done, but a content refusal
/// is still a refusal.
pub(super) fn of_success(answer: &Answer) -> Fault {
    let complaint = Complaint::of(answer);
    if complaint.mentions(&CONTENT) {
        return Fault::content(&complaint.message);
    }
    Fault::Failed(answer.shown())
}

/// A request that the server rejects. A proxy's page has no message for the caller, so it counts as
/// a failure.
fn of_request(answer: &Answer, complaint: &Complaint) -> Fault {
    match (answer.status.as_u16(), complaint.message.trim()) {
        (413, "") => Fault::parameters("the images are too large."),
        (_, "") => Fault::Failed(answer.shown()),
        (_, words) => Fault::parameters(words),
    }
}
