//! The binary `retouch`.
fn main() {}
