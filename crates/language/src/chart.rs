//! The chart: all words and phrases of the instruction, with what they mean.
//!
//! It is filled from the end to the beginning. At each position, the lexicon proposes its phrases,
//! and rules combine a phrase with what follows it. A rule that begins with a phrase of the same
//! position sees the phrases that other rules have just added there. The number of edges at a
//! position is bounded, so the work is linear in the length of the instruction.

mod captions;
mod described;
mod names;
mod several;
mod unquoted;

use crate::lexicon::{Entry, Lexicon};
use crate::rules;
use crate::token::{Kind, Token};
use crate::value::{Amount, Category, Unit, Value};
use retouch_engine::Color;

/// The most phrases at one position. Ordinary text has about ten.
const EDGES_MAX: usize = 96;
/// The most words of the name of a color.
const COLOR_WORDS_MAX: usize = 4;
/// Markers that no edit begins with, so that a full stop before them only separates.
const CONTINUING: &[&str] = &[
    "whole",
    "leftover",
    "fill",
    "no upscaling",
    "any shape",
    "keep shape",
    "clear outside",
    "white padding",
    "coarse",
    "cut corners",
];
/// What a number right before counts: "16 colors" are no 16% more color.
const COUNTED: &[&str] = &["color", "colors", "shades", "grays"];
/// Below this, a number behind "picture" tells which one. "Rotate picture 90" has an angle.
const IMAGES_MAX: f64 = 20.0;

/// A word or phrase that begins at a position.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Edge {
    /// The position behind it.
    pub(crate) end: usize,
    pub(crate) category: Category,
    pub(crate) value: Value,
}

/// All edges by where they begin.
pub(crate) struct Chart<'a> {
    pub(crate) tokens: &'a [Token],
    pub(crate) lexicon: &'static Lexicon,
    edges: Vec<Vec<Edge>>,
    /// Whether the instruction tells that something is written.
    writes: bool,
}

/// One element of a rule.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Part {
    /// A phrase of this category.
    A(Category),
    /// A phrase of this category with this value.
    Is(Category, &'static str),
    /// One of these words or signs.
    Word(&'static [&'static str]),
    /// One of these words or signs, or nothing.
    Maybe(&'static [&'static str]),
}

/// How phrases combine.
pub(crate) struct Rule {
    /// What it combines, in order.
    pub(crate) parts: &'static [Part],
    /// What it makes.
    pub(crate) gives: Category,
    /// What that means; `None` if these values do not combine. It gets the values of the parts
    /// that are not words.
    pub(crate) meaning: fn(&[&Value]) -> Option<Value>,
}

impl<'a> Chart<'a> {
    /// Fills the chart.
    pub(crate) fn new(tokens: &'a [Token], lexicon: &'static Lexicon) -> Self {
        let edges = vec![Vec::new(); tokens.len() + 1];
        let mut chart = Self { tokens, lexicon, edges, writes: false };
        chart.writes = names::writes(&chart);
        for start in (0..tokens.len()).rev() {
            chart.lexical(start);
            chart.combine(start);
            described::add(&mut chart, start);
            several::add_roles(&mut chart, start);
        }
        chart
    }

    /// The edges that begin at a position.
    pub(crate) fn at(&self, start: usize) -> &[Edge] {
        self.edges.get(start).map_or(&[], Vec::as_slice)
    }

    /// Whether nobody knows a word, or only as one that people talk about and no edit has a use for.
    pub(crate) fn is_unknown(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == Kind::Word)
            && self.at(at).iter().all(|edge| {
                let scene = edge.category == Category::Marker && edge.value.word() == "scene";
                scene || edge.category.is_of_talk()
            })
    }

    fn add(&mut self, start: usize, edge: Edge) {
        let counts =
            matches!(edge.value.amount(), Some(Amount { unit: Unit::None, signed: false, .. }))
                && edge.category == Category::Amount
                && self.counts(edge.end);
        if counts {
            return;
        }
        let edges = &mut self.edges[start];
        if edges.len() < EDGES_MAX && !edges.contains(&edge) {
            edges.push(edge);
        }
    }

    /// Whether what is counted follows a number: "16 colors", "5 more colors".
    fn counts(&self, behind: usize) -> bool {
        let more = ["more", "less", "fewer"].iter().any(|word| self.is(behind, word));
        // "Size 40, color red": the color is no number of them.
        let named = self.at(behind + 1).iter().any(|edge| edge.category == Category::Color);
        self.is_counted(behind + usize::from(more)) && !named
    }

    fn is_counted(&self, at: usize) -> bool {
        COUNTED.iter().any(|word| self.is(at, word))
    }

    fn is(&self, at: usize, word: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.text == word)
    }

    /// Adds what the lexicon knows, and what needs no lexicon.
    fn lexical(&mut self, start: usize) {
        let token = &self.tokens[start];
        let own = match &token.kind {
            Kind::Quoted(text) => Some((Category::Text, Value::Text(text.clone()))),
            Kind::Hex(color) => Some((Category::Color, Value::Color(*color))),
            Kind::Sign if token.text == "\n" => Some((Category::Joint, Value::Word(","))),
            _ => None,
        };
        if self.continues(start) {
            let value = Value::Word("comma");
            self.add(start, Edge { end: start + 1, category: Category::Preposition, value });
        }
        if let Kind::Hex(color) = token.kind {
            let value = Value::Color(color);
            self.add(start, Edge { end: start + 1, category: Category::Hex, value });
        }
        if let Some((category, value)) = own {
            return self.add(start, Edge { end: start + 1, category, value });
        }
        unquoted::add(self, start);
        names::add(self, start);
        captions::add(self, start);
        several::add(self, start);
        let entries = self.lexicon.beginning_with(&token.text).iter();
        // What everyone writes is only looked at for texts without quotation marks.
        for entry in entries.filter(|entry| entry.category != Category::Saying) {
            let end = start + entry.words.len();
            if self.means_otherwise(start, entry) {
                continue;
            }
            let here = self.tokens.get(start..end).is_some_and(|tokens| {
                tokens.iter().zip(&entry.words).all(|(token, word)| token.text == *word)
            });
            if here {
                let value = rules::lexical(entry.category, entry.value);
                self.add(start, Edge { end, category: entry.category, value });
            }
        }
        if let Some((end, color)) = self.named_color(start) {
            let value = Value::Color(color);
            self.add(start, Edge { end, category: Category::Color, value });
        }
        if self.names_image(start) {
            return self.numbered_image(start);
        }
        for (end, value) in rules::numbers::at(self.tokens, start) {
            self.add(start, Edge { end, category: Category::Number, value: Value::Number(value) });
        }
        if let Some((end, category, value)) = rules::amounts::behind_x(self.tokens, start) {
            self.add(start, Edge { end, category, value });
        }
        if let Some((end, value)) = rules::numbers::signed(self.tokens, start) {
            let value = Value::Amount(Amount { value, unit: Unit::None, signed: true });
            self.add(start, Edge { end, category: Category::Amount, value });
        }
    }

    /// Whether a word of the lexicon means something else by what is around it.
    fn means_otherwise(&self, start: usize, entry: &Entry) -> bool {
        let word = self.tokens[start].text.as_str();
        match entry.category {
            // "third" in "the third picture" is no share.
            Category::Part => self.is_noun(start + entry.words.len()),
            // In "a cool picture", "cool" is no verb.
            Category::Act => self.is_behind_article(start),
            // "A strip along the bottom" is a part of the image.
            Category::Verb if word == "strip" => self.is_behind_article(start),
            // Nothing is dropped by "a very soft drop shadow" and "a drop darker".
            _ if word == "drop" => {
                let next = self.tokens.get(start + 1).map_or("", |next| &next.text);
                entry.words.len() == 1 && (next == "shadow" || self.is_behind_article(start))
            }
            _ => false,
        }
    }

    /// Whether a full stop or "then" stands before words that only tell more about the edit before it: "Make it
    /// 800x600. Don't crop it. Fill the rest with white."
    fn continues(&self, at: usize) -> bool {
        let stops = matches!(self.tokens[at].text.as_str(), "." | "!" | "?" | ";" | "\n" | "then");
        let more = |edge: &Edge| match edge.category {
            Category::Marker => CONTINUING.contains(&edge.value.word()),
            // "Title at the top: Why We Whisper. White, black outline."
            Category::Color | Category::Detail => self.writes,
            _ => false,
        };
        stops && self.at(at + 1).iter().any(more)
    }

    fn is_behind_article(&self, at: usize) -> bool {
        at.checked_sub(1).is_some_and(|before| is_article(&self.tokens[before].text))
    }

    /// Whether a word names an image.
    fn is_noun(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| {
            let entries = self.lexicon.beginning_with(&token.text);
            entries.iter().any(|entry| entry.category == Category::Noun && entry.words.len() == 1)
        })
    }

    /// Whether a number tells which image is meant: "picture 2", not "make the picture 2x bigger".
    fn names_image(&self, start: usize) -> bool {
        let Kind::Number(value) = self.tokens[start].kind else { return false };
        let before = start.checked_sub(1).filter(|at| {
            self.is_noun(*at)
                || matches!(self.tokens[*at].text.as_str(), "version" | "number" | "no")
        });
        let unit = self.at(start + 1).iter().any(|edge| edge.category == Category::Unit);
        before.is_some()
            && !unit
            && !self.is_counted(start + 1)
            && value.fract() == 0.0
            && value < IMAGES_MAX
    }

    /// Only the number of an image, for the rules of images.
    fn numbered_image(&mut self, start: usize) {
        if let Kind::Number(value) = self.tokens[start].kind {
            let value = Value::Number(value);
            self.add(start, Edge { end: start + 1, category: Category::ImageNumber, value });
        }
    }

    /// The longest name of a color at a position: "sky blue" is one.
    fn named_color(&self, start: usize) -> Option<(usize, Color)> {
        // In "tint the sky blue", the sky is a thing.
        let shade = self.at(start).iter().any(|edge| edge.category == Category::Shade);
        let thing = start > 0 && self.tokens[start - 1].text == "the" && !shade;
        let most = if thing { 1 } else { COLOR_WORDS_MAX };
        (1..=most).rev().find_map(|words| {
            let tokens = self.tokens.get(start..start + words)?;
            let name: String = tokens.iter().map(|token| token.text.as_str()).collect();
            Some((start + words, Color::named(&name)?))
        })
    }

    /// Applies the rules that begin at a position, until nothing new comes of it.
    fn combine(&mut self, start: usize) {
        for rule in rules::beginning_with_word(&self.tokens[start].text) {
            let found = Matching::new(self, rule).from(start);
            found.into_iter().for_each(|edge| self.add(start, edge));
        }
        let mut next = 0;
        while let Some(category) = self.edges[start].get(next).map(|edge| edge.category) {
            for rule in rules::beginning_with(category) {
                let found = Matching::new(self, rule).after(&self.edges[start][next]);
                found.into_iter().for_each(|edge| self.add(start, edge));
            }
            next += 1;
        }
    }
}

/// A rule on its way through the chart.
struct Matching<'b> {
    chart: &'b Chart<'b>,
    rule: &'static Rule,
    /// The values of the parts so far.
    values: Vec<&'b Value>,
    /// What the rule makes, for each way in which it fits.
    found: Vec<Edge>,
}

impl<'b> Matching<'b> {
    const fn new(chart: &'b Chart<'b>, rule: &'static Rule) -> Self {
        Self { chart, rule, values: Vec::new(), found: Vec::new() }
    }

    /// All ways in which the rule fits from a position on.
    fn from(mut self, start: usize) -> Vec<Edge> {
        self.extend(0, start);
        self.found
    }

    /// All ways in which the rule fits whose first part is a given edge.
    fn after(mut self, edge: &'b Edge) -> Vec<Edge> {
        let fits = match self.rule.parts.first() {
            Some(Part::Is(_, wanted)) => edge.value.word() == *wanted,
            _ => true,
        };
        if fits {
            self.values.push(&edge.value);
            self.extend(1, edge.end);
        }
        self.found
    }

    /// Goes on with a part at a position.
    fn extend(&mut self, part: usize, at: usize) {
        let Some(wanted) = self.rule.parts.get(part) else {
            if let Some(value) = (self.rule.meaning)(&self.values) {
                self.found.push(Edge { end: at, category: self.rule.gives, value });
            }
            return;
        };
        match wanted {
            Part::Word(words) => {
                if self.is_word(at, words) {
                    self.extend(part + 1, at + 1);
                }
            }
            Part::Maybe(words) => {
                if self.is_word(at, words) {
                    self.extend(part + 1, at + 1);
                }
                self.extend(part + 1, at);
            }
            Part::A(category) => self.extend_with(part, at, |edge| edge.category == *category),
            Part::Is(category, value) => {
                self.extend_with(part, at, |edge| {
                    edge.category == *category && edge.value.word() == *value
                });
            }
        }
    }

    fn extend_with(&mut self, part: usize, at: usize, fits: impl Fn(&Edge) -> bool) {
        let chart = self.chart;
        for edge in chart.at(at).iter().filter(|edge| fits(edge)) {
            self.values.push(&edge.value);
            self.extend(part + 1, edge.end);
            self.values.pop();
        }
    }

    fn is_word(&self, at: usize, words: &[&str]) -> bool {
        self.chart.tokens.get(at).is_some_and(|token| {
            !matches!(token.kind, Kind::Quoted(_)) && words.contains(&token.text.as_str())
        })
    }
}

/// Whether a word is an article.
pub(crate) fn is_article(word: &str) -> bool {
    matches!(word, "the" | "a" | "an")
}
