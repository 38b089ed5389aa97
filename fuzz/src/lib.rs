//! The checks of the fuzz targets. `crates/engine/tests/found`, `crates/outbound/tests/found` and
//! `crates/server/tests/found` run the same ones on inputs that were found.
//!
//! Passkeys and ID tokens are read by two modules of larger crates. They are compiled from their source
//! here, so that a fuzz target does not need a database, a web server and an HTTP client.

/// What `retouch_server::auth` has for passkeys.
#[path = "../../crates/server/src/auth"]
pub mod auth {
    pub mod passkey;
}
/// What `retouch_outbound::identity` has for ID tokens.
#[path = "../../crates/outbound/src/identity"]
pub mod identity {
    mod claims;
    mod signature;
    mod token_error;

    pub use claims::{Expected, VerifiedIdentity, check};
    pub use signature::{KeySet, verify};
    pub use token_error::TokenError;
}
#[path = "../../crates/server/tests/found/assertion.rs"]
mod assertions;
#[path = "../../crates/server/tests/found/attestation.rs"]
mod attestations;
#[path = "../../crates/engine/tests/memory/counting.rs"]
mod counting;
#[path = "../../crates/engine/tests/found/decode.rs"]
mod decoding;
#[path = "../../crates/engine/tests/found/execute.rs"]
mod executing;
#[path = "../../crates/engine/tests/found/input.rs"]
mod input;
#[path = "../../crates/engine/tests/found/read.rs"]
mod reading;
#[path = "../../crates/outbound/tests/found/token.rs"]
mod tokens;
#[path = "../../crates/server/tests/auth/passkey/vectors.rs"]
mod vectors;

use counting::Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Checks client data and authenticator data.
pub fn assertion(bytes: &[u8]) {
    assertions::check(bytes);
}

/// Checks bytes as an attestation object, and as a COSE key.
pub fn attestation(bytes: &[u8]) {
    attestations::check(bytes);
}

/// Checks bytes as an image or a video.
pub fn decode(bytes: &[u8]) {
    decoding::check(bytes);
}

/// Checks text as a plan, or as an instruction for one.
pub fn execute(bytes: &[u8]) {
    executing::check(bytes);
}

/// Checks text as an instruction.
pub fn read(bytes: &[u8]) {
    reading::check(bytes);
}

/// Checks an ID token with keys, and the same text as claims.
pub fn token(bytes: &[u8]) {
    tokens::check(bytes);
}
