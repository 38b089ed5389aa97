//! Providers of edits, and all outgoing network connections of the service.
//!
//! Reading order: [`Provider`] (what every provider does), [`Providers`] (which provider serves a
//! model), [`built_in`] (the editor that needs no network), [`inputs`] and [`fetch`] (how input
//! images are loaded), and [`workshop`] (where pixels are processed). The other modules are here
//! because only this crate opens outgoing connections: [`payments`], [`mail`], [`identity`]
//! (sign-in providers) and [`collector`] (traces).

pub mod address;
pub mod ark;
pub mod built_in;
pub mod collector;
pub mod comfyui;
pub mod dashscope;
mod error;
pub mod fetch;
pub mod gemini;
pub mod identity;
pub mod inputs;
pub mod mail;
pub mod openai;
pub mod payments;
mod provider;
pub mod queue;
mod registry;
pub mod routes;
pub mod stock;
mod tls;
pub mod turns;
pub mod upstream;
pub mod vendors;
pub mod workshop;

pub use error::{InputError, InputProblem, ProviderError, Refused, RefusedKind};
pub use provider::{Health, Job, Journal, Media, Output, Provider, Reading, Task, Usage};
pub use registry::{Providers, Serving};
