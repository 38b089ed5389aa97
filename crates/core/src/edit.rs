//! What a caller asks for: a [`Body`] as sent, and an [`Edit`] that is valid by construction.
//!
//! [`Catalogue::accept`](crate::catalogue::Catalogue::accept) is the only way to turn one into the
//! other. It checks everything that can be checked in the text of a request, before anyone is
//! charged and before any image is fetched.

mod accept;
mod base64;
mod body;
mod draft;
mod estimate;
mod fields;
mod json;
mod number;
mod output;
mod pictures;
mod preview;
mod rejected;
mod rewording;
mod supplement;
mod unknown;
mod written;

use std::sync::Arc;

use bytes::Bytes;
use serde_json::Value;
use url::Url;

use crate::catalogue::{Model, Quality, Tier};
use crate::image::{AspectRatio, Background, Encoding, Size};
use crate::{Credits, Kind, Warning};

pub use body::Body;
pub use draft::{Draft, PICTURES_MAX, Task};
pub use preview::{PREVIEW_SIDE_PX_MAX, PreviewRequest};
pub use rejected::{Reason, Rejected};
pub use rewording::{RewordedSentence, Rewording};
pub use supplement::Supplement;
pub use written::{PictureReferences, Scalar};

/// The maximum length of an instruction or a negative prompt, in Unicode scalar values.
pub const TEXT_CHARS_MAX: usize = 800;
/// The maximum length of an instruction in protocols where a program may have written it, in Unicode
/// scalar values: that of the OpenAI Images API.
pub const LONG_TEXT_CHARS_MAX: usize = 32_000;
/// The maximum length of the file name of an input, in Unicode scalar values.
pub const INPUT_NAME_CHARS_MAX: usize = 255;
/// The maximum size of a plan as compact JSON, in bytes.
pub const PLAN_BYTES_MAX: usize = 16 * 1024;
/// The maximum length of an image URL, in bytes.
pub const URL_BYTES_MAX: usize = 8 * 1024;

/// The limits that the operator sets for requests.
#[derive(Clone, Copy, Debug)]
pub struct RequestLimits {
    /// The maximum size of one image, in bytes.
    pub image_bytes_max: usize,
}

/// A request that is valid as far as its text shows. Only `Catalogue::accept` creates it.
#[derive(Clone, Debug)]
pub struct Edit {
    /// What the call makes.
    pub kind: Kind,
    /// The requested model, or the default.
    pub model: Arc<Model>,
    /// What to do, exactly as sent. Empty if there is a plan.
    pub instruction: String,
    /// A plan of the built-in editor, which replaces the instruction.
    pub plan: Option<Value>,
    /// Whether only the built-in editor itself may read the instruction, without a language model.
    pub is_read_strictly: bool,
    /// How a language model reworded the instruction for the built-in editor, if it did.
    pub rewording: Option<Arc<Rewording>>,
    /// The input images, in the order in which instructions count them. An image edit has at least
    /// one, and text-to-image has none.
    pub pictures: Vec<PictureSource>,
    /// The mask of the first input: its transparent pixels are where the image may change.
    pub mask: Option<PictureSource>,
    /// The file name of the first input, without folders. Nothing depends on it.
    pub input_name: Option<String>,
    /// The aspect ratio of the result. With `Auto`, the input image or the provider decides.
    pub aspect_ratio: AspectRatio,
    /// The exact size of the result.
    pub size: Option<Size>,
    /// The quality, if the request names one. The model offers it.
    pub quality: Option<Quality>,
    /// Whether to add a watermark.
    pub watermark: Option<bool>,
    /// What to avoid in the image.
    pub negative_prompt: Option<String>,
    /// Whether the provider may rewrite the instruction.
    pub prompt_extend: Option<bool>,
    /// The background of the result, if the request asks for a certain one.
    pub background: Option<Background>,
    /// How the resulting image is encoded. Not used for videos.
    pub encoding: Encoding,
    /// Whether the request names the file format. If not, the instruction may.
    pub is_format_asked: bool,
    /// The length of the video, in seconds. Set only for videos.
    pub duration_seconds: Option<u32>,
    /// Whether the request names that length. If not, it is the model's default, and the
    /// instruction may still ask for another length that the model offers.
    pub is_duration_asked: bool,
    /// The properties of the call that decide its price and its cost.
    pub tier: Tier,
    /// What the call costs if it succeeds.
    pub price: Credits,
    /// What the caller should know about how the request was interpreted.
    pub warnings: Vec<Warning>,
}

impl Edit {
    /// The price at a provider that charges the operator. The built-in editor costs nothing and
    /// makes any size for the price of a default call.
    ///
    /// # Errors
    /// When the model has no price for this tier. The message lists what the model offers.
    pub fn provider_price(&self) -> Result<Credits, Rejected> {
        self.model.price(self.tier).ok_or_else(|| {
            let (id, tier, offers) = (&self.model.id, self.tier, self.model.offer_names());
            let (param, asked) = match self.size {
                Some(size) => ("size", format!("`size` {size} ({tier})")),
                None => ("quality", tier.to_string()),
            };
            let message = format!("{id} does not offer {asked}. It offers: {offers}.");
            Rejected::field(Reason::InvalidValue, param, message)
        })
    }
}

/// One input image: its bytes, or where to find them.
#[derive(Clone, Debug)]
pub struct PictureSource {
    /// The field that names it, such as `imageUrls[1]`.
    pub param: String,
    /// Where its bytes are.
    pub origin: Origin,
}

/// Where the bytes of an input are.
#[derive(Clone, Debug)]
pub enum Origin {
    /// In the request itself.
    Inline(Bytes),
    /// At a URL with the scheme `http` or `https`.
    Address(Url),
}
