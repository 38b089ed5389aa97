//! Volcengine Ark and its counterpart outside China at BytePlus: Seedream makes images, and
//! Seedance makes videos.
//!
//! Both services speak one protocol at two base URLs: see docs/providers/ark.md.

mod errors;
mod models;
mod pictures;
mod seedance;
mod videos;

use retouch_core::edit::Edit;
use retouch_core::{Kind, Warning};

use crate::error::Refused;
use crate::upstream::{
    Answer, Auth, Call, Dialect, Fault, Meaning, Order, PictureRules, Submission, Ticket,
};

/// The protocol of Ark, for both services.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ark;

impl Dialect for Ark {
    fn auth(&self) -> Auth {
        Auth::Bearer
    }

    fn read(&self, edit: &Edit, model: &str) -> Result<Vec<Warning>, Refused> {
        match edit.kind {
            Kind::Video => videos::read(edit, model),
            Kind::ImageEdit | Kind::TextToImage => pictures::read(edit, model),
        }
    }

    fn picture_rules(&self, model: &str) -> PictureRules {
        seedance::model(model)
            .map_or_else(|| models::picture_rules(models::model(model)), seedance::picture_rules)
    }

    fn submit(&self, order: &Order<'_>, _: &[Answer]) -> Result<Submission, Fault> {
        let call = match order.edit.kind {
            Kind::Video => videos::call(order),
            Kind::ImageEdit | Kind::TextToImage => pictures::call(order),
        };
        Ok(call.into())
    }

    fn submitted(&self, order: &Order<'_>, answer: &Answer) -> Meaning {
        if !answer.status.is_success() {
            return Err(errors::not_taken_on(answer));
        }
        match order.edit.kind {
            Kind::Video => videos::submitted(answer),
            Kind::ImageEdit | Kind::TextToImage => pictures::made(answer),
        }
    }

    fn poll(&self, ticket: &Ticket) -> Call {
        Call::get(videos::task_path(ticket))
    }

    fn polled(&self, _: &Ticket, answer: &Answer) -> Meaning {
        videos::polled(answer)
    }

    fn probe(&self) -> Call {
        Call::get(format!("{}?page_num=1&page_size=1", videos::TASKS))
    }

    fn probed(&self, answer: &Answer) -> Result<String, String> {
        if answer.status.is_success() {
            return Ok("the key is accepted".into());
        }
        Err(errors::for_operator(answer))
    }
}
