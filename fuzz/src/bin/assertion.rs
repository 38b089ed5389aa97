//! Client data and authenticator data from outside.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| retouch_fuzz::assertion(bytes));
