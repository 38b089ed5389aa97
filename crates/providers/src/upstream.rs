//! Providers behind HTTP: what they all have in common, and what each provider's protocol must
//! define.
//!
//! Reading order: [`Dialect`] (a protocol as pure functions), [`Order`] (what it is asked for),
//! [`Call`] and [`Answer`] (what goes over the wire), [`Step`] and [`Fault`] (what a response
//! means), and [`shape`], [`text`] and [`warnings`] (what several protocols have in common).
//! [`Upstream`] is the [`Provider`](crate::Provider) that runs a dialect with its client, behind
//! a [`Gate`].

mod base64;
mod dialect;
mod driver;
mod fault;
mod gate;
mod image_preparer;
mod outcome_guard;
mod poll;
mod results;
pub mod shape;
pub mod text;
pub mod warnings;

pub use base64::Base64;
pub use dialect::{Dialect, Order, Picture, PictureRules, Submission};
pub(crate) use dialect::{pixels_max, short_px};
pub use driver::{Shared, Upstream, UpstreamParts};
pub use fault::{Artefact, Fault, Harvest, Meaning, Step, Ticket};
pub use gate::{Advice, Gate, GateLimits, NoTurn};
// What a dialect is written with.
pub use retouch_outbound::client::{Answer, Auth, Body, Call, CallUrl, Part, PartContent};
