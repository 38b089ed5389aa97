//! Randomness as a parameter: code that needs random bytes receives an [`Entropy`].

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use sha2::{Digest, Sha256};

/// A source of random bytes.
pub trait Entropy: Send + Sync + fmt::Debug {
    /// Fills `bytes` with random values.
    fn fill(&self, bytes: &mut [u8]);
}

/// The operating system's cryptographically secure random number generator.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsEntropy;

impl Entropy for OsEntropy {
    #[expect(
        clippy::expect_used,
        reason = "a machine without entropy must not hand out guessable keys"
    )]
    fn fill(&self, bytes: &mut [u8]) {
        getrandom::fill(bytes).expect("the operating system gives random bytes");
    }
}

/// A repeatable sequence for tests: SHA-256 over a seed and a counter.
#[derive(Debug)]
pub struct SeededEntropy {
    seed: u64,
    counter: AtomicU64,
}

impl SeededEntropy {
    /// The sequence for `seed`.
    pub fn new(seed: u64) -> Self {
        Self { seed, counter: AtomicU64::new(0) }
    }
}

impl Entropy for SeededEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(32) {
            let number = self.counter.fetch_add(1, Ordering::SeqCst);
            let mut hasher = Sha256::new();
            hasher.update(self.seed.to_le_bytes());
            hasher.update(number.to_le_bytes());
            chunk.copy_from_slice(&hasher.finalize()[..chunk.len()]);
        }
    }
}
