//! Which provider serves which model.

use std::sync::Arc;

use retouch_core::catalogue::Model;

use crate::provider::Provider;

/// The providers that are configured, and the built-in editor.
#[derive(Clone)]
pub struct Providers {
    configured: Vec<Arc<dyn Provider>>,
    built_in: Arc<dyn Provider>,
}

/// A provider chosen for a model.
#[derive(Clone)]
pub struct Serving {
    /// Who performs the edit.
    pub provider: Arc<dyn Provider>,
    /// What the provider calls the model; empty for the built-in editor.
    pub model: String,
}

impl Providers {
    /// A registry of `configured` providers, with `built_in` for models that none of them serves.
    pub fn new(built_in: Arc<dyn Provider>, configured: Vec<Arc<dyn Provider>>) -> Self {
        Self { configured, built_in }
    }

    /// Who serves `model` first: its first configured route, else the built-in editor.
    pub fn serving(&self, model: &Model) -> Serving {
        self.all_serving(model).into_iter().next().unwrap_or_else(|| self.standing_in())
    }

    /// The names of those who serve `model`, in order.
    pub fn names(&self, model: &Model) -> Vec<String> {
        self.all_serving(model).iter().map(|serving| serving.provider.name().to_owned()).collect()
    }

    fn all_serving(&self, model: &Model) -> Vec<Serving> {
        let routed = model.routes.iter().filter_map(|route| {
            let provider = self.configured.iter().find(|one| one.name() == route.provider)?;
            Some(Serving { provider: Arc::clone(provider), model: route.model.clone() })
        });
        let routed: Vec<Serving> = routed.collect();
        if routed.is_empty() { vec![self.standing_in()] } else { routed }
    }

    fn standing_in(&self) -> Serving {
        Serving { provider: Arc::clone(&self.built_in), model: String::new() }
    }
}
