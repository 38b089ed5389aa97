//! Replays inputs for the fuzz targets about passkeys: the official test vectors, the files in
//! `inputs`, which has a folder for each target, and changed copies of all of them.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a failed precondition fails the test and names the input"
)]

mod assertion;
mod attestation;
/// Compiled here, because the server's own allocator does not count.
#[path = "../../src/auth"]
#[expect(unreachable_pub, reason = "these are public items of the server")]
mod auth {
    pub mod passkey;
}
#[path = "../../../engine/tests/memory/counting.rs"]
mod counting;
#[path = "../../../outbound/tests/found/replay.rs"]
mod replay;
#[path = "../auth/passkey/vectors.rs"]
mod vectors;

use counting::Counting;
use replay::replay;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One test, because the allocator's counters belong to the process.
#[test]
fn passkeys_from_outside_break_nothing() {
    let vectors = vectors::all();
    let attestations = vectors.iter().map(|it| it.part("create.attestation").to_vec());
    let assertions = vectors.iter().flat_map(|it| {
        let data = [b"\n", it.part("get.authenticator_data")].concat();
        ["create.client_data", "get.client_data"].map(|key| [it.part(key), &data].concat())
    });
    replay("attestation", attestation::check, attestations.collect());
    replay("assertion", assertion::check, assertions.collect());
}
