//! Attestation objects and COSE keys from outside.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| retouch_fuzz::attestation(bytes));
