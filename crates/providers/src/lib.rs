//! Providers of edits: services behind an API, servers that operators run themselves, and the
//! built-in editor.
//!
//! Reading order: [`Provider`] (what every provider does), [`Providers`] (which provider serves a
//! model), [`built_in`] (the editor that needs no network), [`upstream`] (any provider behind
//! HTTP), [`kinds`] (the list of those), [`reader`] (a language model that reads what the built-in
//! editor refuses), [`inputs`] (how input images are loaded), and [`workshop`]
//! (where pixels are processed). The HTTP client and the rules for callers' URLs are in
//! `retouch-outbound`.

pub mod ark;
pub mod built_in;
pub mod comfyui;
pub mod dashscope;
mod error;
pub mod gemini;
pub mod inputs;
pub mod kinds;
pub mod openai;
mod provider;
pub mod queue;
pub mod reader;
pub mod recent;
mod registry;
pub mod routes;
pub mod turns;
pub mod upstream;
pub mod workshop;

pub use error::{InputError, InputProblem, ProviderError, Refused, RefusedKind};
pub use provider::{Health, Job, Journal, Media, Output, Provider, Reading, Task, Usage, Wish};
pub use registry::{Providers, Serving};
