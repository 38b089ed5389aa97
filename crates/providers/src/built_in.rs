//! The built-in editor as a provider. It needs no network, costs nothing, and does exactly what the
//! instruction says.

mod film;
mod picture;
pub mod plan;
pub mod preview;

use std::sync::Arc;

use async_trait::async_trait;
use retouch_core::edit::Edit;
use retouch_core::{Kind, Warning};
use retouch_engine::codec::{self, DecodeError};

use crate::error::{ProviderError, Refused, RefusedKind};
use crate::inputs::Source;
use crate::provider::{Job, Journal, Output, Provider, Reading, Task};
use crate::workshop::{Permit, Workshop};

pub use picture::asked;

/// The name in `generation.provider`.
pub const NAME: &str = "built-in";

/// Edits images with exact pixel operations, in the workshop.
pub struct BuiltIn {
    workshop: Workshop,
}

impl BuiltIn {
    /// An editor that works in `workshop`.
    pub fn new(workshop: Workshop) -> Self {
        Self { workshop }
    }
}

#[async_trait]
impl Provider for BuiltIn {
    fn name(&self) -> &str {
        NAME
    }

    fn read(&self, edit: &Edit, _: &str) -> Result<Reading, Refused> {
        let (plan, unused) = match edit.kind {
            Kind::ImageEdit | Kind::TextToImage => picture::read(edit)?,
            Kind::Video => film::read(edit)?,
        };
        let mut warnings = not_honored(edit);
        warnings.extend(not_used(edit, &unused));
        Ok(Reading { plan: Some(plan), warnings })
    }

    async fn perform(&self, job: &Job, _: &dyn Journal) -> Result<Output, ProviderError> {
        match job.edit.kind {
            Kind::ImageEdit | Kind::TextToImage => self.paint(job).await,
            Kind::Video => self.film(job).await,
        }
    }

    async fn resume(&self, _: &Task) -> Result<Output, ProviderError> {
        // The built-in editor never returns a ticket, so there is nothing to resume.
        Err(ProviderError::Failed("the built-in editor has no tasks to resume".into()))
    }
}

impl BuiltIn {
    /// Decodes one image with `way`.
    async fn decode<P: Send + 'static>(
        &self,
        source: &Source,
        permit: &Arc<Permit>,
        way: fn(&[u8], &codec::Limits) -> Result<P, DecodeError>,
    ) -> Result<P, ProviderError> {
        let (limits, bytes) = (source.limits, source.bytes.clone());
        let decoded = permit.run(move || way(&bytes, &limits));
        decoded.await?.map_err(|error| source.unusable(error))
    }
}

fn too_large(refusal: retouch_engine::Refusal) -> Refused {
    Refused {
        kind: RefusedKind::Limit,
        message: refusal.message,
        param: Some("instruction".into()),
    }
}

fn failed(what: &str, error: &dyn std::fmt::Display) -> ProviderError {
    ProviderError::Failed(format!("{what}: {error}"))
}

/// The plan as JSON, as it is shown and stored.
fn written(plan: serde_json::Result<serde_json::Value>) -> Result<serde_json::Value, Refused> {
    plan.map_err(|error| Refused {
        kind: RefusedKind::Limit,
        message: format!("The plan cannot be stored: {error}."),
        param: None,
    })
}

/// Reads the plan that [`written`] wrote, with its `from_json`.
fn stored<P>(
    reading: &Reading,
    from_json: fn(&serde_json::Value) -> serde_json::Result<P>,
) -> Result<P, Refused> {
    let plan = reading.plan.as_ref().unwrap_or(&serde_json::Value::Null);
    from_json(plan).map_err(|error| Refused {
        kind: RefusedKind::Limit,
        message: format!("The stored plan cannot be read: {error}."),
        param: None,
    })
}

fn refused(refusal: retouch_engine::Refusal) -> Refused {
    Refused {
        kind: RefusedKind::Instruction,
        message: refusal.message,
        param: Some("instruction".into()),
    }
}

/// Warnings about fields that have no effect, and about an instruction that was reworded.
fn not_honored(edit: &Edit) -> Vec<Warning> {
    let asked = [
        ("watermark", edit.watermark == Some(true)),
        ("negative_prompt", edit.negative_prompt.is_some()),
        ("prompt_extend", edit.prompt_extend == Some(true)),
        ("quality", edit.quality.is_some()),
        ("background", edit.background.is_some()),
    ];
    let named = asked.into_iter().filter(|(_, asked)| *asked);
    let ignored = named.map(|(param, _)| {
        let message = format!(
            "`{param}` has no effect: the built-in editor does exactly what the instruction says."
        );
        Warning::about("parameter_not_honored", param, message)
    });
    let reworded = edit.rewording.iter().map(|rewording| {
        let message =
            format!("A language model read the instruction as: {}.", rewording.instruction());
        Warning::about("instruction_reworded", "instruction", message)
    });
    ignored.chain(reworded).collect()
}

fn not_used(edit: &Edit, unused: &[usize]) -> Vec<Warning> {
    let sources = unused.iter().filter_map(|index| edit.pictures.get(*index));
    sources
        .map(|source| {
            let message = format!("The instruction does not use the image in `{}`.", source.param);
            Warning::about("input_not_used", &source.param, message)
        })
        .collect()
}
