//! Colors by what they belong to: the background, or the whole picture.

use super::clause::Clause;
use super::token::Kind;
use crate::Color;

/// What is all of one color when a color stands before it, whatever the color's name.
const SURFACES: &[&str] = &[
    "background",
    "backdrop",
    "canvas",
    "square",
    "rectangle",
    "banner",
    "swatch",
    "card",
    "color",
    "post",
    "poster",
    "flyer",
    "thumbnail",
    "header",
    "slide",
    "screen",
];
/// The same for colors whose name is not also the name of a thing: a salmon picture may be one of
/// a fish.
const PICTURES: &[&str] = &["picture", "image", "wallpaper", "texture"];
/// Colors that are named after things which pictures show.
const THINGS: &[&str] = &[
    "salmon",
    "tomato",
    "chocolate",
    "orange",
    "olive",
    "plum",
    "orchid",
    "violet",
    "lavender",
    "wheat",
    "snow",
    "coral",
    "gold",
    "silver",
    "peru",
    "lime",
    "linen",
    "seashell",
    "thistle",
    "turquoise",
    "ivory",
    "moccasin",
    "indigo",
    "crimson",
];
/// Words before a color that say that there is nothing else.
const ALL: &[&str] = &[
    "plain",
    "solid",
    "pure",
    "flat",
    "uniform",
    "entirely",
    "completely",
    "nothing but",
    "all",
    "filled",
    "empty",
    "blank",
    "filled with",
    "filled in",
    "color",
];

/// Words for what has a color, and no more.
const OF_ONE_COLOR: &[&str] =
    &["pixels", "parts", "areas", "color", "colors", "tones", "colored pixels", "regions"];

impl Clause<'_> {
    /// Takes the color behind: "on red", "on a red background", "a red background".
    pub(crate) fn ground(&mut self) -> Option<Color> {
        let (at, length, color) = self.colors().into_iter().find(|(at, length, _)| {
            let mut before = *at;
            while before > 0
                && ["a", "an", "the", "plain", "solid"].contains(&self.word(before - 1))
            {
                before -= 1;
            }
            let on =
                before > 0 && ["on", "onto", "against", "over"].contains(&self.word(before - 1));
            on || is_surface(self.word(at + length))
        })?;
        self.mark(at, length);
        if is_surface(self.word(at + length)) {
            self.mark(at + length, 1);
        }
        self.take_all(&["plain", "solid"]);
        Some(color)
    }

    /// Takes the one color of a picture that shows nothing else: "plain blue", "a blue square".
    pub(crate) fn plain_color(&mut self) -> Option<Color> {
        let colors = self.colors();
        let [(at, length, color)] = colors.as_slice() else { return None };
        // "a blue 512x512 square": the size is taken already.
        let next = self.open().find(|next| *next >= at + length);
        let next = next.map_or("", |next| self.word(next));
        let name = self.word(*at);
        let surface = SURFACES.contains(&next)
            || (PICTURES.contains(&next) && !(*length == 1 && THINGS.contains(&name)));
        let said = self.find(ALL).filter(|(_, from, words)| {
            let between = from + words..*at;
            between.into_iter().all(|at| ["a", "in", "the", "with", "of"].contains(&self.word(at)))
        });
        if !surface && said.is_none() {
            return None;
        }
        self.mark(*at, *length);
        self.take_all(ALL);
        self.take_all(SURFACES);
        self.take_all(PICTURES);
        Some(*color)
    }

    /// Takes two colors of which one takes the other's place: "red with blue", "the reds to blue".
    pub(crate) fn exchange(&mut self) -> Option<(Color, Color)> {
        let colors = self.colors_of_things();
        let [(at, length, from), (to_at, to_length, to)] = colors.as_slice() else { return None };
        let mut before = *to_at;
        while before > 0 && ["a", "the", "color", "pure", "plain"].contains(&self.word(before - 1))
        {
            before -= 1;
        }
        let joint = before.checked_sub(1).map_or("", |at| self.word(at));
        if !["with", "to", "into", "by", "for"].contains(&joint) {
            return None;
        }
        let (from, to) = (*from, *to);
        self.mark(*at, *length);
        self.mark(*to_at, *to_length);
        self.take_all(OF_ONE_COLOR);
        Some((from, to))
    }

    /// Takes the one color that is named, even if it stands for what has it: "the reds".
    pub(crate) fn color_of_things(&mut self) -> Option<Color> {
        let colors = self.colors_of_things();
        let [(at, length, color)] = colors.as_slice() else { return None };
        self.mark(*at, *length);
        self.take_all(OF_ONE_COLOR);
        Some(*color)
    }

    fn colors_of_things(&self) -> Vec<(usize, usize, Color)> {
        let mut found = Vec::new();
        let mut end = 0;
        for at in self.open() {
            let several = || {
                let one = self.word(at).strip_suffix('s').and_then(Color::named)?;
                Some((at, 1, one))
            };
            if at >= end
                && let Some(color) = self.color_named_at(at).or_else(several)
            {
                end = color.0 + color.1;
                found.push(color);
            }
        }
        found
    }

    /// White beside colors, or black beside white; and says so.
    pub(crate) fn other_than(&mut self, colors: &[Color]) -> Color {
        let (color, name) = match colors.contains(&Color::WHITE) {
            true => (Color::BLACK, "black"),
            false => (Color::WHITE, "white"),
        };
        self.assumed.push(format!("the other color is {name}"));
        color
    }

    /// Takes two numbers written as a size directly before one of the words ("8x8 squares").
    pub(crate) fn dimensions_before(&mut self, words: &[&str]) -> Option<(f64, f64)> {
        let number = |at: usize| self.tokens().get(at).and_then(|token| token.number());
        let (at, pair) = self.open().find_map(|at| {
            let fits = ["x", "by"].contains(&self.open_word(at + 1)?)
                && words.contains(&self.open_word(at + 3)?);
            fits.then_some((at, (number(at)?, number(at + 2)?)))
        })?;
        self.mark(at, 3);
        Some(pair)
    }

    /// The color that is named directly before a position, also after "the": where it begins.
    pub(crate) fn color_before(&self, end: usize) -> Option<(usize, Color)> {
        let joined = |from: usize| -> Option<String> {
            (from..end).map(|at| self.open_word(at).filter(|word| !word.is_empty())).collect()
        };
        if let Some(start) = end.checked_sub(1)
            && let Some(Kind::Hex(digits)) = self.kind(start)
        {
            return Color::hex(digits).map(|color| (start, color));
        }
        (1..=3).rev().find_map(|length| {
            let start = end.checked_sub(length)?;
            Some((start, Color::named(&joined(start)?)?))
        })
    }

    /// All colors in open words: position, number of words, color.
    fn colors(&self) -> Vec<(usize, usize, Color)> {
        let mut found = Vec::new();
        let mut end = 0;
        for at in self.open() {
            if at >= end
                && let Some(color) = self.color_at(at)
            {
                end = color.0 + color.1;
                found.push(color);
            }
        }
        found
    }
}

fn is_surface(word: &str) -> bool {
    ["background", "backdrop", "ground", "canvas"].contains(&word)
}
