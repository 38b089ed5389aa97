//! Reads the whole instruction: edits, what joins them, and what is said around them.
//!
//! From each position that a reading can reach, every edit, remark and greeting that begins there
//! leads on to another position. Of all ways to the end, the one that leaves out the fewest words
//! wins, then the one with the fewest edits, then the one with the fewest and longest phrases.

mod follow;
mod order;
mod stuck;
mod way;

use crate::build::{self, Before, Edit, Miss, Take, numbered};
use crate::chart::{Chart, Edge};
use crate::clause::{self, FILLER, Frames, WORD};
use crate::social::{self, Aside, Kept, Undone, Why};
use crate::token::Kind;
use crate::value::{Category, Use, Value};
use follow::{follows, is_saving, shares_verb};
pub(crate) use order::{ordered, other, steps};
use order::{same, without_undone};
use retouch_engine::{Context, Plan, Refusal, Step};
pub(crate) use stuck::Stuck;
use way::{
    Way, about, adds_color, drew, edited, extended, gradient, keep, mark, parts_of, spares, take,
    verb_alone, waits, written,
};

/// What may be between a camera move and the image that is made: "zoom in on a gradient".
const BEFORE_MADE: &[&str] = &["on", "to", "of", "around", "with", "in", "from"];
/// The price of an edit, and of an edit that nothing separates from the one before. Each phrase of an
/// edit costs 1, so that long phrases are not taken apart.
const EDIT: u32 = 20;
const GLUED: u32 = 30;
/// An odd number, by which the marks of ways are mixed.
const MARK: u64 = 0x9E37_79B9_7F4A_7C15;

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
        /// Which of several images it changes.
        scope: Scope,
        /// Whether "then" is before it, so that it is an edit of its own.
        apart: bool,
    },
    /// What must not change.
    Kept(Kept),
    /// What is not wanted after all.
    Undone(Undone),
    /// Words that change nothing.
    Aside(Aside),
    /// A word that changes the order: "before", "after".
    Order(&'static str),
}

/// Which of several images an edit changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The image that comes out: all images before they are joined, and the result afterwards.
    Result,
    /// All of them, which only works if they are joined.
    All,
    /// Each of them, before they are joined.
    Each,
    /// One of them, by its number.
    One(usize),
    /// The one that comes out, by its number: "picture 1".
    First,
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

/// Whether colors or tones follow, which a single word before them only describes.
fn describes(chart: &Chart<'_>, at: usize) -> bool {
    let named = |edge: &Edge| matches!(edge.category, Category::Quality | Category::Band);
    chart.at(at).iter().any(named)
}

/// Reads all tokens of the chart.
pub(crate) fn sentence(chart: &Chart<'_>, context: &Context) -> Outcome {
    let length = chart.tokens.len();
    let mut reader = Reader {
        chart,
        possible: Frames::of(chart),
        context,
        before: Before::default(),
        refused: Vec::new(),
    };
    let mut ways: Vec<Vec<Way>> = vec![Vec::new(); length + 1];
    ways[0].push(Way { cost: 0, parts: None, joined: true, edits: 0, mark: 0 });
    for at in 0..length {
        let here = std::mem::take(&mut ways[at]);
        if here.is_empty() {
            continue;
        }
        let followed = follows(chart, at, context);
        let joined = here.iter().any(|way| way.joined);
        reader.before = Before {
            about: here.iter().find_map(about),
            take: here.iter().find_map(|way| take(way).cloned()),
            text: here.iter().find_map(|way| written(way).cloned()),
            gradient: here.iter().find_map(gradient),
        };
        for (end, next, cost) in reader.next(at, joined) {
            let edits = matches!(next, Next::Part(Meaning::Edit { .. }));
            // "A border with more red": what follows "with" belongs to the border.
            let with = chart.tokens[at.saturating_sub(1)..=at].iter().any(|it| it.text == "with");
            let of_object =
                |way: &Way| with && edits && !way.joined && (drew(way) || adds_color(&next));
            let mark = mark(&next);
            // "Zoom in, slowly brighten it": "slowly" may belong to the edit.
            let glues = match chart.lexicon.films() {
                true => next.films(),
                false => followed,
            };
            for way in here.iter().filter(|way| way.joined || !edits || glues) {
                // "Add the text \"Hi\" moving left": the text should move, not the camera.
                let moves = next.films() && !way.joined && drew(way);
                // "Don't save it as jpg": what is not done has no format.
                let saves = next.saves() && !way.joined && !edited(way);
                // "Fade the border to black": what follows a verb is what it changes, not another edit.
                let object = edits && !way.joined && verb_alone(chart, way, at);
                // "Before it leaves the building" says when it is needed.
                let idle = waits(way) && matches!(&next, Next::Part(Meaning::Aside(_)));
                if idle
                    || object
                    || spares(chart, way, &next, at)
                    || of_object(way)
                    || moves
                    || saves
                    || edits && shares_verb(chart, way, at)
                    || !begins(way, &next, context)
                {
                    continue;
                }
                let mut longer = extended(way, [at, end], &next, cost);
                if let Some(mark) = mark {
                    longer.mark = (way.mark.rotate_left(7) ^ mark).wrapping_mul(MARK);
                }
                keep(&mut ways[end], longer);
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

impl Next {
    /// Whether it says how the result is saved.
    fn saves(&self) -> bool {
        matches!(self, Self::Part(Meaning::Edit { edit, .. }) if edit.saving.is_some())
    }

    /// Whether it says what a camera does.
    fn films(&self) -> bool {
        let Self::Part(Meaning::Edit { edit, .. }) = self else { return false };
        edit.takes.iter().any(Take::is_seen)
    }
}

/// What is read, and what could not be done.
struct Reader<'a> {
    chart: &'a Chart<'a>,
    possible: Frames,
    context: &'a Context,
    before: Before,
    refused: Vec<([usize; 2], Refusal)>,
}

impl Reader<'_> {
    /// What begins at a position, each with its end and its price.
    fn next(&mut self, at: usize, joined: bool) -> Vec<(usize, Next, u32)> {
        let mut found = Vec::new();
        for edge in self.chart.at(at) {
            let makes = self.chart.lexicon.films() && self.context.inputs == 0;
            let next = match (edge.category, edge.value.word()) {
                (Category::Joint, "or") => continue,
                (Category::Social, _) if self.is_times(at) || self.corrects(at) => continue,
                (Category::Preposition, word) if makes && BEFORE_MADE.contains(&word) => {
                    Next::Joins
                }
                (Category::Joint, word @ ("before" | "after" | "earlier")) => {
                    Next::Part(Meaning::Order(word))
                }
                _ if self.comes_first(at) => Next::Part(Meaning::Order("first")),
                (Category::Joint | Category::Social | Category::Opening, _) => Next::Joins,
                (Category::Filler, _) => Next::Nothing,
                _ => continue,
            };
            // "after that" only joins.
            let cost = match next {
                Next::Part(Meaning::Order("before" | "after")) => GLUED,
                _ => FILLER,
            };
            found.push((edge.end, next, cost));
        }
        if let Some(end) = self.counts_images(at) {
            let (edit, pronoun) = (Edit::default(), Pronoun::No);
            let meaning = Meaning::Edit { edit, pronoun, scope: Scope::All, apart: false };
            found.push((end, Next::Part(meaning), FILLER));
        }
        let kept = social::kept(self.chart, at);
        // "Leave the top like that" is no crop.
        let keeps = self
            .chart
            .at(at)
            .iter()
            .any(|edge| edge.category == Category::Negation && edge.value.word() == "keep");
        let kept_end = kept.iter().map(|(end, _)| *end).max().filter(|_| keeps).unwrap_or(at);
        for (end, kept) in kept {
            found.push((end, Next::Part(Meaning::Kept(kept)), EDIT + GLUED));
        }
        for end in social::wanting(self.chart, at).into_iter().filter(|_| joined) {
            found.push((end, Next::Joins, FILLER));
        }
        for (end, undone) in social::undone(self.chart, at) {
            found.push((end, Next::Part(Meaning::Undone(undone)), EDIT + GLUED));
        }
        let titles = social::titles(self.chart, at, self.context.inputs);
        for (end, aside) in social::asides(self.chart, at, joined).into_iter().chain(titles) {
            #[expect(clippy::cast_possible_truncation, reason = "at most 800 tokens")]
            let cost = if aside.why == Why::Politeness { 0 } else { (end - at) as u32 * WORD };
            found.push((end, Next::Part(Meaning::Aside(aside)), cost));
        }
        let edits = found.len();
        self.edits(at, joined, &mut found);
        let mut number = 0;
        found.retain(|(end, _, _)| {
            number += 1;
            number <= edits || *end > kept_end
        });
        found
    }

    /// "Add the text, and darken it first": whether a word moves the edit that it ends to the front.
    fn comes_first(&self, at: usize) -> bool {
        // "First please" and "first if you could" end it, too.
        let ends = |edge: &Edge| {
            matches!(
                edge.category,
                Category::Joint | Category::Because | Category::Goal | Category::Social
            )
        };
        let tokens = &self.chart.tokens;
        let last = tokens.get(at + 1).is_none_or(|token| token.kind == Kind::Sign)
            || self.chart.at(at + 1).iter().any(ends);
        at > 0 && tokens[at].text == "first" && last
    }

    /// Where words end that only count the images: "Six mockups attached, …".
    fn counts_images(&self, at: usize) -> Option<usize> {
        #[expect(clippy::cast_precision_loss, reason = "a small number")]
        let inputs = Value::Number(self.context.inputs as f64);
        let apart = |end: usize| {
            self.chart.tokens.get(end).is_some_and(|next| {
                matches!(
                    next.text.as_str(),
                    "," | "." | ":" | "—" | "->" | "→" | "attached" | "here"
                )
            })
        };
        let images = self.chart.at(at).iter().filter(|edge| edge.category == Category::Image);
        images.filter(|edge| edge.value == inputs && apart(edge.end)).map(|edge| edge.end).max()
    }

    /// "x" between numbers is no kiss.
    fn is_times(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|before| &self.chart.tokens[before].kind);
        self.chart.tokens[at].text == "x" && matches!(before, Some(Kind::Number(_)))
    }

    /// "Crop it to 800x600, actually 400x300": behind an edit, "actually" takes something back.
    fn corrects(&self, at: usize) -> bool {
        let edits =
            |edge: &Edge| matches!(edge.category, Category::Verb | Category::Op | Category::Act);
        self.chart.tokens[at].text == "actually"
            && (0..at).any(|at| self.chart.at(at).iter().any(edits))
    }

    /// The edits that begin at a position.
    fn edits(&mut self, at: usize, joined: bool, found: &mut Vec<(usize, Next, u32)>) {
        let readings = clause::readings(self.chart, &self.possible, at);
        let filmed = self.filmed(&readings);
        for reading in readings {
            let films = reading.frame.films;
            // A noun alone is no edit where nothing separates it: "crop it for a 4:5 frame".
            let whole = reading.filled.has("op")
                || reading.filled.preposition("format") == "as"
                || is_saving(self.chart, at);
            // In "lift the blacks for that faded feel", the feel is what the edit is for.
            let aims = (at..reading.end).any(|at| {
                let word = |at: usize| self.chart.tokens.get(at).map_or("", |it| it.text.as_str());
                word(at) == "for" && matches!(word(at + 1), "that" | "this")
            });
            // "Lighter greens stay as they are" makes nothing lighter.
            let describes = reading.phrases == 1 && describes(self.chart, reading.end);
            if !joined && (reading.phrases == 1 && !whole && !films || aims)
                || !films && filmed.contains(&reading.end)
                || describes
            {
                continue;
            }
            #[expect(clippy::cast_precision_loss, reason = "a small number")]
            let inputs = self.context.inputs as f64;
            if reading.count.is_some_and(|count| count != inputs) {
                continue;
            }
            // Only a person can tell which of several images shows that.
            if self.context.inputs > 1 && reading.images.contains(&"described") {
                continue;
            }
            let edit = match build::build(&reading, self.context, &self.before) {
                Ok(edit) => edit,
                Err(Miss::Refused(refusal)) => {
                    self.refused.push(([at, reading.end], refusal));
                    continue;
                }
                Err(Miss::Unfit) => continue,
            };
            // A text on each image comes before they are joined.
            let single = edit.steps.iter().all(|step| matches!(step, Step::Only(_)));
            // What can't be done is no reading, unless there is no other.
            if let Err(refusal) = Plan::new(edit.steps.clone()).check()
                && !single
            {
                self.refused.push(([at, reading.end], refusal));
                continue;
            }
            let again = reading.frame.refers;
            // "Brighten them" are the shadows of the remark before, not the image.
            let again = again || self.changes_about(&reading);
            if reading.images.contains(&"them") && self.before.about.is_some() && !again {
                continue;
            }
            let pronoun = if again { Pronoun::No } else { pronoun(&reading) };
            let apart = at > 0 && self.chart.tokens[at - 1].text == "then";
            let scope = match self.scope(&reading) {
                Ok(scope) => scope,
                Err(refusal) => {
                    self.refused.push(([at, reading.end], refusal));
                    continue;
                }
            };
            let scope = if single && !edit.steps.is_empty() { Scope::Each } else { scope };
            let meaning = Meaning::Edit { edit, pronoun, scope, apart };
            found.push((reading.end, Next::Part(meaning), EDIT + reading.phrases));
        }
    }

    /// Which of several images an edit changes.
    fn scope(&self, reading: &clause::Reading<'_>) -> Result<Scope, Refusal> {
        let inputs = self.context.inputs;
        if let Some(number) = reading.picture {
            let number = numbered(number, inputs)?;
            return Ok(if inputs > 1 { Scope::One(number) } else { Scope::Result });
        }
        let named = |word| reading.images.contains(&word);
        Ok(match inputs > 1 && !reading.frame.several {
            true if named("each") => Scope::Each,
            true if named("first") => Scope::One(1),
            true if named("number one") => Scope::First,
            true if named("many") => Scope::All,
            _ => Scope::Result,
        })
    }

    /// "The colors are dull, make them richer": the edit changes what the remark is about.
    fn changes_about(&self, reading: &clause::Reading<'_>) -> bool {
        let about = self.before.about.as_ref().map_or(&[][..], Value::uses);
        let uses = reading.filled.get("op").map_or(&[][..], Value::uses);
        let colorful = |name| matches!(name, "saturation" | "vibrance" | "warmth");
        let same = |used: &Use| {
            about.iter().any(|about| {
                about.name == used.name || about.name == "saturation" && colorful(used.name)
            })
        };
        !uses.is_empty() && uses.iter().all(same)
    }

    /// The ends of what a camera does from a position on. In a video, "rotate" and "fade" are that
    /// and no edit.
    fn filmed(&self, readings: &[clause::Reading<'_>]) -> Vec<usize> {
        let camera = readings.iter().filter(|reading| reading.frame.films);
        let fits = camera.filter(|reading| {
            !matches!(build::build(reading, self.context, &self.before), Err(Miss::Unfit))
        });
        fits.map(|reading| reading.end).collect()
    }
}

fn pronoun(reading: &clause::Reading<'_>) -> Pronoun {
    let named = ["quality", "band", "marker", "cut", "sides", "ratio", "size", "region"]
        .iter()
        .any(|slot| reading.filled.has(slot));
    match reading.images.as_slice() {
        _ if named => Pronoun::No,
        [] if reading.frame.films => Pronoun::No,
        [] => Pronoun::Nothing,
        images if images.contains(&"them") => Pronoun::Them,
        images if images.contains(&"it") => Pronoun::It,
        _ => Pronoun::No,
    }
}

/// Without an image, the first edit creates one, and no other does.
fn begins(way: &Way, next: &Next, context: &Context) -> bool {
    let Next::Part(Meaning::Edit { edit, .. }) = next else { return true };
    let makes = matches!(edit.steps.first(), Some(Step::Make(_)));
    edit.steps.is_empty() || makes == (context.inputs == 0 && way.edits == 0)
}

fn outcome(ways: &[Vec<Way>], refused: Vec<([usize; 2], Refusal)>) -> Outcome {
    let mut complete = ways.last().cloned().unwrap_or_default();
    complete.retain(|way| !waits(way) && without_undone(parts_of(way)).is_some());
    // Words that only greet are no reading if there is another.
    if complete.iter().any(|way| way.parts.is_some()) {
        complete.retain(|way| way.parts.is_some());
    }
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
        if !plans.iter().any(|other| same(other, &parts)) {
            plans.push(parts);
        }
    }
    match plans.len() {
        1 => Outcome::Read(plans.swap_remove(0)),
        _ => Outcome::Ambiguous(plans),
    }
}
