//! Inputs that fuzzers have found, replayed: `inputs` has a folder for each target of `fuzz/`.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on says why, and names the input"
)]

#[path = "../memory/counting.rs"]
mod counting;
mod decode;
mod execute;
mod input;
mod read;

use counting::Counting;
use std::path::PathBuf;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One test, because the counters of the allocator belong to the process.
#[test]
fn inputs_that_fuzzers_found_break_nothing() {
    replay("decode", decode::check);
    replay("execute", execute::check);
    replay("read", read::check);
}

fn replay(target: &str, check: fn(&[u8])) {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "found", "inputs", target].iter().collect();
    let files = std::fs::read_dir(folder).expect("there is a folder for each target");
    let mut paths: Vec<PathBuf> =
        files.map(|file| file.expect("it can be listed").path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{target} has inputs");
    for path in paths {
        println!("{}", path.display());
        check(&std::fs::read(&path).expect("it can be read"));
    }
}
