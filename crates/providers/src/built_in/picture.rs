//! Pictures: edited, or made of words alone.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::future::try_join_all;
use retouch_core::Warning;
use retouch_core::edit::Edit;
use retouch_engine::{ExecuteError, Picture, Plan, codec};

use super::{BuiltIn, failed, plan, refused, stored, too_large, written};
use crate::error::{ProviderError, Refused, RefusedKind};
use crate::provider::{Job, Media, Output, Usage};

/// The plan, written down, and the inputs that it does not use.
pub(super) fn read(edit: &Edit) -> Result<(serde_json::Value, Vec<usize>), Refused> {
    let context = plan::context(edit.pictures.len(), edit.aspect_ratio, edit.size);
    let plan = match &edit.plan {
        None => retouch_engine::read(&edit.instruction, &context).map_err(refused)?,
        Some(plan) => plan::replayed(plan, &context).map_err(|message| Refused {
            kind: RefusedKind::Instruction,
            message,
            param: Some("plan".into()),
        })?,
    };
    Ok((written(plan::shown(&plan))?, plan.unused_inputs))
}

impl BuiltIn {
    /// Does a plan to the pictures of a job, of which there are none where one is made.
    pub(super) async fn paint(&self, job: &Job) -> Result<Output, ProviderError> {
        let plan: Plan = stored(&job.reading)?;
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
}

fn work(plan: &Plan, pictures: Vec<Picture>) -> Result<Output, ProviderError> {
    let edited = retouch_engine::execute(plan, pictures).map_err(unexecuted)?;
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

/// A plan may find that the pixels are not what the words say (a background that is not plain):
/// that is a refusal with the numbers, for the caller, and no failure.
fn unexecuted(error: ExecuteError) -> ProviderError {
    match error {
        ExecuteError::Refused(refusal) => refused(refusal).into(),
        other => failed("executing", &other),
    }
}
