//! Undoes the filters of PNG (section 9).

/// The number of the last filter.
pub(super) const FILTER_MAX: u8 = 4;

/// Undoes a row's filter in place. `above` is the unfiltered row above, or zeros. Returns `None`
/// for an unknown filter, or if a pixel doesn't have 1 to 4 bytes.
pub(super) fn unfilter(filter: u8, row: &mut [u8], above: &[u8], pixel_bytes: usize) -> Option<()> {
    match pixel_bytes {
        1 => undo::<1>(filter, row, above),
        2 => undo::<2>(filter, row, above),
        3 => undo::<3>(filter, row, above),
        4 => undo::<4>(filter, row, above),
        _ => None,
    }
}

fn undo<const BYTES: usize>(filter: u8, row: &mut [u8], above: &[u8]) -> Option<()> {
    let pixels = row.as_chunks_mut::<BYTES>().0.iter_mut();
    let above = above.as_chunks::<BYTES>().0;
    let mut left = [0; BYTES];
    match filter {
        0 => {}
        1 => pixels.for_each(|pixel| {
            for (byte, left) in pixel.iter_mut().zip(left) {
                *byte = byte.wrapping_add(left);
            }
            left = *pixel;
        }),
        2 => pixels.zip(above).for_each(|(pixel, above)| {
            for (byte, above) in pixel.iter_mut().zip(above) {
                *byte = byte.wrapping_add(*above);
            }
        }),
        3 => pixels.zip(above).for_each(|(pixel, above)| {
            for ((byte, left), above) in pixel.iter_mut().zip(left).zip(above) {
                *byte = byte.wrapping_add((left & above) + ((left ^ above) >> 1));
            }
            left = *pixel;
        }),
        4 => undo_paeth(pixels.zip(above)),
        _ => return None,
    }
    Some(())
}

/// Adds to each byte the neighbor nearest to left + above - corner (PNG, section 9.4). It handles
/// all bytes of a pixel together, with the order of comparisons that Fabian Giesen found for
/// `stb_image`. The result is the same, but it depends less on the previous pixel.
fn undo_paeth<'a, const BYTES: usize>(
    pixels: impl Iterator<Item = (&'a mut [u8; BYTES], &'a [u8; BYTES])>,
) {
    let (mut left, mut corner) = ([0_i16; BYTES], [0_i16; BYTES]);
    for (pixel, above) in pixels {
        let above = above.map(i16::from);
        let mut guess = [0_i16; BYTES];
        for (((guess, a), b), c) in guess.iter_mut().zip(left).zip(above).zip(corner) {
            let (low, high) = (a.min(b), a.max(b));
            let bound = 3 * c - (a + b);
            let nearer = if high <= bound { low } else { c };
            *guess = if bound <= low { high } else { nearer };
        }
        for ((byte, left), guess) in pixel.iter_mut().zip(&mut left).zip(guess) {
            *byte = byte.wrapping_add(guess as u8);
            *left = i16::from(*byte);
        }
        corner = above;
    }
}
