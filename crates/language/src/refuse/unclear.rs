//! Edits that were read and could still mean something else, so that a question is better.

use super::span;
use crate::chart::{Chart, Edge};
use crate::sentence::{Meaning, Part};
use crate::social::is_leaning;
use crate::value::Category;
use retouch_engine::operations::{Crop, Resize};
use retouch_engine::{Plan, Refusal, Step};

/// Words before what a text stands beside.
const NEAR: &[&str] = &["of", "above", "below", "beside", "under", "underneath", "near", "by"];
/// Words for a part of any size.
const VAGUE_PARTS: &[&str] = &["part", "section", "portion"];
/// Verbs that say that numbers are pixels, and words that do.
const PIXELS: &[&str] = &["resize", "scale", "px", "pixel", "pixels", "resolution", "thumbnail"];
/// Both sides of a size that may be in centimeters or inches are at most this long.
const PRINT_SIDE_MAX: u32 = 40;

/// Asks about the first edit that is unclear.
///
/// # Errors
/// The question.
pub(super) fn check(
    instruction: &str,
    chart: &Chart<'_>,
    parts: &[Part],
    plan: &Plan,
) -> Result<(), Refusal> {
    let questions = [
        turned_back(chart, parts),
        beside(chart, parts),
        without_unit(chart, parts),
        labels(parts, plan),
        zooms(parts),
        kept_part(chart, parts),
    ];
    match questions.into_iter().flatten().next() {
        Some((part, message)) => {
            Err(Refusal::missing(message).quoting(instruction, span(chart, part.tokens)))
        }
        None => Ok(()),
    }
}

type Question<'a> = Option<(&'a Part, &'static str)>;

fn steps(part: &Part) -> &[Step] {
    match &part.meaning {
        Meaning::Edit { edit, .. } => &edit.steps,
        _ => &[],
    }
}

/// "The wardrobe leans to the right, rotate 2 degrees": the usual way may be the wrong one.
fn turned_back<'a>(chart: &Chart<'_>, parts: &'a [Part]) -> Question<'a> {
    let leans = |part: &Part| {
        let mut words = chart.tokens[part.tokens[0]..part.tokens[1]].iter();
        matches!(part.meaning, Meaning::Aside(_)) && words.any(|token| is_leaning(&token.text))
    };
    let undirected = |part: &&Part| {
        let turns = |step: &Step| matches!(step, Step::Rotate(turn) if turn.degrees % 90.0 != 0.0);
        let way = |at: usize| {
            let directs = |edge: &Edge| matches!(edge.category, Category::Turn | Category::Place);
            chart.at(at).iter().any(directs) || matches!(chart.tokens[at].text.as_str(), "-" | "+")
        };
        steps(part).iter().any(turns) && !(part.tokens[0]..part.tokens[1]).any(way)
    };
    let part = parts.iter().find(undirected).filter(|_| parts.iter().any(leans))?;
    Some((part, "say which way to turn it: \"rotate 2 degrees counterclockwise\""))
}

/// "Draw a circle and write M57 to the right of it": the image has a right side, too.
fn beside<'a>(chart: &Chart<'_>, parts: &'a [Part]) -> Question<'a> {
    let marks = |step: &Step| matches!(step, Step::Mark(_) | Step::Shape(_));
    let near = |part: &Part| {
        chart.tokens[part.tokens[0]..part.tokens[1]].windows(2).any(|two| {
            NEAR.contains(&two[0].text.as_str()) && matches!(two[1].text.as_str(), "it" | "them")
        })
    };
    let pair = parts.windows(2).find(|pair| {
        let writes = steps(&pair[1]).iter().any(|step| matches!(step, Step::Text(_)));
        steps(&pair[0]).iter().any(marks) && writes && near(&pair[1])
    })?;
    Some((&pair[1], "say where the text goes, for example \"at the right\" or \"at 120,80\""))
}

/// "Make it 10 by 15": hardly pixels.
fn without_unit<'a>(chart: &Chart<'_>, parts: &'a [Part]) -> Question<'a> {
    // Icons have sides such as 16 and 24.
    let icon = |side: &u32| side.is_multiple_of(8);
    let small = |step: &Step| match step {
        Step::Resize(Resize::Exact { width, height }) => {
            *width.max(height) <= PRINT_SIDE_MAX && !(icon(width) && icon(height))
        }
        _ => false,
    };
    let part = parts.iter().find(|part| {
        let mut words = chart.tokens[part.tokens[0]..part.tokens[1]].iter();
        steps(part).iter().any(small) && !words.any(|token| PIXELS.contains(&token.text.as_str()))
    })?;
    Some((part, "say the unit: \"10 by 15 cm at 300 dpi\" or \"10x15 pixels\""))
}

/// "Side by side, labels 'A' / 'B' on top": which image does each label belong to?
fn labels<'a>(parts: &'a [Part], plan: &Plan) -> Question<'a> {
    let joined = plan.steps.iter().position(|step| matches!(step, Step::Join(_)))?;
    let texts = plan.steps[joined..].iter().filter(|step| matches!(step, Step::Text(_)));
    let assumed = plan.assumed.iter().any(|assumed| assumed == "the text is at the center");
    let part =
        parts.iter().find(|part| steps(part).iter().any(|step| matches!(step, Step::Text(_))))?;
    (texts.count() > 1 && assumed).then_some((
        part,
        "say which image each text is for: \"with the captions 'A' and 'B'\", or \"write 'A' at \
         the top of image 1\"",
    ))
}

/// "1500x500, keep the top part": how much is kept, or is it what the size is cut from?
fn kept_part<'a>(chart: &Chart<'_>, parts: &'a [Part]) -> Question<'a> {
    let vague = |part: &&Part| {
        let mut words = part.tokens[0]..part.tokens[1];
        let share = |edge: &Edge| matches!(edge.category, Category::Part | Category::Amount);
        let said = words.clone().any(|at| chart.at(at).iter().any(share));
        let crops = matches!(steps(part), [Step::Crop(Crop::Share { .. })]);
        crops && !said && words.any(|at| VAGUE_PARTS.contains(&chart.tokens[at].text.as_str()))
    };
    let part = parts.iter().find(vague)?;
    Some((
        part,
        "say how much of it, \"keep the top half\"; for a size, say \"crop to 800x600 at the top\"",
    ))
}

/// "Zoom in on the middle, keep the central 60%": twice, or once?
fn zooms(parts: &[Part]) -> Question<'_> {
    let open = |part: &Part| match &part.meaning {
        Meaning::Edit { edit, .. } => {
            matches!(edit.steps.as_slice(), [Step::Zoom(_)]) && !edit.assumed.is_empty()
        }
        _ => false,
    };
    let crops = |part: &Part| matches!(steps(part), [Step::Crop(_)]);
    let pair = parts.windows(2).find(|pair| open(&pair[0]) && crops(&pair[1]))?;
    Some((&pair[0], "say how far to zoom in, \"zoom to 150%\", or only what to keep"))
}
