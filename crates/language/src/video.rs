//! From an instruction to the plan of a video: edits of the image, and what a camera does over it.

use crate::build::{Fade, Take};
use crate::chart::Chart;
use crate::lexicon::film_lexicon;
use crate::passes::Words;
use crate::read;
use crate::refuse;
use crate::sentence::{Meaning, Outcome, Part, ordered, sentence};
use crate::value::Category;
use retouch_engine::video::{
    Frame, Move, Phase, VIDEO_PLAN_VERSION, VIDEO_SECONDS_DEFAULT, VIDEO_SECONDS_MAX,
    VIDEO_SECONDS_MIN, VideoContext, VideoPlan,
};
use retouch_engine::{AspectRatio, Context, Plan, Refusal, RefusalKind, Step};

/// What to say if nothing says what the camera does.
const HOW: &str = "say what the camera should do: zoom, pan, rotate or fade, for example \"zoom in \
    slowly, then fade out\"; motion inside the image needs a model that can generate video";

/// Turns an instruction into the plan of a video.
///
/// # Errors
/// A [`Refusal`] of the whole instruction that quotes the words that caused it.
pub fn read_video(instruction: &str, context: &VideoContext) -> Result<VideoPlan, Refusal> {
    let still = still_context(context);
    let read = |still: &Context| {
        let read = |words: &Words| film(instruction, words, context, still);
        read::spelled(instruction, film_lexicon(), read, |one, other| {
            one.render() == other.render()
        })
    };
    match read(&still) {
        // A size in the words counts for the image alone; the video is cut to its own shape.
        Err(refusal) if refusal.kind == RefusalKind::Contradiction && context.inputs == 0 => {
            read(&Context { inputs: 0, ..Context::default() })
        }
        outcome => outcome,
    }
}

/// The image is made in the shape of the video, which is wide unless the request says otherwise. An
/// image that is there is edited, and the video cut to its shape.
fn still_context(context: &VideoContext) -> Context {
    if context.inputs > 0 {
        return Context { inputs: 1, ..Context::default() };
    }
    let wide = AspectRatio::Ratio { width: 16, height: 9 };
    let aspect = context.aspect.filter(|aspect| *aspect != AspectRatio::Auto);
    Context { inputs: 0, aspect: Some(aspect.unwrap_or(wide)), size: context.size }
}

fn film(
    instruction: &str,
    words: &Words,
    context: &VideoContext,
    still: &Context,
) -> Result<VideoPlan, Refusal> {
    let chart = Chart::new(&words.tokens, words.lexicon);
    let mut plan = match sentence(&chart, still) {
        Outcome::Read(parts) => planned(instruction, &chart, &parts, context)?,
        Outcome::Ambiguous(readings) => {
            return Err(refuse::ambiguous(instruction, &chart, &readings));
        }
        Outcome::Stuck(stuck) if stuck.at == chart.tokens.len() => {
            return Err(
                Refusal::missing(HOW).quoting(instruction, [0, instruction.chars().count()])
            );
        }
        Outcome::Stuck(stuck) => {
            let nearest = planned(instruction, &chart, &stuck.parts, context).ok();
            let nearest = nearest.map(|plan| plan.render());
            return Err(refuse::stuck(instruction, &chart, &stuck, nearest));
        }
    };
    plan.assumed.splice(0..0, words.assumed.iter().cloned());
    Ok(plan)
}

/// The plan of a complete reading.
fn planned(
    instruction: &str,
    chart: &Chart<'_>,
    parts: &[Part],
    context: &VideoContext,
) -> Result<VideoPlan, Refusal> {
    let whole = [0, instruction.chars().count()];
    let missing = |message: &str| Refusal::missing(message).quoting(instruction, whole);
    let still = refuse::checked(instruction, chart, parts)?;
    let film = Film::of(instruction, chart, parts)?;
    if let Some(at) = starts(chart, film.phases.len()) {
        let message = "say what happens until or after then: \"hold for 2 seconds, then zoom in\"";
        let span = refuse::span(chart, [at, at + 2]);
        return Err(Refusal::missing(message).quoting(instruction, span));
    }
    if film.is_empty() {
        return Err(missing(HOW));
    }
    if context.inputs == 0 && !matches!(still.steps.first(), Some(Step::Make(_))) {
        return Err(missing(
            "there is no image to film; add one, or describe a plain image to create, for example \
             \"zoom in on a gradient from red to blue\"",
        ));
    }
    let mut plan =
        film.plan(still, context).map_err(|refusal| refusal.quoting(instruction, whole))?;
    plan.unused_inputs = (1..context.inputs).collect();
    plan.check().map_err(|refusal| refusal.quoting(instruction, whole))?;
    Ok(plan)
}

/// "After 2 seconds", or "in the first 2 seconds" with nothing behind it: a time at which something
/// starts or ends.
fn starts(chart: &Chart<'_>, phases: usize) -> Option<usize> {
    let timed = |at: usize| chart.at(at).iter().any(|edge| edge.value.word() == "seconds");
    (0..chart.tokens.len()).find(|at| {
        timed(at + 1)
            && match chart.tokens[*at].text.as_str() {
                "after" | "before" => true,
                "first" | "last" => phases == 1,
                _ => false,
            }
    })
}

/// What the words ask for, before times are settled.
#[derive(Default)]
struct Film {
    /// One after the other: moves at the same time, and for how long.
    phases: Vec<(Vec<Move>, Option<f64>)>,
    fade_in: Option<Fade>,
    fade_out: Option<Fade>,
    seconds: Option<f64>,
    rate: Option<u32>,
    /// Whether an edit is said behind what the camera does.
    edits_late: bool,
}

impl Film {
    fn of(instruction: &str, chart: &Chart<'_>, parts: &[Part]) -> Result<Self, Refusal> {
        let (mut film, mut edits) = (Self::default(), false);
        // "Before panning left, zoom in" is one after the other without a "then".
        let in_order = parts.iter().any(|part| matches!(part.meaning, Meaning::Order(_)));
        let mut end = 0;
        for part in ordered(parts) {
            let Meaning::Edit { edit, .. } = &part.meaning else { continue };
            let gap = Gap::between(chart, end, part.tokens[0]);
            end = part.tokens[1];
            let quote =
                |refusal: Refusal| refusal.quoting(instruction, refuse::span(chart, part.tokens));
            let edited = std::mem::replace(&mut edits, !edit.steps.is_empty());
            if gap == Gap::While && (edited || edits)
                || gap == Gap::Then && edits && !edited && !film.is_empty()
            {
                return Err(quote(Refusal::missing(
                    "an edit changes the image for the whole video; put it before what the camera \
                     does: \"make it warmer and zoom in\"",
                )));
            }
            let makes = matches!(edit.steps.first(), Some(Step::Make(_)));
            film.edits_late |= edits && !makes && !film.is_empty();
            let mut strong = in_order || matches!(gap, Gap::Stop | Gap::Then);
            for take in &edit.takes {
                film.take(take, strong).map_err(quote)?;
                strong |= matches!(take, Take::Moves { .. });
            }
        }
        Ok(film)
    }

    /// Whether nothing says what the camera does.
    const fn is_empty(&self) -> bool {
        self.phases.is_empty() && self.fade_in.is_none() && self.fade_out.is_none()
    }

    /// Adds what a part says.
    fn take(&mut self, take: &Take, strong: bool) -> Result<(), Refusal> {
        match take {
            Take::FadeIn(fade) => self.fade_in = once(self.fade_in, *fade, "the fade in")?,
            Take::FadeOut(fade) => self.fade_out = once(self.fade_out, *fade, "the fade out")?,
            Take::Length(seconds) => {
                self.seconds = once(self.seconds, *seconds, "the length of the video")?;
            }
            Take::Rate(rate) => self.rate = once(self.rate, *rate, "the frame rate")?,
            // "Zoom in and hold", "hold for 2 seconds and zoom in".
            Take::Moves { moves, seconds } if moves.is_empty() => {
                self.phases.push((Vec::new(), *seconds));
            }
            Take::Moves { moves, seconds } => match self
                .phases
                .last_mut()
                .filter(|last| !(strong || last.0.is_empty() && last.1.is_some()))
            {
                None => self.phases.push((moves.clone(), *seconds)),
                Some((others, lasting)) => {
                    let alike = |one: &Move| {
                        let same =
                            |other| std::mem::discriminant(one) == std::mem::discriminant(other);
                        others.iter().any(same)
                    };
                    if others.is_empty() || moves.iter().any(alike) {
                        return Err(Refusal::contradiction(
                            "the camera can't do both at the same time; put \"then\" between them \
                             or choose one",
                        ));
                    }
                    if let Some(seconds) = seconds {
                        *lasting = once(*lasting, *seconds, "the length of the moves")?;
                    }
                    others.extend(moves);
                }
            },
        }
        Ok(())
    }

    /// Settles all times: what the words say, else equal shares of what is left.
    fn plan(self, mut still: Plan, context: &VideoContext) -> Result<VideoPlan, Refusal> {
        let duration_ms = self.duration_ms(context)?;
        let mut assumed = std::mem::take(&mut still.assumed);
        if self.edits_late {
            assumed.push("the image is edited for the whole video".to_owned());
        }
        let phases = self.timed(duration_ms, &mut assumed)?;
        let mut fade =
            |fade: Option<Fade>| fade.map_or(0, |fade| fade.ms(duration_ms, &mut assumed));
        let (fade_in_ms, fade_out_ms) = (fade(self.fade_in), fade(self.fade_out));
        Ok(VideoPlan {
            version: VIDEO_PLAN_VERSION,
            phases,
            fade_in_ms,
            fade_out_ms,
            duration_ms,
            frames_per_second: self.rate.unwrap_or(30),
            frame: frame(context),
            still: Some(still).filter(|still| !still.steps.is_empty()),
            assumed,
            unused_inputs: Vec::new(),
        })
    }

    fn timed(&self, duration_ms: u32, assumed: &mut Vec<String>) -> Result<Vec<Phase>, Refusal> {
        let times = self.phases.iter().map(|(_, seconds)| *seconds);
        let said: u32 = times.clone().flatten().map(ms).sum();
        let open = times.filter(Option::is_none).count();
        let fits = match open {
            0 => said == duration_ms || self.phases.is_empty(),
            _ => said < duration_ms,
        };
        if !fits {
            return Err(Refusal::contradiction(format!(
                "the moves take {} seconds in total, but the video lasts {}; make them match",
                f64::from(said) / 1000.0,
                f64::from(duration_ms) / 1000.0
            )));
        }
        let mut left = duration_ms.saturating_sub(said);
        let mut open = u32::try_from(open).unwrap_or(u32::MAX);
        let mut phases = Vec::with_capacity(self.phases.len());
        for (moves, seconds) in &self.phases {
            let duration_ms = seconds.map_or_else(
                || {
                    let share = left / open.max(1);
                    (left, open) = (left - share, open.saturating_sub(1));
                    share
                },
                ms,
            );
            phases.push(Phase { moves: moves.clone(), duration_ms });
        }
        if phases.len() > 1 && said == 0 {
            assumed.push("the moves share the time equally".to_owned());
        }
        Ok(phases)
    }

    fn duration_ms(&self, context: &VideoContext) -> Result<u32, Refusal> {
        let wanted = context.duration_seconds.map(f64::from);
        if let (Some(words), Some(wanted)) = (self.seconds, wanted)
            && words != wanted
        {
            return Err(Refusal::contradiction(format!(
                "the instruction says {words} seconds, but the request says {wanted}; set \
                 duration_seconds to {words}, or remove the length from the instruction"
            )));
        }
        // Without a length, moves that all have theirs say it.
        let all = self.phases.iter().map(|(_, seconds)| *seconds).sum::<Option<f64>>();
        let all = all.filter(|_| !self.phases.is_empty());
        let all = all.filter(|all| is_offered(*all, context));
        let usual = context.durations_seconds.first().copied().unwrap_or(VIDEO_SECONDS_DEFAULT);
        let seconds = self.seconds.or(wanted).or(all).unwrap_or(f64::from(usual));
        if !(f64::from(VIDEO_SECONDS_MIN)..=f64::from(VIDEO_SECONDS_MAX)).contains(&seconds) {
            return Err(Refusal::out_of_range(format!(
                "a video must be {VIDEO_SECONDS_MIN} to {VIDEO_SECONDS_MAX} seconds long, not \
                 {seconds}"
            )));
        }
        if wanted.is_none() && !is_offered(seconds, context) {
            return Err(not_offered(seconds, context));
        }
        Ok(ms(seconds))
    }
}

/// What is between two parts.
#[derive(Clone, Copy, PartialEq)]
enum Gap {
    /// "and", a comma: both at the same time.
    Weak,
    /// "while".
    While,
    /// The end of a sentence.
    Stop,
    /// "then".
    Then,
}

impl Gap {
    fn between(chart: &Chart<'_>, from: usize, to: usize) -> Self {
        let joint = |at: usize, word: &str| {
            let edges = chart.at(at).iter();
            edges
                .filter(|edge| edge.end <= to)
                .any(|edge| edge.category == Category::Joint && edge.value.word() == word)
        };
        let says = |word: &str| (from..to).any(|at| joint(at, word));
        let gaps = [("then", Self::Then), ("while", Self::While), (".", Self::Stop)];
        gaps.into_iter().find(|(word, _)| says(word)).map_or(Self::Weak, |(_, gap)| gap)
    }
}

impl Fade {
    fn ms(self, duration_ms: u32, assumed: &mut Vec<String>) -> u32 {
        self.seconds.map_or_else(
            || {
                let fade_ms = ms(1.0 / self.pace).min(duration_ms / 3);
                assumed.push(format!("the fade takes {} seconds", f64::from(fade_ms) / 1000.0));
                fade_ms
            },
            ms,
        )
    }
}

/// One value, or the only one that was said.
fn once<T: PartialEq>(old: Option<T>, new: T, what: &str) -> Result<Option<T>, Refusal> {
    match old {
        Some(old) if old != new => {
            Err(Refusal::contradiction(format!("{what} is given twice with different values")))
        }
        _ => Ok(Some(new)),
    }
}

fn frame(context: &VideoContext) -> Frame {
    match (context.size, context.aspect) {
        (Some((width, height)), _) => Frame::Size { width, height },
        (None, Some(AspectRatio::Ratio { width, height })) => Frame::Ratio { width, height },
        _ => Frame::Picture,
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

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "limited")]
fn ms(seconds: f64) -> u32 {
    (seconds.clamp(0.0, 3600.0) * 1000.0).round() as u32
}
