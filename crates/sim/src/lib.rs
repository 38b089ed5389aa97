//! Simulators of the providers' servers. They speak real HTTP, check requests strictly, and can
//! fail in every way that a provider can. They share no code with the crates that they test, so an
//! adapter and its simulator cannot share a mistake.
//!
//! Each protocol is a module with a `router`, listed in `protocols`. What protocols have in common
//! is here: faults (`faults`), tasks, images, strict parsing (`fields`) and records.

mod ark;
mod arrived;
mod bfl;
mod chat;
mod comfyui;
mod control;
mod counts;
mod dashscope;
mod delivery;
mod fal;
mod fault;
mod faults;
mod fields;
mod files;
mod gemini;
mod network_faults;
mod oidc;
mod openai;
mod options;
mod picture;
mod protocols;
mod record;
mod replicate;
mod schema;
mod sdcpp;
mod selfhosted;
mod server;
mod stripe;
mod tasks;
mod wire;
mod world;

pub use fault::{Call, Fault, FaultName};
pub use options::Options;
pub use protocols::names;
pub use server::Sim;
