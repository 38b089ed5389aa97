//! A model: what it accepts, what it costs, and which providers serve it.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Day, MicroDollars, Quality, Resolution, SizeClass, Tier, TierEntry};
use crate::image::{AspectRatio, Size};
use crate::{Credits, Kind, Timestamp};

/// One model of the catalogue.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// The name that requests and responses use.
    pub id: String,
    /// A short name shown to people.
    pub label: String,
    /// Other names that requests may use. Responses always use `id`.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The names of OpenAI's models that requests to `/v1` may use for it.
    #[serde(default)]
    pub aliases_openai: Vec<String>,
    /// What it makes: images (from images or from text) or videos. Not both, because their prices
    /// differ.
    #[serde(default = "pictures")]
    pub kinds: Vec<Kind>,
    /// The maximum number of input images in one request; 0 if it only works from text.
    pub max_input_images: usize,
    /// The number of images that one call returns. A larger `n` is lowered to it.
    pub outputs_per_call: u32,
    /// The aspect ratios that requests may choose; empty if the provider decides.
    pub aspect_ratios: Vec<AspectRatio>,
    /// The default length of a video, in seconds. None if the model creates images.
    #[serde(default)]
    pub seconds: Option<u32>,
    /// The default resolution of a video; 720p if the catalogue has none.
    #[serde(default)]
    pub resolution: Option<Resolution>,
    /// The size class of images in a default call; 1K if the catalogue has none.
    #[serde(default)]
    pub size: Option<SizeClass>,
    /// The price of a default call: medium quality, with the size, length and resolution above.
    pub credits: Credits,
    /// The prices of other tiers.
    #[serde(default)]
    pub tiers: Vec<TierEntry>,
    /// The providers that serve the model, in order of preference.
    #[serde(default)]
    pub routes: Vec<Route>,
}

/// A provider that serves a model.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Route {
    /// The provider's name in the configuration.
    pub provider: String,
    /// The provider's name for the model.
    pub model: String,
    /// The kinds of calls that use this route. Empty for everything that the model supports.
    #[serde(default)]
    pub kinds: Vec<Kind>,
    /// What the provider charges for the result of a default call, in US dollars. None if unknown.
    #[serde(default)]
    pub cost_usd: Option<MicroDollars>,
    /// What it charges in addition for each input image.
    #[serde(default)]
    pub input_usd: MicroDollars,
    /// What it charges for other tiers of the model.
    #[serde(default)]
    pub tiers: Vec<TierEntry>,
    /// The day from which the provider no longer offers the model.
    #[serde(default)]
    pub ends: Option<Day>,
}

impl Route {
    /// Whether calls of `kind` use this route.
    pub fn does(&self, kind: Kind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }

    /// Whether the provider has stopped offering the model at `now`.
    pub fn has_ended(&self, now: Timestamp) -> bool {
        self.ends.is_some_and(|day| day.has_come(now))
    }

    /// What the provider charges for a call of `tier` with this number of input images. None if
    /// unknown. `model` must be the model of the route.
    pub fn cost(&self, model: &Model, tier: Tier, inputs: usize) -> Option<MicroDollars> {
        let default = model.default_tier();
        let priced = self.tiers.iter().find(|entry| entry.tier(default) == tier);
        let result = match priced {
            Some(entry) => entry.cost_usd?,
            None => self.cost_usd.filter(|_| tier == default)?,
        };
        let inputs = u64::try_from(inputs).unwrap_or(u64::MAX);
        Some(MicroDollars(result.0.saturating_add(self.input_usd.0.saturating_mul(inputs))))
    }
}

impl Model {
    /// Whether `name` is this model's id or one of its aliases.
    pub fn answers_to(&self, name: &str) -> bool {
        self.id == name || self.aliases.iter().any(|alias| alias == name)
    }

    /// Whether it supports `kind`.
    pub fn does(&self, kind: Kind) -> bool {
        self.kinds.contains(&kind)
    }

    /// The route to this model of this provider.
    pub fn find_route(&self, provider: &str, provider_model: &str) -> Option<&Route> {
        let is_meant = |route: &&Route| route.provider == provider && route.model == provider_model;
        self.routes.iter().find(is_meant)
    }

    /// The tier of a call that names no options.
    pub fn default_tier(&self) -> Tier {
        let is_video = self.does(Kind::Video);
        Tier {
            quality: Quality::Medium,
            size: (!is_video).then(|| self.size.unwrap_or_default()),
            resolution: is_video.then(|| self.resolution.unwrap_or_default()),
            seconds: self.seconds,
        }
    }

    /// All tiers that the model offers, with their prices. The default tier is first.
    pub fn offers(&self) -> Vec<(Tier, Credits)> {
        let default = self.default_tier();
        let others = self.tiers.iter().filter_map(|one| Some((one.tier(default), one.credits?)));
        std::iter::once((default, self.credits)).chain(others).collect()
    }

    /// The price of a call of `tier`. None if the model does not offer it.
    pub fn price(&self, tier: Tier) -> Option<Credits> {
        self.offers().into_iter().find(|(offered, _)| *offered == tier).map(|(_, price)| price)
    }

    /// Whether any of its tiers has this quality.
    pub fn has_quality(&self, quality: Quality) -> bool {
        self.offers().iter().any(|(tier, _)| tier.quality == quality)
    }

    /// The tier of a call: the smallest offered one that covers `size`. If there is none, the tier
    /// of `size` itself, which has no price.
    pub fn tier(&self, quality: Quality, size: Option<Size>, seconds: Option<u32>) -> Tier {
        let default = self.default_tier();
        let asked = Tier { quality, seconds: seconds.or(default.seconds), ..default };
        let Some(size) = size else { return asked };
        let pixels = u64::from(size.width()) * u64::from(size.height());
        let alike = |tier: &Tier| (tier.quality, tier.seconds) == (asked.quality, asked.seconds);
        let class = default.size.map(|_| SizeClass::of_pixels(pixels));
        let resolution = default.resolution.map(|_| Resolution::of_pixels(pixels));
        let offers = self.offers().into_iter().map(|(tier, _)| tier);
        let serving = offers
            .filter(|tier| alike(tier) && tier.size >= class && tier.resolution >= resolution)
            .min_by_key(|tier| (tier.size, tier.resolution));
        serving.unwrap_or(Tier { size: class, resolution, ..asked })
    }

    /// The possible lengths of a video in seconds, the default first. Empty if the model creates
    /// images.
    pub fn durations_seconds(&self) -> Vec<u32> {
        let mut all = Vec::new();
        for seconds in self.offers().into_iter().filter_map(|(tier, _)| tier.seconds) {
            if !all.contains(&seconds) {
                all.push(seconds);
            }
        }
        all
    }

    /// The other qualities of an otherwise default call, with their prices.
    pub fn quality_credits(&self) -> BTreeMap<Quality, Credits> {
        let default = self.default_tier();
        let others = self.offers().into_iter().filter(|(tier, _)| {
            tier.quality != default.quality && *tier == Tier { quality: tier.quality, ..default }
        });
        others.map(|(tier, price)| (tier.quality, price)).collect()
    }

    /// All tiers with their prices, for messages.
    pub fn offer_names(&self) -> String {
        let offers = self.offers().into_iter();
        let names = offers.map(|(tier, price)| format!("{tier} ({price} credits)"));
        names.collect::<Vec<_>>().join("; ")
    }

    /// Whether a size can have any shape if the request has no aspect ratio.
    pub fn takes_any_shape(&self) -> bool {
        self.aspect_ratios.is_empty() || self.aspect_ratios.contains(&AspectRatio::Auto)
    }

    /// The allowed aspect ratios, for a message: `auto, 1:1`.
    pub fn ratio_names(&self) -> String {
        let names: Vec<String> = self.aspect_ratios.iter().map(ToString::to_string).collect();
        names.join(", ")
    }
}

/// The kinds of a model that doesn't list any.
fn pictures() -> Vec<Kind> {
    vec![Kind::ImageEdit, Kind::TextToImage]
}
