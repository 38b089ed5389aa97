//! Refusals: which words stopped the reading, and what can be done instead.

mod clashes;
mod unclear;
mod unread;
mod wanted;

use crate::build::Edit;
use crate::chart::{Chart, is_article};
use crate::sentence::{Meaning, Part, Pronoun, Scope, Stuck, ordered, other, steps};
use crate::social::is_leaning;
use crate::value::Category;
use retouch_engine::{FileFormat, Plan, Refusal, RefusalKind, Saving, Step, Understood};

/// Makes a plan of a complete reading, if nothing in it contradicts.
pub(crate) fn checked(
    instruction: &str,
    chart: &Chart<'_>,
    parts: &[Part],
) -> Result<Plan, Refusal> {
    pronouns(instruction, chart, parts)?;
    let mut plan = Plan::new(steps(parts));
    saved(instruction, chart, parts, &mut plan)?;
    if plan.steps.is_empty() && plan.output.is_none() && !chart.lexicon.films() {
        return Err(unread::no_edit(instruction, chart, parts));
    }
    kept(instruction, chart, parts, &plan)?;
    grains(instruction, chart, parts)?;
    given(instruction, chart, parts, &plan)?;
    all_images(instruction, chart, parts, &plan)?;
    for (number, part) in ordered(parts).into_iter().scan(0, |next, part| {
        let number = *next;
        *next += match &part.meaning {
            Meaning::Edit { edit, .. } => edit.steps.len(),
            _ => 0,
        };
        Some((number, part))
    }) {
        let span = span(chart, part.tokens);
        let words: String = instruction.chars().skip(span[0]).take(span[1] - span[0]).collect();
        match &part.meaning {
            Meaning::Edit { edit, .. } => {
                if edit.steps.is_empty() {
                    plan.understood.push(Understood { span, words: words.clone(), step: None });
                }
                for step in number..(number + edit.steps.len()).min(plan.steps.len()) {
                    plan.understood.push(Understood {
                        span,
                        words: words.clone(),
                        step: Some(step),
                    });
                }
                plan.assumed.extend(edit.assumed.iter().cloned());
            }
            Meaning::Kept(_) | Meaning::Undone(_) | Meaning::Aside(_) => {
                plan.understood.push(Understood { span, words, step: None });
            }
            Meaning::Order(_) => {}
        }
    }
    // Limits the number of steps that are compared below.
    plan.check()?;
    unclear::check(instruction, chart, parts, &plan)?;
    clashes::joins(&plan)?;
    clashes::opposites(&plan, chart)?;
    clashes::limits(&plan, chart)?;
    clashes::shapes(&plan, chart)?;
    clashes::repeated(&plan, chart, parts)?;
    clashes::overlapping(&plan, chart)?;
    clashes::turned(&plan)?;
    clashes::soft_edges(&plan, chart)?;
    Ok(plan)
}

/// How the result is saved, by all that is said about it.
fn saved(
    instruction: &str,
    chart: &Chart<'_>,
    parts: &[Part],
    plan: &mut Plan,
) -> Result<(), Refusal> {
    for part in parts {
        let Meaning::Edit { edit: Edit { saving: Some(saving), .. }, .. } = &part.meaning else {
            continue;
        };
        let quote = |refusal: Refusal| refusal.quoting(instruction, span(chart, part.tokens));
        if chart.lexicon.films() && *saving == Saving::default() {
            continue;
        } else if chart.lexicon.films() {
            let message = "a video is always saved as MP4";
            return Err(quote(Refusal::new(RefusalKind::NotUnderstood, message)));
        }
        let output = plan.output.unwrap_or_default().with(*saving).map_err(quote)?;
        plan.output = Some(output);
    }
    let Some(output) = plan.output.as_mut() else { return Ok(()) };
    match output.format {
        None if output.quality.is_some() => {
            output.format = Some(FileFormat::Jpeg);
            plan.assumed.push("the format is JPEG, the only one with a quality".to_owned());
        }
        None if output.bytes_max.is_some() => {
            plan.assumed.push("without another format, the file is a JPEG".to_owned());
        }
        Some(format @ (FileFormat::Png | FileFormat::WebP)) if output.quality.is_some() => {
            output.quality = None;
            let name = format.name();
            plan.assumed.push(format!("{name} is saved without loss, so it has no quality"));
        }
        _ => {}
    }
    Ok(())
}

/// "The sky is too bright, darken it": "it" may be the sky.
fn pronouns(instruction: &str, chart: &Chart<'_>, parts: &[Part]) -> Result<(), Refusal> {
    let about = parts
        .iter()
        .find(|part| matches!(&part.meaning, Meaning::Aside(aside) if aside.about_thing));
    // A file is that of the whole image, so saving it is no answer to a remark.
    let saves =
        |part: &Part| matches!(&part.meaning, Meaning::Edit { edit, .. } if edit.saving.is_some());
    let changes = |part: &Part| matches!(part.meaning, Meaning::Edit { .. }) && !saves(part);
    let saves_only = parts.iter().any(saves) && !parts.iter().any(changes);
    let leans = about.is_some_and(|part| {
        let mut words = chart.tokens[part.tokens[0]..part.tokens[1]].iter();
        words.any(|token| is_leaning(&token.text))
    });
    let vague = saves_only
        || parts.iter().any(|part| match &part.meaning {
            Meaning::Edit { edit, pronoun, .. } => {
                // No edit turns a thing in the image: "the wardrobe leans, turn it 3 degrees".
                let turns = edit.steps.iter().all(|step| matches!(step, Step::Rotate(_)));
                let whole = *pronoun == Pronoun::Nothing && edit.steps.iter().all(is_whole)
                    || turns && leans && !edit.steps.is_empty();
                changes(part) && *pronoun != Pronoun::No && !whole
            }
            Meaning::Kept(_) => true,
            _ => false,
        });
    // Behind the edits, a statement about a thing may be a wish; behind a crop, it is the reason.
    let last = parts.iter().rposition(changes);
    let crops = last.is_some_and(|last| match &parts[last].meaning {
        Meaning::Edit { edit, .. } => {
            matches!(edit.steps.last(), Some(Step::Crop(_) | Step::Trim(_)))
        }
        _ => false,
    });
    let place = about.and_then(|about| parts.iter().position(|part| part.tokens == about.tokens));
    // "Tone down the highlights, the window is very bright" gives a reason, unless "then" is before it.
    let reason = about.is_some_and(|part| match &part.meaning {
        Meaning::Aside(aside) => {
            let words = chart.tokens[..part.tokens[0]].iter().rev();
            let before = words.map(|token| token.text.as_str()).find(|word| !is_article(word));
            aside.complains && before != Some("then")
        }
        _ => false,
    });
    let vague = vague || place > last && !crops && !reason;
    if let Some(about) = about.filter(|_| vague) {
        let condition = chart.at(about.tokens[0]).iter().any(|edge| edge.value.word() == "time");
        let refusal = if condition {
            Refusal::new(RefusalKind::NotUnderstood, unread::CONDITION)
        } else if names_part(chart, about.tokens) || !unread::names_thing(chart, about.tokens) {
            Refusal::missing("say whether this part is meant or the whole image")
        } else {
            let message = "it is unclear whether the whole image is meant or a thing in it; say \
                \"the whole image\" if that is meant (only a model can find things)";
            Refusal { mentions_thing: true, ..Refusal::missing(message) }
        };
        return Err(refusal.quoting(instruction, span(chart, about.tokens)));
    }
    texts(instruction, chart, parts)?;
    text_places(instruction, chart, parts)?;
    parts_before(instruction, chart, parts)
}

/// Operations that change the whole image, whatever a remark is about.
const WHOLE: &[&str] = &[
    "auto",
    "white_balance",
    "dehaze",
    "levels",
    "crop",
    "trim",
    "rotate",
    "pad",
    "threshold",
    "equalize",
    "posterize",
    "reduce_colors",
    "halftone",
    "dither",
];

/// Whether a step changes the whole image, whatever a remark is about: "auto contrast, the food looks
/// flat".
fn is_whole(step: &Step) -> bool {
    WHOLE.contains(&step.capability().name)
}

/// Whether a remark is about a part of the image: "the bottom is too dark".
fn names_part(chart: &Chart<'_>, [start, end]: [usize; 2]) -> bool {
    let named = |category| {
        (start.saturating_sub(1)..end.min(start + 3))
            .any(|at| chart.at(at).iter().any(|edge| edge.category == category))
    };
    named(Category::Region) && !named(Category::Thing)
}

/// "Brighten the top half and blur it", "the shadows are too dark, sharpen them": the pronoun may
/// stand for a part or for what a remark is about.
fn parts_before(instruction: &str, chart: &Chart<'_>, parts: &[Part]) -> Result<(), Refusal> {
    let mut regional = false;
    let mut remarked = false;
    let mut ordered = false;
    let mut edits = 0;
    for part in parts {
        let unclear = match &part.meaning {
            Meaning::Edit { edit, pronoun, .. } => {
                let unclear =
                    regional && *pronoun == Pronoun::It || remarked && *pronoun == Pronoun::Them;
                regional = edit.steps.iter().any(|step| matches!(step, Step::Within(_)));
                edits += 1;
                // A file is always that of the whole image.
                unclear && !regional && edit.saving.is_none()
            }
            Meaning::Aside(aside) => {
                remarked |= aside.about.is_some();
                false
            }
            // "crop and sharpen after brightening it": after which of them?
            // "Crop, sharpen and blur it first": before both of them? "Before cropping it, blur it and
            // sharpen it first": before which?
            Meaning::Order("first") => edits > 2 || edits > 1 && ordered,
            Meaning::Order(_) => {
                ordered = true;
                edits > 1
            }
            Meaning::Kept(_) | Meaning::Undone(_) => false,
        };
        if unclear {
            let message = "it is unclear what these words refer to; name it";
            return Err(Refusal::missing(message).quoting(instruction, span(chart, part.tokens)));
        }
    }
    Ok(())
}

/// "Add space on the right and write \"A\" inside": the middle of the image is not meant. "Label them A
/// and B on top of each": captions are below their images.
fn text_places(instruction: &str, chart: &Chart<'_>, parts: &[Part]) -> Result<(), Refusal> {
    let mut padded = false;
    for part in parts {
        let Meaning::Edit { edit, .. } = &part.meaning else { continue };
        let tokens = chart.tokens[part.tokens[0]..part.tokens[1]].iter();
        let words: Vec<&str> = tokens.map(|token| token.text.as_str()).collect();
        let inside = words.iter().any(|word| matches!(*word, "inside" | "within"));
        let captions = |step: &Step| matches!(step, Step::Join(join) if !join.captions.is_empty());
        let above = words.windows(4).any(|words| words == ["on", "top", "of", "each"])
            && !words.windows(2).any(|words| words == ["each", "other"]);
        let message = if padded && inside && matches!(edit.steps.first(), Some(Step::Text(_))) {
            "say where the text goes, for example \"at the right\" or \"at 120,80\""
        } else if above && edit.steps.iter().any(captions) {
            "captions go below their images; to write on an image, say \"write 'A' at the top of \
             image 1\""
        } else {
            padded = matches!(edit.steps.last(), Some(Step::Pad(_)));
            continue;
        };
        return Err(Refusal::missing(message).quoting(instruction, span(chart, part.tokens)));
    }
    Ok(())
}

/// "Write \"A\" and rotate it": "it" may be the text or the image.
fn texts(instruction: &str, chart: &Chart<'_>, parts: &[Part]) -> Result<(), Refusal> {
    let mut drawn = false;
    for part in parts {
        let Meaning::Edit { edit, pronoun, .. } = &part.meaning else { continue };
        let movable = !edit.takes.is_empty()
            || edit.steps.iter().any(|step| {
                matches!(
                    step,
                    Step::Opacity(_) | Step::Rotate(_) | Step::Shadow(_) | Step::RoundCorners(_)
                )
            });
        if drawn && movable && *pronoun == Pronoun::It {
            let message = "it is unclear whether \"it\" is the text or the image; say \"the \
                text\" or \"the image\"";
            return Err(Refusal::missing(message).quoting(instruction, span(chart, part.tokens)));
        }
        drawn = edit
            .steps
            .iter()
            .any(|step| matches!(step, Step::Text(_) | Step::Watermark(_) | Step::Overlay(_)));
    }
    Ok(())
}

/// What must not change does not change.
fn kept(instruction: &str, chart: &Chart<'_>, parts: &[Part], plan: &Plan) -> Result<(), Refusal> {
    for part in parts {
        let Meaning::Kept(kept) = &part.meaning else { continue };
        let moves = |name: &&str| {
            parts.iter().any(|part| match &part.meaning {
                Meaning::Edit { edit, .. } => edit.takes.iter().any(|take| take.is(name)),
                _ => false,
            })
        };
        let broken = kept.is_broken_by(&plan.steps, changes) || kept.names.iter().any(moves);
        if broken {
            let message =
                "one part of the instruction excludes what another part asks for; choose one";
            return Err(
                Refusal::contradiction(message).quoting(instruction, span(chart, part.tokens))
            );
        }
    }
    Ok(())
}

/// Noise reduction takes away the grain of a look: "VHS look, minus the grain".
fn grains(instruction: &str, chart: &Chart<'_>, parts: &[Part]) -> Result<(), Refusal> {
    let mut grain = false;
    for part in ordered(parts) {
        let Meaning::Edit { edit, .. } = &part.meaning else { continue };
        if grain && edit.steps.iter().any(|step| does(step, "denoise")) {
            let message =
                "a look in the instruction adds grain, and this reduces noise; choose one";
            return Err(
                Refusal::contradiction(message).quoting(instruction, span(chart, part.tokens))
            );
        }
        grain |= edit.steps.len() > 1 && edit.steps.iter().any(|step| does(step, "grain"));
    }
    Ok(())
}

/// What is said to come of the edits comes of them: "so the text isn't backwards" follows a flip.
fn given(instruction: &str, chart: &Chart<'_>, parts: &[Part], plan: &Plan) -> Result<(), Refusal> {
    for part in parts {
        let Meaning::Aside(aside) = &part.meaning else { continue };
        let given = |name: &str| plan.steps.iter().any(|step| does(step, name));
        if !aside.given.is_empty() && !aside.given.split(' ').any(given) {
            let message = "nothing in the instruction makes it so; say what to change";
            let refusal = Refusal::new(RefusalKind::NotUnderstood, message);
            return Err(refusal.quoting(instruction, span(chart, part.tokens)));
        }
    }
    Ok(())
}

/// Steps before a join change all images; any other step changes the first one alone, and what is
/// done to another one is lost unless a step uses it.
fn all_images(
    instruction: &str,
    chart: &Chart<'_>,
    parts: &[Part],
    plan: &Plan,
) -> Result<(), Refusal> {
    let joined = plan.steps.iter().any(|step| matches!(step, Step::Join(_)));
    let combined = joined || plan.steps.iter().any(|step| other(step).is_some());
    let lost = |part: &&Part| match &part.meaning {
        // "Three photos here": all of them must be in the result.
        Meaning::Edit { edit, scope: Scope::All, .. } if edit.steps.is_empty() => !combined,
        Meaning::Edit { scope: Scope::All | Scope::Each, .. } => !joined,
        Meaning::Edit { scope: Scope::One(number), .. } => {
            !joined && !plan.steps.iter().any(|step| other(step) == Some(*number))
        }
        _ => false,
    };
    match parts.iter().find(lost) {
        Some(part) => {
            let message = "one call gives one image; to edit several, send them one by one, or \
                say how to join them";
            Err(Refusal::missing(message).quoting(instruction, span(chart, part.tokens)))
        }
        None => Ok(()),
    }
}

/// Operations that leave no colors.
const COLORLESS: &[&str] = &[
    "grayscale",
    "sepia",
    "duotone",
    "colorize",
    "threshold",
    "invert",
    "keep_color",
    "single_channel",
];
/// Operations that change colors alone.
const COLORS: &[&str] = &[
    "saturation",
    "vibrance",
    "warmth",
    "hue",
    "tint",
    "channel",
    "white_balance",
    "swap_channels",
    "split_tone",
    "color_tones",
    "replace_color",
    "fade",
    "auto",
];

/// What an equalized histogram changes.
const TONES: &[&str] = &[
    "brightness",
    "contrast",
    "exposure",
    "gamma",
    "levels",
    "shadows",
    "midtones",
    "highlights",
    "whites",
    "blacks",
    "colors",
];

/// Whether a step is what a word of the lexicon names.
pub(crate) fn does(step: &Step, name: &str) -> bool {
    operation(step) == if name.starts_with("channel_") { "channel" } else { name }
}

/// Whether a step changes what a word of the lexicon names.
fn changes(step: &Step, name: &str) -> bool {
    let of_colors =
        name.starts_with("channel_") || matches!(name, "colors" | "saturation" | "vibrance");
    let other = match (operation(step), name) {
        // What a look brings along.
        ("grain", "noise") | ("polaroid", "border" | "frame") => true,
        ("equalize", name) => TONES.contains(&name) || name.starts_with("channel_"),
        ("reduce_colors" | "posterize", _) => of_colors,
        // One color may change while another is kept.
        ("channel" | "color_tones" | "replace_color", _) => false,
        // "Desaturate, keep the reds".
        (operation, _) if COLORS.contains(&operation) => name.starts_with("channel_"),
        _ => false,
    };
    other
        || does(step, &name.replace(' ', "_"))
        || of_colors && COLORLESS.contains(&operation(step))
        || name == "colors" && COLORS.contains(&operation(step))
}

fn operation(step: &Step) -> &'static str {
    match step {
        Step::Within(within) => within.step.capability().name,
        Step::Only(only) => operation(&only.step),
        step => step.capability().name,
    }
}

/// The span of tokens in the instruction.
pub(crate) fn span(chart: &Chart<'_>, tokens: [usize; 2]) -> [usize; 2] {
    let start = chart.tokens.get(tokens[0]).map_or(0, |token| token.span[0]);
    let end = tokens[1]
        .checked_sub(1)
        .and_then(|last| chart.tokens.get(last))
        .map_or(start, |token| token.span[1]);
    [start, end.max(start)]
}

/// Several readings that mean different steps.
pub(crate) fn ambiguous(instruction: &str, chart: &Chart<'_>, plans: &[Vec<Part>]) -> Refusal {
    let mut shown: Vec<String> =
        plans.iter().take(2).map(|parts| Plan::new(steps(parts)).shown().join(", then ")).collect();
    shown.dedup();
    let message = match shown.len() {
        2 => format!("this can mean two things; say which: \"{}\"", shown.join("\" or \"")),
        _ => "this can mean two things; say each part in a sentence of its own".to_owned(),
    };
    let span = span(chart, [0, chart.tokens.len()]);
    Refusal::missing(message).quoting(instruction, span)
}

/// No reading: quotes the first words that nothing accounts for, and what was understood before
/// them.
pub(crate) fn stuck(
    instruction: &str,
    chart: &Chart<'_>,
    stuck: &Stuck,
    nearest: Option<String>,
) -> Refusal {
    let refusal = unread::unread(instruction, chart, stuck);
    let whole =
        matches!(refusal.kind, RefusalKind::NotUnderstood | RefusalKind::NeedsGenerativeModel);
    let Some(nearest) = nearest.filter(|_| whole) else { return refusal };
    let message = format!("{}. What was understood: \"{nearest}\"", refusal.message);
    Refusal { message, nearest: Some(nearest), ..refusal }
}
