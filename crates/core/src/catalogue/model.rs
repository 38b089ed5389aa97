//! A model: what it takes, what it costs, and who performs it.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{MicroDollars, Quality};
use crate::image::AspectRatio;
use crate::{Credits, Kind};

/// One model of the catalogue.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// The name that requests and responses use.
    pub id: String,
    /// A few words for a person.
    pub label: String,
    /// Other names that requests may use; responses say `id`.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// What it makes: pictures (out of pictures, out of words) or videos, not both, since they
    /// have different prices.
    #[serde(default = "pictures")]
    pub kinds: Vec<Kind>,
    /// Most input images in one request; none where it works from words alone.
    pub max_input_images: usize,
    /// Output images of one call; a larger `n` is clamped to it.
    pub outputs_per_call: u32,
    /// Aspect ratios that a request may ask for; empty where the provider alone decides.
    pub aspect_ratios: Vec<AspectRatio>,
    /// How long a video may be, in seconds; the first is the default. Empty where it makes
    /// pictures.
    #[serde(default)]
    pub durations_seconds: Vec<u32>,
    /// Price of one image or video.
    pub credits: Credits,
    /// Prices of qualities that cost something else than `credits`; empty where the model does
    /// not price quality.
    #[serde(default)]
    pub quality_credits: BTreeMap<Quality, Credits>,
    /// Who performs it, in order of preference.
    #[serde(default)]
    pub routes: Vec<Route>,
}

/// A provider, and what it calls the model.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Route {
    /// The provider's name in the configuration.
    pub provider: String,
    /// The provider's own name of the model.
    pub model: String,
    /// What it is asked for; empty: everything that the model does.
    #[serde(default)]
    pub kinds: Vec<Kind>,
    /// What the provider takes for one result, in US dollars, as far as the operator knows.
    #[serde(default)]
    pub cost_usd: Option<MicroDollars>,
}

impl Route {
    /// Whether it is asked for `kind`.
    pub fn does(&self, kind: Kind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }
}

impl Model {
    /// Whether `name` is this model's id or one of its aliases.
    pub fn answers_to(&self, name: &str) -> bool {
        self.id == name || self.aliases.iter().any(|alias| alias == name)
    }

    /// Whether it makes `kind`.
    pub fn does(&self, kind: Kind) -> bool {
        self.kinds.contains(&kind)
    }

    /// Price of one call at `quality`.
    pub fn price(&self, quality: Option<Quality>) -> Credits {
        let priced = quality.and_then(|quality| self.quality_credits.get(&quality));
        priced.copied().unwrap_or(self.credits)
    }

    /// Whether a size may have any shape when no aspect ratio is asked for.
    pub fn takes_any_shape(&self) -> bool {
        self.aspect_ratios.is_empty() || self.aspect_ratios.contains(&AspectRatio::Auto)
    }

    /// The allowed aspect ratios, for a message: `auto, 1:1`.
    pub fn ratio_names(&self) -> String {
        let names: Vec<String> = self.aspect_ratios.iter().map(ToString::to_string).collect();
        names.join(", ")
    }
}

/// What a model makes that does not say so.
fn pictures() -> Vec<Kind> {
    vec![Kind::ImageEdit, Kind::TextToImage]
}
