//! The built-in editor as a provider: no network, no cost, and only what the words say.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::future::try_join_all;
use retouch_core::Warning;
use retouch_core::edit::Edit;
use retouch_core::image::AspectRatio;
use retouch_engine::{Context, Picture, Plan, codec};
use serde::Deserialize;

use crate::error::{ProviderError, Refused, RefusedKind};
use crate::inputs::Source;
use crate::provider::{Job, Journal, Media, Output, Provider, Reading, Task, Usage};
use crate::workshop::{Permit, Workshop};

/// The name in `generation.provider`.
pub const NAME: &str = "built-in";

/// Edits by exact operations on pixels, in the workshop.
pub struct BuiltIn {
    workshop: Workshop,
    limits: codec::Limits,
}

impl BuiltIn {
    /// An editor that works in `workshop`, on pictures within `limits`.
    pub fn new(workshop: Workshop, limits: codec::Limits) -> Self {
        Self { workshop, limits }
    }
}

#[async_trait]
impl Provider for BuiltIn {
    fn name(&self) -> &str {
        NAME
    }

    fn read(&self, edit: &Edit, _: &str) -> Result<Reading, Refused> {
        let plan = retouch_engine::read(&edit.instruction, &context(edit)).map_err(refused)?;
        let mut warnings = not_honoured(edit);
        warnings.extend(unused(edit, &plan));
        let plan = serde_json::to_value(&plan).map_err(|error| Refused {
            kind: RefusedKind::Limit,
            message: format!("The plan cannot be written down: {error}."),
            param: None,
        })?;
        Ok(Reading { plan: Some(plan), warnings })
    }

    async fn perform(&self, job: &Job, _: &dyn Journal) -> Result<Output, ProviderError> {
        let plan = plan(&job.reading)?;
        let sizes: Vec<(u32, u32)> =
            job.sources.iter().map(|source| source.header.size()).collect();
        let working_bytes = plan.working_bytes(&sizes).map_err(too_large)?;
        let decoding_bytes: u64 = job.sources.iter().map(|source| source.header.decode_bytes).sum();
        let permit = Arc::new(self.workshop.admit(working_bytes.max(decoding_bytes)).await?);
        let decoded = job.sources.iter().map(|source| self.decode(source, Arc::clone(&permit)));
        let pictures = try_join_all(decoded).await?;
        // The memory is given back when the work ends, not when its caller stops waiting.
        let worked = self.workshop.run(move || {
            let worked = work(&plan, pictures);
            drop(permit);
            worked
        });
        worked.await?
    }

    async fn resume(&self, _: &Task) -> Result<Output, ProviderError> {
        // It never hands out a ticket, so nobody can come back with one.
        Err(ProviderError::Failed("the built-in editor keeps no tasks".into()))
    }
}

impl BuiltIn {
    /// Decodes one picture. It holds on to `permit` until it is done, also when another picture
    /// of the request has failed meanwhile.
    async fn decode(&self, source: &Source, permit: Arc<Permit>) -> Result<Picture, ProviderError> {
        let (limits, bytes) = (self.limits, source.bytes.clone());
        let decoded = self.workshop.run(move || {
            let decoded = codec::decode(&bytes, &limits);
            drop(permit);
            decoded
        });
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

fn work(plan: &Plan, pictures: Vec<Picture>) -> Result<Output, ProviderError> {
    let failed = |what: &str, error: &dyn std::fmt::Display| {
        ProviderError::Failed(format!("{what}: {error}"))
    };
    let edited =
        retouch_engine::execute(plan, pictures).map_err(|error| failed("executing", &error))?;
    let png = codec::encode_png(&edited.picture).map_err(|error| failed("encoding", &error))?;
    let warnings = edited.warnings.into_iter().map(|message| Warning {
        code: "result_differs".into(),
        message,
        param: Some("instruction".into()),
    });
    Ok(Output {
        file: Bytes::from(png),
        media: Media::Png,
        usage: Usage::default(),
        warnings: warnings.collect(),
    })
}

fn plan(reading: &Reading) -> Result<Plan, Refused> {
    let plan = reading.plan.as_ref().unwrap_or(&serde_json::Value::Null);
    Plan::deserialize(plan).map_err(|error| Refused {
        kind: RefusedKind::Limit,
        message: format!("The plan cannot be read back: {error}."),
        param: None,
    })
}

fn context(edit: &Edit) -> Context {
    Context {
        inputs: edit.pictures.len(),
        aspect: match edit.aspect_ratio {
            AspectRatio::Auto => None,
            AspectRatio::Ratio(width, height) => {
                Some(retouch_engine::AspectRatio::Ratio { width, height })
            }
        },
        size: edit.size.map(|size| (size.width(), size.height())),
    }
}

fn refused(refusal: retouch_engine::Refusal) -> Refused {
    Refused {
        kind: RefusedKind::Instruction,
        message: refusal.message,
        param: Some("instruction".into()),
    }
}

/// Fields that the words of the instruction cannot carry.
fn not_honoured(edit: &Edit) -> Vec<Warning> {
    let asked = [
        ("watermark", edit.watermark == Some(true)),
        ("negative_prompt", edit.negative_prompt.is_some()),
        ("prompt_extend", edit.prompt_extend == Some(true)),
        ("quality", edit.quality.is_some()),
    ];
    let named = asked.into_iter().filter(|(_, asked)| *asked);
    named
        .map(|(param, _)| {
            let message = format!("The built-in editor does exactly what the words say; `{param}` has no effect on it.");
            Warning::about("parameter_not_honoured", param, message)
        })
        .collect()
}

fn unused(edit: &Edit, plan: &Plan) -> Vec<Warning> {
    let sources = plan.unused_inputs.iter().filter_map(|index| edit.pictures.get(*index));
    sources
        .map(|source| {
            let message =
                format!("The instruction does not use the picture in `{}`.", source.param);
            Warning::about("input_not_used", &source.param, message)
        })
        .collect()
}
