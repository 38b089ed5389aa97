//! The models, their limits and their prices: data that an operator may replace.
//!
//! One table feeds validation, price, routing, `GET /api/models` and the documents. A new model
//! or another price touches no Rust.

mod check;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::Credits;
use crate::image::AspectRatio;

/// The catalogue that stands in the repository, used where the operator names no other.
pub const EMBEDDED: &str = include_str!("../../../models.toml");

/// Everything that is for sale.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    /// The model of a request that names none.
    pub default_model: String,
    /// The general maximum of input images in a request; no model may have more.
    pub max_input_images: usize,
    /// What a new account is given, once.
    pub sign_up_credits: Credits,
    /// The models, in the order in which they are shown.
    pub models: Vec<Arc<Model>>,
    /// The plans, in the order in which they are shown.
    pub plans: Vec<Plan>,
}

/// One model of the requirement's table.
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
    /// Most input images in one request.
    pub max_input_images: usize,
    /// Output images of one call; a larger `n` is clamped to it.
    pub outputs_per_call: u32,
    /// Aspect ratios that a request may ask for; empty where the provider alone decides.
    pub aspect_ratios: Vec<AspectRatio>,
    /// Price of one image.
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Route {
    /// The provider's name in the configuration.
    pub provider: String,
    /// The provider's own name of the model.
    pub model: String,
}

/// How much care a provider shall take; only some models price it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Quality {
    /// Quick and plain.
    Low,
    /// In between.
    Medium,
    /// The best that the model can do.
    High,
    /// As the provider sees fit.
    Auto,
}

impl Quality {
    /// The quality as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Auto => "auto",
        }
    }
}

/// A plan that adds credits every month.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The name that requests use.
    pub id: String,
    /// The name that people read.
    pub name: String,
    /// Credits that are added each month.
    pub credits_per_month: Credits,
    /// Price of a month in US dollars, as a decimal number in a string.
    pub price_usd: String,
}

/// Why a catalogue cannot be used.
#[derive(Debug, Error)]
pub enum CatalogueError {
    /// It is not TOML of the right form; the message says where.
    #[error("{0}")]
    Form(#[from] toml::de::Error),
    /// It contradicts itself.
    #[error("{0}")]
    Content(String),
}

impl Catalogue {
    /// Reads a catalogue and checks that it agrees with itself.
    pub fn parse(text: &str) -> Result<Self, CatalogueError> {
        let catalogue: Self = toml::from_str(text)?;
        check::check(&catalogue)?;
        Ok(catalogue)
    }

    /// The model that goes by `name`, an alias included.
    pub fn find_model(&self, name: &str) -> Option<&Arc<Model>> {
        self.models.iter().find(|model| model.answers_to(name))
    }

    /// The model ids, for a message: `a, b, c`.
    pub fn model_names(&self) -> String {
        let names: Vec<&str> = self.models.iter().map(|model| model.id.as_str()).collect();
        names.join(", ")
    }
}

impl Model {
    /// Whether `name` is this model's id or one of its aliases.
    pub fn answers_to(&self, name: &str) -> bool {
        self.id == name || self.aliases.iter().any(|alias| alias == name)
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
