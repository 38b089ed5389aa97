//! Reads the whole instruction: edits, what joins them, and what is said around them.
//!
//! From each position that a reading can reach, every edit, remark and greeting that begins there
//! leads on to another position. Of all ways to the end, the one that leaves out the fewest words
//! wins, then the one with the fewest edits, then the
//! one with the fewest and longest phrases.

use crate::build::{self, Edit, Miss};
use crate::chart::{Chart, Edge, is_article};
use crate::clause::{self, FILLER, Frames, WORD};
use crate::lexicon::lexicon;
use crate::refuse::changes;
use crate::social::{self, Aside, Why};
use crate::token::Kind;
use crate::value::{Category, Value};
use retouch_engine::operations::{Limit, Resize, Text};
use retouch_engine::{Context, Plan, Refusal, Step};
use std::rc::Rc;

/// The most readings that are kept of the words up to a position.
const READINGS_MAX: usize = 6;
/// The price of an edit, and of an edit that nothing separates from the one before. Each phrase of an
/// edit costs 1, so that long phrases are not taken apart.
const EDIT: u32 = 20;
const GLUED: u32 = 30;

/// A part of the instruction, from one token to before another.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) tokens: [usize; 2],
    pub(crate) meaning: Meaning,
}

/// What a part of the instruction means.
#[derive(Debug, Clone)]
pub(crate) enum Meaning {
    /// An edit.
    Edit {
        /// The steps, and what was assumed.
        edit: Edit,
        /// Whether the image is called "it" or not at all, so that a remark before may be meant.
        pronoun: Pronoun,
        /// Whether it names all images, which only works if they are joined afterwards.
        of_all: bool,
    },
    /// What must not change: the names of operations.
    Kept(Vec<&'static str>),
    /// What is not wanted after all: the names of operations.
    Undone(Vec<&'static str>),
    /// Words that change nothing.
    Aside(Aside),
    /// A word that changes the order: "before", "after".
    Order(&'static str),
}

/// How an edit names what it changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pronoun {
    /// By a noun: "the photo", "the contrast".
    No,
    /// "it".
    It,
    /// "them".
    Them,
    /// Not at all.
    Nothing,
}

/// What came of reading.
pub(crate) enum Outcome {
    /// One reading is the best.
    Read(Vec<Part>),
    /// Several are as good, and mean different steps.
    Ambiguous(Vec<Vec<Part>>),
    /// None reaches the end.
    Stuck(Stuck),
}

/// How far reading came.
pub(crate) struct Stuck {
    /// The best reading up to the position that no part leads on from.
    pub(crate) parts: Vec<Part>,
    /// That position.
    pub(crate) at: usize,
    /// Edits from there that are understood but can't be done, with their tokens.
    pub(crate) refused: Vec<([usize; 2], Refusal)>,
}

/// A way from the beginning to a position.
#[derive(Clone)]
struct Way {
    cost: u32,
    parts: Option<Rc<Link>>,
    /// Whether something separates what follows.
    joined: bool,
    edits: u32,
}

struct Link {
    part: Part,
    before: Option<Rc<Link>>,
}

/// Reads all tokens of the chart.
pub(crate) fn sentence(chart: &Chart<'_>, context: &Context) -> Outcome {
    let length = chart.tokens.len();
    let mut reader =
        Reader { chart, possible: Frames::of(chart), context, about: None, refused: Vec::new() };
    let mut ways: Vec<Vec<Way>> = vec![Vec::new(); length + 1];
    ways[0].push(Way { cost: 0, parts: None, joined: true, edits: 0 });
    for at in 0..length {
        let here = std::mem::take(&mut ways[at]);
        if here.is_empty() {
            continue;
        }
        // Without anything between, only a command begins another edit.
        let commands = chart.at(at).iter().any(|edge| {
            matches!(
                edge.category,
                Category::Verb
                    | Category::Push
                    | Category::Direction
                    | Category::Act
                    | Category::Quality
            )
        }) || lexicon().is_verb(&chart.tokens[at].text);
        let joined = here.iter().any(|way| way.joined);
        reader.about = here.iter().find_map(about);
        for (end, next, cost) in reader.next(at, joined) {
            let edits = matches!(next, Next::Part(Meaning::Edit { .. }));
            let with = chart.tokens[at].text == "with";
            // "A border with more red": what follows "with" belongs to the border.
            let of_object =
                |way: &Way| with && edits && !way.joined && (drew(way) || adds_color(&next));
            for way in here.iter().filter(|way| way.joined || !edits || commands) {
                if of_object(way)
                    || edits && shares_verb(chart, way, at)
                    || !begins(way, &next, context)
                {
                    continue;
                }
                keep(&mut ways[end], extended(way, [at, end], &next, cost));
            }
        }
        ways[at] = here;
    }
    outcome(&ways, reader.refused)
}

/// What leads on from a position.
enum Next {
    /// A word that joins, asks or greets, so that something new may begin.
    Joins,
    /// A word that changes nothing.
    Nothing,
    /// A part with a meaning.
    Part(Meaning),
}

/// What is read, and what could not be done.
struct Reader<'a> {
    chart: &'a Chart<'a>,
    possible: Frames,
    context: &'a Context,
    /// What the remark right before is about.
    about: Option<Value>,
    refused: Vec<([usize; 2], Refusal)>,
}

impl Reader<'_> {
    /// What begins at a position, each with its end and its price.
    fn next(&mut self, at: usize, joined: bool) -> Vec<(usize, Next, u32)> {
        let mut found = Vec::new();
        for edge in self.chart.at(at) {
            let next = match (edge.category, edge.value.word()) {
                (Category::Joint, "or") => continue,
                (Category::Social, _) if self.is_times(at) => continue,
                (Category::Joint, word @ ("before" | "after" | "earlier")) => {
                    Next::Part(Meaning::Order(word))
                }
                (Category::Joint | Category::Social | Category::Opening, _) => Next::Joins,
                (Category::Filler, _) => Next::Nothing,
                _ => continue,
            };
            // "after that" only joins.
            let is_early = edge.value.word() == "earlier";
            let cost = if matches!(next, Next::Part(_)) && !is_early { GLUED } else { FILLER };
            found.push((edge.end, next, cost));
        }
        for (end, kept) in social::kept(self.chart, at) {
            found.push((end, Next::Part(Meaning::Kept(kept)), EDIT + GLUED));
        }
        for (end, undone) in social::undone(self.chart, at) {
            found.push((end, Next::Part(Meaning::Undone(undone)), EDIT + GLUED));
        }
        for (end, aside) in social::asides(self.chart, at, joined) {
            #[expect(clippy::cast_possible_truncation, reason = "at most 800 tokens")]
            let cost = if aside.why == Why::Politeness { 0 } else { (end - at) as u32 * WORD };
            found.push((end, Next::Part(Meaning::Aside(aside)), cost));
        }
        self.edits(at, joined, &mut found);
        found
    }

    /// "x" between numbers is no kiss.
    fn is_times(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|before| &self.chart.tokens[before].kind);
        self.chart.tokens[at].text == "x" && matches!(before, Some(Kind::Number(_)))
    }

    /// The edits that begin at a position.
    fn edits(&mut self, at: usize, joined: bool, found: &mut Vec<(usize, Next, u32)>) {
        for reading in clause::readings(self.chart, &self.possible, at) {
            // A noun alone is no edit where nothing separates it: "crop it for a 4:5 frame".
            if !joined && reading.phrases == 1 && !reading.filled.has("op") {
                continue;
            }
            let counted = |image: &&str| matches!(*image, "many" | "first");
            let several = self.context.inputs > 1 && reading.images.iter().any(counted);
            let edit = match build::build(&reading, self.context, self.about.as_ref()) {
                Ok(edit) => edit,
                Err(Miss::Refused(refusal)) => {
                    self.refused.push(([at, reading.end], refusal));
                    continue;
                }
                Err(Miss::Unfit) => continue,
            };
            // What can't be done is no reading, unless there is no other.
            if let Err(refusal) = Plan::new(edit.steps.clone()).check()
                && !edit.steps.is_empty()
            {
                self.refused.push(([at, reading.end], refusal));
                continue;
            }
            let again = reading.frame.refers;
            // "Brighten them" are the shadows of the remark before, not the image.
            if reading.images.contains(&"them") && self.about.is_some() && !again {
                continue;
            }
            let pronoun = if again { Pronoun::No } else { pronoun(&reading) };
            let meaning =
                Meaning::Edit { edit, pronoun, of_all: several && !reading.frame.several };
            found.push((reading.end, Next::Part(meaning), EDIT + reading.phrases));
        }
    }
}

fn pronoun(reading: &clause::Reading<'_>) -> Pronoun {
    let named = ["quality", "band", "marker", "cut", "sides", "ratio", "size"]
        .iter()
        .any(|slot| reading.filled.has(slot));
    match reading.images.as_slice() {
        _ if named => Pronoun::No,
        [] => Pronoun::Nothing,
        images if images.contains(&"them") => Pronoun::Them,
        images if images.contains(&"it") => Pronoun::It,
        _ => Pronoun::No,
    }
}

/// "Reduce the noise and grain": what follows "and" without a verb of its own shares the verb before,
/// and is no edit of its own if that verb takes away.
fn shares_verb(chart: &Chart<'_>, way: &Way, at: usize) -> bool {
    let mut before = chart.tokens[..at].iter().rev().map(|token| token.text.as_str());
    let and = before.find(|word| !is_article(word)) == Some("and");
    let Some(last) = way.parts.as_ref().map(|link| &link.part).filter(|_| and) else {
        return false;
    };
    let takes_away = |edge: &Edge| match edge.category {
        Category::Direction => matches!(edge.value.word(), "-" | "down"),
        Category::Verb => edge.value.word() == "remove",
        _ => false,
    };
    let own = chart.at(at).iter().any(|edge| {
        matches!(
            edge.category,
            Category::Verb | Category::Push | Category::Direction | Category::Act
        ) || edge.category == Category::Op && edge.value.uses().iter().any(|used| used.sign != 0.0)
    });
    matches!(last.meaning, Meaning::Edit { .. })
        && chart.at(last.tokens[0]).iter().any(takes_away)
        && !own
        && !lexicon().is_verb(&chart.tokens[at].text)
}

/// Without an image, the first edit creates one, and no other does.
fn begins(way: &Way, next: &Next, context: &Context) -> bool {
    let Next::Part(Meaning::Edit { edit, .. }) = next else { return true };
    let makes = matches!(edit.steps.first(), Some(Step::Make(_)));
    makes == (context.inputs == 0 && way.edits == 0)
}

fn extended(way: &Way, tokens: [usize; 2], step: &Next, cost: u32) -> Way {
    let mut next = way.clone();
    next.cost += cost;
    let meaning = match step {
        Next::Part(meaning) => meaning,
        Next::Nothing => return next,
        Next::Joins => return Way { joined: true, ..next },
    };
    if matches!(meaning, Meaning::Edit { .. }) {
        next.cost += if way.joined { 0 } else { GLUED };
        next.edits += 1;
    }
    next.joined = !matches!(meaning, Meaning::Edit { .. } | Meaning::Kept(_) | Meaning::Undone(_));
    let part = Part { tokens, meaning: meaning.clone() };
    next.parts = Some(Rc::new(Link { part, before: way.parts.clone() }));
    next
}

/// Keeps the best ways to a position that differ in what they mean.
fn keep(ways: &mut Vec<Way>, way: Way) {
    let same = ways.iter().position(|other| other.joined == way.joined && same_steps(other, &way));
    match same {
        Some(at) if ways[at].cost > way.cost => ways[at] = way,
        Some(_) => {}
        None => ways.push(way),
    }
    ways.sort_by_key(|way| way.cost);
    ways.truncate(READINGS_MAX);
}

/// What the last part is about, if it is a remark.
fn about(way: &Way) -> Option<Value> {
    match &way.parts.as_ref()?.part.meaning {
        Meaning::Aside(aside) => aside.about.clone(),
        _ => None,
    }
}

/// Whether an edit only changes the amount of a color: "fill it with red" paints.
fn adds_color(next: &Next) -> bool {
    matches!(next, Next::Part(Meaning::Edit { edit, .. })
        if matches!(edit.steps.as_slice(), [Step::Channel(_)]))
}

/// Whether the last part draws something that "with" may describe.
fn drew(way: &Way) -> bool {
    let last = way.parts.as_ref().map(|link| &link.part.meaning);
    matches!(last, Some(Meaning::Edit { edit, .. }) if matches!(
        edit.steps.last(),
        Some(
            Step::Border(_) | Step::Text(_) | Step::Watermark(_) | Step::Shadow(_) | Step::Mark(_)
                | Step::Shape(_) | Step::Pad(_) | Step::Polaroid(_) | Step::Overlay(_)
        )
    ))
}

fn parts_of(way: &Way) -> Vec<Part> {
    let (mut parts, mut link) = (Vec::new(), way.parts.as_ref());
    while let Some(found) = link {
        parts.push(found.part.clone());
        link = found.before.as_ref();
    }
    parts.reverse();
    parts
}

fn same_steps(one: &Way, other: &Way) -> bool {
    one.edits == other.edits && steps(&parts_of(one)) == steps(&parts_of(other))
}

/// All steps of the edits, in the order in which they are done.
pub(crate) fn steps(parts: &[Part]) -> Vec<Step> {
    let mut steps = Vec::new();
    for part in ordered(parts) {
        if let Meaning::Edit { edit, .. } = &part.meaning {
            edit.steps.iter().for_each(|step| push(&mut steps, step.clone()));
        }
    }
    steps
}

/// Adds a step. Texts that look alike and share a place become lines of one text, and a width and a
/// height become one size.
fn push(steps: &mut Vec<Step>, step: Step) {
    let joined = match (steps.last(), &step) {
        (Some(Step::Text(above)), Step::Text(below)) if above.at.is_none() => {
            let lines = format!("{}\n{}", above.text, below.text);
            let alike = Text { text: below.text.clone(), ..above.clone() } == *below;
            alike.then(|| Text { text: lines, ..above.clone() }.into())
        }
        (Some(Step::Resize(one)), Step::Resize(other)) => both_sides(one, other).map(Step::from),
        _ => None,
    };
    match (joined, steps.last_mut()) {
        (Some(joined), Some(last)) => *last = joined,
        _ => steps.push(step),
    }
}

fn both_sides(one: &Resize, other: &Resize) -> Option<Resize> {
    match (one, other) {
        (
            Resize::Width { width, limit: Limit::Exactly },
            Resize::Height { height, limit: Limit::Exactly },
        )
        | (
            Resize::Height { height, limit: Limit::Exactly },
            Resize::Width { width, limit: Limit::Exactly },
        ) => Some(Resize::Exact { width: *width, height: *height }),
        _ => None,
    }
}

/// The parts in the order in which they are done: "before cropping, sharpen" sharpens first.
pub(crate) fn ordered(parts: &[Part]) -> Vec<&Part> {
    let is_edit = |part: &&Part| matches!(part.meaning, Meaning::Edit { .. });
    let Some(at) = parts.iter().position(|part| matches!(part.meaning, Meaning::Order(_))) else {
        return parts.iter().collect();
    };
    let Meaning::Order(word) = parts[at].meaning else { return parts.iter().collect() };
    let (before, behind) = (&parts[..at], &parts[at + 1..]);
    let leads = !before.iter().any(|part| is_edit(&part));
    // The edit right behind the word is the one that it orders.
    let next = behind.iter().position(|part| is_edit(&part)).map_or(0, |at| at + 1);
    let (moved, rest) = behind.split_at(next);
    match (word, leads) {
        // "before A, B" and "B before A": B comes first.
        ("before", _) => before.iter().chain(rest).chain(moved).collect(),
        // "after A, B".
        (_, true) => before.iter().chain(moved).chain(rest).collect(),
        // "B after A".
        _ => moved.iter().chain(before).chain(rest).collect(),
    }
}

/// The parts without what is not wanted after all. `None` if nothing before it is meant.
fn without_undone(mut parts: Vec<Part>) -> Option<Vec<Part>> {
    while let Some(at) = parts.iter().position(|part| matches!(part.meaning, Meaning::Undone(_))) {
        let Meaning::Undone(names) =
            std::mem::replace(&mut parts[at].meaning, Meaning::Kept(Vec::new()))
        else {
            return None;
        };
        for name in names {
            let meant = parts[..at].iter().rposition(|part| match &part.meaning {
                Meaning::Edit { edit, .. } => {
                    !edit.steps.is_empty() && edit.steps.iter().all(|step| changes(step, name))
                }
                _ => false,
            })?;
            parts[meant].meaning = Meaning::Kept(Vec::new());
        }
    }
    Some(parts)
}

fn outcome(ways: &[Vec<Way>], refused: Vec<([usize; 2], Refusal)>) -> Outcome {
    let mut complete = ways.last().cloned().unwrap_or_default();
    let waits = |way: &Way| {
        way.parts.as_ref().is_some_and(|link| matches!(link.part.meaning, Meaning::Order(_)))
    };
    complete.retain(|way| {
        let whole = (way.parts.is_some() || ways.len() == 1) && !waits(way);
        whole && without_undone(parts_of(way)).is_some()
    });
    let Some(best) = complete.first() else {
        let furthest = ways
            .iter()
            .enumerate()
            .rev()
            .find_map(|(at, ways)| Some((at, ways.iter().find(|way| way.joined)?)));
        let (at, parts) = furthest.map_or_else(Default::default, |(at, way)| (at, parts_of(way)));
        return Outcome::Stuck(Stuck { parts, at, refused });
    };
    let alike: Vec<Vec<Part>> = complete
        .iter()
        .filter(|way| way.cost == best.cost)
        .filter_map(|way| without_undone(parts_of(way)))
        .collect();
    let mut plans: Vec<Vec<Part>> = Vec::new();
    for parts in alike {
        if !plans.iter().any(|other| steps(other) == steps(&parts)) {
            plans.push(parts);
        }
    }
    match plans.len() {
        1 => Outcome::Read(plans.swap_remove(0)),
        _ => Outcome::Ambiguous(plans),
    }
}
