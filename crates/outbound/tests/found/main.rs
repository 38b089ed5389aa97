//! Replays inputs for the fuzz target about ID tokens: the examples of the specifications, and what
//! fuzzers have found.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a failed precondition fails the test and names the input"
)]

#[path = "../../../engine/tests/memory/counting.rs"]
mod counting;
mod replay;
mod token;

use counting::Counting;
use replay::replay;
use retouch_outbound::identity;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The only test here, because the allocator's counters belong to the process.
#[test]
fn tokens_from_outside_break_nothing() {
    replay("token", token::check, Vec::new());
}
