//! Stand-ins for the vendors' servers: real HTTP, strict about what they are asked, and able to
//! fail in every way that a vendor can. They share no code with the crates that they test, so
//! that an adapter and its stand-in cannot share a mistake.
//!
//! Each protocol is one module with a `router`, listed in `protocols`. Everything that is not a
//! vendor's own is here: faults (`faults`), tasks, pictures, strict readers (`check`), records.

mod ark;
mod arrived;
mod bfl;
mod check;
mod comfyui;
mod control;
mod counts;
mod dashscope;
mod delivery;
mod fal;
mod fault;
mod faults;
mod files;
mod gemini;
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
mod spoil;
mod stripe;
mod tasks;
mod wire;
mod world;

pub use fault::{Call, Fault, FaultName};
pub use options::Options;
pub use protocols::names;
pub use server::Sim;
