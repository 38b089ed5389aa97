//! Reads `vectors.txt`, the test vectors of Web Authentication Level 3.

use std::collections::HashMap;

use crate::auth::passkey::RelyingParty;

const TEXT: &str = include_str!("vectors.txt");

/// One credential of section 16: its creation, and one signature by it.
pub(crate) struct Vector {
    /// The end of its anchor in the section.
    pub(crate) name: &'static str,
    parts: HashMap<&'static str, Vec<u8>>,
}

/// The relying party of the vectors.
pub(crate) fn relying_party() -> RelyingParty {
    let url = "https://example.org".parse().expect("a valid URL");
    RelyingParty::of(&url).expect("passkeys work at this URL")
}

/// All vectors, in the section's order.
pub(crate) fn all() -> Vec<Vector> {
    TEXT.split("\n[")
        .skip(1)
        .filter_map(|block| block.split_once("]\n"))
        .map(Vector::read)
        .collect()
}

impl Vector {
    fn read((name, lines): (&'static str, &'static str)) -> Self {
        let pairs = lines.lines().filter_map(|line| line.split_once(" = "));
        Self { name, parts: pairs.map(|(key, value)| (key, from_hex(value))).collect() }
    }

    /// One of its values, such as `get.signature`.
    pub(crate) fn part(&self, key: &str) -> &[u8] {
        &self.parts[key]
    }
}

fn from_hex(text: &str) -> Vec<u8> {
    let pairs =
        text.as_bytes().chunks_exact(2).map(|pair| str::from_utf8(pair).unwrap_or_default());
    pairs.map(|pair| u8::from_str_radix(pair, 16).expect("hexadecimal")).collect()
}
