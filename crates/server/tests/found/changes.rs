//! Changed copies of an input, always the same ones: what a fuzzer would try first.

/// Boundary values of length fields and markers.
const BYTES: [u8; 12] = [0, 1, 0x17, 0x18, 0x5b, 0x7f, 0x80, 0x9f, 0xbb, 0xff, b'"', b'{'];

/// `count` changed copies of `input`, which depend only on its bytes and `seed`.
pub(crate) fn of(input: &[u8], seed: u64, count: usize) -> impl Iterator<Item = Vec<u8>> {
    let mut state = seed;
    (0..count).map(move |_| {
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
