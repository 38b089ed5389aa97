//! Videos: words to plans, plans to files, files decoded and compared with what was filmed.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail like tests")]

use openh264::decoder::Decoder;
use openh264::formats::YUVSource;
use proptest::prelude::*;
use retouch_engine::codec::verify_mp4;
use retouch_engine::video::{Frame, Move, Phase, VideoContext, VideoPlan, render_video};
use retouch_engine::{AspectRatio, Context, Picture, RefusalKind, execute};
use retouch_language::{read, read_video};

fn with_picture() -> VideoContext {
    VideoContext { inputs: 1, ..VideoContext::default() }
}

fn planned(instruction: &str) -> VideoPlan {
    read_video(instruction, &with_picture())
        .unwrap_or_else(|refusal| panic!("{instruction}: {refusal}"))
}

const UNDERSTOOD: &[(&str, &str)] = &[
    ("zoom in", "zoom in by 25% for 5 seconds"),
    ("Zoom in slowly, please", "zoom in by 12.5% for 5 seconds"),
    ("slow zoom out", "zoom out by 12.5% for 5 seconds"),
    ("slowly zoom in on the picture", "zoom in by 12.5% for 5 seconds"),
    ("zoom in by 40%", "zoom in by 40% for 5 seconds"),
    ("zoom in to 150%", "zoom in by 50% for 5 seconds"),
    ("pan left", "pan left by 20% for 5 seconds"),
    ("pan slowly from left to right", "pan right by 10% for 5 seconds"),
    ("pan upwards", "pan up by 20% for 5 seconds"),
    ("rotate 10 degrees clockwise", "rotate clockwise by 10 degrees for 5 seconds"),
    ("slowly rotate counterclockwise", "rotate counterclockwise by 5 degrees for 5 seconds"),
    (
        "zoom in slowly then fade out",
        "zoom in by 12.5% for 5 seconds, then fade out over 1 seconds",
    ),
    ("fade in and out", "hold still, then fade in over 1 seconds, then fade out over 1 seconds"),
    ("fade in over 2 seconds", "hold still, then fade in over 2 seconds"),
    ("zoom in and pan right", "zoom in by 25% and pan right by 20% for 5 seconds"),
    ("zoom in while panning left", "zoom in by 25% and pan left by 20% for 5 seconds"),
    (
        "zoom in, then zoom out",
        "zoom in by 25% for 2.5 seconds, then zoom out by 25% for 2.5 seconds",
    ),
    (
        "zoom in for 2 seconds, then pan left",
        "zoom in by 25% for 2 seconds, then pan left by 20% for 3 seconds",
    ),
    ("hold still", "hold still for 5 seconds"),
    (
        "start with a fade in, then zoom in slowly",
        "zoom in by 12.5% for 5 seconds, then fade in over 1 seconds",
    ),
    ("the camera slowly moves in", "zoom in by 12.5% for 5 seconds"),
    ("animate it with a slow zoom in", "zoom in by 12.5% for 5 seconds"),
];

#[test]
fn camera_moves_mean_what_they_say() {
    let mut wrong = Vec::new();
    for (instruction, wanted) in UNDERSTOOD {
        let got = match read_video(instruction, &with_picture()) {
            Ok(plan) => plan.render(),
            Err(refusal) => format!("refused: {refusal} {:?}", refusal.words),
        };
        let wanted = format!("a 5 second video at 30 frames per second: {wanted}");
        if got != wanted {
            wrong.push(format!("{instruction}\n  wanted: {wanted}\n  got:    {got}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

const REFUSED: &[(RefusalKind, &str)] = &[
    (RefusalKind::NeedsGenerativeModel, "make the dog run"),
    (RefusalKind::NeedsGenerativeModel, "zoom in and make her smile"),
    (RefusalKind::NeedsGenerativeModel, "zoom in on the dog"),
    (RefusalKind::NeedsGenerativeModel, "the waves move gently"),
    (RefusalKind::MissingDetail, "zoom"),
    (RefusalKind::MissingDetail, "pan"),
    (RefusalKind::MissingDetail, "make a video"),
    (RefusalKind::Contradiction, "zoom in and zoom out"),
    (RefusalKind::Contradiction, "zoom in for 9 seconds"),
    (RefusalKind::OutOfRange, "a 90 second video, zoom in"),
    (RefusalKind::OutOfRange, "zoom in by 5000%"),
    (RefusalKind::OutOfRange, "zoom in at 60 fps"),
];

#[test]
fn what_no_camera_can_do_is_refused_with_its_words() {
    for (kind, instruction) in REFUSED {
        let context = match instruction.contains("90") {
            true => with_picture(),
            false => VideoContext { duration_seconds: Some(5), ..with_picture() },
        };
        let refusal = match read_video(instruction, &context) {
            Ok(plan) => panic!("{instruction}: {}", plan.render()),
            Err(refusal) => refusal,
        };
        assert_eq!(refusal.kind, *kind, "{instruction}: {refusal}");
        let [from, to] = refusal.span;
        let quoted: String = instruction.chars().skip(from).take(to - from).collect();
        assert_eq!(quoted, refusal.words, "{instruction}");
    }
}

#[test]
fn length_and_size_come_from_the_request() {
    let context = VideoContext { duration_seconds: Some(8), ..with_picture() };
    assert_eq!(read_video("zoom in", &context).unwrap().duration_ms, 8000);
    assert_eq!(planned("a 3 second video: zoom in").duration_ms, 3000);
    assert!(read_video("a 3 second video: zoom in", &context).is_err());
    assert_eq!(planned("zoom in at 24 fps").frames_per_second, 24);
    let size = |frame| VideoPlan { frame, ..planned("zoom in") }.size(Some((4001, 3001))).unwrap();
    assert_eq!(size(Frame::Picture), (1920, 1440));
    assert_eq!(size(Frame::Ratio { width: 16, height: 9 }), (1920, 1080));
    assert_eq!(size(Frame::Ratio { width: 9, height: 16 }), (1080, 1920));
    assert_eq!(size(Frame::Size { width: 641, height: 360 }), (642, 360));
    let wide =
        VideoContext { aspect: Some(AspectRatio::Ratio { width: 2, height: 1 }), ..with_picture() };
    let plan = read_video("zoom in", &wide).unwrap();
    assert_eq!(plan.size(Some((301, 301))).unwrap(), (302, 150));
}

#[test]
fn words_choose_among_the_lengths_that_there_are() {
    let context = VideoContext { durations_seconds: vec![5, 10, 8], ..with_picture() };
    let length = |words: &str| read_video(words, &context).map(|plan| plan.duration_ms);
    for (words, ms) in [
        ("zoom in", 5000),
        ("an 8 second video: zoom in", 8000),
        ("Zoom in slowly, 10 seconds long", 10_000),
        ("zoom in for 4 seconds, then zoom out for 4 seconds", 8000),
        ("zoom in for 2 seconds, then pan left", 5000),
    ] {
        assert_eq!(length(words).ok(), Some(ms), "{words}: {:?}", length(words));
    }
    let refusal = length("a 7 second video: zoom in").unwrap_err();
    assert_eq!(refusal.kind, RefusalKind::OutOfRange);
    assert!(refusal.message.contains("of 5, 8, 10 seconds"), "{refusal}");
    assert!(length("zoom in for 2 seconds").unwrap_err().message.contains("make them match"));
    // What the request names is checked before, and comes first.
    let asked = VideoContext { duration_seconds: Some(2), ..context.clone() };
    assert_eq!(read_video("zoom in", &asked).unwrap().duration_ms, 2000);
    let refusal = read_video("an 8 second video: zoom in", &asked).unwrap_err();
    assert_eq!(refusal.kind, RefusalKind::Contradiction, "{refusal}");
    assert!(refusal.message.contains("set duration_seconds to 8"), "{refusal}");
}

#[test]
fn without_a_picture_a_plain_one_is_filmed() {
    let context = VideoContext::default();
    let plan = read_video("zoom in on a gradient from red to blue", &context).unwrap();
    assert!(
        plan.still.as_ref().unwrap().render().starts_with("a linear gradient from red to blue")
    );
    let plan = read_video("a black and white checkerboard, slowly zooming in", &context).unwrap();
    assert!(plan.still.is_some());
    let words = "zoom in and pan right on a plain blue picture of 512x512 pixels, then fade out";
    let plan = read_video(words, &context).unwrap();
    assert_eq!((plan.fade_out_ms, plan.size(None).unwrap()), (1000, (512, 512)));
    for (kind, words) in [
        (RefusalKind::MissingDetail, "zoom in"),
        (RefusalKind::MissingDetail, "a plain blue picture"),
        (RefusalKind::NeedsGenerativeModel, "zoom in on a cat"),
        (RefusalKind::NeedsGenerativeModel, "a dog that runs"),
    ] {
        assert_eq!(read_video(words, &context).unwrap_err().kind, kind, "{words}");
    }
}

fn scene() -> Picture {
    let context = Context { inputs: 0, ..Context::default() };
    let words = "a gradient from red to blue 308x228 with the text \"Hello\" in white, then add a 6px yellow border";
    execute(&read(words, &context).unwrap(), Vec::new()).unwrap().picture
}

/// All frames of a file, decoded by `OpenH264`, as bytes of RGB.
fn decoded(file: &[u8]) -> Vec<Vec<u8>> {
    let at = |kind: &[u8]| file.windows(4).position(|window| window == kind).unwrap();
    let long = |at: usize| u32::from_be_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    let short = |at: usize| usize::from(u16::from_be_bytes(file[at..at + 2].try_into().unwrap()));
    let unit = |bytes: &[u8]| [&[0, 0, 0, 1], bytes].concat();
    let configuration = at(b"avcC") + 4;
    let sequence = configuration + 8;
    let sequence_bytes = short(configuration + 6);
    let picture = sequence + sequence_bytes + 3;
    let picture_bytes = short(picture - 2);
    let mut stream = [
        unit(&file[sequence..sequence + sequence_bytes]),
        unit(&file[picture..picture + picture_bytes]),
    ]
    .concat();
    let sizes = at(b"stsz") + 16;
    let mut from = long(at(b"stco") + 12);
    let mut decoder = Decoder::new().unwrap();
    let mut frames = Vec::new();
    for frame in 0..long(sizes - 4) {
        let end = from + long(sizes + frame * 4);
        while from < end {
            let length = long(from);
            stream.extend(unit(&file[from + 4..from + 4 + length]));
            from += 4 + length;
        }
        if let Some(image) = decoder.decode(&stream).unwrap() {
            frames.push(rgb(&image));
        }
        stream.clear();
    }
    for image in decoder.flush_remaining().unwrap() {
        frames.push(rgb(&image));
    }
    frames
}

/// BT.709, limited range, back to RGB.
fn rgb(image: &impl YUVSource) -> Vec<u8> {
    let (width, height) = image.dimensions();
    let (luma_stride, blue_stride, red_stride) = image.strides();
    let level = |value: f64| value.round().clamp(0.0, 255.0) as u8;
    let mut bytes = Vec::with_capacity(width * height * 3);
    for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
        let luma = (f64::from(image.y()[y * luma_stride + x]) - 16.0) * 255.0 / 219.0;
        let blue = (f64::from(image.u()[y / 2 * blue_stride + x / 2]) - 128.0) * 255.0 / 224.0;
        let red = (f64::from(image.v()[y / 2 * red_stride + x / 2]) - 128.0) * 255.0 / 224.0;
        bytes.extend([
            level(luma + 1.5748 * red),
            level(luma - 0.187_324 * blue - 0.468_124 * red),
            level(luma + 1.8556 * blue),
        ]);
    }
    bytes
}

fn mean_difference(frame: &[u8], picture: &Picture) -> f64 {
    let wanted = picture.pixels().as_chunks::<4>().0.iter().flat_map(|pixel| &pixel[..3]);
    assert_eq!(frame.len(), picture.pixels().len() / 4 * 3);
    let sum: u64 = frame.iter().zip(wanted).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    sum as f64 / frame.len() as f64
}

fn resized(picture: &Picture, words: &str) -> Picture {
    execute(&read(words, &Context::default()).unwrap(), vec![picture.clone()]).unwrap().picture
}

#[test]
fn a_zoom_begins_with_the_whole_picture_and_ends_with_its_middle() {
    let picture = scene();
    let plan = planned("a 1 second video: zoom in by 100%");
    let file = render_video(&plan, Some(picture.clone())).unwrap();
    let info = verify_mp4(&file).unwrap();
    assert_eq!((info.width, info.height, info.frames, info.duration_ms), (320, 240, 30, 1000));
    assert_eq!((info.codec.as_str(), info.has_sound), ("avc1", false));
    let frames = decoded(&file);
    assert_eq!(frames.len(), 30);
    let first = mean_difference(frames.first().unwrap(), &picture);
    assert!(first < 4.0, "{first}");
    let middle = resized(&picture, "crop to 160x120, then resize to exactly 320x240");
    let last = mean_difference(frames.last().unwrap(), &middle);
    assert!(last < 4.0, "{last}");
    assert!(mean_difference(frames.last().unwrap(), &picture) > 10.0);
}

#[test]
fn an_image_is_edited_before_it_is_filmed() {
    let picture = scene();
    let words = "invert the colors, then crop to 160x120";
    let plan = planned("a 1 second video: hold still");
    let plan = VideoPlan { still: read(words, &Context::default()).ok(), ..plan };
    let edit = "apply invert, then crop to 160x120 pixels at the center; ";
    assert!(plan.render().starts_with(edit), "{}", plan.render());
    assert_eq!(plan.size(Some(picture.size())).unwrap(), (160, 120));
    assert!(plan.size(None).is_err());
    let working_bytes = |plan: &VideoPlan| plan.working_bytes(Some((4000, 3000))).unwrap();
    assert!(working_bytes(&plan) > 4000 * 3000 * 4);
    let file = render_video(&plan, Some(picture.clone())).unwrap();
    assert!(mean_difference(&decoded(&file)[0], &resized(&picture, words)) < 4.0);
    assert!(render_video(&plan, None).is_err());
}

#[test]
fn pans_and_rotations_never_show_an_edge() {
    // A picture that is green but for what lies outside it, which would be seen as black.
    let green = Picture::from_rgba(200, 100, [0, 200, 0, 255].repeat(20_000)).unwrap();
    for words in [
        "a 1 second video: pan left by 80%",
        "a 1 second video: rotate clockwise by 90 degrees and zoom out",
        "a 1 second video: pan down and rotate",
    ] {
        let file = render_video(&planned(words), Some(green.clone())).unwrap();
        for frame in decoded(&file) {
            let all = frame.as_chunks::<3>().0.iter();
            let green = |rgb: &[u8; 3]| rgb[0] < 12 && rgb[1].abs_diff(200) < 12 && rgb[2] < 12;
            assert!(all.clone().all(green), "{words}");
        }
    }
}

#[test]
fn a_pan_to_the_right_shows_more_of_the_right() {
    let words = "a gradient from black to white, left to right, 200x100";
    let context = Context { inputs: 0, ..Context::default() };
    let picture = execute(&read(words, &context).unwrap(), Vec::new()).unwrap().picture;
    let mean = |frame: &[u8]| {
        frame.iter().map(|level| u64::from(*level)).sum::<u64>() / frame.len() as u64
    };
    for (words, rises) in [("pan right", true), ("pan left", false)] {
        let plan = planned(&format!("a 1 second video: {words}"));
        let frames = decoded(&render_video(&plan, Some(picture.clone())).unwrap());
        let (first, last) = (mean(frames.first().unwrap()), mean(frames.last().unwrap()));
        assert_eq!(last > first + 10, rises, "{words}: {first} to {last}");
        assert_eq!(last + 10 < first, !rises, "{words}: {first} to {last}");
    }
}

#[test]
fn fades_begin_and_end_in_black() {
    let file = render_video(&planned("a 3 second video: fade in and out"), Some(scene())).unwrap();
    let frames = decoded(&file);
    let brightest = |frame: &Vec<u8>| frame.iter().max().copied().unwrap_or_default();
    assert!(brightest(frames.first().unwrap()) < 8 && brightest(frames.last().unwrap()) < 8);
    assert!(mean_difference(&frames[45], &scene()) < 4.0);
}

#[test]
fn any_number_of_threads_films_the_same_bytes() {
    let plan = planned("a 1 second video: zoom in and rotate, fade out");
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let film = || render_video(&plan, Some(scene())).unwrap();
    assert!(pool(1).install(film) == pool(4).install(film));
}

#[test]
fn transparent_parts_are_white() {
    let clear = Picture::new(64, 64).unwrap();
    let file = render_video(&planned("a 1 second video: hold still"), Some(clear)).unwrap();
    assert!(decoded(&file)[0].iter().all(|level| *level > 250));
}

fn any_plan() -> impl Strategy<Value = VideoPlan> {
    let step = prop_oneof![
        (1_u32..200, any::<bool>()).prop_map(|(percent, is_in)| Move::Zoom {
            percent: if is_in { f64::from(percent) } else { -f64::from(percent) }
        }),
        (1_i32..90).prop_map(|percent| Move::Pan { percent: f64::from(percent) }),
        (1_i32..90).prop_map(|percent| Move::Tilt { percent: -f64::from(percent) }),
        (1_i32..300).prop_map(|degrees| Move::Roll { degrees: f64::from(degrees) }),
    ];
    let phase = (prop::option::of(step), 1_u32..4).prop_map(|(step, seconds)| Phase {
        moves: step.into_iter().collect(),
        duration_ms: seconds * 1000,
    });
    (prop::collection::vec(phase, 1..4), 0_u32..500, 0_u32..500).prop_map(
        |(phases, fade_in, fade_out)| {
            let duration_ms = phases.iter().map(|phase| phase.duration_ms).sum();
            VideoPlan {
                version: 1,
                phases,
                fade_in_ms: fade_in,
                fade_out_ms: fade_out,
                duration_ms,
                frames_per_second: 24,
                frame: Frame::Picture,
                still: None,
                assumed: Vec::new(),
                unused_inputs: Vec::new(),
            }
        },
    )
}

proptest! {
    #[test]
    fn reading_the_words_of_a_plan_gives_the_plan(plan in any_plan()) {
        prop_assume!(plan.check().is_ok());
        let words = plan.render();
        let again = read_video(&words, &with_picture());
        prop_assert!(again.is_ok(), "{words}: {again:?}");
        let again = VideoPlan { assumed: Vec::new(), ..again.unwrap() };
        prop_assert_eq!(&again, &plan, "{}", words);
        let text = serde_json::to_string(&plan).unwrap();
        prop_assert_eq!(serde_json::from_str::<VideoPlan>(&text).unwrap(), plan);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,400}", inputs in 0_usize..2) {
        let _ = read_video(&text, &VideoContext { inputs, ..VideoContext::default() });
    }

    #[test]
    fn no_order_of_known_words_makes_the_reader_panic(
        words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..40),
        inputs in 0_usize..2,
    ) {
        let text = words.join(" ");
        if let Err(refusal) = read_video(&text, &VideoContext { inputs, ..VideoContext::default() }) {
            let [from, to] = refusal.span;
            let quoted: String = text.chars().skip(from).take(to - from).collect();
            prop_assert_eq!(quoted, refusal.words);
        }
    }
}

const WORDS: &[&str] = &[
    "zoom", "in", "out", "pan", "left", "right", "then", "and", ",", "slowly", "fade", "for", "2",
    "seconds", "video", "a", "rotate", "10", "degrees", "by", "20%", "over", "on", "gradient",
    "from", "red", "to", "blue", "hold", "still", "fps", "24", "up", "dog", "plain", "picture",
];
