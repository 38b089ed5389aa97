//! Plans as JSON: responses contain them, and requests may send them instead of an instruction.

use retouch_core::edit::{Edit, Rewording};
use retouch_core::image::{AspectRatio, Encoding, OutputFormat, Size};
use retouch_engine::codec::FileRules;
use retouch_engine::video::VideoPlan;
use retouch_engine::{Context, FileFormat, Plan, Refusal, Saving};
use serde_json::{Value, json};

/// What the built-in editor needs to know besides the instruction or the plan.
pub fn context(pictures: usize, ratio: AspectRatio, size: Option<Size>) -> Context {
    let aspect = match ratio {
        AspectRatio::Auto => None,
        AspectRatio::Ratio(width, height) => {
            Some(retouch_engine::AspectRatio::Ratio { width, height })
        }
    };
    Context { inputs: pictures, aspect, size: size.map(|size| (size.width(), size.height())) }
}

/// How results are saved that are asked for in this `format` and quality.
pub fn saving(format: Option<OutputFormat>, quality: Option<u8>) -> Saving {
    let format = format.map(|format| match format {
        OutputFormat::Png => FileFormat::Png,
        OutputFormat::Jpeg => FileFormat::Jpeg,
        OutputFormat::WebP => FileFormat::WebP,
    });
    Saving { format, quality, ..Saving::default() }
}

/// What the file of the result has to be, by what the plan says.
pub fn file_rules(plan: &Plan) -> FileRules {
    plan.output.map(Saving::rules).unwrap_or_default()
}

/// The note about an image that was reduced for that limit.
pub fn reduced((width, height): (u32, u32)) -> String {
    format!("the image was reduced to {width}x{height} pixels so that the file is small enough")
}

/// The format that is asked for, if there is one. For a file of a limited size, it is JPEG unless
/// another one is asked for.
pub fn format(saving: Saving) -> Option<OutputFormat> {
    match saving.format {
        Some(FileFormat::Png) => Some(OutputFormat::Png),
        Some(FileFormat::Jpeg) => Some(OutputFormat::Jpeg),
        Some(FileFormat::WebP) => Some(OutputFormat::WebP),
        None => saving.bytes_max.map(|_| OutputFormat::Jpeg),
    }
}

/// How a result is encoded that is saved like this.
pub fn encoded(saving: Saving) -> Encoding {
    Encoding { format: format(saving).unwrap_or_default(), compression: saving.quality }
}

/// How the result of `edit` is encoded, whose plan says `output`.
///
/// # Errors
/// A [`Refusal`] if the request asks for something else.
pub fn encoding(edit: &Edit, output: Saving) -> Result<Encoding, Refusal> {
    let asked = edit.is_format_asked.then_some(edit.encoding.format);
    saving(asked, edit.encoding.compression).with(output).map(encoded)
}

/// The plan with its description, as responses show it.
pub fn shown(plan: &Plan) -> serde_json::Result<Value> {
    let mut shown = plan.to_json()?;
    // The descriptions are for people. Programs read the steps.
    shown["words"] = plan.shown().into();
    shown["assumed"] = plan.shown_assumptions().into();
    Ok(shown)
}

/// The plan for words that a language model has read, as responses show it.
pub fn shown_reworded(plan: &Plan, rewording: &Rewording) -> serde_json::Result<Value> {
    let mut shown = shown(plan)?;
    shown["reader"] = json!({
        "model": rewording.model,
        "instruction": rewording.instruction(),
        "ignored": rewording.ignored,
    });
    Ok(shown)
}

/// The plan of a video with its description, as responses show it.
pub fn shown_video(plan: &VideoPlan) -> serde_json::Result<Value> {
    let mut shown = plan.to_json()?;
    shown["words"] = json!([plan.render()]);
    Ok(shown)
}

/// Reads a plan that was shown before and is now sent instead of an instruction.
///
/// # Errors
/// The problem, for a person: not a plan, an unknown field in a step, a parameter out of range, or
/// a plan for another number of images.
pub fn replayed(plan: &Value, context: &Context) -> Result<Plan, String> {
    let read = Plan::from_json(plan)
        .map_err(|error| format!("This is not a plan of the built-in editor: {error}."))?;
    // An unknown field would otherwise be ignored silently, and the edit would not be the intended
    // one.
    let known = read.to_json().unwrap_or_default();
    if let Some(field) = unknown(&plan["steps"], &known["steps"]) {
        return Err(format!("The steps of the plan have an unknown field, `{field}`."));
    }
    read.replay(context).map_err(|refusal| refusal.message)
}

/// The first field in `sent` that `read` does not have.
fn unknown(sent: &Value, read: &Value) -> Option<String> {
    match (sent, read) {
        (Value::Object(sent), Value::Object(read)) => sent.iter().find_map(|(name, value)| {
            read.get(name).map_or_else(|| Some(name.clone()), |read| unknown(value, read))
        }),
        (Value::Array(sent), Value::Array(read)) => {
            sent.iter().zip(read).find_map(|(sent, read)| unknown(sent, read))
        }
        _ => None,
    }
}
