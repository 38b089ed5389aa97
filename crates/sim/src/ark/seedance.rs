//! Parses calls for videos strictly.

use bytes::Bytes;
use serde_json::{Value, json};

use super::errors::Error;
use super::inputs::{self, InputLimits};
use crate::delivery::{Kind, Wanted};
use crate::fields::{FieldError, Fields};
use crate::picture;

const LIMITS: InputLimits =
    InputLimits { bytes_max: 30_000_000, side_px_min: 300, side_px_max: 6000 };
const RATIOS: [&str; 7] = ["16:9", "4:3", "1:1", "3:4", "9:16", "21:9", "adaptive"];
const RESOLUTIONS: [&str; 3] = ["480p", "720p", "1080p"];

/// One model: its ID, its longest video, whether it supports 1080p and sound, and its frames and
/// references.
struct Model {
    id: &'static str,
    seconds: (i64, i64),
    has_1080p: bool,
    has_sound: bool,
    frames: usize,
    references: usize,
}

const fn of_1(id: &'static str, frames: usize) -> Model {
    Model { id, seconds: (2, 12), has_1080p: true, has_sound: false, frames, references: 0 }
}

const fn of_2(id: &'static str, has_1080p: bool) -> Model {
    Model { id, seconds: (4, 15), has_1080p, has_sound: true, frames: 2, references: 9 }
}

static MODELS: [Model; 9] = [
    of_1("seedance-1-0-pro-250528", 2),
    of_1("seedance-1-0-pro-fast-251015", 1),
    of_1("seedance-1-0-lite-t2v-250428", 0),
    Model { references: 4, ..of_1("seedance-1-0-lite-i2v-250428", 2) },
    Model { seconds: (4, 12), references: 0, ..of_2("seedance-1-5-pro-251215", true) },
    of_2("seedance-2-0-260128", true),
    of_2("seedance-2-0-fast-260128", false),
    of_2("seedance-2-0-mini-260615", false),
    Model { seconds: (4, 30), references: 30, ..of_2("seedance-2-5-260628", false) },
];

/// A video to make, and the fields that responses about it repeat.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) wanted: Wanted,
    pub(super) about: Value,
}

/// Parses the fields.
pub(super) fn read(mut fields: Fields) -> Result<Order, Error> {
    let name = fields.required_text("model")?;
    let model = find(&name)?;
    let content = fields.list("content")?.ok_or_else(|| FieldError::missing("content"))?;
    let (prompt, frames) = parts(content, model)?;
    let flags = flags(&prompt)?;
    let resolution = fields.one_of("resolution", &RESOLUTIONS)?.or(flags.resolution);
    let ratio = fields.one_of("ratio", &RATIOS)?.or(flags.ratio);
    let (least, most) = model.seconds;
    let duration = fields.whole("duration", least..=most)?.or(flags.duration).unwrap_or(5);
    if !(least..=most).contains(&duration) {
        return Err(Error::invalid("duration", format!("it must be {least} to {most}")));
    }
    if resolution.as_deref() == Some("1080p") && !model.has_1080p {
        return Err(Error::invalid("resolution", "the model does not support 1080p"));
    }
    check_rest(&mut fields, model)?;
    fields.end()?;
    let about = json!({
        "model": name,
        "resolution": resolution.unwrap_or("720p".into()),
        "ratio": ratio.unwrap_or("16:9".into()),
        "duration": duration,
    });
    let seed = picture::seed(&prompt, &frames);
    let wanted =
        Wanted { provider: super::NAME, prompt, seed, count: 1, size: (64, 64), kind: Kind::Video };
    Ok(Order { wanted, about })
}

fn find(id: &str) -> Result<&'static Model, Error> {
    let bare = ["doubao-", "dreamina-"].iter().find_map(|region| id.strip_prefix(region));
    let bare = bare.unwrap_or(id);
    MODELS.iter().find(|model| model.id == bare).ok_or_else(|| Error::unknown_model(id))
}

/// The text and the images. The model must support this combination of roles.
fn parts(content: Vec<Value>, model: &Model) -> Result<(String, Vec<Bytes>), Error> {
    let (mut prompt, mut pictures, mut roles) = (String::new(), Vec::new(), Vec::new());
    for (index, part) in content.into_iter().enumerate() {
        let mut part = Fields::of(part, format!("content[{index}]"))?;
        match part.required_text("type")?.as_str() {
            "text" if prompt.is_empty() => prompt = part.required_text("text")?,
            "image_url" => {
                let param = part.path("image_url");
                let mut place =
                    part.object("image_url")?.ok_or_else(|| FieldError::missing(param.as_str()))?;
                pictures.push(inputs::read(&place.required_text("url")?, (&param, LIMITS))?);
                place.end()?;
                let known = ["first_frame", "last_frame", "reference_image"];
                roles.push(part.one_of("role", &known)?.unwrap_or("first_frame".into()));
            }
            _ => return Err(Error::invalid("content", "expected one text and images")),
        }
        part.end()?;
    }
    check_roles(&roles, model)?;
    if prompt.is_empty() && pictures.is_empty() {
        return Err(FieldError::missing("content.text").into());
    }
    Ok((prompt, pictures))
}

fn check_roles(roles: &[String], model: &Model) -> Result<(), Error> {
    let roles: Vec<&str> = roles.iter().map(String::as_str).collect();
    let fits = match roles.as_slice() {
        [] => true,
        ["first_frame"] => model.frames > 0,
        ["first_frame", "last_frame"] => model.frames > 1,
        all => all.iter().all(|role| *role == "reference_image") && all.len() <= model.references,
    };
    let message = format!("the model does not accept {roles:?} together");
    if fits { Ok(()) } else { Err(Error::invalid("content", message)) }
}

/// The parameters after the text, such as `--ratio 16:9`.
#[derive(Debug, Default)]
struct Flags {
    resolution: Option<String>,
    ratio: Option<String>,
    duration: Option<i64>,
}

fn flags(prompt: &str) -> Result<Flags, Error> {
    let mut flags = Flags::default();
    let words: Vec<&str> = prompt.split_whitespace().collect();
    for pair in words.windows(2) {
        let &[name, value] = pair else { continue };
        match name {
            "--resolution" | "--rs" if RESOLUTIONS.contains(&value) => {
                flags.resolution = Some(value.to_owned());
            }
            "--ratio" | "--rt" if RATIOS.contains(&value) => flags.ratio = Some(value.to_owned()),
            "--duration" | "--dur" => flags.duration = value.parse().ok(),
            "--watermark" | "--wm" if ["true", "false"].contains(&value) => {}
            flag if flag.starts_with("--") => {
                return Err(Error::invalid("content", format!("unknown value {flag} {value}")));
            }
            _ => {}
        }
    }
    Ok(flags)
}

/// Checks fields that have no effect here.
fn check_rest(fields: &mut Fields, model: &Model) -> Result<(), Error> {
    if fields.flag("generate_audio")?.is_some() && !model.has_sound {
        return Err(Error::invalid("generate_audio", "the model does not make sound"));
    }
    for name in ["watermark", "camera_fixed", "return_last_frame", "draft"] {
        fields.flag(name)?;
    }
    for name in ["callback_url", "safety_identifier", "output_format", "omni_reference_task_type"] {
        fields.text(name)?;
    }
    fields.whole("seed", -1..=4_294_967_295)?;
    fields.whole("frames", 29..=289)?;
    fields.whole("priority", 0..=9)?;
    fields.whole("execution_expires_after", 3600..=259_200)?;
    fields.one_of("service_tier", &["default", "flex"])?;
    fields.list("tools")?;
    Ok(())
}
