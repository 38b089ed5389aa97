//! How long everything in a video takes.

use super::{Fade, Film};
use crate::Refusal;
use crate::video::{
    Phase, VIDEO_SECONDS_DEFAULT, VIDEO_SECONDS_MAX, VIDEO_SECONDS_MIN, VideoContext,
};

/// Times in milliseconds.
pub(super) struct Timing {
    pub(super) phases: Vec<Phase>,
    pub(super) fade_in_ms: u32,
    pub(super) fade_out_ms: u32,
    pub(super) duration_ms: u32,
}

/// Settles all times: what the words say, else equal shares of what is left.
pub(super) fn timing(
    film: &Film,
    context: &VideoContext,
    assumed: &mut Vec<String>,
) -> Result<Timing, Refusal> {
    let duration_ms = duration(film, context)?;
    let said: u32 = film.phases.iter().filter_map(|scene| scene.seconds).map(ms).sum();
    let open = film.phases.iter().filter(|scene| scene.seconds.is_none()).count();
    let short = said > duration_ms || (open == 0 && said < duration_ms && !film.phases.is_empty());
    if short || (open > 0 && said == duration_ms) {
        return Err(Refusal::contradiction(format!(
            "the moves take {} seconds in total, but the video lasts {}; make them match",
            f64::from(said) / 1000.0,
            f64::from(duration_ms) / 1000.0
        )));
    }
    let mut left = duration_ms - said;
    let mut open = u32::try_from(open).unwrap_or(u32::MAX);
    let mut phases = Vec::with_capacity(film.phases.len());
    for scene in &film.phases {
        let duration_ms = match scene.seconds {
            Some(seconds) => ms(seconds),
            None => {
                let share = left / open.max(1);
                (left, open) = (left - share, open.saturating_sub(1));
                share
            }
        };
        phases.push(Phase { moves: scene.moves.clone(), duration_ms });
    }
    if phases.len() > 1 && said == 0 {
        assumed.push("the moves share the time equally".to_owned());
    }
    let mut fade = |fade: Option<Fade>| fade.map_or(0, |fade| fade_ms(fade, duration_ms, assumed));
    let (fade_in_ms, fade_out_ms) = (fade(film.fade_in), fade(film.fade_out));
    Ok(Timing { phases, fade_in_ms, fade_out_ms, duration_ms })
}

fn duration(film: &Film, context: &VideoContext) -> Result<u32, Refusal> {
    let wanted = context.duration_seconds.map(f64::from);
    if let (Some(words), Some(wanted)) = (film.seconds, wanted)
        && words != wanted
    {
        return Err(Refusal::contradiction(format!(
            "the instruction says {words} seconds, but the request says {wanted}; set \
             duration_seconds to {words}, or remove the length from the instruction"
        )));
    }
    // Without a length, moves that all have theirs say it.
    let all = film.phases.iter().map(|scene| scene.seconds).sum::<Option<f64>>();
    let all = all.filter(|_| !film.phases.is_empty());
    let all = all.filter(|all| is_offered(*all, context));
    let usual = context.durations_seconds.first().copied().unwrap_or(VIDEO_SECONDS_DEFAULT);
    let seconds = film.seconds.or(wanted).or(all).unwrap_or(f64::from(usual));
    if !(f64::from(VIDEO_SECONDS_MIN)..=f64::from(VIDEO_SECONDS_MAX)).contains(&seconds) {
        return Err(Refusal::out_of_range(format!(
            "a video must be {VIDEO_SECONDS_MIN} to {VIDEO_SECONDS_MAX} seconds long, not {seconds}"
        )));
    }
    match wanted.is_some() || is_offered(seconds, context) {
        true => Ok(ms(seconds)),
        false => Err(not_offered(seconds, context)),
    }
}

/// Whether a length is one of those that the words may choose.
fn is_offered(seconds: f64, context: &VideoContext) -> bool {
    let offered = &context.durations_seconds;
    offered.is_empty() || offered.iter().any(|offered| f64::from(*offered) == seconds)
}

fn not_offered(seconds: f64, context: &VideoContext) -> Refusal {
    let mut offered = context.durations_seconds.clone();
    offered.sort_unstable();
    let offered: Vec<String> = offered.iter().map(u32::to_string).collect();
    Refusal::out_of_range(format!(
        "the instruction says {seconds} seconds, but the model makes videos of {} seconds; choose \
         one of these or give no length",
        offered.join(", ")
    ))
}

fn fade_ms(fade: Fade, duration_ms: u32, assumed: &mut Vec<String>) -> u32 {
    fade.seconds.map_or_else(
        || {
            let fade_ms = ms(1.0 / fade.pace).min(duration_ms / 3);
            assumed.push(format!("the fade takes {} seconds", f64::from(fade_ms) / 1000.0));
            fade_ms
        },
        ms,
    )
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "limited")]
fn ms(seconds: f64) -> u32 {
    (seconds.clamp(0.0, 3600.0) * 1000.0).round() as u32
}
