//! Parses requests to Veo strictly.

use bytes::Bytes;

use super::NAME;
use super::errors::Error;
use super::models::{Family, Model};
use super::order::{base64, body};
use crate::arrived::Arrived;
use crate::delivery::{Kind, Wanted};
use crate::fields::{FieldError, Fields, Problem};
use crate::picture::{self, sniff};

/// Parses `arrived`.
pub(super) fn read(model: Model, arrived: Arrived) -> Result<Wanted, Error> {
    let mut fields = body(arrived)?;
    let mut instances = fields.list("instances")?.unwrap_or_default();
    let (Some(instance), true) = (instances.pop(), instances.is_empty()) else {
        return Err(FieldError::value("instances", "a list of one").into());
    };
    let mut instance = Fields::of(instance, "instances[0]")?;
    let prompt = instance.required_text("prompt")?;
    let mut pictures = Vec::new();
    for name in ["image", "lastFrame"] {
        pictures.extend(instance.object(name)?.map(image).transpose()?);
    }
    end(instance)?;
    let mut size = (1280, 720);
    if let Some(parameters) = fields.object("parameters")? {
        size = check(parameters, model)?;
    }
    fields.end()?;
    let seed = picture::seed(&prompt, &pictures);
    Ok(Wanted { provider: NAME, prompt, seed, count: 1, size, kind: Kind::Video })
}

fn image(mut image: Fields) -> Result<Bytes, Error> {
    let media_type = image.required_text("mimeType")?;
    let text = image.required_text("bytesBase64Encoded")?;
    let wrong = FieldError::value(image.path("bytesBase64Encoded"), "base64");
    end(image)?;
    let bytes = base64(&text).ok_or(wrong)?;
    let named = sniff(&bytes).map(|found| found.format.media_type());
    if named == Some(media_type.as_str()) { Ok(bytes.into()) } else { Err(Error::not_a_picture()) }
}

/// Width and height of the video.
fn check(mut parameters: Fields, model: Model) -> Result<(u32, u32), Error> {
    parameters.whole("sampleCount", 1..=1)?;
    parameters.whole("seed", 0..=i64::from(u32::MAX))?;
    parameters.text("negativePrompt")?;
    parameters.one_of("personGeneration", &["allow_all", "allow_adult", "dont_allow"])?;
    let seconds = parameters.whole("durationSeconds", 4..=8)?.unwrap_or(8);
    if seconds % 2 != 0 {
        return Err(FieldError::value("parameters.durationSeconds", "4, 6 or 8").into());
    }
    let ratio = parameters.one_of("aspectRatio", &["16:9", "9:16"])?;
    let resolutions: &[&str] = match model.family {
        Family::Veo31Lite => &["720p", "1080p"],
        _ => &["720p", "1080p", "4k"],
    };
    let resolution = parameters.one_of("resolution", resolutions)?;
    let (long, short) = match resolution.as_deref() {
        None | Some("720p") => (1280, 720),
        Some(_) if seconds != 8 => {
            return Err(
                FieldError::value("parameters.durationSeconds", "8 for this resolution").into()
            );
        }
        Some("1080p") => (1920, 1080),
        Some(_) => (3840, 2160),
    };
    end(parameters)?;
    Ok(if ratio.as_deref() == Some("9:16") { (short, long) } else { (long, short) })
}

/// Checks that no field is left. Veo has its own error for unknown fields.
fn end(fields: Fields) -> Result<(), Error> {
    fields.end().map_err(|wrong| match wrong.problem {
        Problem::Unknown => {
            let name = wrong.path.rsplit('.').next().unwrap_or_default();
            Error::invalid(format!(
                "`{name}` isn't supported by this model. Please remove it or refer to the Gemini \
                 API documentation for supported usage."
            ))
        }
        _ => wrong.into(),
    })
}
