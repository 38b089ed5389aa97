//! Texts with fonts that the operator has added: a process of its own, since fonts are added once.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on says why")]

use retouch_engine::{Context, Edited, FontError, Picture, RefusalKind, add_fonts, execute};
use retouch_language::read;

const CJK: &[u8] = include_bytes!("fonts/cjk.otf");
const EMOJI: &[u8] = include_bytes!("fonts/emoji.ttf");
const GRAY: u8 = 128;

fn with_fonts() {
    add_fonts(vec![CJK.to_vec(), EMOJI.to_vec()]).unwrap();
}

/// What an instruction makes of a plain gray picture.
fn edited(instruction: &str) -> Edited {
    let plan = read(instruction, &Context::default())
        .unwrap_or_else(|refusal| panic!("{instruction}: {refusal}"));
    let pixels = [GRAY, GRAY, GRAY, 255].repeat(300 * 200);
    let gray = Picture::from_rgba(300, 200, pixels).unwrap();
    execute(&plan, vec![gray]).unwrap_or_else(|error| panic!("{instruction}: {error}"))
}

/// The pixels that an instruction changes.
fn drawn(instruction: &str) -> Vec<[u8; 4]> {
    let edited = edited(instruction);
    assert!(edited.warnings.is_empty(), "{instruction}: {:?}", edited.warnings);
    let pixels = edited.picture.pixels().as_chunks::<4>().0.iter().copied();
    pixels.filter(|pixel| *pixel != [GRAY, GRAY, GRAY, 255]).collect()
}

/// Whether a pixel has a hue: its channels differ by more than rounding does.
fn has_hue(&[red, green, blue, _]: &[u8; 4]) -> bool {
    red.max(green).max(blue) - red.min(green).min(blue) > 25
}

#[test]
fn chinese_japanese_and_korean_are_drawn_with_an_added_font() {
    with_fonts();
    for text in ["日本語", "中文", "한국어", "Tokyo 日本", "日本語。"] {
        for bold in ["", " in bold"] {
            let words = format!("add the text \"{text}\" in white{bold} with a size of 60px");
            let drawn = drawn(&words);
            assert!(drawn.len() > 1_000, "{words}: {}", drawn.len());
            assert!(!drawn.iter().any(has_hue), "{words}");
        }
    }
}

#[test]
fn emoji_keep_their_colors() {
    with_fonts();
    let sized = |size: u32| format!("add the text \"😀\" in white with a size of {size}px");
    let small = drawn(&sized(30));
    assert!(small.iter().filter(|pixel| has_hue(pixel)).count() > 300, "{}", small.len());
    let (large, four_times) = (drawn(&sized(120)).len() as f64, small.len() as f64 * 16.0);
    assert!((0.8..1.2).contains(&(large / four_times)), "{large} for {four_times}");
    for text in ["Hi 👍🏽!", "I ❤️ NY", "👍😀❤️"] {
        for how in
            ["", " in bold", " rotated 45 degrees", " at 50% opacity", " with a black shadow"]
        {
            let words = format!("write \"{text}\" in white with a size of 40px{how}");
            assert!(drawn(&words).iter().any(has_hue), "{words}");
        }
    }
    // Without the selector of its emoji, a heart is a character like others.
    assert!(!drawn("write \"I ❤ NY\" in white").iter().any(has_hue));
    let tiled = drawn("tile the watermark \"😀\" over the picture at 100% opacity");
    assert!(tiled.iter().filter(|pixel| has_hue(pixel)).count() > 500, "{}", tiled.len());
}

#[test]
fn a_turned_emoji_stays_where_it_is() {
    with_fonts();
    let middle = |degrees: u32| {
        let words =
            format!("write \"😀\" in the center with a size of 80px rotated {degrees} degrees");
        let picture = edited(&words).picture;
        let hued = (0..200).flat_map(|y| (0..300).map(move |x| (x, y)));
        let hued: Vec<_> = hued.filter(|(x, y)| has_hue(&picture.pixel(*x, *y).unwrap())).collect();
        let mean = |at: fn(&(u32, u32)) -> u32| {
            f64::from(hued.iter().map(at).sum::<u32>()) / hued.len() as f64
        };
        (mean(|at| at.0), mean(|at| at.1), hued.len())
    };
    let upright = middle(0);
    for degrees in [30, 90, 200] {
        let turned = middle(degrees);
        assert!((turned.0 - upright.0).abs() < 12.0, "{turned:?} for {upright:?}");
        assert!((turned.1 - upright.1).abs() < 12.0, "{turned:?} for {upright:?}");
        assert!(turned.2.abs_diff(upright.2) < upright.2 / 10, "{turned:?} for {upright:?}");
    }
}

#[test]
fn a_skin_tone_belongs_to_its_emoji() {
    with_fonts();
    let width = |text: &str| {
        let edited = edited(&format!("add the text \"{text}\" at the left with a size of 60px"));
        let rows = edited.picture.rows();
        let last = |row: &[u8]| row.chunks(4).rposition(|pixel| pixel[..3] != [GRAY; 3]);
        rows.filter_map(last).max().unwrap()
    };
    assert!(width("👍🏽").abs_diff(width("👍")) < 10);
}

#[test]
fn what_no_font_has_is_refused_by_name() {
    with_fonts();
    for (text, named) in [("日本語東", "\"東\""), ("🚀", "\"🚀\""), ("a\u{E000}b", "\"\u{E000}\"")]
    {
        for words in [format!("write \"{text}\""), format!("tile the watermark \"{text}\"")] {
            let refusal = read(&words, &Context::default()).unwrap_err();
            assert!(refusal.message.contains(named), "{words}: {}", refusal.message);
            assert_ne!(refusal.kind, RefusalKind::NotUnderstood, "{words}");
        }
    }
}

#[test]
fn only_fonts_are_added_and_only_once() {
    with_fonts();
    assert_eq!(add_fonts(vec![b"no font".to_vec()]), Err((0, FontError::NotAFont)));
    assert_eq!(add_fonts(vec![CJK.to_vec(), CJK[..900].to_vec()]), Err((1, FontError::NotAFont)));
    assert_eq!(add_fonts(vec![CJK.to_vec()]), Err((0, FontError::TooLate)));
    with_fonts();
}
