//! The OpenAI Images API, and the servers that are more or less compatible with it.
//!
//! Reading order: [`OpenAi`] (the protocol), [`Profile`] (how one type of server differs) and
//! [`SdCpp`] (the native protocol of stable-diffusion.cpp's server, which is safer than its
//! OpenAI-compatible one). docs/providers/openai.md describes what becomes of each parameter.

mod complaint;
mod images;
mod profile;
mod profiles;
mod request;
mod sdcpp;
mod size;
mod verdict;
mod wait;
mod warnings;

use retouch_core::Warning;
use retouch_core::edit::Edit;
use serde::Deserialize;
use serde_json::Value;

use crate::error::Refused;
use crate::provider::Wish;
use crate::upstream::{
    Answer, Auth, Call, Dialect, Fault, Meaning, Order, PictureRules, Step, Submission, Ticket,
};

pub use profile::{Fields, ImagePart, Paths, Profile, Unshaped};
pub use profiles::{AZURE, GENERIC, LITELLM, NIM, OPENAI, SGLANG, VLLM, XINFERENCE};
pub use sdcpp::SdCpp;
pub use size::{Sizes, Within};

/// The OpenAI Images API, as one type of server speaks it.
#[derive(Clone, Debug)]
pub struct OpenAi {
    profile: &'static Profile,
    options: Options,
}

/// Options of the operator other than the address and the key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Azure's `api-version`. If set, calls use Azure's older addresses, which name a deployment.
    /// If not, they use those of its v1 API. Other servers ignore it.
    pub api_version: Option<String>,
}

impl OpenAi {
    /// The protocol for servers with this `profile`.
    pub fn new(profile: &'static Profile, options: Options) -> Self {
        Self { profile, options }
    }
}

impl Dialect for OpenAi {
    fn auth(&self) -> Auth {
        self.profile.auth
    }

    fn read(&self, edit: &Edit, model: &str) -> Result<Vec<Warning>, Refused> {
        warnings::read(self.profile, edit, model)
    }

    fn supports_quality(&self, _model: &str) -> bool {
        self.profile.fields.quality
    }

    fn fulfills(&self, wish: Wish, model: &str) -> bool {
        let has = self.profile.fields;
        match wish {
            Wish::Mask => has.mask,
            Wish::TransparentBackground => has.background && !size::is_first_gpt_image_2(model),
        }
    }

    fn shutdowns(&self, answer: &Answer) -> Vec<(String, String)> {
        let listed: Option<Listed> = answer.json().ok();
        let models = listed.map(|listed| listed.data).unwrap_or_default();
        models.into_iter().filter_map(|model| Some((model.id, model.shutdown_date?))).collect()
    }

    fn picture_rules(&self, _model: &str) -> PictureRules {
        self.profile.pictures
    }

    fn submit(&self, order: &Order<'_>, _uploaded: &[Answer]) -> Result<Submission, Fault> {
        Ok(request::call(self.profile, &self.options, order).into())
    }

    fn submitted(&self, order: &Order<'_>, answer: &Answer) -> Meaning {
        if !answer.status.is_success() {
            return Err(verdict::of(answer));
        }
        let mut harvest = images::read(self.profile, order, answer)?;
        harvest.warnings.extend(warnings::shape_of_first(self.profile, order));
        Ok(Step::Done(harvest))
    }

    /// This is never used, because the protocol has no tasks.
    fn poll(&self, _ticket: &Ticket) -> Call {
        self.probe()
    }

    fn polled(&self, _ticket: &Ticket, _answer: &Answer) -> Meaning {
        Err(Fault::Lost("the OpenAI Images protocol has no tasks".into()))
    }

    fn probe(&self) -> Call {
        Call::get(request::path(self.profile, &self.options, "", self.profile.probe))
    }

    fn probed(&self, answer: &Answer) -> Result<String, String> {
        match answer.status.as_u16() {
            200..=299 => Ok(count_models(answer)),
            401 | 403 => Err(format!("the key was rejected (status {})", answer.status.as_u16())),
            404 | 405 => Err(format!(
                "not found at {}; check base_url ({})",
                self.profile.probe, self.profile.base_hint
            )),
            _ => Err(answer.shown()),
        }
    }
}

/// A list of models, with the dates on which they shut down.
#[derive(Deserialize)]
struct Listed {
    data: Vec<ListedModel>,
}

#[derive(Deserialize)]
struct ListedModel {
    id: String,
    #[serde(default)]
    shutdown_date: Option<String>,
}

/// A message with the number of models that the server lists, if it lists them.
fn count_models(answer: &Answer) -> String {
    let listed: Option<Value> = answer.json().ok();
    let models = listed.as_ref().and_then(|listed| listed.get("data")?.as_array());
    models
        .map_or_else(|| "it responds".into(), |models| format!("it lists {} models", models.len()))
}
