//! The list of all protocols. New ones are registered only here.

use std::sync::Arc;

use axum::Router;

use crate::world::World;
use crate::{
    ark, bfl, chat, comfyui, dashscope, fal, gemini, oidc, openai, replicate, sdcpp, selfhosted,
    stripe,
};

/// A provider's protocol.
pub(crate) struct Protocol {
    /// The provider's name in faults, records and counts. Its routes are below `/NAME`.
    pub(crate) name: &'static str,
    /// What comes after `/NAME` in the base URL for clients.
    pub(crate) base: &'static str,
    /// Its routes, without `/NAME`.
    pub(crate) router: fn(Arc<World>) -> Router,
}

/// All protocols, in alphabetical order.
pub(crate) const PROTOCOLS: &[Protocol] = &[
    Protocol { name: "ark", base: "/api/v3", router: ark::router },
    Protocol { name: "azure", base: "", router: openai::azure },
    Protocol { name: "bfl", base: "/v1", router: bfl::router },
    Protocol { name: "chat", base: "/v1", router: chat::router },
    Protocol { name: "comfyui", base: "", router: comfyui::router },
    Protocol { name: "dashscope", base: "/api/v1", router: dashscope::router },
    Protocol { name: "fal", base: "", router: fal::router },
    Protocol { name: "gemini", base: "", router: gemini::router },
    Protocol { name: "oidc", base: "", router: oidc::router },
    Protocol { name: "openai", base: "/v1", router: openai::router },
    Protocol { name: "replicate", base: "/v1", router: replicate::router },
    Protocol { name: "sdcpp", base: "", router: sdcpp::router },
    Protocol { name: "sglang", base: "/v1", router: selfhosted::sglang },
    Protocol { name: "stripe", base: "", router: stripe::router },
    Protocol { name: "vllm", base: "/v1", router: selfhosted::vllm },
];

/// The names of all protocols, for [`Sim::url`](crate::Sim::url).
pub fn names() -> impl Iterator<Item = &'static str> {
    PROTOCOLS.iter().map(|protocol| protocol.name)
}
