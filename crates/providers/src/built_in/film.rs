//! Videos: a camera moves over one image.

use bytes::Bytes;
use retouch_core::edit::Edit;
use retouch_engine::codec;
use retouch_engine::video::{VideoContext, VideoPlan, render_video};
use retouch_language::read_video;

use super::{BuiltIn, failed, plan, refused, stored, too_large, written};
use crate::error::{ProviderError, Refused};
use crate::provider::{Job, Media, Output, Usage};

/// The plan as JSON, and the inputs that it does not use.
pub(super) fn read(edit: &Edit) -> Result<(serde_json::Value, Vec<usize>), Refused> {
    let still = plan::context(edit.pictures.len(), edit.aspect_ratio, edit.size);
    let context = VideoContext {
        inputs: edit.pictures.len(),
        aspect: still.aspect,
        size: still.size,
        duration_seconds: edit.duration_seconds.filter(|_| edit.is_duration_asked),
        durations_seconds: edit.model.durations_seconds(),
    };
    let plan = read_video(&edit.instruction, &context).map_err(refused)?;
    Ok((written(plan.to_json())?, plan.unused_inputs))
}

impl BuiltIn {
    /// Films the first image of a job, or the image that the plan creates.
    pub(super) async fn film(&self, job: &Job) -> Result<Output, ProviderError> {
        let plan = stored(&job.reading, VideoPlan::from_json)?;
        let source = job.sources.first();
        let working_bytes =
            plan.working_bytes(source.map(|source| source.header.size())).map_err(too_large)?;
        let decoding_bytes = source.map_or(0, |source| source.header.decode_bytes);
        let permit = self.workshop.admit_patiently(working_bytes.max(decoding_bytes)).await?;
        let picture = match source {
            Some(source) => Some(self.decode(source, &permit, codec::decode).await?),
            None => None,
        };
        let filmed = permit.run(move || render_video(&plan, picture));
        let file = filmed.await?.map_err(|error| failed("filming", &error))?;
        Ok(Output {
            file: Bytes::from(file),
            media: Media::Mp4,
            usage: Usage::default(),
            warnings: Vec::new(),
        })
    }
}
