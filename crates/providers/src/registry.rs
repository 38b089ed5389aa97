//! Which providers serve a model.

use std::sync::{Arc, PoisonError, RwLock};

use retouch_core::catalogue::{MicroDollars, Model};
use retouch_core::edit::Edit;
use retouch_core::{Kind, Timestamp};

use crate::built_in;
use crate::provider::Provider;

/// The configured providers and the built-in editor.
pub struct Providers {
    configured: RwLock<Arc<[Arc<dyn Provider>]>>,
    built_in: Arc<dyn Provider>,
}

/// A provider chosen for a model.
#[derive(Clone)]
pub struct Serving {
    /// The provider.
    pub provider: Arc<dyn Provider>,
    /// The provider's name for the model. Empty for the built-in editor.
    pub model: String,
}

impl Serving {
    /// What the provider charges for `edit`: nothing for the built-in editor, otherwise what the
    /// catalogue says, if it does.
    pub fn cost(&self, edit: &Edit) -> Option<MicroDollars> {
        if self.provider.name() == built_in::NAME {
            return Some(MicroDollars(0));
        }
        let route = edit.model.find_route(self.provider.name(), &self.model)?;
        route.cost(&edit.model, edit.tier, edit.pictures.len())
    }
}

impl Providers {
    /// A registry of `configured` providers, with `built_in` for models that none of them serves.
    pub fn new(built_in: Arc<dyn Provider>, configured: Vec<Arc<dyn Provider>>) -> Self {
        Self { configured: RwLock::new(configured.into()), built_in }
    }

    /// Replaces the `configured` providers. Edits that run keep those that they were given.
    pub fn replace(&self, configured: Vec<Arc<dyn Provider>>) {
        *self.configured.write().unwrap_or_else(PoisonError::into_inner) = configured.into();
    }

    /// The providers that serve `model` for `kind` at `now`, in order of preference: its configured
    /// routes that have not ended, or else the built-in editor. Never empty.
    pub fn serving(&self, model: &Model, kind: Kind, now: Timestamp) -> Vec<Serving> {
        let configured = self.configured();
        let routes = model.routes.iter();
        let routes = routes.filter(|route| route.does(kind) && !route.has_ended(now));
        let routed = routes.filter_map(|route| {
            let provider = configured.iter().find(|one| one.name() == route.provider)?;
            Some(Serving { provider: Arc::clone(provider), model: route.model.clone() })
        });
        let routed: Vec<Serving> = routed.collect();
        if routed.is_empty() { vec![self.standing_in()] } else { routed }
    }

    /// The names of the providers that serve `model` for `kind` at `now`, in order and without
    /// duplicates.
    pub fn names(&self, model: &Model, kind: Kind, now: Timestamp) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for serving in self.serving(model, kind, now) {
            let name = serving.provider.name();
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        names
    }

    /// The provider with this name, which may be the built-in editor.
    pub fn find(&self, name: &str) -> Option<Arc<dyn Provider>> {
        let configured = self.configured();
        let mut all = configured.iter().chain([&self.built_in]);
        all.find(|provider| provider.name() == name).cloned()
    }

    /// How many calls wait for their turn at the configured providers.
    pub fn waiting(&self) -> usize {
        self.configured().iter().map(|provider| provider.waiting()).sum()
    }

    fn configured(&self) -> Arc<[Arc<dyn Provider>]> {
        Arc::clone(&self.configured.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn standing_in(&self) -> Serving {
        Serving { provider: Arc::clone(&self.built_in), model: String::new() }
    }
}
