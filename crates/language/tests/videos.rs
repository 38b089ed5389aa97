//! Videos: instructions and the plans they mean, and what is refused.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

use retouch_engine::video::{Frame, Phase, VideoContext, VideoPlan};
use retouch_engine::{AspectRatio, Context, Refusal, RefusalKind};
use retouch_language::{read, read_video, rows};

#[path = "metamorphic/random.rs"]
mod random;

/// How many sentences are read that nobody writes, and their most words.
const SENTENCES: usize = 1000;
const WORDS_MAX: usize = 12;
const READ: &str = include_str!("videos/read.txt");
const REFUSED: &str = include_str!("videos/refused.txt");

/// The lines of a table, cut at the bars, each with the number of images that it is read with.
fn table(text: &'static str) -> impl Iterator<Item = (usize, Vec<&'static str>)> {
    let mut inputs = 1;
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).filter_map(move |line| {
        if let Some(count) = line.strip_prefix("@ images ") {
            inputs = count.parse().unwrap();
            return None;
        }
        Some((inputs, line.split(" | ").collect()))
    })
}

fn film(instruction: &str, inputs: usize) -> Result<VideoPlan, Refusal> {
    read_video(instruction, &VideoContext { inputs, ..VideoContext::default() })
}

#[test]
fn instructions_mean_what_they_say() {
    let mut wrong = Vec::new();
    for (inputs, columns) in table(READ) {
        let got = match film(columns[0], inputs) {
            Ok(plan) => plan.render(),
            Err(refusal) => format!("{:?}: {refusal} {:?}", refusal.kind, refusal.words),
        };
        let short = got.replace("a 5 second video at 30 frames per second: ", "");
        if short != columns[1] {
            wrong.push(format!("{}\n  wanted: {}\n  got:    {short}", columns[0], columns[1]));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_no_camera_can_do_is_refused_with_its_words() {
    let mut wrong = Vec::new();
    for (inputs, columns) in table(REFUSED) {
        let kind: RefusalKind = serde_json::from_value(columns[0].into()).unwrap();
        match film(columns[1], inputs) {
            Ok(plan) => wrong.push(format!("{}: {}", columns[1], plan.render())),
            Err(refusal) => {
                let [from, to] = refusal.span;
                let quoted: String = columns[1].chars().skip(from).take(to - from).collect();
                if refusal.kind != kind || quoted != refusal.words {
                    wrong.push(format!("{}: {:?} {refusal} {quoted:?}", columns[1], refusal.kind));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_a_plan_says_is_read_as_the_same_plan() {
    for (inputs, columns) in table(READ) {
        let plan =
            film(columns[0], inputs).unwrap_or_else(|refusal| panic!("{columns:?} {refusal}"));
        let again = film(&plan.render(), inputs).unwrap_or_else(|refusal| {
            panic!("{}: {refusal}", plan.render());
        });
        let steps = |plan: &VideoPlan| plan.still.as_ref().map(|still| still.steps.clone());
        assert_eq!(steps(&again), steps(&plan), "{columns:?}");
        let bare = |mut plan: VideoPlan| {
            // Without a phase, the camera holds still.
            if plan.phases.is_empty() {
                plan.phases.push(Phase { moves: Vec::new(), duration_ms: plan.duration_ms });
            }
            VideoPlan { assumed: Vec::new(), still: None, ..plan }
        };
        assert_eq!(bare(again), bare(plan), "{columns:?}");
    }
}

#[test]
fn length_and_size_come_from_the_request() {
    let context = |duration_seconds, durations_seconds: &[u32]| VideoContext {
        inputs: 1,
        duration_seconds,
        durations_seconds: durations_seconds.to_vec(),
        ..VideoContext::default()
    };
    let length = |words, context| read_video(words, &context).map(|plan| plan.duration_ms);
    let offered = [5, 10, 8];
    for (words, asked, ms) in [
        ("zoom in", None, 5000),
        ("zoom in", Some(8), 8000),
        ("zoom in", Some(2), 2000),
        ("an 8 second video: zoom in", None, 8000),
        ("Zoom in slowly, 10 seconds long", None, 10_000),
        ("zoom in for 4 seconds, then zoom out for 4 seconds", None, 8000),
        ("zoom in for 2 seconds, then pan left", None, 5000),
    ] {
        assert_eq!(length(words, context(asked, &offered)), Ok(ms), "{words}");
    }
    for (words, asked, kind, message) in [
        ("a 7 second video: zoom in", None, RefusalKind::OutOfRange, "of 5, 8, 10 seconds"),
        ("zoom in for 2 seconds", None, RefusalKind::Contradiction, "make them match"),
        ("zoom in for 9 seconds", Some(5), RefusalKind::Contradiction, "make them match"),
        (
            "an 8 second video: zoom in",
            Some(2),
            RefusalKind::Contradiction,
            "duration_seconds to 8",
        ),
    ] {
        let refusal = length(words, context(asked, &offered)).unwrap_err();
        assert_eq!(refusal.kind, kind, "{words}: {refusal}");
        assert!(refusal.message.contains(message), "{words}: {refusal}");
    }
    let wide = AspectRatio::Ratio { width: 2, height: 1 };
    let plan = read_video("zoom in", &VideoContext { aspect: Some(wide), ..context(None, &[]) });
    assert_eq!(plan.unwrap().frame, Frame::Ratio { width: 2, height: 1 });
    let plan = read_video("zoom in", &VideoContext { inputs: 3, ..context(None, &[]) });
    assert_eq!(plan.unwrap().unused_inputs, [1, 2]);
}

#[test]
fn no_order_of_words_makes_the_readers_panic() {
    const SIGNS: &[&str] =
        &[",", ".", "-", "+", ":", "/", "\"", "(", "%", "\n", "2", "1.5", "\u{1f600}", "ß"];
    let phrases: Vec<&str> = rows().map(|row| row.phrase).chain(SIGNS.iter().copied()).collect();
    let mut random = random::Random::new(1);
    for count in 0..SENTENCES {
        let few = |random: &mut random::Random| match random.below(3) {
            0 => random.pick(SIGNS),
            _ => random.pick(&phrases),
        };
        let words: Vec<&str> = (0..count % WORDS_MAX).map(|_| few(&mut random)).collect();
        let text = words.join([" ", ""][count % 2]);
        for inputs in 0..3 {
            let image = read(&text, &Context { inputs, ..Context::default() }).err();
            for refusal in image.into_iter().chain(film(&text, inputs).err()) {
                let [from, to] = refusal.span;
                let quoted: String = text.chars().skip(from).take(to - from).collect();
                assert_eq!(quoted, refusal.words, "{text}");
            }
        }
    }
}
