//! Parses the fields of both calls strictly.

use bytes::Bytes;

use super::errors::Error;
use super::flavour::Flavour;
use super::models::{Generation, find};
use crate::delivery::{Kind, Wanted};
use crate::fields::{FieldError, Fields, Problem};
use crate::picture::{self, Format, sniff};

const PROMPT_CHARS_MAX: usize = 32_000;
const INPUTS_MAX: usize = 16;
const INPUT_BYTES_MAX: usize = 50_000_000;
/// Longest side of the second generation's sizes, in pixels.
const LONGEST_SIDE_PX: u32 = 3840;
const SHORTEST_SIDE_PX: u32 = 16;
const FIXED_SIZES: [&str; 4] = ["auto", "1024x1024", "1536x1024", "1024x1536"];

/// An order.
#[derive(Debug)]
pub(super) struct Order {
    /// The images to make.
    pub(super) wanted: Wanted,
    /// As requested, or the default.
    pub(super) quality: String,
    /// As requested, or the default.
    pub(super) background: String,
    /// Whether the answer is a stream of events.
    pub(super) stream: bool,
    /// The number of partial images before the finished one.
    pub(super) partial_images: usize,
    /// The number of input images.
    pub(super) inputs: usize,
}

impl Order {
    /// Parses the fields that both calls have. The call has already taken its own fields.
    pub(super) fn read(
        mut fields: Fields,
        inputs: &[Bytes],
        flavour: Flavour,
    ) -> Result<Self, Error> {
        let model = fields.required_text("model")?;
        let generation = find(&model, flavour)?;
        let prompt = prompt(&mut fields)?;
        if fields.take("response_format").is_some() {
            return Err(
                FieldError { path: "response_format".into(), problem: Problem::Unknown }.into()
            );
        }
        let size = size(&mut fields, generation, inputs)?;
        let (format, background) = form(&mut fields)?;
        let quality = fields.one_of("quality", qualities(generation))?;
        let count = fields.whole("n", 1..=10)?.unwrap_or(1);
        let stream = fields.flag("stream")?.unwrap_or(false);
        let partial_images = fields.whole("partial_images", 0..=3)?.unwrap_or(0);
        for tag in ["user", "safety_identifier"] {
            fields.text(tag)?;
        }
        fields.end()?;
        let wanted = Wanted {
            provider: flavour.name(),
            seed: picture::seed(&prompt, inputs),
            prompt,
            count: usize::try_from(count).unwrap_or(1),
            size,
            kind: Kind::Picture(format),
        };
        Ok(Self {
            wanted,
            quality: quality.filter(|quality| quality != "auto").unwrap_or("medium".into()),
            background,
            stream,
            partial_images: usize::try_from(partial_images).unwrap_or(0),
            inputs: inputs.len(),
        })
    }
}

/// Checks the number, the size and the format of input images.
pub(super) fn check_inputs(inputs: &[Bytes]) -> Result<(), Error> {
    if inputs.is_empty() {
        return Err(FieldError::missing("image").into());
    }
    if inputs.len() > INPUTS_MAX {
        return Err(FieldError::value("image", format!("at most {INPUTS_MAX} images")).into());
    }
    if inputs.iter().any(|input| input.len() >= INPUT_BYTES_MAX) {
        return Err(FieldError::value("image", "less than 50MB").into());
    }
    let all = inputs.iter().all(|input| sniff(input).is_some());
    if all { Ok(()) } else { Err(Error::not_a_picture("image")) }
}

fn prompt(fields: &mut Fields) -> Result<String, FieldError> {
    let prompt = fields.required_text("prompt")?;
    if prompt.chars().count() > PROMPT_CHARS_MAX {
        return Err(FieldError::value("prompt", format!("at most {PROMPT_CHARS_MAX} characters")));
    }
    Ok(prompt)
}

fn qualities(generation: Generation) -> &'static [&'static str] {
    match generation {
        Generation::TwoAndAHalf => &["auto", "low", "medium", "high", "xhigh", "max"],
        _ => &["auto", "low", "medium", "high"],
    }
}

/// The format of the files, and the background.
fn form(fields: &mut Fields) -> Result<(Format, String), FieldError> {
    let format = fields.one_of("output_format", &["png", "jpeg", "webp"])?;
    let format = format.and_then(|name| Format::named(&name)).unwrap_or(Format::Png);
    let compression = fields.whole("output_compression", 0..=100)?;
    if compression.is_some_and(|compression| compression < 100) && format == Format::Png {
        return Err(FieldError::value("output_compression", "100 for png"));
    }
    let background = fields.one_of("background", &["auto", "transparent", "opaque"])?;
    let background = background.filter(|background| background != "auto");
    if background.as_deref() == Some("transparent") && format == Format::Jpeg {
        return Err(FieldError::value("background", "opaque for jpeg"));
    }
    Ok((format, background.unwrap_or("opaque".into())))
}

/// The size in pixels. `auto` follows the shape of the first input.
fn size(
    fields: &mut Fields,
    generation: Generation,
    inputs: &[Bytes],
) -> Result<(u32, u32), FieldError> {
    let asked = if generation >= Generation::Two {
        fields.text("size")?
    } else {
        fields.one_of("size", &FIXED_SIZES)?
    };
    match asked.as_deref() {
        None | Some("auto") => Ok(automatic(inputs)),
        Some(text) => any_size(text).ok_or_else(|| {
            let right = "WIDTHxHEIGHT with both divisible by 16, a ratio of 1:3 to 3:1 and no \
                         side above 3840";
            FieldError::value("size", right)
        }),
    }
}

fn automatic(inputs: &[Bytes]) -> (u32, u32) {
    match inputs.first().and_then(|first| sniff(first)) {
        Some(first) if first.width > first.height => (1536, 1024),
        Some(first) if first.width < first.height => (1024, 1536),
        _ => (1024, 1024),
    }
}

fn any_size(text: &str) -> Option<(u32, u32)> {
    let (width, height) = text.split_once('x')?;
    let (width, height): (u32, u32) = (width.parse().ok()?, height.parse().ok()?);
    let fits =
        |side: u32| side.is_multiple_of(16) && (SHORTEST_SIDE_PX..=LONGEST_SIDE_PX).contains(&side);
    let narrow = width > 3 * height || height > 3 * width;
    (fits(width) && fits(height) && !narrow).then_some((width, height))
}
