//! Pictures of few colours: a table of them, and a number for each pixel.

use png::BitDepth;

/// The different colours of some pixels, no more than a table holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Colours {
    /// Places by hash, each with a colour and its number, counted from 1; 0 is free.
    places: Box<[(u32, u16); PLACES]>,
    found: Vec<u32>,
}

impl Colours {
    /// `None` when there are more than [`COLOURS_MAX`].
    pub(super) fn of(pixels: &[[u8; 4]]) -> Option<Self> {
        let mut colours = Self { places: Box::new([(0, 0); PLACES]), found: Vec::new() };
        let mut last = None;
        for pixel in pixels {
            let colour = u32::from_be_bytes(*pixel);
            if last != Some(colour) && !colours.add(colour) {
                return None;
            }
            last = Some(colour);
        }
        Some(colours)
    }

    /// The same for opaque grays, which there are never too many of; found without looking each up.
    pub(super) fn of_grays(pixels: &[[u8; 4]]) -> Option<Self> {
        let mut seen = [false; 256];
        pixels.iter().for_each(|pixel| seen[usize::from(pixel[0])] = true);
        let mut colours = Self { places: Box::new([(0, 0); PLACES]), found: Vec::new() };
        let levels = (0..=255_u8).zip(seen).filter(|(_, seen)| *seen);
        let grays = levels.map(|(level, _)| u32::from_be_bytes([level, level, level, 255]));
        grays.into_iter().all(|gray| colours.add(gray)).then_some(colours)
    }

    /// These and the others' together.
    pub(super) fn and(mut self, others: Self) -> Option<Self> {
        others.found.into_iter().all(|colour| self.add(colour)).then_some(self)
    }

    /// Whether there is room for it, or it is there already.
    fn add(&mut self, colour: u32) -> bool {
        let at = self.place(colour);
        if self.places[at].1 == 0 {
            self.found.push(colour);
            self.places[at] = (colour, self.found.len() as u16);
        }
        self.found.len() <= COLOURS_MAX
    }

    /// Where a colour is, or could be.
    #[inline]
    fn place(&self, colour: u32) -> usize {
        let mut at = (colour.wrapping_mul(HASH_FACTOR) >> (u32::BITS - PLACE_BITS)) as usize;
        while self.places[at].1 != 0 && self.places[at].0 != colour {
            at = (at + 1) % PLACES;
        }
        at
    }
}

/// A table of colours in a fixed order, whatever the order in which they were found: those that
/// are not opaque first, so that the list of opacities ends with them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Palette {
    colours: Colours,
}

impl Palette {
    pub(super) fn of(colours: Colours) -> Self {
        let mut found = colours.found;
        found.sort_unstable_by_key(|colour| (colour & 0xFF == 0xFF, *colour));
        let mut ordered = Colours { places: Box::new([(0, 0); PLACES]), found: Vec::new() };
        found.into_iter().for_each(|colour| {
            ordered.add(colour);
        });
        Self { colours: ordered }
    }

    /// The fewest bits that number all colours.
    pub(super) fn depth(&self) -> BitDepth {
        match self.colours.found.len() {
            0..=2 => BitDepth::One,
            3..=4 => BitDepth::Two,
            5..=16 => BitDepth::Four,
            _ => BitDepth::Eight,
        }
    }

    /// The fewest bits whose evenly spread gray levels hold all colours, which are gray.
    pub(super) fn gray_depth(&self) -> BitDepth {
        let all = |step: u32| self.colours.found.iter().all(|colour| (colour >> 24) % step == 0);
        match (all(255), all(85), all(17)) {
            (true, ..) => BitDepth::One,
            (_, true, _) => BitDepth::Two,
            (_, _, true) => BitDepth::Four,
            _ => BitDepth::Eight,
        }
    }

    /// Red, green and blue of each colour (PNG, section 11.2.2).
    pub(super) fn table(&self) -> Vec<u8> {
        let colours = self.colours.found.iter().map(|colour| colour.to_be_bytes());
        colours.flat_map(|[red, green, blue, _]| [red, green, blue]).collect()
    }

    /// The opacity of each colour up to the last that is not opaque (PNG, section 11.3.1.1).
    pub(super) fn opacities(&self) -> Vec<u8> {
        let opacities = self.colours.found.iter().map(|colour| colour.to_be_bytes()[3]);
        opacities.take_while(|opacity| *opacity < 255).collect()
    }

    pub(super) fn finder(&self) -> Finder<'_> {
        let first = self.colours.found.first().copied().unwrap_or_default();
        Finder { colours: &self.colours, last: (first, 0) }
    }
}

/// Finds numbers of colours, the same one again without looking.
pub(super) struct Finder<'a> {
    colours: &'a Colours,
    last: (u32, u8),
}

impl Finder<'_> {
    #[inline]
    pub(super) fn number(&mut self, pixel: &[u8; 4]) -> u8 {
        let colour = u32::from_be_bytes(*pixel);
        if colour != self.last.0 {
            let at = self.colours.place(colour);
            self.last = (colour, self.colours.places[at].1.saturating_sub(1) as u8);
        }
        self.last.1
    }
}

/// PNG, section 11.2.2.
const COLOURS_MAX: usize = 256;
/// Four times as many places, so that few colours meet.
const PLACE_BITS: u32 = 10;
const PLACES: usize = 1 << PLACE_BITS;
/// Knuth's multiplier, 2^32 divided by the golden ratio.
const HASH_FACTOR: u32 = 0x9E37_79B1;
