//! Steps that clash: that undo each other, fit no size, or may be one.

use super::operation;
use crate::chart::Chart;
use crate::sentence::{Meaning, Part, ordered};
use crate::token::Token;
use retouch_engine::operations::{Crop, Limit, Resize};
use retouch_engine::{Plan, Refusal, Step};
use serde_json::Value as Json;

/// How far whole pixels may be from a ratio.
const SHAPE_ERROR_MAX: f64 = 0.02;

/// Images can be joined only once: "a grid, side by side".
pub(super) fn joins(plan: &Plan) -> Result<(), Refusal> {
    let mut joins = plan.steps.iter().enumerate().filter(|(_, step)| matches!(step, Step::Join(_)));
    match joins.nth(1) {
        Some((second, _)) => {
            let message =
                "say one way to join the images: \"side by side\", \"stacked\" or \"in a grid\"";
            Err(quoting(Refusal::missing(message), plan, second))
        }
        None => Ok(()),
    }
}

/// Whether one edit is to follow another: "then", "after that".
fn is_ordered(chart: &Chart<'_>) -> bool {
    let tokens = chart.tokens;
    let after_that = |pair: &[Token]| {
        pair[0].text == "after" && matches!(pair[1].text.as_str(), "that" | "this" | "it")
    };
    let then = |token: &Token| matches!(token.text.as_str(), "then" | "afterwards" | "afterward");
    tokens.iter().any(then) || tokens.windows(2).any(after_that)
}

/// Steps that undo each other: "brighter and darker". What is to be done first and then is no
/// contradiction.
pub(super) fn opposites(plan: &Plan, chart: &Chart<'_>) -> Result<(), Refusal> {
    if is_ordered(chart) {
        return Ok(());
    }
    let changes: Vec<_> = plan.steps.iter().map(change).collect();
    for (number, first) in changes.iter().enumerate() {
        let Some((subject, value)) = first else { continue };
        let opposed = changes.iter().enumerate().skip(number + 1).find(|(_, other)| {
            other.as_ref().is_some_and(|(other, change)| other == subject && value * change < 0.0)
        });
        if let Some((other, _)) = opposed {
            let quote = |step| plan.understood.iter().find(|part| part.step == Some(step));
            let words = |step| quote(step).map_or("", |part| part.words.as_str());
            let (first, second) = (words(number), words(other));
            let message = match first == second {
                true => format!("\"{first}\" contradicts itself; choose one"),
                false => format!("\"{first}\" and \"{second}\" contradict each other; choose one"),
            };
            return Err(quoting(Refusal::contradiction(message), plan, other));
        }
    }
    Ok(())
}

/// "At most 800px wide and at least 400px high" may have no size that fits both, and neither may
/// "100px wider and 50px taller".
pub(super) fn limits(plan: &Plan, chart: &Chart<'_>) -> Result<(), Refusal> {
    if is_ordered(chart) {
        return Ok(());
    }
    let limited = |wanted: Limit| {
        plan.steps.iter().position(|step| match step {
            Step::Resize(
                Resize::Width { limit, .. }
                | Resize::Height { limit, .. }
                | Resize::Fit { limit, .. }
                | Resize::Shortest { limit, .. },
            ) => *limit == wanted,
            _ => false,
        })
    };
    let relative =
        |step: &Step| matches!(step, Step::Resize(Resize::Wider { .. } | Resize::Taller { .. }));
    let mut sides = plan.steps.iter().enumerate().filter(|(_, step)| relative(step));
    if let (Some(_), Some((second, _))) = (sides.next(), sides.next()) {
        let message = "the other side changes in proportion; say one of them, or the size to reach";
        return Err(quoting(Refusal::missing(message), plan, second));
    }
    match (limited(Limit::AtMost), limited(Limit::AtLeast)) {
        (Some(most), Some(least)) => {
            let message = "no size may fit both limits; choose one";
            Err(quoting(Refusal::contradiction(message), plan, most.max(least)))
        }
        _ => Ok(()),
    }
}

/// "Crop it square, but the result must be 900x600": the size has another shape.
pub(super) fn shapes(plan: &Plan, chart: &Chart<'_>) -> Result<(), Refusal> {
    if is_ordered(chart) {
        return Ok(());
    }
    let cropped = plan.steps.iter().enumerate().find_map(|(number, step)| match step {
        Step::Crop(Crop::Ratio { width, height, .. }) => Some((number, width / height)),
        _ => None,
    });
    let Some((crop, ratio)) = cropped else { return Ok(()) };
    let other = |step: &Step| match step {
        Step::Resize(Resize::Exact { width, height }) => {
            (f64::from(*width) / f64::from(*height) / ratio - 1.0).abs() > SHAPE_ERROR_MAX
        }
        _ => false,
    };
    match plan.steps.iter().skip(crop).position(other) {
        Some(behind) => {
            let message = "the size has another shape than the crop; choose one";
            Err(quoting(Refusal::contradiction(message), plan, crop + behind))
        }
        None => Ok(()),
    }
}

/// "Brighten it up, I want it 15% lighter" and "soften it with a blur of 3 pixels" may ask for one
/// change or for two.
pub(super) fn repeated(plan: &Plan, chart: &Chart<'_>, parts: &[Part]) -> Result<(), Refusal> {
    let vague: Vec<bool> = ordered(parts)
        .into_iter()
        .filter_map(|part| match &part.meaning {
            Meaning::Edit { edit, .. } => Some(edit),
            _ => None,
        })
        .flat_map(|edit| vec![!edit.assumed.is_empty(); edit.steps.len()])
        .collect();
    for (number, (pair, vague)) in plan.steps.windows(2).zip(vague.windows(2)).enumerate() {
        let subject = |step| change(step).map(|(subject, _)| subject);
        let same = match (subject(&pair[0]), subject(&pair[1])) {
            (Some(one), Some(other)) => one == other,
            (None, None) => is_once(&pair[0]) && operation(&pair[0]) == operation(&pair[1]),
            _ => false,
        };
        // Nothing is lost if it becomes gray twice.
        let again = pair[0] == pair[1] && !matches!(pair[0], Step::Grayscale(_));
        if (same && vague[0] != vague[1] || again) && !is_ordered(chart) {
            let message = "this may ask for one change or for two; say once by how much";
            return Err(quoting(Refusal::missing(message), plan, number + 1));
        }
    }
    Ok(())
}

/// Whether nobody asks twice for what a step does.
fn is_once(step: &Step) -> bool {
    matches!(
        step,
        Step::Blur(_)
            | Step::Sharpen(_)
            | Step::Denoise(_)
            | Step::Dehaze(_)
            | Step::Vignette(_)
            | Step::Pixelate(_)
    )
}

/// The refusal with the words of a step.
fn quoting(refusal: Refusal, plan: &Plan, step: usize) -> Refusal {
    match plan.understood.iter().find(|part| part.step == Some(step)) {
        Some(part) => Refusal { words: part.words.clone(), span: part.span, ..refusal },
        None => refusal,
    }
}

/// "Crop to a circle, soft edges" means the edge of the circle, but only the four edges of an image
/// can fade.
pub(super) fn soft_edges(plan: &Plan, chart: &Chart<'_>) -> Result<(), Refusal> {
    let has_edges = |step: &Step| {
        matches!(
            step,
            Step::Cutout(_)
                | Step::RoundCorners(_)
                | Step::Border(_)
                | Step::Shadow(_)
                | Step::Polaroid(_)
                | Step::Vignette(_)
                | Step::Text(_)
                | Step::Watermark(_)
                | Step::Mark(_)
                | Step::Shape(_)
                | Step::QrCode(_)
                | Step::Backdrop(_)
                | Step::ColorKey(_)
                | Step::Overlay(_)
                | Step::Mask(_)
                | Step::Within(_)
        )
    };
    if is_ordered(chart) {
        return Ok(());
    }
    let clash = plan.steps.windows(2).position(|pair| match pair {
        [before, Step::SoftEdges(_)] => has_edges(before),
        _ => false,
    });
    let message = "only the four edges of the image can be soft; if you mean them, say it with \
                   \"then\": \"add a border, then feather the edges\"";
    match clash {
        Some(before) => Err(quoting(Refusal::missing(message), plan, before + 1)),
        None => Ok(()),
    }
}

/// "SOLD in the center, tilted 15 degrees" may turn the text or the image.
pub(super) fn turned(plan: &Plan) -> Result<(), Refusal> {
    let said = |step: usize| plan.understood.iter().find(|part| part.step == Some(step));
    for (number, pair) in plan.steps.windows(2).enumerate() {
        let tilts = said(number + 1).is_some_and(|part| {
            ["tilt", "slant", "angled", "rotated", "turned"]
                .iter()
                .any(|word| part.words.to_lowercase().starts_with(word))
        });
        if let [Step::Text(_), Step::Rotate(_)] = pair
            && tilts
        {
            let message = "say whether the text or the image is turned";
            return Err(quoting(Refusal::missing(message), plan, number + 1));
        }
    }
    Ok(())
}

/// Texts that would be drawn on top of each other.
pub(super) fn overlapping(plan: &Plan, chart: &Chart<'_>) -> Result<(), Refusal> {
    if is_ordered(chart) {
        return Ok(());
    }
    for (number, pair) in plan.steps.windows(2).enumerate() {
        let [Step::Text(first), Step::Text(second)] = pair else { continue };
        // Empty lines keep the second text off the first.
        let below = second.text.starts_with('\n');
        if first.place == second.place && first.at == second.at && !below {
            let message =
                "the two texts would lie on top of each other; say where each of them goes";
            return Err(quoting(Refusal::missing(message), plan, number + 1));
        }
    }
    Ok(())
}

/// What a step changes, and by how much, if it can go both ways.
fn change(step: &Step) -> Option<(Json, f64)> {
    const BOTH_WAYS: &[&str] = &[
        "brightness",
        "contrast",
        "exposure",
        "saturation",
        "vibrance",
        "warmth",
        "clarity",
        "shadows",
        "midtones",
        "highlights",
        "whites",
        "blacks",
        "channel",
        "color_tones",
    ];
    let mut json = serde_json::to_value(step).ok()?;
    let inner = if matches!(step, Step::Within(_)) { json.get_mut("step")? } else { &mut json };
    let name = inner.get("operation")?.as_str()?.to_owned();
    let field = if name == "exposure" { "stops" } else { "percent" };
    let value = inner.get(field)?.as_f64()?;
    inner.as_object_mut()?.remove(field);
    BOTH_WAYS.contains(&name.as_str()).then_some((json, value))
}
