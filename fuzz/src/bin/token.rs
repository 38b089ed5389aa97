//! ID tokens, keys and claims from outside.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| retouch_fuzz::token(bytes));
