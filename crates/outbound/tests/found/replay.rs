//! Replays the inputs for a fuzz target, and changed copies of them, always the same ones: what a
//! fuzzer would try first.

use std::path::PathBuf;

/// Changed copies of each input.
const CHANGES: usize = 500;
/// Boundary values of length fields and markers.
const BYTES: [u8; 12] = [0, 1, 0x17, 0x18, 0x5b, 0x7f, 0x80, 0x9f, 0xbb, 0xff, b'"', b'{'];

/// Checks the files in `inputs/TARGET` of the crate and these `inputs`, then changed copies of all
/// of them.
pub(crate) fn replay(target: &str, check: fn(&[u8]), mut inputs: Vec<Vec<u8>>) {
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
        changed_copies(input, seed).for_each(|changed| check(&changed));
    }
}

/// Changed copies of `input`, which depend only on its bytes and `seed`.
fn changed_copies(input: &[u8], seed: u64) -> impl Iterator<Item = Vec<u8>> {
    let mut state = seed;
    (0..CHANGES).map(move |_| {
        let mut changed = input.to_vec();
        for _ in 0..=below(&mut state, 3) {
            change(&mut changed, &mut state);
        }
        changed
    })
}

fn change(bytes: &mut Vec<u8>, state: &mut u64) {
    let at = below(state, bytes.len() + 1);
    let to = at + below(state, bytes.len() - at + 1).min(16);
    match below(state, 6) {
        0 if at < bytes.len() => bytes[at] ^= 1 << below(state, 8),
        1 if at < bytes.len() => bytes[at] = BYTES[below(state, BYTES.len())],
        2 => bytes.insert(at, BYTES[below(state, BYTES.len())]),
        3 => bytes.truncate(at),
        4 => drop(bytes.drain(at..to)),
        _ => {
            let twice = bytes[at..to].to_vec();
            bytes.splice(at..at, twice);
        }
    }
}

/// The next number of a linear congruential generator (Knuth's MMIX), below `end`.
fn below(state: &mut u64, end: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize % end
}
