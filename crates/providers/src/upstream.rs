//! Providers behind HTTP: what they all have in common, and what each provider's protocol must
//! define.
//!
//! Reading order: [`Dialect`] (a protocol as pure functions), [`Order`] (what it is asked for),
//! [`Call`] and [`Answer`] (what goes over the wire), [`Step`] and [`Fault`] (what a response
//! means), and [`shape`], [`text`] and [`warnings`] (what several protocols have in common).
//! [`Upstream`] is the [`Provider`](crate::Provider) that runs a dialect with its [`Client`], behind
//! a [`Gate`].

mod answer;
mod call;
mod client;
mod dialect;
mod driver;
mod fault;
mod gate;
mod key;
mod kitchen;
mod lesson;
mod poll;
mod results;
pub mod shape;
pub mod text;
pub mod warnings;

pub use answer::Answer;
pub use call::{Base64, Body, Call, Part, PartContent, Place};
pub use client::{Client, ClientError, ClientLimits, Door, TransportError};
pub use dialect::{Auth, Dialect, Order, Picture, PictureRules, Submission};
pub(crate) use dialect::{pixels_max, short_px};
pub use driver::{Shared, Upstream, UpstreamParts};
pub use fault::{Artefact, Fault, Harvest, Meaning, Step, Ticket};
pub use gate::{Advice, Gate, GateLimits, NoTurn};
pub use key::Key;
