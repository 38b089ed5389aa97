//! One piece of a video's instruction: at most one move.

use super::super::clause::Clause;
use super::super::common_words::ORDER;
use super::super::quantity::Unit;
use super::{Fade, move_words};
use crate::Refusal;
use crate::video::Move;

/// What one piece says.
#[derive(Debug, Clone, Default)]
pub(super) struct Beat {
    /// Which word named it, so that the next piece may leave it out.
    pub(super) name: Option<Named>,
    pub(super) step: Option<Move>,
    pub(super) fade_in: Option<Fade>,
    pub(super) fade_out: Option<Fade>,
    pub(super) holds: bool,
    /// How long the move takes.
    pub(super) seconds: Option<f64>,
    /// How long the video is.
    pub(super) whole_seconds: Option<f64>,
    pub(super) frames_per_second: Option<u32>,
}

/// What a piece is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    In,
    Out,
    Zoom,
    Pan,
    Rotate,
    FadeBoth,
    FadeIn,
    FadeOut,
    Hold,
}

const HEADS: [(Named, &[&str]); 9] = [
    (Named::FadeBoth, move_words::FADE_BOTH),
    (Named::FadeIn, move_words::FADE_IN),
    (Named::FadeOut, move_words::FADE_OUT),
    (Named::In, move_words::ZOOM_IN),
    (Named::Out, move_words::ZOOM_OUT),
    (Named::Rotate, move_words::ROTATE),
    (Named::Zoom, move_words::ZOOM),
    (Named::Pan, move_words::PAN),
    (Named::Hold, move_words::HOLD),
];

/// Whether two moves are along the same axis.
pub(super) fn same_kind(first: Move, second: Move) -> bool {
    std::mem::discriminant(&first) == std::mem::discriminant(&second)
}

/// Reads one piece, given the last one that named a move.
pub(super) fn read(clause: &mut Clause<'_>, before: Option<&Beat>) -> Result<Beat, Refusal> {
    let beat = named(clause, before);
    clause.take_all(ORDER);
    clause.take_all(move_words::FILLERS);
    beat
}

fn named(clause: &mut Clause<'_>, before: Option<&Beat>) -> Result<Beat, Refusal> {
    let mut beat = Beat { frames_per_second: rate(clause)?, ..Beat::default() };
    beat.whole_seconds = whole_seconds(clause);
    beat.seconds = seconds(clause);
    let mut named = HEADS.iter().find_map(|(name, heads)| {
        clause.head(heads)?;
        Some(*name)
    });
    named = named.or_else(|| left_out(clause, before));
    let pace = pace(clause);
    beat.name = named;
    let fade = Fade { seconds: beat.seconds, pace };
    match named {
        Some(Named::In) => beat.step = Some(zoom(clause, pace, 1.0)?),
        Some(Named::Out) => beat.step = Some(zoom(clause, pace, -1.0)?),
        Some(Named::Zoom) => {
            return Err(Refusal::missing("say whether to zoom in or out"));
        }
        Some(Named::Pan) => beat.step = Some(pan(clause, pace)?),
        Some(Named::Rotate) => beat.step = Some(rotate(clause, pace)?),
        Some(Named::FadeBoth) => (beat.fade_in, beat.fade_out) = (Some(fade), Some(fade)),
        Some(Named::FadeIn) => beat.fade_in = Some(fade),
        Some(Named::FadeOut) => beat.fade_out = Some(fade),
        Some(Named::Hold) => beat.holds = true,
        None => {}
    }
    Ok(beat)
}

/// "pan left, then up": the second pan is left out, "fade in and out" the second fade.
fn left_out(clause: &mut Clause<'_>, before: Option<&Beat>) -> Option<Named> {
    match before?.name? {
        Named::Pan if move_words::WAYS.iter().any(|(way, _)| clause.has(way)) => Some(Named::Pan),
        Named::FadeIn => clause.take(&["out"]).map(|_| Named::FadeOut),
        Named::In => clause.take(&["out"]).map(|_| Named::Out),
        Named::Out => clause.take(&["in"]).map(|_| Named::In),
        _ => None,
    }
}

/// Slow moves go less far in the same time, quick ones further.
fn pace(clause: &mut Clause<'_>) -> f64 {
    match (clause.take(move_words::SLOW), clause.take(move_words::FAST)) {
        (Some(_), None) => 0.5,
        (None, Some(_)) => 2.0,
        _ => 1.0,
    }
}

fn zoom(clause: &mut Clause<'_>, pace: f64, sign: f64) -> Result<Move, Refusal> {
    clause.take_all(&["into the picture", "into the middle", "into the center", "on the middle"]);
    clause.take_all(&[
        "on the center",
        "towards the center",
        "towards the middle",
        "from the center",
    ]);
    let percent = match clause.quantity() {
        None => {
            let percent = 25.0 * pace;
            clause.assumed.push(format!("zoom by {percent}%"));
            percent
        }
        Some(amount) => match amount.unit {
            Unit::Times => (amount.value - 1.0) * 100.0,
            Unit::Percent | Unit::None if amount.to => amount.value - 100.0,
            Unit::Percent | Unit::None => amount.value,
            _ => return Err(Refusal::missing("give the zoom in percent")),
        },
    };
    if percent <= 0.0 {
        return Err(Refusal::out_of_range("a zoom must be more than 0%"));
    }
    Ok(Move::Zoom { percent: percent * sign })
}

fn pan(clause: &mut Clause<'_>, pace: f64) -> Result<Move, Refusal> {
    let found = move_words::WAYS
        .iter()
        .filter_map(|(way, sign)| clause.find(way).map(|(_, _, length)| (length, way, sign)));
    let Some((_, way, (right, down))) = found.max_by_key(|(length, ..)| *length) else {
        return Err(Refusal::missing("say which way to pan: left, right, up or down"));
    };
    clause.take(way);
    let percent = match clause.quantity() {
        None => {
            let percent = 20.0 * pace;
            clause.assumed.push(format!("the camera moves by {percent}% of the frame"));
            percent
        }
        Some(amount) if matches!(amount.unit, Unit::Percent) && amount.value > 0.0 => amount.value,
        Some(_) => return Err(Refusal::missing("give the distance in percent of the frame")),
    };
    Ok(match *right == 0.0 {
        true => Move::Tilt { percent: percent * down },
        false => Move::Pan { percent: percent * right },
    })
}

fn rotate(clause: &mut Clause<'_>, pace: f64) -> Result<Move, Refusal> {
    let sign = match (clause.take(move_words::COUNTERCLOCKWISE), clause.take(move_words::CLOCKWISE))
    {
        (Some(_), None) => -1.0,
        (None, Some(_)) => 1.0,
        (None, None) => {
            clause.assumed.push("rotate clockwise".to_owned());
            1.0
        }
        (Some(_), Some(_)) => return Err(Refusal::contradiction("choose one direction to rotate")),
    };
    let degrees = match clause.quantity() {
        None => {
            let degrees = 10.0 * pace;
            clause.assumed.push(format!("rotate by {degrees}°"));
            degrees
        }
        Some(amount) if matches!(amount.unit, Unit::Degrees | Unit::None) && amount.value > 0.0 => {
            amount.value
        }
        Some(_) => return Err(Refusal::missing("give the rotation in degrees")),
    };
    Ok(Move::Roll { degrees: degrees * sign })
}

/// "a 5 second video", "5 seconds long".
fn whole_seconds(clause: &mut Clause<'_>) -> Option<f64> {
    let (at, value) = clause.counted(move_words::SECONDS)?;
    let is_whole = clause.find(move_words::VIDEO).is_some_and(|(_, from, _)| from == at + 2);
    if !is_whole {
        return None;
    }
    clause.mark(at, 2);
    clause.take(move_words::VIDEO);
    Some(value)
}

/// "over 2 seconds".
fn seconds(clause: &mut Clause<'_>) -> Option<f64> {
    let (at, value) = clause.counted(move_words::SECONDS)?;
    clause.mark(at, 2);
    if ["for", "over", "in", "within", "during", "lasting", "of"]
        .contains(&clause.word(at.wrapping_sub(1)))
    {
        clause.mark(at.wrapping_sub(1), 1);
    }
    Some(value)
}

fn rate(clause: &mut Clause<'_>) -> Result<Option<u32>, Refusal> {
    let Some((at, value)) = clause.counted(&["fps", "frames"]) else { return Ok(None) };
    clause.mark(at, 1);
    clause.take(move_words::RATE);
    match value {
        24.0 => Ok(Some(24)),
        30.0 => Ok(Some(30)),
        _ => Err(Refusal::out_of_range("a video can have 24 or 30 frames per second")),
    }
}
