//! The words for a part of the picture: "the top half", "a 200x100 box at 50,80", "the corners".

use super::clause::Clause;
use super::token::Kind;
use super::{common_words, whole_pixels};
use crate::region::Region;
use crate::{Length, Place};

/// What the corners and the edges are when nothing more is said, in percent of the shorter side.
const CORNER_PERCENT: f64 = 25.0;
const EDGE_PERCENT: f64 = 10.0;

const CORNERS: &[&str] =
    &["all four corners", "all the corners", "all corners", "four corners", "corners"];
const EDGES: &[&str] = &[
    "all four edges",
    "all the edges",
    "all edges",
    "edges",
    "outer edges",
    "all sides",
    "margins",
];
const ARTICLES: &[&str] = &["the", "a", "an", "just", "only"];
const AT: &[&str] = &["at", "from"];
const WHOLE: Length = Length::Percent(100.0);
const BOXES: &[&str] = &["box", "rectangle", "area", "region", "square", "zone", "block"];
const PARTS: &[&str] = &["part", "portion", "section", "area", "region", "strip", "side", "zone"];
/// What may stand before a part; a part without it is what the verb does something to.
const PREPOSITIONS: &[&str] =
    &["in", "on", "within", "inside", "for", "to", "at", "over", "across", "of"];

/// Every word of this grammar that others may lack.
pub(crate) const REGION_WORDS: &[&str] = &[
    "half",
    "third",
    "quarter",
    "corners",
    "corner",
    "edges",
    "box",
    "rectangle",
    "area",
    "region",
    "square",
    "zone",
    "block",
    "part",
    "portion",
    "section",
    "strip",
    "side",
    "within",
    "inside",
    "over",
    "across",
    "four",
    "outer",
    "sides",
    "all",
    "margins",
    "from",
    "wide",
    "tall",
    "high",
];

/// A part of the picture, and how it was said.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Where {
    pub(crate) region: Region,
    /// Whether a preposition stands before it ("brighter in the top half").
    pub(crate) is_adverb: bool,
}

impl Clause<'_> {
    /// Takes the words of a part of the picture, the first there are.
    pub(crate) fn region(&mut self) -> Option<Where> {
        let (start, reading, region) = self.open().find_map(|at| {
            let mut reading = Reading::new(self, at);
            reading.region().map(|region| (at, reading.done(), region))
        })?;
        let (end, assumed) = reading;
        let before = (0..start).rev().map(|at| self.word(at));
        let mut before = before.skip_while(|word| ARTICLES.contains(word));
        let is_adverb = before.next().is_some_and(|word| PREPOSITIONS.contains(&word));
        self.mark(start, end - start);
        self.assumed.extend(assumed);
        self.take(&["within", "inside", "over", "across"]);
        Some(Where { region, is_adverb })
    }
}

/// Words read one after the other, all of which must still be open.
struct Reading<'c, 't> {
    clause: &'c Clause<'t>,
    at: usize,
    assumed: Option<String>,
}

impl<'c, 't> Reading<'c, 't> {
    fn new(clause: &'c Clause<'t>, at: usize) -> Self {
        Self { clause, at, assumed: None }
    }

    /// Where it ended, and what was supposed on the way.
    fn done(self) -> (usize, Option<String>) {
        (self.at, self.assumed)
    }

    fn region(&mut self) -> Option<Region> {
        let start = self.at;
        let forms = [Self::measured, Self::sized_box, Self::cornered_box, Self::ring, Self::part];
        forms.into_iter().find_map(|form| {
            self.at = start;
            form(self)
        })
    }

    /// "50% by 25% area at the top left", as plans are rendered, and "40x20 px area".
    fn measured(&mut self) -> Option<Region> {
        let said = self.length();
        let width = said.or_else(|| self.number().map(Length::Pixels))?;
        self.eat(&["by", "x"])?;
        let height = self.length()?;
        // Without a unit of its own, the width has the height's, and a number alone is pixels.
        if said.is_none() && !matches!(height, Length::Pixels(_)) {
            return None;
        }
        self.eat(BOXES)?;
        self.eat(AT)?;
        Some(Region::Part { width, height, place: self.place()? })
    }

    /// "200x100 box at 50,80", "area 200x100 at 50,80".
    fn sized_box(&mut self) -> Option<Region> {
        self.eat(BOXES);
        let width = self.pixels()?;
        self.eat(&["x", "by"])?;
        let height = self.pixels()?;
        self.eat(BOXES);
        self.eat(AT)?;
        let (x, y) = self.point()?;
        Some(Region::Box { x, y, width, height })
    }

    /// "area from 10,20 to 210,120".
    fn cornered_box(&mut self) -> Option<Region> {
        self.eat(BOXES)?;
        self.eat(&["from", "between"]);
        let (left, top) = self.point()?;
        self.eat(&["to", "and"])?;
        let (right, bottom) = self.point()?;
        let ordered = right > left && bottom > top;
        ordered.then(|| Region::Box { x: left, y: top, width: right - left, height: bottom - top })
    }

    /// "corners", "edges of 5%".
    fn ring(&mut self) -> Option<Region> {
        let is_corners = self.eat(CORNERS).is_some();
        if !is_corners {
            self.eat(EDGES)?;
        }
        let end = self.at;
        let said = self.eat(&["of"]).and_then(|()| self.length());
        let length = said.unwrap_or_else(|| {
            self.at = end;
            let (what, percent) = if is_corners {
                ("each corner is a square", CORNER_PERCENT)
            } else {
                ("each edge is a strip", EDGE_PERCENT)
            };
            self.assumed = Some(format!("{what} of {percent}% of the shorter side"));
            Length::Percent(percent)
        });
        Some(if is_corners {
            Region::Corners { side: length }
        } else {
            Region::Edges { width: length }
        })
    }

    /// "top half", "left third", "bottom 20%", "top left corner", "center".
    fn part(&mut self) -> Option<Region> {
        let start = self.at;
        let place = self.place()?;
        let is_named = start.checked_sub(1).is_some_and(|before| self.clause.word(before) == "the");
        let is_said = |word| (start..self.at).any(|at| self.clause.word(at) == word);
        let usual = match () {
            () if is_said("corner") => CORNER_PERCENT,
            () if is_said("edge") => EDGE_PERCENT,
            () => 50.0,
        };
        let is_quarter = self.clause.open_word(self.at) == Some("quarter");
        let said = self.length();
        let is_part = self.eat(PARTS).is_some() || said.is_some() || self.at > start + 1;
        // "right now", "just right": no part of the picture.
        if !is_named && !is_part {
            return None;
        }
        let (width, height) = match place.column_row() {
            (column, row) if column != 1 && row != 1 => {
                let side = match said {
                    Some(_) if is_quarter => Length::Percent(50.0),
                    Some(side) => side,
                    None => self.supposed(usual),
                };
                (side, side)
            }
            // "the middle third" could be a column or a row.
            (1, 1) if said.is_some() => return None,
            (1, 1) => {
                let side = self.supposed(usual);
                (side, side)
            }
            (1, _) => (WHOLE, said.unwrap_or_else(|| self.supposed(usual))),
            _ => (said.unwrap_or_else(|| self.supposed(usual)), WHOLE),
        };
        Some(Region::Part { width, height, place })
    }

    fn supposed(&mut self, percent: f64) -> Length {
        self.assumed = Some(format!("that part is {percent}% of the image's side"));
        Length::Percent(percent)
    }

    /// Takes a phrase.
    fn eat(&mut self, phrases: &[&str]) -> Option<()> {
        let standing = phrases.iter().filter(|phrase| self.clause.stands_at(self.at, phrase));
        let length = standing.map(|phrase| phrase.split(' ').count()).max()?;
        self.at += length;
        // "at the top", "box at the 50,80"
        while ARTICLES.contains(&self.clause.open_word(self.at).unwrap_or_default()) {
            self.at += 1;
        }
        Some(())
    }

    /// A whole number of pixels.
    fn pixels(&mut self) -> Option<u32> {
        let value = self.number()?;
        self.eat(common_words::PIXELS);
        whole_pixels(value)
    }

    fn number(&mut self) -> Option<f64> {
        let kind = self.clause.kind(self.at).filter(|_| self.clause.is_open(self.at))?;
        let Kind::Number { value, signed: false } = kind else { return None };
        self.at += 1;
        Some(*value)
    }

    /// A position in whole pixels; 0 is the edge itself.
    fn point(&mut self) -> Option<(u32, u32)> {
        let (found, end) = self.clause.coordinates_at(self.at)?;
        let (x, y) = found.in_pixels()?;
        let px = |value: f64| if value == 0.0 { Some(0) } else { whole_pixels(value) };
        let pixels = (px(x)?, px(y)?);
        self.at = end;
        Some(pixels)
    }

    /// "half", "two thirds", "20%", "30 pixels".
    fn length(&mut self) -> Option<Length> {
        let start = self.at;
        let value = self.number();
        let parts = ["half", "third", "quarter", "thirds", "quarters"];
        let part = parts.iter().position(|part| self.clause.open_word(self.at) == Some(part));
        if let Some(part) = part {
            self.at += 1;
            let whole = [2.0, 3.0, 4.0, 3.0, 4.0].get(part).copied().unwrap_or(2.0);
            return Some(Length::Percent(value.unwrap_or(1.0) * 100.0 / whole));
        }
        let length = value.and_then(|value| match () {
            () if self.eat(common_words::PERCENT).is_some() => Some(Length::Percent(value)),
            () if self.eat(common_words::PIXELS).is_some() => Some(Length::Pixels(value)),
            () => None,
        });
        if length.is_none() {
            self.at = start;
        }
        length
    }

    fn place(&mut self) -> Option<Place> {
        let (place, end) = self.clause.place_at(self.at)?;
        self.at = end;
        Some(place)
    }
}
