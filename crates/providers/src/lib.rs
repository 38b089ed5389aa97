//! Who performs an edit: one trait, one registry, and the only sockets that go out.
//!
//! Reading order: [`Provider`] (what every provider does), [`Providers`] (which one serves a
//! model), [`built_in`] (the editor that needs no network), [`inputs`] and [`fetch`] (how input
//! pictures are had), [`workshop`] (where pixels are worked on), [`payments`] (who
//! takes money for plans), [`mail`] (who takes letters), [`identity`] (who vouches for people) and
//! [`collector`] (who takes traces): what else only this crate may call out for.

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
