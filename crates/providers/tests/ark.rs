//! Requests to Ark, and how its responses are read.

#![expect(clippy::expect_used, clippy::panic, reason = "a failed precondition fails the test")]

#[path = "orders/order.rs"]
mod order;
#[path = "orders/shown.rs"]
mod shown;

#[path = "ark/answers.rs"]
mod answers;
#[path = "ark/pictures.rs"]
mod pictures;
#[path = "ark/videos.rs"]
mod videos;
