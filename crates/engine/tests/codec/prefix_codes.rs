//! The prefix codes of the PNG encoder.

use crate::codec::codes::Codes;
use proptest::prelude::*;

/// Decoders reject codes that leave part of the code space unused, and codes that need more of it than
/// there is.
fn fills_exactly<const SYMBOLS: usize>(counts: &[u32; SYMBOLS], length_max: u8) {
    let lengths = Codes::of(counts, length_max).lengths;
    let used = || lengths.iter().filter(|length| **length > 0);
    assert!(used().all(|length| *length <= length_max), "{lengths:?}");
    let taken: u32 = used().map(|length| 1 << (15 - length)).sum();
    assert_eq!(taken, 1 << 15, "{lengths:?}");
}

#[test]
fn steep_counts_are_cut_to_the_limit() {
    let mut counts = [0_u32; 40];
    let (mut last, mut next) = (1, 1);
    for count in &mut counts {
        *count = last;
        (last, next) = (next, last + next);
    }
    for length_max in [6, 7, 14, 15] {
        fills_exactly(&counts, length_max);
    }
}

proptest! {
    #[test]
    fn codes_leave_no_room(counts in prop::collection::vec(0_u32..5, 19), steep in 0_u32..7) {
        let mut all = [0; 19];
        let grown = counts.iter().map(|count| count.pow(steep));
        all.iter_mut().zip(grown).for_each(|(place, count)| *place = count);
        fills_exactly(&all, 7);
    }
}
