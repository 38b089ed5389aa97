//! Warnings about what a workflow will do differently than requested.

use retouch_core::edit::Edit;
use retouch_core::image::AspectRatio;
use retouch_core::{Kind, Warning};

use super::shape;
use super::slot::Slot;
use super::workflow::Workflow;
use crate::error::{Refused, RefusedKind};
use crate::upstream::warnings::{approximated, not_honored};

/// What `workflow` will do differently than `edit` requests.
///
/// # Errors
/// When there is no such workflow, it makes something else, or it needs more images.
pub(super) fn read(workflow: Option<&Workflow>, edit: &Edit) -> Result<Vec<Warning>, Refused> {
    let Some(workflow) = workflow else {
        let message = "The provider of this model has no workflow with that name; the operator can \
                       add one.";
        return Err(refused(message.into(), "model"));
    };
    if workflow.makes_videos() != (edit.kind == Kind::Video) {
        let makes = if workflow.makes_videos() { "videos" } else { "images" };
        return Err(refused(format!("The workflow of this model makes {makes}."), "model"));
    }
    let (count, needed) = (edit.pictures.len(), workflow.image_count());
    if count < needed {
        let message =
            format!("The workflow of this model needs {needed} input images; you sent {count}.");
        return Err(refused(message, "imageUrls"));
    }
    Ok(warnings(workflow, edit))
}

fn warnings(workflow: &Workflow, edit: &Edit) -> Vec<Warning> {
    let has_sides = workflow.has(|slot| slot == Slot::Width);
    let has_length = workflow.has(|slot| matches!(slot, Slot::Seconds | Slot::Frames(_)));
    let has_negative = workflow.has(|slot| slot == Slot::NegativePrompt);
    let has_shape = edit.size.is_some() || edit.aspect_ratio != AspectRatio::Auto;
    let shape_param = if edit.size.is_some() { "size" } else { "aspectRatio" };
    let quality = edit.quality.is_some();
    let without = [
        (shape_param, has_shape && !has_sides),
        ("duration_seconds", edit.duration_seconds.is_some() && !has_length),
        ("quality", quality),
        ("watermark", edit.watermark == Some(true)),
        ("prompt_extend", edit.prompt_extend == Some(true)),
    ];
    let no_slot = "has no effect: the workflow has no slot for it.";
    let ignored = without.into_iter().filter(|(_, is_asked)| *is_asked);
    let mut warnings: Vec<_> = ignored.map(|(param, _)| not_honored(param, no_slot)).collect();
    if let Some((width, height)) = shape::instead(edit).filter(|_| has_sides) {
        let how =
            format!("is approximated as {width}x{height}, the nearest size for the workflow.");
        warnings.push(approximated("size", &how));
    }
    if edit.negative_prompt.is_some() && !has_negative {
        let how = "was added to the instruction, because the workflow has no slot for it.";
        warnings.push(approximated("negative_prompt", how));
    }
    warnings
}

fn refused(message: String, param: &str) -> Refused {
    Refused { kind: RefusedKind::Parameters, message, param: Some(param.into()) }
}
