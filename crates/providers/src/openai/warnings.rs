//! Warnings about what a server will do differently than requested.

use retouch_core::edit::Edit;
use retouch_core::image::AspectRatio;
use retouch_core::{Kind, Warning};

use super::profile::Profile;
use super::size::{self, Pixels, Sizes};
use crate::error::{Refused, RefusedKind};
use crate::upstream::warnings::{approximated, not_honored};
use crate::upstream::{Order, shape};

/// The compatible protocol of stable-diffusion.cpp reads arguments after this text in the prompt.
const ARGUMENTS: &str = "<sd_cpp_extra_args";

/// Warnings about what `edit` requests and the server will do differently, judging by its text
/// alone.
pub(super) fn read(profile: &Profile, edit: &Edit, model: &str) -> Result<Vec<Warning>, Refused> {
    makes_pictures(edit)?;
    if profile.may_read_arguments {
        holds_no_arguments(edit)?;
    }
    let mut warnings = Vec::from_iter(of_shape(edit, size::of_model(profile, model)));
    warnings.extend(of_fields(profile, edit));
    Ok(warnings)
}

/// Refuses videos.
pub(super) fn makes_pictures(edit: &Edit) -> Result<(), Refused> {
    if edit.kind != Kind::Video {
        return Ok(());
    }
    Err(Refused {
        kind: RefusedKind::Parameters,
        message: "The provider of this model makes images, not videos. Choose another model."
            .into(),
        param: Some("model".into()),
    })
}

/// Refuses text that a server behind a generic address may read as arguments.
fn holds_no_arguments(edit: &Edit) -> Result<(), Refused> {
    let fields = [
        ("instruction", Some(&edit.instruction)),
        ("negative_prompt", edit.negative_prompt.as_ref()),
    ];
    for (param, text) in fields {
        if text.is_some_and(|text| text.to_ascii_lowercase().contains(ARGUMENTS)) {
            let message = format!(
                "`{param}` contains `{ARGUMENTS}>`, which some servers interpret as settings, so \
                 it was not sent to this provider. Remove it."
            );
            let param = Some(param.into());
            return Err(Refused { kind: RefusedKind::Instruction, message, param });
        }
    }
    Ok(())
}

/// The warning about a shape or size that is not made exactly.
pub(super) fn of_shape(edit: &Edit, sizes: Sizes) -> Option<Warning> {
    let made = size::asked(edit, sizes)?;
    match (edit.size, edit.aspect_ratio) {
        (Some(size), _) if (size.width(), size.height()) != made => {
            Some(approximated("size", &taken_as(made)))
        }
        (None, AspectRatio::Ratio(wide, high))
            if !shape::is_same(made, f64::from(wide) / f64::from(high)) =>
        {
            Some(approximated("aspectRatio", &taken_as(made)))
        }
        _ => None,
    }
}

fn taken_as((width, height): Pixels) -> String {
    format!("was approximated as {width}x{height}, the nearest that the provider's model supports.")
}

/// The warning about an edit without a shape whose first image has one that the model does not
/// make.
pub(super) fn shape_of_first(profile: &Profile, order: &Order<'_>) -> Option<Warning> {
    if size::asked(order.edit, size::of_model(profile, order.model)).is_some() {
        return None;
    }
    let made = size::of_first(profile, order)?;
    let kept = shape::is_same(made, shape::first_ratio(order)?);
    let (width, height) = made;
    let how = format!(
        "was not set, and the provider's model does not support the aspect ratio of the first \
         image: {width}x{height} was used."
    );
    (!kept).then(|| approximated("aspectRatio", &how))
}

/// Warnings about the other fields.
fn of_fields(profile: &Profile, edit: &Edit) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if !profile.fields.quality {
        warnings.extend(of_quality(edit));
    }
    if edit.negative_prompt.is_some() && !profile.fields.negative_prompt {
        let how = "was added to the instruction, because the provider has no field for it.";
        warnings.push(approximated("negative_prompt", how));
    }
    warnings.extend(of_switches(edit));
    warnings
}

/// The warning about a quality if the server has only one.
pub(super) fn of_quality(edit: &Edit) -> Option<Warning> {
    let why = "has no effect: the provider offers no choice.";
    edit.quality.map(|_| not_honored("quality", why))
}

/// Warnings about switches that no server with this protocol has.
pub(super) fn of_switches(edit: &Edit) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if edit.watermark == Some(true) {
        let why = "has no effect: the provider adds no visible mark to its images.";
        warnings.push(not_honored("watermark", why));
    }
    if edit.prompt_extend == Some(true) {
        let why = "has no effect: the provider has no such option.";
        warnings.push(not_honored("prompt_extend", why));
    }
    warnings
}
