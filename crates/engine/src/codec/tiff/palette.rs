//! Reads palette TIFFs with a decoder that doesn't support palettes.

use super::super::ifd::Directory;

const PHOTOMETRIC_INTERPRETATION: u16 = 0x0106;
const BLACK_IS_ZERO: u16 = 1;
const PALETTE: u16 = 3;

/// A copy of the file that declares its palette indices as gray levels; `None` for other files.
pub(super) fn as_gray(bytes: &[u8]) -> Option<Vec<u8>> {
    let directory = Directory::first(bytes)?;
    let at = directory.short_at(PHOTOMETRIC_INTERPRETATION)?;
    if directory.short(at)? != PALETTE {
        return None;
    }
    let mut copy = bytes.to_vec();
    let place = copy.get_mut(at..at + 2)?;
    place.copy_from_slice(&directory.encoded(BLACK_IS_ZERO));
    Some(copy)
}
