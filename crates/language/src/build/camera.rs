//! What the camera of a video does: zoom, pan, rotate, hold, fade; and how long it takes.

use super::{Edit, Miss, Request, amount, degree, missing};
use crate::rules::places::opposite;
use crate::value::{Amount, Unit, Value};
use retouch_engine::video::Move;
use retouch_engine::{Color, Place, Refusal};

/// How far the camera goes unless the words say: a zoom in percent, a pan in percent of the frame,
/// a rotation in degrees.
const ZOOM_PERCENT: f64 = 25.0;
const PAN_PERCENT: f64 = 20.0;
const ROLL_DEGREES: f64 = 10.0;
/// Below this, a zoom without a unit may be a factor.
const PERCENT_MIN: f64 = 10.0;
/// The frame rates that there are.
const RATES: [u32; 2] = [24, 30];

/// What a part of the instruction says about a video.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Take {
    /// Moves at the same time. Without any, the camera holds still.
    Moves { moves: Vec<Move>, seconds: Option<f64> },
    /// A fade from black.
    FadeIn(Fade),
    /// A fade to black.
    FadeOut(Fade),
    /// The length of the video in seconds.
    Length(f64),
    /// The frames per second.
    Rate(u32),
}

impl Take {
    /// Whether a verb names it: "don't zoom".
    pub(crate) fn is(&self, verb: &str) -> bool {
        let any = |named: fn(&Move) -> bool| match self {
            Self::Moves { moves, .. } => moves.iter().any(named),
            _ => false,
        };
        match verb.split(' ').next() {
            Some("zoom") => any(|step| matches!(step, Move::Zoom { .. })),
            Some("pan" | "move" | "tilt") => {
                any(|step| matches!(step, Move::Pan { .. } | Move::Tilt { .. }))
            }
            Some("roll" | "rotate") => any(|step| matches!(step, Move::Roll { .. })),
            Some("fade") => matches!(self, Self::FadeIn(_) | Self::FadeOut(_)),
            _ => false,
        }
    }

    /// Whether it is seen, and not only a length or a rate.
    pub(crate) const fn is_seen(&self) -> bool {
        !matches!(self, Self::Length(_) | Self::Rate(_))
    }
}

/// How long a fade takes, if the words say, and how quick it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Fade {
    pub(crate) seconds: Option<f64>,
    pub(crate) pace: f64,
}

/// "zoom in slowly by 20%", "zoom in and out".
pub(super) fn zoom(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    match filled.get("place") {
        None | Some(Value::Place(Place::Center)) => {}
        Some(_) => {
            return missing("the camera zooms to the center; add a pan: \"zoom in and pan left\"");
        }
    }
    match (filled.word("verb"), filled.word("way")) {
        ("dolly", "") => Err(Miss::Unfit),
        ("zoom", "") => missing("say whether to zoom in or out"),
        ("zoom" | "dolly", way) => zooms(request, way),
        (verb, "") => zooms(request, verb),
        _ => Err(Miss::Unfit),
    }
}

/// Zooms one after the other: "in", "zoom in out".
fn zooms(request: &Request<'_>, words: &str) -> Result<Edit, Miss> {
    let mut edit = Edit::default();
    let given = amount(request.filled, "amount");
    let percent = match given {
        None => {
            let percent = ZOOM_PERCENT * pace(request);
            edit.assumed.push(format!("zoom by {percent}%"));
            percent
        }
        Some(Amount { value, unit: Unit::Times, .. }) => (value - 1.0) * 100.0,
        Some(Amount { value, unit: Unit::Percent, .. }) => {
            if request.filled.preposition("amount") == "to" { value - 100.0 } else { value }
        }
        Some(Amount { value, unit: Unit::None, .. }) if value >= PERCENT_MIN => value,
        Some(_) => return missing("give the zoom in percent, for example \"zoom in by 40%\""),
    };
    if percent <= 0.0 {
        return Err(Miss::Refused(Refusal::out_of_range("a zoom must be more than 0%")));
    }
    let signs = words.split(' ').filter_map(|word| match word {
        "in" => Some(1.0),
        "out" => Some(-1.0),
        _ => None,
    });
    let signs: Vec<f64> = signs.collect();
    // "Zoom in and out over 4 seconds" takes 4 seconds for both.
    #[expect(clippy::cast_precision_loss, reason = "one or two")]
    let seconds = time(request)?.map(|seconds| seconds / signs.len() as f64);
    edit.takes = common(request)?;
    edit.takes.extend(signs.into_iter().map(|sign| {
        let moves = vec![Move::Zoom { percent: percent * sign }];
        Take::Moves { moves, seconds }
    }));
    Ok(edit)
}

/// "pan slowly from left to right", "tilt up".
pub(super) fn pan(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let way = filled.word("way");
    let ask = || missing("say which way to pan: left, right, up or down");
    match filled.word("verb") {
        "tilt" if matches!(way, "" | "left" | "right") => {
            missing("say whether to pan or to rotate: \"pan left\", \"rotate counterclockwise\"")
        }
        _ if way.is_empty() => ask(),
        "move" if matches!(way, "in" | "out") => zooms(request, way),
        // If the image moves to the left, the camera pans to the right.
        "move" if request.object => {
            missing("say which way the camera goes: \"pan left\" makes the image move to the right")
        }
        _ => pans(request, way),
    }
}

fn pans(request: &Request<'_>, way: &str) -> Result<Edit, Miss> {
    let way = match (way.strip_prefix("to "), request.filled.preposition("way")) {
        (Some(end), _) => end,
        (None, "from") => opposite(way).ok_or(Miss::Unfit)?,
        (None, _) => way,
    };
    let mut edit = Edit::default();
    let percent = match amount(request.filled, "amount") {
        None => {
            let percent = PAN_PERCENT * pace(request);
            edit.assumed.push(format!("the camera moves by {percent}% of the frame"));
            percent
        }
        Some(Amount { value, unit: Unit::Percent, .. }) if value > 0.0 => value,
        Some(_) => return missing("give the distance in percent of the frame"),
    };
    let moves = way.split(' ').map(|way| match way {
        "left" => Some(Move::Pan { percent: -percent }),
        "right" => Some(Move::Pan { percent }),
        "up" => Some(Move::Tilt { percent: -percent }),
        "down" => Some(Move::Tilt { percent }),
        _ => None,
    });
    let moves = moves.collect::<Option<Vec<_>>>().ok_or(Miss::Unfit)?;
    edit.takes = common(request)?;
    edit.takes.push(Take::Moves { moves, seconds: time(request)? });
    Ok(edit)
}

/// "rotate 10 degrees clockwise".
pub(super) fn roll(request: &Request<'_>) -> Result<Edit, Miss> {
    let mut edit = Edit::default();
    let turned = request.filled.has("turned");
    let given = amount(request.filled, "amount");
    let sign = match (request.filled.word("turn"), request.filled.word("way")) {
        ("counterclockwise", "") | ("", "left") => -1.0,
        ("", "") if given.is_some_and(|given| given.value < 0.0) => -1.0,
        ("clockwise", "") | ("", "right") => 1.0,
        ("", "") => {
            edit.assumed.push("rotate clockwise".to_owned());
            1.0
        }
        _ => return super::contradiction("choose one direction to rotate"),
    };
    let degrees = match given {
        None if request.filled.says("turned", "half") => 180.0,
        None if turned => return missing("give the rotation in degrees"),
        None => {
            let degrees = ROLL_DEGREES * pace(request);
            edit.assumed.push(format!("rotate by {degrees}°"));
            degrees
        }
        Some(Amount { value, unit: Unit::Percent, .. }) if turned => value * 3.6,
        Some(Amount { value, unit: Unit::None, .. }) if turned => value * 360.0,
        Some(Amount { value, unit: Unit::Degrees | Unit::None, signed }) if !turned => {
            if signed && sign < 0.0 { value.abs() } else { value }
        }
        Some(_) => return missing("give the rotation in degrees"),
    };
    // "Turn the photo left" may ask for another image.
    let turns = degrees % 90.0 == 0.0 || given.is_none() && request.filled.has("way");
    if request.object && turns && !request.filled.has("time") {
        return missing(
            "say \"rotate the camera\" if the video should turn, or turn the image in an edit of \
             its own first",
        );
    }
    edit.takes = common(request)?;
    let moves = vec![Move::Roll { degrees: degrees * sign }];
    edit.takes.push(Take::Moves { moves, seconds: time(request)? });
    Ok(edit)
}

/// "hold still for 2 seconds".
pub(super) fn hold(request: &Request<'_>) -> Result<Edit, Miss> {
    let mut takes = common(request)?;
    takes.push(Take::Moves { moves: Vec::new(), seconds: time(request)? });
    Ok(Edit { takes, ..Edit::default() })
}

/// "fade in", "fade to black", "fade in and out".
pub(super) fn fade(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let color = match filled.get("color") {
        Some(Value::Color(color)) if *color == Color::BLACK => filled.preposition("color"),
        Some(_) => return missing("a video fades in from black and out to black"),
        None => "",
    };
    match (filled.word("verb"), filled.word("way"), color) {
        _ if filled.has("amount") => missing("say how long the fade takes, in seconds"),
        ("fade", "", "") => missing("say whether to fade in or out"),
        ("fade", "", "from") => fades(request, "in"),
        ("fade", "", _) => fades(request, "out"),
        ("fade", way, "") => fades(request, way),
        ("fade in", "", "" | "from") => fades(request, "in"),
        ("fade out", "", "" | "to") => fades(request, "out"),
        (verb, "", "") => fades(request, verb),
        _ => Err(Miss::Unfit),
    }
}

fn fades(request: &Request<'_>, words: &str) -> Result<Edit, Miss> {
    let fade = Fade { seconds: time(request)?, pace: pace(request) };
    let mut takes = common(request)?;
    takes.extend(words.split(' ').filter_map(|word| match word {
        "in" => Some(Take::FadeIn(fade)),
        "out" => Some(Take::FadeOut(fade)),
        _ => None,
    }));
    Ok(Edit { takes, ..Edit::default() })
}

/// "pan left, then up", "zoom in, then out": the verb is left out.
pub(super) fn more(request: &Request<'_>) -> Result<Edit, Miss> {
    let way = request.filled.word("way");
    let zoom = matches!(way, "in" | "out");
    match request.before {
        Some(Take::Moves { moves, .. }) => match moves.last() {
            Some(Move::Zoom { .. }) if zoom => zooms(request, way),
            Some(Move::Pan { .. } | Move::Tilt { .. }) if !zoom => pans(request, way),
            _ => Err(Miss::Unfit),
        },
        Some(Take::FadeIn(_)) if way == "out" => fades(request, way),
        _ => Err(Miss::Unfit),
    }
}

/// "a 5 second video", "10 seconds long", "at 24 fps".
pub(super) fn length(request: &Request<'_>) -> Result<Edit, Miss> {
    let mut takes = common(request)?;
    takes.extend(time(request)?.map(Take::Length));
    Ok(Edit { takes, ..Edit::default() })
}

/// What any part may say of the whole video.
fn common(request: &Request<'_>) -> Result<Vec<Take>, Miss> {
    let mut takes = Vec::new();
    match request.filled.measure("length", "length") {
        Some(Amount { value, unit: Unit::Seconds, .. }) => takes.push(Take::Length(value)),
        Some(_) => return Err(Miss::Unfit),
        None => {}
    }
    if let Some(given) = amount(request.filled, "rate") {
        let rate = RATES.into_iter().find(|rate| f64::from(*rate) == given.value);
        let message = "a video can have 24 or 30 frames per second";
        let rate = rate.ok_or_else(|| Miss::Refused(Refusal::out_of_range(message)))?;
        takes.push(Take::Rate(rate));
    }
    Ok(takes)
}

/// How long a move takes, in seconds.
fn time(request: &Request<'_>) -> Result<Option<f64>, Miss> {
    match amount(request.filled, "time") {
        Some(Amount { signed: true, .. }) => Err(Miss::Unfit),
        given => Ok(given.map(|given| given.value)),
    }
}

/// Slow moves go less far in the same time, quick ones further.
fn pace(request: &Request<'_>) -> f64 {
    let filled = request.filled;
    let says = |word| filled.says("pace", word);
    match (says("slow"), says("fast"), degree(filled)) {
        (true, true, _) | (false, true, Some(0 | 1)) | (false, false, None | Some(2)) => 1.0,
        (true, false, _) | (false, false, Some(0 | 1)) => 0.5,
        _ => 2.0,
    }
}
