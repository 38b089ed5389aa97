//! Images with few colors: a palette, and an index for each pixel.

use png::BitDepth;

/// The distinct colors of some pixels, at most as many as a palette holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Colors {
    /// A hash table. Each place has a color and its number, counted from 1. The number 0 marks a
    /// free place.
    places: Box<[(u32, u16); PLACES]>,
    found: Vec<u32>,
}

impl Colors {
    /// Collects the colors of pixels. Returns `None` when there are more than [`COLORS_MAX`].
    pub(super) fn of(pixels: &[[u8; 4]]) -> Option<Self> {
        let mut colors = Self { places: Box::new([(0, 0); PLACES]), found: Vec::new() };
        let mut last = None;
        for pixel in pixels {
            let color = u32::from_be_bytes(*pixel);
            if last != Some(color) && !colors.add(color) {
                return None;
            }
            last = Some(color);
        }
        Some(colors)
    }

    /// Collects the colors of opaque gray pixels, which can't be too many. This is faster than
    /// [`Self::of`] because it doesn't look up each pixel.
    pub(super) fn of_grays(pixels: &[[u8; 4]]) -> Option<Self> {
        let mut seen = [false; 256];
        pixels.iter().for_each(|pixel| seen[usize::from(pixel[0])] = true);
        let mut colors = Self { places: Box::new([(0, 0); PLACES]), found: Vec::new() };
        let levels = (0..=255_u8).zip(seen).filter(|(_, seen)| *seen);
        let grays = levels.map(|(level, _)| u32::from_be_bytes([level, level, level, 255]));
        grays.into_iter().all(|gray| colors.add(gray)).then_some(colors)
    }

    /// Adds the colors of `others`. Returns `None` when there are too many together.
    pub(super) fn and(mut self, others: Self) -> Option<Self> {
        others.found.into_iter().all(|color| self.add(color)).then_some(self)
    }

    /// Adds a color unless it is there already. Returns whether the colors still fit in a palette.
    fn add(&mut self, color: u32) -> bool {
        let at = self.place(color);
        if self.places[at].1 == 0 {
            self.found.push(color);
            self.places[at] = (color, self.found.len() as u16);
        }
        self.found.len() <= COLORS_MAX
    }

    /// The place where a color is or would be.
    #[inline]
    fn place(&self, color: u32) -> usize {
        let mut at = (color.wrapping_mul(HASH_FACTOR) >> (u32::BITS - PLACE_BITS)) as usize;
        while self.places[at].1 != 0 && self.places[at].0 != color {
            at = (at + 1) % PLACES;
        }
        at
    }
}

/// A palette in a fixed order, which doesn't depend on the order in which the colors were found.
/// Colors that are not opaque come first, so that the list of opacities ends after them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Palette {
    colors: Colors,
}

impl Palette {
    pub(super) fn of(colors: Colors) -> Self {
        let mut found = colors.found;
        found.sort_unstable_by_key(|color| (color & 0xFF == 0xFF, *color));
        let mut ordered = Colors { places: Box::new([(0, 0); PLACES]), found: Vec::new() };
        found.into_iter().for_each(|color| {
            ordered.add(color);
        });
        Self { colors: ordered }
    }

    /// The fewest bits that can number all colors.
    pub(super) fn depth(&self) -> BitDepth {
        match self.colors.found.len() {
            0..=2 => BitDepth::One,
            3..=4 => BitDepth::Two,
            5..=16 => BitDepth::Four,
            _ => BitDepth::Eight,
        }
    }

    /// The fewest bits whose evenly spaced gray levels include all colors. All colors must be gray.
    pub(super) fn gray_depth(&self) -> BitDepth {
        let all = |step: u32| self.colors.found.iter().all(|color| (color >> 24) % step == 0);
        match (all(255), all(85), all(17)) {
            (true, ..) => BitDepth::One,
            (_, true, _) => BitDepth::Two,
            (_, _, true) => BitDepth::Four,
            _ => BitDepth::Eight,
        }
    }

    /// The red, green and blue of each color (PNG, section 11.2.2).
    pub(super) fn table(&self) -> Vec<u8> {
        let colors = self.colors.found.iter().map(|color| color.to_be_bytes());
        colors.flat_map(|[red, green, blue, _]| [red, green, blue]).collect()
    }

    /// The opacities of all colors up to the last one that is not opaque (PNG, section 11.3.1.1).
    pub(super) fn opacities(&self) -> Vec<u8> {
        let opacities = self.colors.found.iter().map(|color| color.to_be_bytes()[3]);
        opacities.take_while(|opacity| *opacity < 255).collect()
    }

    pub(super) fn finder(&self) -> Finder<'_> {
        let first = self.colors.found.first().copied().unwrap_or_default();
        Finder { colors: &self.colors, last: (first, 0) }
    }
}

/// Finds the index of a color. If the color is the same as before, it isn't looked up again.
pub(super) struct Finder<'a> {
    colors: &'a Colors,
    last: (u32, u8),
}

impl Finder<'_> {
    #[inline]
    pub(super) fn number(&mut self, pixel: &[u8; 4]) -> u8 {
        let color = u32::from_be_bytes(*pixel);
        if color != self.last.0 {
            let at = self.colors.place(color);
            self.last = (color, self.colors.places[at].1.saturating_sub(1) as u8);
        }
        self.last.1
    }
}

/// PNG, section 11.2.2.
const COLORS_MAX: usize = 256;
/// The hash table has four times as many places as colors, so that few collide.
const PLACE_BITS: u32 = 10;
const PLACES: usize = 1 << PLACE_BITS;
/// Knuth's multiplier, 2^32 divided by the golden ratio.
const HASH_FACTOR: u32 = 0x9E37_79B1;
