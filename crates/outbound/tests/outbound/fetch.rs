//! Fetching from real servers on loopback, most of which misbehave.

mod answers;
mod documents;
mod encryption;
mod names;
mod posts;
mod redirects;
mod support;
mod texts;
