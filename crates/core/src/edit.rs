//! What a caller asks for: a [`Body`] as sent, and an [`Edit`] that is valid by construction.
//!
//! [`Catalogue::accept`](crate::catalogue::Catalogue::accept) is the only way from the one to the
//! other. Everything that the text of a request alone can show is decided here, before anybody
//! is charged and before any picture is fetched.

mod accept;
mod base64;
mod body;
mod draft;
mod fields;
mod json;
mod number;
mod output;
mod pictures;
mod rejected;
mod unknown;

use std::sync::Arc;

use bytes::Bytes;
use serde_json::Value;
use url::Url;

use crate::catalogue::{Model, Quality, Tier};
use crate::image::{AspectRatio, Size};
use crate::{Credits, Kind, Warning};

pub use body::Body;
pub use draft::{Draft, PICTURES_MAX, Task};
pub use rejected::{Reason, Rejected};

/// Most characters (Unicode scalar values) of an instruction, and of a negative prompt.
pub const TEXT_CHARS_MAX: usize = 800;
/// Most bytes of a plan, written as JSON.
pub const PLAN_BYTES_MAX: usize = 16 * 1024;
/// Most bytes of an address that is to be fetched.
pub const URL_BYTES_MAX: usize = 8 * 1024;

/// What an operator allows a request to carry.
#[derive(Clone, Copy, Debug)]
pub struct RequestLimits {
    /// Most bytes of one picture.
    pub picture_bytes_max: usize,
}

/// A request that can be done, as far as its text shows. Made by `Catalogue::accept` alone.
#[derive(Clone, Debug)]
pub struct Edit {
    /// What is to be made.
    pub kind: Kind,
    /// The model that was chosen, or the default.
    pub model: Arc<Model>,
    /// What to do, exactly as sent; empty where a plan says it.
    pub instruction: String,
    /// What to do as a plan of the built-in editor, in place of words.
    pub plan: Option<Value>,
    /// The pictures, in the order in which they count: at least one for an edit, none for a
    /// picture from words alone.
    pub pictures: Vec<PictureSource>,
    /// The shape to give the result; `Auto` where the picture or the provider decides.
    pub aspect_ratio: AspectRatio,
    /// The exact size to give the result.
    pub size: Option<Size>,
    /// How much care to take, where the request says so: one of the model's qualities.
    pub quality: Option<Quality>,
    /// Whether to leave a watermark.
    pub watermark: Option<bool>,
    /// What to keep out of the picture.
    pub negative_prompt: Option<String>,
    /// Whether the provider may rewrite the instruction.
    pub prompt_extend: Option<bool>,
    /// How long a video is to be, in seconds; set for videos only.
    pub duration_seconds: Option<u32>,
    /// Whether the request names that length. Else it is the model's usual one, and whoever reads
    /// the words may find another of the model's lengths in them.
    pub is_duration_asked: bool,
    /// What of the call decides its price and its cost.
    pub tier: Tier,
    /// What the call costs when it succeeds.
    pub price: Credits,
    /// What the caller should know about how the request was read.
    pub warnings: Vec<Warning>,
}

impl Edit {
    /// The price at a provider that charges the operator. The built-in editor costs nothing, and
    /// makes any size at the price of a default call.
    ///
    /// # Errors
    /// When the model has no price for what is asked for; it says what there is.
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

/// One input picture: its bytes, or where to find them.
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
    /// At an address with the scheme `http` or `https`.
    Address(Url),
}
