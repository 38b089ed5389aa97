//! Alibaba Cloud Model Studio (DashScope): Qwen-Image and Wan make images, and Wan makes videos.
//!
//! Qwen-Image returns the image in the response, and Wan returns a task: see
//! docs/providers/dashscope.md.

mod answers;
mod errors;
mod models;
mod pictures;
mod videos;
mod wan;

use retouch_core::edit::Edit;
use retouch_core::{Kind, Warning};

use crate::error::{Refused, RefusedKind};
use crate::upstream::{
    Answer, Auth, Call, Dialect, Fault, Meaning, Order, PictureRules, Submission, Ticket,
};

/// The maximum length of a prompt for Wan, in characters. Newer versions accept more.
const WAN_CHARS_MAX: usize = 2_000;
/// The same for the other models, which cut off the rest.
const QWEN_CHARS_MAX: usize = 800;

/// The protocol of DashScope.
#[derive(Clone, Copy, Debug, Default)]
pub struct DashScope;

impl Dialect for DashScope {
    fn auth(&self) -> Auth {
        Auth::Bearer
    }

    fn read(&self, edit: &Edit, model: &str) -> Result<Vec<Warning>, Refused> {
        match edit.kind {
            Kind::Video => videos::read(edit, model),
            Kind::ImageEdit | Kind::TextToImage => pictures::read(edit, model),
        }
    }

    fn instruction_chars_max(&self, model: &str) -> usize {
        if model.starts_with("wan") { WAN_CHARS_MAX } else { QWEN_CHARS_MAX }
    }

    fn picture_rules(&self, model: &str) -> PictureRules {
        wan::model(model)
            .map_or_else(|| models::picture_rules(models::model(model)), wan::picture_rules)
    }

    fn submit(&self, order: &Order<'_>, _: &[Answer]) -> Result<Submission, Fault> {
        let call = match order.edit.kind {
            Kind::Video => videos::call(order),
            Kind::ImageEdit | Kind::TextToImage => pictures::call(order),
        };
        Ok(call.into())
    }

    fn submitted(&self, _: &Order<'_>, answer: &Answer) -> Meaning {
        answers::submitted(answer)
    }

    fn poll(&self, ticket: &Ticket) -> Call {
        Call::get(format!("/tasks/{}", ticket.0.as_str().unwrap_or_default()))
    }

    fn polled(&self, _: &Ticket, answer: &Answer) -> Meaning {
        answers::polled(answer)
    }

    fn probe(&self) -> Call {
        Call::get("/tasks?page_no=1&page_size=1")
    }

    fn probed(&self, answer: &Answer) -> Result<String, String> {
        if answer.status.is_success() {
            return Ok("the key is accepted".into());
        }
        Err(errors::for_operator(answer))
    }
}

/// Refuses work that the model is known not to do.
fn unfit(message: String, param: &str) -> Refused {
    Refused { kind: RefusedKind::Parameters, message, param: Some(param.into()) }
}
