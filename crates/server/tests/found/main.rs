//! Replays inputs for the fuzz targets about passkeys and ID tokens: the official test vectors, the
//! files in `inputs`, which has a folder for each target, and changed copies of all of them.

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
mod changes;
#[path = "../../../engine/tests/memory/counting.rs"]
mod counting;
mod token;
#[path = "../auth/passkey/vectors.rs"]
mod vectors;

use std::path::PathBuf;

use counting::Counting;
use retouch_outbound::identity;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Changed copies of each input.
const CHANGES: usize = 500;

/// One test, because the allocator's counters belong to the process.
#[test]
fn passkeys_and_tokens_from_outside_break_nothing() {
    let vectors = vectors::all();
    let attestations = vectors.iter().map(|it| it.part("create.attestation").to_vec());
    let assertions = vectors.iter().flat_map(|it| {
        let data = [b"\n", it.part("get.authenticator_data")].concat();
        ["create.client_data", "get.client_data"].map(|key| [it.part(key), &data].concat())
    });
    replay("attestation", attestation::check, attestations.collect());
    replay("assertion", assertion::check, assertions.collect());
    replay("token", token::check, Vec::new());
}

fn replay(target: &str, check: fn(&[u8]), mut inputs: Vec<Vec<u8>>) {
    let folder: PathBuf =
        [env!("CARGO_MANIFEST_DIR"), "tests", "found", "inputs", target].iter().collect();
    let files = std::fs::read_dir(folder).expect("there is a folder for each target");
    let mut paths: Vec<PathBuf> =
        files.map(|file| file.expect("the folder can be listed").path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{target} has inputs");
    for path in paths {
        println!("{}", path.display());
        inputs.push(std::fs::read(&path).expect("the input can be read"));
        check(&inputs[inputs.len() - 1]);
    }
    for (seed, input) in (0_u64..).zip(&inputs) {
        println!("{target}: changed copies of input {seed}");
        check(input);
        changes::of(input, seed, CHANGES).for_each(|changed| check(&changed));
    }
}
