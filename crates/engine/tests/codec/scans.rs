//! The same JPEG with its components in one scan, in scans of their own, and progressively.

use crate::codec::support::open;
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
use retouch_engine::Picture;

const SAMPLINGS: [SamplingFactor; 6] = [
    SamplingFactor::F_1_1,
    SamplingFactor::F_2_1,
    SamplingFactor::F_1_2,
    SamplingFactor::F_2_2,
    SamplingFactor::F_4_1,
    SamplingFactor::F_1_4,
];
/// The mean difference to full sampling that smooth samples may have.
const LEVELS_MAX: f64 = 4.0;
const SIZES: [(u16, u16); 6] = [(64, 48), (65, 65), (88, 88), (33, 50), (17, 3), (1, 9)];
const COLORS: [(ColorType, usize); 4] =
    [(ColorType::Rgb, 3), (ColorType::Ycbcr, 3), (ColorType::Cmyk, 4), (ColorType::CmykAsYcck, 4)];

/// How scans are arranged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scans {
    One,
    Apart,
    Progressive,
}

/// Smooth samples, so that the way in which samples are interpolated makes little difference.
fn smooth((width, height): (u16, u16), channels: usize) -> Vec<u8> {
    let level = |x: u16, y: u16, channel: usize| {
        let (across, down) = (f64::from(x) / 64.0, f64::from(y) / 64.0);
        let wave = [across + down, 1.3 * across, 1.1 * down, 0.7 * (across - down)][channel];
        128.0 + 100.0 * (wave * 3.0).sin()
    };
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    places.flat_map(|(x, y)| (0..channels).map(move |c| level(x, y, c) as u8)).collect()
}

fn encoded(
    scans: Scans,
    sampling: SamplingFactor,
    (color, channels): (ColorType, usize),
    size: (u16, u16),
) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, 95);
    encoder.set_sampling_factor(sampling);
    encoder.set_optimized_huffman_tables(scans == Scans::Apart);
    encoder.set_progressive(scans == Scans::Progressive);
    encoder.encode(&smooth(size, channels), size.0, size.1, color).expect("encodes");
    bytes
}

#[test]
fn the_arrangement_of_scans_makes_no_difference() {
    let mut wrong = Vec::new();
    for (size, color) in SIZES.into_iter().flat_map(|size| COLORS.map(|color| (size, color))) {
        let full = open(&encoded(Scans::One, SamplingFactor::F_1_1, color, size)).expect("opens");
        for sampling in SAMPLINGS {
            for scans in [Scans::One, Scans::Apart, Scans::Progressive] {
                // For CMYK, this encoder samples black more finely than the colors. Components in scans
                // of their own are read nevertheless.
                let coarse = matches!(color.0, ColorType::Cmyk)
                    && matches!(sampling, SamplingFactor::F_2_1 | SamplingFactor::F_2_2)
                    || scans == Scans::Progressive
                        && (color.1, sampling) == (4, SamplingFactor::F_4_1);
                let mean = match open(&encoded(scans, sampling, color, size)) {
                    Ok(picture) => mean_difference(&full, &picture),
                    Err(error) if coarse && scans != Scans::Apart => {
                        assert!(error.to_string().contains("in a row"), "{error}");
                        continue;
                    }
                    Err(error) => panic!("{scans:?} {size:?} {sampling:?} {color:?}: {error}"),
                };
                if mean > LEVELS_MAX {
                    wrong.push(format!(
                        "{scans:?} {size:?} {sampling:?} {color:?}: {mean:.1} levels"
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn mean_difference(one: &Picture, other: &Picture) -> f64 {
    assert_eq!(one.size(), other.size());
    let pairs = one.pixels().iter().zip(other.pixels());
    let sum: u64 = pairs.map(|(one, other)| u64::from(one.abs_diff(*other))).sum();
    sum as f64 / one.pixels().len() as f64
}

#[test]
fn a_scan_that_is_cut_off_or_missing_is_noticed() {
    let bytes = encoded(Scans::Apart, SamplingFactor::F_2_2, (ColorType::Rgb, 3), (64, 48));
    let starts: Vec<usize> =
        (0..bytes.len()).filter(|at| bytes[*at..].starts_with(&[0xFF, 0xDA])).collect();
    for (number, start) in starts.iter().enumerate() {
        let end = starts.get(number + 1).copied().unwrap_or(bytes.len() - 2);
        let third = start + 10 + (end - start - 10) / 3;
        for from in [*start, third] {
            let cut = [&bytes[..from], &bytes[end..]].concat();
            assert!(open(&cut).is_err(), "scan {number} cut off at {from}");
        }
    }
}

#[test]
fn wrong_bytes_among_several_scans_never_panic() {
    let bytes = encoded(Scans::Apart, SamplingFactor::F_2_2, (ColorType::CmykAsYcck, 4), (17, 9));
    for (at, mask) in (2..bytes.len()).flat_map(|at| [0xFF, 0x11, 0x80].map(|mask| (at, mask))) {
        let mut wrong = bytes.clone();
        wrong[at] ^= mask;
        // A decoder that panicked would be "damaged" by this reason.
        let reason = open(&wrong).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(!reason.contains("it can't be decoded"), "byte {at}, mask {mask:#x}");
    }
}
