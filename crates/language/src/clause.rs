//! Reads one edit: a stretch of phrases that fill the slots of a frame, in any order.
//!
//! All frames are tried side by side, from a position onward. A state is a frame with some of its
//! slots filled. Words that change nothing are skipped, and every other word must fill a slot, so a
//! frame accounts for each word between its start and its end. The number of states at a position
//! is bounded, and so is the length of an edit, so the work is linear in the length of the
//! instruction.

use crate::chart::{Chart, Edge};
use crate::frame::{Filled, Frame, frames};
use crate::lexicon::lexicon;
use crate::social;
use crate::value::{Category, Value};
use std::collections::HashMap;

/// The most states at one position.
const STATES_MAX: usize = 240;
/// The most states at one position that have the same slots filled, in different ways.
const ALIKE_MAX: usize = 8;
/// The most tokens of one edit.
const TOKENS_MAX: usize = 48;
/// How many phrases one edit may have for slots that are already filled: "brighter, sharper, warmer".
const REPEATS_MAX: u8 = 6;
/// How often the edited image may be named in one edit.
const IMAGES_MAX: u8 = 2;
/// The price of a word that changes nothing. A phrase costs 1.
pub(crate) const FILLER: u32 = 2;
/// The price of a word that is left out.
pub(crate) const WORD: u32 = 1000;
/// The prepositions before the edited image.
const BEFORE_IMAGE: &[&str] = &[
    "", "of", "to", "on", "in", "for", "from", "around", "over", "across", "behind", "by", "with",
    "onto", "off", "between",
];

/// A frame whose slots are filled by everything between two positions.
pub(crate) struct Reading<'a> {
    pub(crate) frame: &'static Frame,
    pub(crate) end: usize,
    pub(crate) filled: Filled<'a>,
    /// How the edited image is named: "it", "many", nothing.
    pub(crate) images: Vec<&'static str>,
    /// The number of the edited image, if it is named by one.
    pub(crate) picture: Option<usize>,
    /// How many images are named.
    pub(crate) count: Option<f64>,
    /// Whether the image is named without a preposition: "move it", not "move across it".
    pub(crate) object: bool,
    /// Whether it is named behind "of": "a grid of this photo".
    pub(crate) of_image: bool,
    /// How many phrases it has, with those that change nothing. The fewer, the longer they are.
    pub(crate) phrases: u32,
}

#[derive(Clone, Copy)]
struct State {
    frame: usize,
    /// The filled slots, as bits.
    mask: u32,
    /// The preposition that waits for its phrase.
    preposition: Option<&'static str>,
    images: u8,
    /// How many phrases went to slots that were filled.
    repeats: u8,
    /// How many words are skipped because they change nothing.
    fillers: u8,
    /// How many words say only what the edit is for.
    purposes: u8,
    /// The last step on the way here.
    last: Option<usize>,
}

impl State {
    /// Whether the same slots of the same frame are filled.
    fn is_like(&self, other: &Self) -> bool {
        self.frame == other.frame
            && self.mask == other.mask
            && self.preposition == other.preposition
            && self.images == other.images
    }
}

/// One step: a slot filled by an edge, or the image named.
#[derive(Clone, Copy)]
struct Step {
    before: Option<usize>,
    slot: Option<usize>,
    position: usize,
    edge: usize,
    preposition: &'static str,
}

/// The frames that an instruction may use.
pub(crate) struct Frames {
    /// By where they may begin.
    from: Vec<Vec<usize>>,
    /// Where the purposes end that begin at each position.
    purposes: Vec<Vec<usize>>,
}

impl Frames {
    /// Finds, for each position, the frames whose needed slots can all be filled from there on.
    pub(crate) fn of(chart: &Chart<'_>) -> Self {
        let length = chart.tokens.len();
        let mut by_category: HashMap<Category, Vec<(usize, &Value)>> = HashMap::new();
        for at in 0..length {
            for edge in chart.at(at) {
                by_category.entry(edge.category).or_default().push((at, &edge.value));
            }
        }
        let mut from = vec![Vec::new(); length];
        for (number, frame) in frames().iter().enumerate() {
            let slots = frame.slots.iter().take(frame.needed.count_ones() as usize);
            let places: Vec<Vec<usize>> = slots
                .map(|slot| {
                    let edges = by_category.get(&slot.category).into_iter().flatten();
                    let fits = edges.filter(|(_, value)| slot.could_take(value));
                    fits.map(|(at, _)| *at).collect()
                })
                .collect();
            let mut next = vec![0; places.len()];
            for (start, here) in from.iter_mut().enumerate() {
                let near = places.iter().zip(&mut next).all(|(places, next)| {
                    while places.get(*next).is_some_and(|at| *at < start) {
                        *next += 1;
                    }
                    places.get(*next).is_some_and(|at| *at < start + TOKENS_MAX)
                });
                if near {
                    here.push(number);
                }
            }
        }
        let purposes = |at: usize| match chart.tokens[at].text.as_str() {
            "for" => social::purposes(chart, at),
            _ => Vec::new(),
        };
        Self { from, purposes: (0..length).map(purposes).collect() }
    }
}

/// All readings of an edit that begins at a position.
pub(crate) fn readings<'a>(
    chart: &'a Chart<'_>,
    possible: &Frames,
    start: usize,
) -> Vec<Reading<'a>> {
    let limit = chart.tokens.len().min(start + TOKENS_MAX);
    let states = vec![Vec::new(); limit - start + 1];
    let mut search = Search { chart, bounds: [start, limit], steps: Vec::new(), states };
    search.states[0].extend(possible.from[start].iter().map(|frame| State {
        frame: *frame,
        mask: 0,
        preposition: None,
        images: 0,
        repeats: 0,
        fillers: 0,
        purposes: 0,
        last: None,
    }));
    let mut readings = Vec::new();
    for at in start..=limit {
        let states = std::mem::take(&mut search.states[at - start]);
        for state in &states {
            let frame = &frames()[state.frame];
            let complete = frame.needed & !state.mask == 0 && state.preposition.is_none();
            if complete && at > start {
                readings.push(search.reading(frame, state, at));
            }
            if at < limit {
                search.advance(state, at);
            }
        }
        if at > start && at < limit {
            search.skip_purposes(&states, at, &possible.purposes[at]);
        }
    }
    readings
}

struct Search<'a, 'b> {
    chart: &'a Chart<'b>,
    /// Where the edit begins, and where it must have ended.
    bounds: [usize; 2],
    steps: Vec<Step>,
    states: Vec<Vec<State>>,
}

impl<'a> Search<'a, '_> {
    fn advance(&mut self, state: &State, at: usize) {
        let frame = &frames()[state.frame];
        let verb = lexicon().is_verb(&self.chart.tokens[at].text);
        let begins = state.last.is_none();
        for (number, edge) in self.chart.at(at).iter().enumerate() {
            if edge.end > self.bounds[1] {
                continue;
            }
            match edge.category {
                Category::Filler => {
                    let fillers = state.fillers.saturating_add(1);
                    self.push(edge.end, State { fillers, ..*state });
                }
                // "…, in red" and "… and with a shadow": the comma only joins.
                // In "and round the corners", "round" is a verb; in ", position: bottom", no word is one.
                Category::Preposition
                    if state.preposition.is_some() && verb && edge.end == at + 1 => {}
                // What joins edits begins none.
                Category::Preposition if begins && matches!(edge.value.word(), "comma" | "and") => {
                }
                Category::Preposition
                    if state.preposition.is_none_or(|word| matches!(word, "comma" | "and")) =>
                {
                    let preposition = Some(edge.value.word());
                    self.push(edge.end, State { preposition, ..*state });
                    // ", with an outline" may describe what is before the comma, or all before it.
                    if state.preposition == Some("comma") {
                        self.push(edge.end, *state);
                    }
                }
                // What combines images has slots for them, and only that counts them.
                Category::Image
                    if matches!(edge.value, Value::Picture(_))
                        && (frame.several || state.images > 0) => {}
                Category::Image
                    if !frame.several
                        && (matches!(edge.value, Value::Number(_))
                            || edge.value.word() == "several") => {}
                Category::Image if state.images < IMAGES_MAX => {
                    let preposition = state.preposition.unwrap_or_default();
                    if BEFORE_IMAGE.contains(&preposition) {
                        let step = self.step(state, None, (at, number));
                        let images = state.images + 1;
                        self.push(
                            edge.end,
                            State { images, preposition: None, last: step, ..*state },
                        );
                    }
                }
                _ => {}
            }
            let preposition = state.preposition.unwrap_or_default();
            for (slot, described) in frame.slots.iter().enumerate() {
                let filled = state.mask & (1 << slot) != 0;
                let open = !filled || described.many && state.repeats < REPEATS_MAX;
                if open && described.takes(edge.category, &edge.value, preposition) {
                    let last = self.step(state, Some(slot), (at, number));
                    let mask = state.mask | 1 << slot;
                    let repeats = state.repeats + u8::from(filled);
                    self.push(edge.end, State { mask, repeats, preposition: None, last, ..*state });
                }
            }
        }
    }

    /// "Resize to 800x600 for my blog, crop the rest": the edit goes on behind the purpose.
    fn skip_purposes(&mut self, states: &[State], at: usize, ends: &[usize]) {
        let limit = self.bounds[1];
        for end in ends.iter().filter(|end| **end < limit) {
            let words = u8::try_from(end - at).unwrap_or(u8::MAX);
            for state in states.iter().filter(|state| state.preposition.is_none()) {
                let purposes = state.purposes.saturating_add(words);
                self.push(*end, State { purposes, ..*state });
            }
        }
    }

    fn step(
        &mut self,
        state: &State,
        slot: Option<usize>,
        (position, edge): (usize, usize),
    ) -> Option<usize> {
        let preposition = state.preposition.unwrap_or_default();
        self.steps.push(Step { before: state.last, slot, position, edge, preposition });
        Some(self.steps.len() - 1)
    }

    fn push(&mut self, at: usize, state: State) {
        let states = &mut self.states[at - self.bounds[0]];
        let alike = states.iter().filter(|other| other.is_like(&state)).count();
        if states.len() < STATES_MAX && alike < ALIKE_MAX {
            states.push(state);
        }
    }

    fn reading(&self, frame: &'static Frame, state: &State, end: usize) -> Reading<'a> {
        let (mut steps, mut next) = (Vec::new(), state.last);
        while let Some(step) = next.and_then(|number| self.steps.get(number)) {
            steps.push(*step);
            next = step.before;
        }
        #[expect(clippy::cast_possible_truncation, reason = "at most one step a token")]
        let phrases = steps.len() as u32
            + FILLER * u32::from(state.fillers)
            + WORD * u32::from(state.purposes);
        let (mut filled, mut images, mut picture) = (Filled::default(), Vec::new(), None);
        let mut count = None;
        let object = steps.iter().any(|step| step.slot.is_none() && step.preposition.is_empty());
        let of_image = steps.iter().any(|step| step.slot.is_none() && step.preposition == "of");
        for step in steps.iter().rev() {
            let edge: &'a Edge = &self.chart.at(step.position)[step.edge];
            match step.slot {
                Some(slot) => filled.push(frame.slots[slot].name, &edge.value, step.preposition),
                None => {
                    images.push(image_word(&edge.value));
                    picture = edge.value.picture().or(picture);
                    if let Value::Number(number) = edge.value {
                        count = Some(number);
                    }
                }
            }
        }
        Reading { frame, end, filled, images, picture, count, object, of_image, phrases }
    }
}

fn image_word(value: &Value) -> &'static str {
    match value {
        Value::Word("several") | Value::Number(_) => "many",
        Value::Word(word) => word,
        _ => "",
    }
}
