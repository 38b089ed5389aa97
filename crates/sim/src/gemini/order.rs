//! Parses requests to `generateContent` strictly.

use bytes::Bytes;
use serde_json::Value;

use super::errors::Error;
use super::models::Model;
use super::spelling::camel;
use super::{NAME, frame};
use crate::arrived::{Arrived, Content};
use crate::delivery::{Kind, Wanted};
use crate::fields::{FieldError, Fields, Problem};
use crate::picture::{self, Format, sniff};

/// Maximum number of images in a request.
const INPUTS_MAX: usize = 14;
/// Media types of images.
const MEDIA_TYPES: [&str; 5] =
    ["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"];

/// An order.
#[derive(Debug)]
pub(super) struct Order {
    /// The model.
    pub(super) model: Model,
    /// The image to make.
    pub(super) wanted: Wanted,
    /// Whether the response may contain text and images.
    pub(super) modalities: Modalities,
    /// Whether the response contains the model's thoughts.
    pub(super) thoughts: bool,
    /// The number of input images.
    pub(super) inputs: usize,
}

/// What a response may consist of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Modalities {
    pub(super) text: bool,
    pub(super) image: bool,
}

/// The body as an object with all field names in camel case.
pub(super) fn body(arrived: Arrived) -> Result<Fields, FieldError> {
    match arrived.content {
        Content::Json(value) => Fields::of(camel(value), ""),
        _ => Err(FieldError { path: String::new(), problem: Problem::Type("a JSON object") }),
    }
}

impl Order {
    /// Parses `arrived`.
    pub(super) fn read(model: Model, arrived: Arrived) -> Result<Self, Error> {
        let mut fields = body(arrived)?;
        let said = Said::read(&mut fields)?;
        let mut config = match fields.object("generationConfig")? {
            Some(config) => config,
            None => Fields::of(Value::Object(serde_json::Map::new()), "generationConfig")?,
        };
        let modalities = modalities(&mut config)?;
        let size = size(&mut config, model, &said.pictures)?;
        let thoughts = thoughts(&mut config, model)?;
        check_sampling(&mut config)?;
        config.end()?;
        for anything in ["safetySettings", "tools", "toolConfig", "cachedContent"] {
            fields.take(anything);
        }
        if let Some(mut instruction) = fields.object("systemInstruction")? {
            instruction.text("role")?;
            instruction.list("parts")?;
            instruction.end()?;
        }
        fields.end()?;
        let wanted = Wanted {
            provider: NAME,
            seed: picture::seed(&said.text, &said.pictures),
            prompt: said.text,
            count: usize::from(modalities.image),
            size,
            kind: Kind::Picture(Format::Png),
        };
        Ok(Self { model, wanted, modalities, thoughts, inputs: said.pictures.len() })
    }
}

/// The text and images of all turns.
struct Said {
    text: String,
    pictures: Vec<Bytes>,
}

impl Said {
    fn read(fields: &mut Fields) -> Result<Self, Error> {
        let contents = fields.list("contents")?.unwrap_or_default();
        if contents.is_empty() {
            let message = "* GenerateContentRequest.contents: contents is not specified\n";
            return Err(Error::invalid(message));
        }
        let mut texts = Vec::new();
        let mut pictures = Vec::new();
        for (index, content) in contents.into_iter().enumerate() {
            let mut content = Fields::of(content, format!("contents[{index}]"))?;
            content.one_of("role", &["user", "model"])?;
            let path = content.path("parts");
            for (index, part) in content.list("parts")?.unwrap_or_default().into_iter().enumerate()
            {
                let mut part = Fields::of(part, format!("{path}[{index}]"))?;
                texts.extend(part.text("text")?);
                pictures.extend(part.object("inlineData")?.map(inline).transpose()?);
                part.flag("thought")?;
                part.text("thoughtSignature")?;
                part.end()?;
            }
            content.end()?;
        }
        if texts.is_empty() && pictures.is_empty() {
            let message = "* GenerateContentRequest.contents: contents.parts must not be empty.\n";
            return Err(Error::invalid(message));
        }
        if pictures.len() > INPUTS_MAX {
            return Err(Error::invalid(format!("Please use at most {INPUTS_MAX} images.")));
        }
        Ok(Self { text: texts.join("\n"), pictures })
    }
}

fn inline(mut data: Fields) -> Result<Bytes, Error> {
    let media_type = data.required_text("mimeType")?;
    if !MEDIA_TYPES.contains(&media_type.as_str()) {
        return Err(Error::invalid(format!("Unsupported MIME type: {media_type}")));
    }
    let text = data.required_text("data")?;
    let wrong = FieldError::value(data.path("data"), "base64");
    data.end()?;
    let bytes = base64(&text).ok_or(wrong)?;
    // HEIC is accepted without a check, because nothing here can read it.
    let is_picture = media_type.starts_with("image/hei") || sniff(&bytes).is_some();
    if is_picture { Ok(bytes.into()) } else { Err(Error::not_a_picture()) }
}

/// Decodes base64 in either alphabet. Google's Python client uses the URL-safe one.
pub(super) fn base64(text: &str) -> Option<Vec<u8>> {
    let usual = base64_simd::STANDARD.decode_to_vec(text);
    usual.or_else(|_| base64_simd::URL_SAFE.decode_to_vec(text)).ok()
}

fn modalities(config: &mut Fields) -> Result<Modalities, Error> {
    let Some(listed) = config.list("responseModalities")? else {
        return Ok(Modalities { text: true, image: true });
    };
    let mut modalities = Modalities { text: false, image: false };
    for modality in &listed {
        match modality.as_str().unwrap_or_default().to_ascii_uppercase().as_str() {
            "TEXT" => modalities.text = true,
            "IMAGE" => modalities.image = true,
            _ => {
                let path = config.path("responseModalities");
                return Err(FieldError::value(path, "TEXT or IMAGE").into());
            }
        }
    }
    Ok(modalities)
}

/// Width and height: as requested, or in the shape of the last image, or a square.
fn size(config: &mut Fields, model: Model, inputs: &[Bytes]) -> Result<(u32, u32), Error> {
    let last = inputs.last().and_then(|last| sniff(last));
    let own = last.map_or((1024, 1024), |last| frame::like((last.width, last.height)));
    let Some(mut image) = config.object("imageConfig")? else { return Ok(own) };
    let shape = match image.text("aspectRatio")? {
        None => own,
        Some(name) => frame::of_shape(model.family, &name).ok_or_else(|| {
            FieldError::value(image.path("aspectRatio"), format!("one that {} makes", model.name))
        })?,
    };
    let size = match (image.text("imageSize")?, model.family.sizes()) {
        (None, _) => "1K".to_owned(),
        (Some(_), []) => {
            return Err(Error::invalid("Image size is not supported for this model."));
        }
        (Some(size), sizes) if sizes.contains(&size.as_str()) => size,
        (Some(_), sizes) => {
            let right = format!("one of {}", sizes.join(", "));
            return Err(FieldError::value(image.path("imageSize"), right).into());
        }
    };
    image.end()?;
    Ok(frame::scaled(shape, &size))
}

fn thoughts(config: &mut Fields, model: Model) -> Result<bool, Error> {
    let Some(mut thinking) = config.object("thinkingConfig")? else { return Ok(false) };
    if !model.family.thinks() {
        return Err(Error::invalid("Thinking is not supported for this model."));
    }
    thinking.one_of("thinkingLevel", &["MINIMAL", "LOW", "MEDIUM", "HIGH"])?;
    thinking.whole("thinkingBudget", -1..=32_768)?;
    let thoughts = thinking.flag("includeThoughts")?.unwrap_or(false);
    thinking.end()?;
    Ok(thoughts)
}

fn check_sampling(config: &mut Fields) -> Result<(), Error> {
    if config.whole("candidateCount", 1..=8)?.is_some_and(|count| count > 1) {
        return Err(Error::invalid("Multiple candidates is not enabled for this model"));
    }
    config.number("temperature", 0.0..=2.0)?;
    config.number("topP", 0.0..=1.0)?;
    config.number("topK", 1.0..=1000.0)?;
    config.whole("seed", i64::from(i32::MIN)..=i64::from(i32::MAX))?;
    config.whole("maxOutputTokens", 1..=65_536)?;
    config.list("stopSequences")?;
    config.one_of("responseMimeType", &["text/plain"])?;
    config.text("mediaResolution")?;
    Ok(())
}
