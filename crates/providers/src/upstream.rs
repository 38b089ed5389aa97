//! Vendors behind HTTP: what is the same for all of them, and what a vendor's protocol has to say.
//!
//! Reading order: [`Dialect`] (a protocol, as pure functions), [`Order`] (what it is asked),
//! [`Call`] and [`Answer`] (what goes over the wire), [`Step`] and [`Fault`] (what an answer
//! means), then [`shape`] and [`words`] (what several protocols compute alike). [`Upstream`] is a
//! [`Provider`](crate::Provider) that drives a dialect over the one [`Client`], behind a [`Gate`].

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
pub mod words;

pub use answer::Answer;
pub use call::{Base64, Body, Call, Part, PartContent, Place};
pub use client::{Client, ClientError, ClientLimits, Door, TransportError};
pub use dialect::{Auth, Dialect, Order, Picture, PictureRules, Submission};
pub(crate) use dialect::{pixels_max, short_px};
pub use driver::{Shared, Upstream, UpstreamParts};
pub use fault::{Artefact, Fault, Harvest, Meaning, Step, Ticket};
pub use gate::{Advice, Gate, GateLimits, NoTurn};
pub use key::Key;
