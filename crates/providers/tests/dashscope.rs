//! Requests to DashScope, and how its responses are read.

#![expect(clippy::expect_used, clippy::panic, reason = "a failed precondition fails the test")]

#[path = "orders/order.rs"]
mod order;
#[path = "orders/shown.rs"]
mod shown;

#[path = "dashscope/answers.rs"]
mod answers;
#[path = "dashscope/pictures.rs"]
mod pictures;
#[path = "dashscope/videos.rs"]
mod videos;
