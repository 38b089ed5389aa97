//! The models, their limits and their prices, as data that an operator can replace.
//!
//! One table feeds validation, pricing, routing, `GET /api/models` and the documentation. Adding a
//! model or changing a price requires no Rust code.

mod check;
mod cost;
mod day;
mod loss;
mod model;
mod retention;
mod tier;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Credits, Kind, Timestamp};

pub use cost::{BadDollars, MicroDollars};
pub use day::Day;
pub use loss::Loss;
pub use model::{Model, Route};
pub use retention::Retention;
pub use tier::{Resolution, SizeClass, Tier, TierEntry};

/// The catalogue in the repository, used unless the operator configures another one.
pub const EMBEDDED: &str = include_str!("../../../models.toml");

/// All models and plans.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    /// The model of image requests that don't name one.
    pub default_model: String,
    /// The model of video requests that don't name one. Required if any model makes videos.
    #[serde(default)]
    pub default_video_model: Option<String>,
    /// The maximum number of input images in a request. No model may have more.
    pub max_input_images: usize,
    /// The credits that a new account gets, once.
    pub sign_up_credits: Credits,
    /// How many days the results of accounts without a plan are kept. None: as long as their
    /// generations.
    #[serde(default)]
    pub results_kept_days: Option<u32>,
    /// The models, in the order in which they are shown.
    pub models: Vec<Arc<Model>>,
    /// The plans, in the order in which they are shown.
    pub plans: Vec<Plan>,
}

/// The quality of a result. Requests that don't name one get medium; a model can set prices for
/// the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Quality {
    /// Fast, with the least detail.
    Low,
    /// The default.
    Medium,
    /// The best quality that the model offers.
    High,
}

impl Quality {
    /// The quality as written in requests.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// A plan that adds credits every month.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The ID that requests use.
    pub id: String,
    /// The name shown to customers.
    pub name: String,
    /// Credits added each month.
    pub credits_per_month: Credits,
    /// Price per month in US dollars, as a decimal number in a string.
    pub price_usd: String,
    /// What happens to unused credits when the next month begins.
    #[serde(default)]
    pub unused_credits: UnusedCredits,
    /// How many days results are kept. None: as long as their generations.
    #[serde(default)]
    pub results_kept_days: Option<u32>,
    /// Calls per minute that charge credits; 0 is no limit. None, here and below: the operator's
    /// setting for every account applies.
    #[serde(default)]
    pub calls_per_minute: Option<u32>,
    /// Calls per minute that fail without a charge; 0 is no limit.
    #[serde(default)]
    pub failures_per_minute: Option<u32>,
    /// Calls per minute that read; 0 is no limit.
    #[serde(default)]
    pub reads_per_minute: Option<u32>,
    /// Image edits that the account may run at the same time.
    #[serde(default)]
    pub edits_at_once_max: Option<u32>,
    /// Videos that the account may make at the same time.
    #[serde(default)]
    pub videos_at_once_max: Option<u32>,
}

/// What happens to a plan's unused credits at the end of their month.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UnusedCredits {
    /// They stay until they are used.
    #[default]
    Stay,
    /// They can no longer be used.
    Expire,
}

impl Plan {
    /// The moment from which credits of a month that ends at `month_end` can no longer be used.
    pub fn expiry(&self, month_end: Timestamp) -> Option<Timestamp> {
        (self.unused_credits == UnusedCredits::Expire).then_some(month_end)
    }
}

impl UnusedCredits {
    /// The value as written in the catalogue.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stay => "stay",
            Self::Expire => "expire",
        }
    }
}

/// Why a catalogue cannot be used.
#[derive(Debug, Error)]
pub enum CatalogueError {
    /// It is not valid TOML, or a value is missing or has the wrong type. The message says where.
    #[error("{0}")]
    Form(#[from] toml::de::Error),
    /// Its values contradict each other.
    #[error("{0}")]
    Content(String),
}

impl Catalogue {
    /// Parses a catalogue and checks that it is consistent.
    pub fn parse(text: &str) -> Result<Self, CatalogueError> {
        let catalogue: Self = toml::from_str(text)?;
        check::check(&catalogue)?;
        Ok(catalogue)
    }

    /// The model with this ID or alias.
    pub fn find_model(&self, name: &str) -> Option<&Arc<Model>> {
        self.models.iter().find(|model| model.answers_to(name))
    }

    /// The model that requests to `/v1` mean by this name.
    pub fn find_model_openai(&self, name: &str) -> Option<&Arc<Model>> {
        let is_meant = |model: &&Arc<Model>| {
            model.answers_to(name) || model.aliases_openai.iter().any(|alias| alias == name)
        };
        self.models.iter().find(is_meant)
    }

    /// The plan with this id.
    pub fn find_plan(&self, id: &str) -> Option<&Plan> {
        self.plans.iter().find(|plan| plan.id == id)
    }

    /// The default model for `kind`, for requests that don't name one. None if the catalogue has
    /// none.
    pub fn default_for(&self, kind: Kind) -> Option<&str> {
        match kind {
            Kind::ImageEdit | Kind::TextToImage => Some(&self.default_model),
            Kind::Video => self.default_video_model.as_deref(),
        }
    }

    /// The models that support `kind`, in the order in which they are shown.
    pub fn models_for(&self, kind: Kind) -> impl Iterator<Item = &Arc<Model>> {
        self.models.iter().filter(move |model| model.does(kind))
    }

    /// The IDs of the models that support `kind`, as a list for messages: `a, b, c`.
    pub fn model_names(&self, kind: Kind) -> String {
        let names: Vec<&str> = self.models_for(kind).map(|model| model.id.as_str()).collect();
        names.join(", ")
    }
}
