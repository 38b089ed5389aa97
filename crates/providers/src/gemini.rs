//! Google Gemini: images with `generateContent`, videos with Veo's long-running operations.
//!
//! Reading order: [`Gemini`], then `models` (the limits of each model), `frame` (shapes and sizes
//! in Gemini's terms), `request` and `content` (requests and responses), `trouble` (errors) and
//! `veo` (videos). `docs/providers/gemini.md` describes each parameter and lists what is
//! unconfirmed.

mod content;
mod frame;
mod models;
mod request;
mod trouble;
mod veo;

use http::StatusCode;
use retouch_core::edit::Edit;
use retouch_core::{Kind, Warning};
use serde::Deserialize;

use crate::error::{Refused, RefusedKind};
use crate::upstream::{
    Answer, Auth, Call, Dialect, Fault, Meaning, Order, PictureRules, Submission, Ticket,
};

/// The only host of this API. The addresses of finished videos name it.
const OWN_HOST: &str = "generativelanguage.googleapis.com";

/// The Gemini API of Google AI Studio, or a server that is compatible with it.
#[derive(Clone, Debug)]
pub struct Gemini {
    version: String,
}

impl Default for Gemini {
    /// Version `v1beta`, which supports shapes and sizes of images for all models.
    fn default() -> Self {
        Self::new("v1beta")
    }
}

impl Gemini {
    /// A dialect whose paths start with `version`, such as `v1beta`.
    pub fn new(version: impl Into<String>) -> Self {
        Self { version: version.into() }
    }

    /// The path of `method` of `model`, whose name may start with `models/`.
    fn path(&self, model: &str, method: &str) -> String {
        let model = model.strip_prefix("models/").unwrap_or(model);
        format!("/{}/models/{model}:{method}", self.version)
    }
}

impl Dialect for Gemini {
    fn auth(&self) -> Auth {
        Auth::Header("x-goog-api-key")
    }

    fn read(&self, edit: &Edit, model: &str) -> Result<Vec<Warning>, Refused> {
        match (edit.kind, models::is_veo(model)) {
            (Kind::Video, true) => Ok(veo::read(edit, model)),
            (Kind::ImageEdit | Kind::TextToImage, false) => Ok(request::read(edit, model)),
            (Kind::Video, false) => Err(wrong_model("makes images, not videos")),
            (Kind::ImageEdit | Kind::TextToImage, true) => {
                Err(wrong_model("makes videos, not images"))
            }
        }
    }

    fn picture_rules(&self, model: &str) -> PictureRules {
        models::picture_rules(model)
    }

    fn submit(&self, order: &Order<'_>, _uploaded: &[Answer]) -> Result<Submission, Fault> {
        self.read(order.edit, order.model).map_err(Fault::Refused)?;
        let (method, body) = match order.edit.kind {
            Kind::Video => ("predictLongRunning", veo::body(order)),
            Kind::ImageEdit | Kind::TextToImage => ("generateContent", request::body(order)),
        };
        Ok(Call::post(self.path(order.model, method), body).into())
    }

    fn submitted(&self, order: &Order<'_>, answer: &Answer) -> Meaning {
        trouble::check(answer)?;
        match order.edit.kind {
            Kind::Video => veo::submitted(order, answer),
            Kind::ImageEdit | Kind::TextToImage => content::harvest(order, answer),
        }
    }

    fn poll(&self, ticket: &Ticket) -> Call {
        Call::get(format!("/{}/{}", self.version, veo::operation_of(ticket)))
    }

    fn polled(&self, ticket: &Ticket, answer: &Answer) -> Meaning {
        veo::polled(ticket, answer)
    }

    fn poll_wait_ms(&self, round: u32) -> u64 {
        // According to Google, a video takes 11 seconds to 6 minutes. Its examples ask every 10
        // seconds.
        (5_000 + 1_000 * u64::from(round)).min(10_000)
    }

    fn probe(&self) -> Call {
        Call::get(format!("/{}/models?pageSize=1", self.version))
    }

    fn probed(&self, answer: &Answer) -> Result<String, String> {
        /// The beginning of a list of models.
        #[derive(Deserialize)]
        struct Models {
            models: Vec<serde::de::IgnoredAny>,
        }
        if answer.status != StatusCode::OK {
            return Err(trouble::advice(answer));
        }
        match answer.json::<Models>() {
            Ok(list) if !list.models.is_empty() => Ok("the key is accepted".into()),
            Ok(_) => Err("the key is accepted, but has access to no models".into()),
            Err(_) => Err(format!("this is not a Gemini server: {}", answer.shown())),
        }
    }

    fn is_own_host(&self, host: &str) -> bool {
        host.eq_ignore_ascii_case(OWN_HOST)
    }
}

fn wrong_model(what_it_does: &str) -> Refused {
    Refused {
        kind: RefusedKind::Parameters,
        message: format!(
            "The provider's model {what_it_does}. Nothing was charged; choose another model."
        ),
        param: Some("model".into()),
    }
}
