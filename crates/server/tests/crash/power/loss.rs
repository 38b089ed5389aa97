//! How much is lost: any change that was not made durable may be there or not.

use crate::calls::Random;

/// What a power failure destroys of the changes that no sync has covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loss {
    /// All changes.
    Everything,
    /// Some changes: each page of 4096 bytes, each length and each name is as it was at some moment
    /// since it was durable.
    Pages,
    /// Some changes, as for `Pages`, but for each sector of 512 bytes, so that writes can be torn.
    Sectors,
}

impl Loss {
    /// A random loss.
    pub(crate) fn any(random: &mut Random) -> Self {
        match random.below(4) {
            0..=1 => Self::Everything,
            2 => Self::Pages,
            _ => Self::Sectors,
        }
    }

    /// Bytes that are written together or not at all.
    pub(super) fn block_bytes(self) -> u64 {
        if self == Self::Sectors { 512 } else { 4096 }
    }

    /// How many of the changes `least..=most` stay.
    pub(super) fn stay(self, (least, most): (usize, usize), random: &mut Random) -> usize {
        match self {
            Self::Everything => least,
            Self::Pages | Self::Sectors => least + random.below((most - least + 1) as u64) as usize,
        }
    }
}
