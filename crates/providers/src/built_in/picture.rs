//! Images, edited or created from text.

use bytes::Bytes;
use futures_util::future::try_join_all;
use retouch_core::Warning;
use retouch_core::edit::Edit;
use retouch_engine::{AnyPicture, ExecuteError, Plan, Refusal, codec};

use super::{BuiltIn, failed, plan, refused, stored, too_large, written};
use crate::error::{ProviderError, Refused, RefusedKind};
use crate::provider::{Job, Media, Output, Usage};
use crate::reader::{self, Asked};

/// The plan as JSON, and the inputs that it does not use.
pub(super) fn read(edit: &Edit) -> Result<(serde_json::Value, Vec<usize>), Refused> {
    let plan = plan(edit)?;
    Ok((written(shown(edit, &plan))?, plan.unused_inputs))
}

/// The plan for `edit` as JSON.
pub(super) fn shown(edit: &Edit, plan: &Plan) -> serde_json::Result<serde_json::Value> {
    match &edit.rewording {
        None => plan::shown(plan),
        Some(rewording) => plan::shown_reworded(plan, rewording),
    }
}

/// The plan for the instruction, or the plan that was sent.
pub(super) fn plan(edit: &Edit) -> Result<Plan, Refused> {
    let context = plan::context(edit.pictures.len(), edit.aspect_ratio, edit.size);
    let plan = match (&edit.plan, &edit.rewording) {
        (None, None) => retouch_language::read(&edit.instruction, &context).map_err(refused),
        (None, Some(rewording)) => {
            reader::plan(&edit.instruction, rewording, &context).map_err(refused)
        }
        (Some(plan), _) => plan::replayed(plan, &context).map_err(|message| Refused {
            kind: RefusedKind::Instruction,
            message,
            param: Some("plan".into()),
        }),
    }?;
    plan.output.map_or(Ok(()), |output| plan::encoding(edit, output).map(drop)).map_err(refused)?;
    Ok(plan)
}

/// What to ask a language model about the instruction of `edit`. `None` if it may not be asked.
pub fn asked(edit: &Edit) -> Option<Asked> {
    if edit.is_read_strictly || edit.plan.is_some() || edit.rewording.is_some() {
        return None;
    }
    let context = plan::context(edit.pictures.len(), edit.aspect_ratio, edit.size);
    Asked::about(&edit.instruction, context)
}

impl BuiltIn {
    /// Applies a plan to the images of a job, or creates an image if there are none.
    pub(super) async fn paint(&self, job: &Job) -> Result<Output, ProviderError> {
        let plan = stored(&job.reading, Plan::from_json)?;
        let memory_bytes = memory_bytes(&plan, job).map_err(too_large)?;
        let permit = self.workshop.admit_as(memory_bytes, job.is_background).await?;
        let decoded =
            job.sources.iter().map(|source| self.decode(source, &permit, codec::decode_any));
        let pictures = try_join_all(decoded).await?;
        let asked = output(job);
        permit.run(move || work(&plan, pictures, asked)).await?
    }
}

/// The memory for decoding, for the steps or for encoding the result, whichever needs the most.
fn memory_bytes(plan: &Plan, job: &Job) -> Result<u64, Refusal> {
    let headers = job.sources.iter().map(|source| source.header);
    let shapes: Vec<_> = headers.clone().map(|header| (header.size(), header.depth)).collect();
    let sizes: Vec<_> = headers.clone().map(|header| header.size()).collect();
    let decoding_bytes: u64 = headers.map(|header| header.decode_bytes).sum();
    let encoding_bytes = codec::encode_within_bytes(
        plan.result_size(&sizes)?,
        output(job).1,
        plan::file_rules(plan),
    );
    Ok(plan.working_bytes_any(&shapes)?.max(decoding_bytes).max(encoding_bytes))
}

/// The type of the result that a job asks for, and how it is encoded.
fn output(job: &Job) -> (Media, codec::Encoding) {
    let media = Media::asked(&job.edit);
    let encoding = media.encoding(job.edit.encoding.compression);
    (media, encoding.unwrap_or(codec::Encoding::Png))
}

fn work(
    plan: &Plan,
    pictures: Vec<AnyPicture>,
    (media, encoding): (Media, codec::Encoding),
) -> Result<Output, ProviderError> {
    let edited = retouch_engine::execute_any(plan, pictures).map_err(unexecuted)?;
    let encoded = codec::encode_within(&edited.picture, encoding, plan::file_rules(plan));
    let encoded = encoded.map_err(|error| failed("encoding", &error))?;
    let mut warnings: Vec<Warning> = edited.warnings.into_iter().map(differs).collect();
    warnings.extend(encoded.flattened.then(Warning::flattened));
    warnings.extend(encoded.reduced_to.map(|size| differs(plan::reduced(size))));
    Ok(Output { file: Bytes::from(encoded.bytes), media, usage: Usage::default(), warnings })
}

/// A note of the editor about how the result differs from what the words say.
pub(super) fn differs(message: String) -> Warning {
    Warning { code: "result_differs".into(), message, param: Some("instruction".into()) }
}

/// An error while running a plan. The plan may find that the pixels do not match the instruction,
/// such as a background that is not plain. This is a refusal with measurements for the caller and
/// not a failure.
pub(super) fn unexecuted(error: ExecuteError) -> ProviderError {
    match error {
        ExecuteError::Refused(refusal) => refused(refusal).into(),
        other => failed("executing", &other),
    }
}
