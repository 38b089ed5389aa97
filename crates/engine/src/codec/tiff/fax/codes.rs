//! The run lengths of fax data (ITU-T T.4, tables 2 and 3), and their bits.

/// Bits of fax data, highest first.
pub(super) struct Bits<'a> {
    data: &'a [u8],
    /// Whether each byte is stored with its lowest bit first.
    is_reversed: bool,
    at: usize,
    held: u64,
    held_count: u32,
    /// How many bits of the data are left.
    left: u64,
}

impl<'a> Bits<'a> {
    pub(super) fn new(data: &'a [u8], is_reversed: bool) -> Self {
        Self { data, is_reversed, at: 0, held: 0, held_count: 0, left: data.len() as u64 * 8 }
    }

    /// The next bits, with zeros after the end of the data.
    pub(super) fn peek(&mut self, count: u32) -> usize {
        while self.held_count < count {
            let byte = self.data.get(self.at).copied().unwrap_or_default();
            let byte = if self.is_reversed { byte.reverse_bits() } else { byte };
            self.held = self.held << 8 | u64::from(byte);
            self.held_count += 8;
            self.at += 1;
        }
        (self.held >> (self.held_count - count)) as usize & ((1 << count) - 1)
    }

    /// Skips bits; `None` if the data has fewer.
    pub(super) fn skip(&mut self, count: u32) -> Option<()> {
        self.left = self.left.checked_sub(u64::from(count))?;
        self.held_count = self.held_count.checked_sub(count)?;
        Some(())
    }

    /// Reads the length of a run in pixels; `None` if no code matches.
    pub(super) fn run(&mut self, is_black: bool) -> Option<u32> {
        let table = if is_black { &BLACK } else { &WHITE };
        let mut run = 0_u32;
        loop {
            let entry = table.get(self.peek(CODE_BITS_MAX)).copied().filter(|entry| *entry > 0)?;
            self.skip(u32::from(entry & 15))?;
            let length = u32::from(entry >> 4);
            run = run.saturating_add(length);
            // A code of 64 or more pixels is followed by one for the rest.
            if length < 64 {
                return Some(run);
            }
        }
    }
}

/// For each value of the next bits: the length of the run and, in the lowest four bits, the length
/// of its code. 0 means that no code matches.
type Table = [u16; 1 << CODE_BITS_MAX];

const CODE_BITS_MAX: u32 = 13;
const RUNS: usize = 104;

static WHITE: Table = table(&WHITE_CODES);
static BLACK: Table = table(&BLACK_CODES);

const fn table(codes: &[u16; RUNS]) -> Table {
    let mut table = [0; 1 << CODE_BITS_MAX];
    let mut index = 0;
    while index < RUNS {
        let run = if index < 64 { index } else { (index - 63) * 64 };
        let length = codes[index].ilog2();
        let spare = CODE_BITS_MAX - length;
        let first = ((codes[index] - (1 << length)) as usize) << spare;
        let mut at = first;
        while at < first + (1 << spare) {
            table[at] = (run as u16) << 4 | length as u16;
            at += 1;
        }
        index += 1;
    }
    table
}

/// Codes for 0 to 63 pixels, then for 64 to 2,560 in steps of 64. Each has an extra 1 in front.
#[rustfmt::skip]
const WHITE_CODES: [u16; RUNS] = [
    0x135, 0x47, 0x17, 0x18, 0x1B, 0x1C, 0x1E, 0x1F, 0x33, 0x34, 0x27, 0x28, 0x48,
    0x43, 0x74, 0x75, 0x6A, 0x6B, 0xA7, 0x8C, 0x88, 0x97, 0x83, 0x84, 0xA8, 0xAB,
    0x93, 0xA4, 0x98, 0x102, 0x103, 0x11A, 0x11B, 0x112, 0x113, 0x114, 0x115, 0x116, 0x117,
    0x128, 0x129, 0x12A, 0x12B, 0x12C, 0x12D, 0x104, 0x105, 0x10A, 0x10B, 0x152, 0x153, 0x154,
    0x155, 0x124, 0x125, 0x158, 0x159, 0x15A, 0x15B, 0x14A, 0x14B, 0x132, 0x133, 0x134, 0x3B,
    0x32, 0x57, 0xB7, 0x136, 0x137, 0x164, 0x165, 0x168, 0x167, 0x2CC, 0x2CD, 0x2D2, 0x2D3,
    0x2D4, 0x2D5, 0x2D6, 0x2D7, 0x2D8, 0x2D9, 0x2DA, 0x2DB, 0x298, 0x299, 0x29A, 0x58, 0x29B,
    0x808, 0x80C, 0x80D, 0x1012, 0x1013, 0x1014, 0x1015, 0x1016, 0x1017, 0x101C, 0x101D, 0x101E, 0x101F,
];

#[rustfmt::skip]
const BLACK_CODES: [u16; RUNS] = [
    0x437, 0xA, 0x7, 0x6, 0xB, 0x13, 0x12, 0x23, 0x45, 0x44, 0x84, 0x85, 0x87,
    0x104, 0x107, 0x218, 0x417, 0x418, 0x408, 0x867, 0x868, 0x86C, 0x837, 0x828, 0x817, 0x818,
    0x10CA, 0x10CB, 0x10CC, 0x10CD, 0x1068, 0x1069, 0x106A, 0x106B, 0x10D2, 0x10D3, 0x10D4, 0x10D5, 0x10D6,
    0x10D7, 0x106C, 0x106D, 0x10DA, 0x10DB, 0x1054, 0x1055, 0x1056, 0x1057, 0x1064, 0x1065, 0x1052, 0x1053,
    0x1024, 0x1037, 0x1038, 0x1027, 0x1028, 0x1058, 0x1059, 0x102B, 0x102C, 0x105A, 0x1066, 0x1067, 0x40F,
    0x10C8, 0x10C9, 0x105B, 0x1033, 0x1034, 0x1035, 0x206C, 0x206D, 0x204A, 0x204B, 0x204C, 0x204D, 0x2072,
    0x2073, 0x2074, 0x2075, 0x2076, 0x2077, 0x2052, 0x2053, 0x2054, 0x2055, 0x205A, 0x205B, 0x2064, 0x2065,
    0x808, 0x80C, 0x80D, 0x1012, 0x1013, 0x1014, 0x1015, 0x1016, 0x1017, 0x101C, 0x101D, 0x101E, 0x101F,
];
