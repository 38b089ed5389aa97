//! What texts look like.

use super::support::{black, edit, edited, flat, ink, inked};
use retouch_engine::Context;
use retouch_language::read;

/// Ends of the ink may differ by this where an outline only touches a pixel.
const NEAR_PX: u32 = 2;

#[test]
fn a_text_is_drawn_inside_its_margin() {
    for (place, column, row) in [("top left", 0, 0), ("top right", 1, 0), ("bottom right", 1, 1)] {
        let words = format!(
            "add the text \"HHH\" in white at the {place} with a size of 30px with a margin of 20px"
        );
        let [left, top, right, bottom] = inked(&edit(&words, &black(300, 200))).unwrap();
        let across = if column == 0 { left } else { 299 - right };
        let down = if row == 0 { top } else { 199 - bottom };
        // H has side bearings, and a line is higher than its letters.
        assert!((20..=26).contains(&across), "{place}: {across}");
        assert!((20..=34).contains(&down), "{place}: {down}");
    }
    let at = edit("add the text \"H\" in white at 100,50 with a size of 40px", &black(300, 200));
    let [left, top, ..] = inked(&at).unwrap();
    assert!((100..=106).contains(&left) && (50..=62).contains(&top), "{left} {top}");
}

#[test]
fn typefaces_differ_as_their_names_say() {
    let width = |text: &str, how: &str| {
        let words = format!("add the text \"{text}\" in white{how} with a size of 60px");
        let [left, _, right, _] = inked(&edit(&words, &black(600, 120))).unwrap();
        right - left
    };
    let mono = |text| width(text, " in a monospaced font");
    assert!(mono("HiiiiH").abs_diff(mono("HMMMMH")) <= NEAR_PX);
    let hand = " in handwriting";
    let widths =
        ["", " in a serif font", " in a monospaced font", hand].map(|how| width("Menu", how));
    let mut differing = widths.to_vec();
    differing.sort_unstable();
    differing.dedup();
    assert_eq!(differing.len(), 4, "{widths:?}");
    // Letters that a typeface doesn't have come from another one.
    assert!(width("Жω", hand) > 20);
}

#[test]
fn bold_is_heavier_and_italics_lean() {
    let drawn = |how: &str| {
        edit(&format!("add the text \"HHH\" in white{how} with a size of 60px"), &black(400, 120))
    };
    let (plain, bold, italic) = (drawn(""), drawn(" in bold"), drawn(" in italics"));
    assert!(ink(&bold) > ink(&plain) * 1.3);
    assert!((ink(&italic) - ink(&plain)).abs() < ink(&plain) * 0.01, "a slant keeps the area");
    let [left, top, right, bottom] = inked(&italic).unwrap();
    let [plain_left, plain_top, plain_right, plain_bottom] = inked(&plain).unwrap();
    assert_eq!((top, bottom), (plain_top, plain_bottom));
    let lean = (right - left) - (plain_right - plain_left);
    let wanted = f64::from(bottom - top) * 0.194;
    assert!((f64::from(lean) - wanted).abs() <= 2.0, "{lean} for {wanted}");
}

#[test]
fn an_outline_grows_the_letters_by_its_width() {
    let plain = edit("add the text \"O\" in white with a size of 80px", &black(200, 200));
    let lined = edit(
        "add the text \"O\" in white with a size of 80px with a white outline of 6px",
        &black(200, 200),
    );
    let (small, large) = (inked(&plain).unwrap(), inked(&lined).unwrap());
    for (small, large, sign) in
        [(small[0], large[0], 1), (small[1], large[1], 1), (large[2], small[2], 1)]
    {
        assert!((small * sign).abs_diff(large * sign + 6) <= 1, "{small} {large}");
    }
    let two = edit("write \"O\" in red with a size of 80px, outlined in blue", &black(200, 200));
    assert!(two.pixels().chunks(4).any(|pixel| pixel == [0, 0, 255, 255]));
    assert!(two.pixels().chunks(4).any(|pixel| pixel == [255, 0, 0, 255]));
}

#[test]
fn a_box_a_shadow_and_opacity_lie_in_their_order() {
    let boxed = edit(
        "add the text \"i\" in red on a blue background at the top left with a size of 50px",
        &black(200, 200),
    );
    let [left, top, right, bottom] = inked(&boxed).unwrap();
    assert_eq!(boxed.pixel(left + 1, top + 1), Some([0, 0, 255, 255]));
    assert_eq!(boxed.pixel(right - 1, bottom - 1), Some([0, 0, 255, 255]));
    assert_eq!((left, top), (8, 8), "the box stands at the margin");
    let half = edit(
        "add the text \"i\" in red on a blue background at the top left with a size of 50px at 50% opacity",
        &black(200, 200),
    );
    assert_eq!(half.pixel(left + 1, top + 1), Some([0, 0, 128, 255]));
    assert!(
        half.pixels().chunks(4).any(|pixel| pixel == [128, 0, 0, 255]),
        "no blue shines through the letter"
    );
    let shadow = edit(
        "add the text \"i\" in white with a white shadow with a size of 100px",
        &black(200, 200),
    );
    let plain = edit("add the text \"i\" in white with a size of 100px", &black(200, 200));
    let (far, near) = (inked(&shadow).unwrap(), inked(&plain).unwrap());
    assert!(far[2] > near[2] + 8 && far[3] > near[3] + 8 && ink(&shadow) > ink(&plain) * 1.3);
}

#[test]
fn a_turned_text_keeps_its_area_and_swaps_its_sides() {
    let level =
        inked(&edit("add the text \"HHHH\" in white with a size of 40px", &black(300, 300)))
            .unwrap();
    let turned = edit(
        "add the text \"HHHH\" in white with a size of 40px rotated 90 degrees clockwise",
        &black(300, 300),
    );
    let upright = inked(&turned).unwrap();
    assert!((level[2] - level[0]).abs_diff(upright[3] - upright[1]) <= NEAR_PX);
    assert!((level[3] - level[1]).abs_diff(upright[2] - upright[0]) <= NEAR_PX);
    let tilted = edit("write \"HHHH\" diagonally in white with a size of 40px", &black(300, 300));
    assert!((ink(&tilted) / ink(&turned) - 1.0).abs() < 0.01);
}

#[test]
fn a_text_too_large_is_made_smaller_and_says_so() {
    let large = edited("write \"Wide words\" in white with a size of 200px", &black(300, 100));
    assert!(
        large.warnings.iter().any(|warning| warning.contains("instead of 200px")),
        "{:?}",
        large.warnings
    );
    let [left, top, right, bottom] = inked(&large.picture).unwrap();
    assert!(left >= 3 && top >= 3 && right <= 296 && bottom <= 96, "{left} {top} {right} {bottom}");
    assert!(bottom - top > 35, "no smaller than it must be");
    let none = edited("write \"ok\" in white with a size of 20px", &black(300, 100));
    assert_eq!(none.warnings, [""; 0]);
    let tiny = edited("write \"much too long for four pixels\" with a size of 50px", &black(5, 5));
    assert!(tiny.warnings.iter().any(|warning| warning.contains("cut off")));
}

#[test]
fn long_texts_are_wrapped_at_words_and_new_lines_are_kept() {
    let wrapped = edit(
        "write \"one two three four five six\" in white with a size of 30px",
        &black(200, 300),
    );
    let [left, top, right, bottom] = inked(&wrapped).unwrap();
    assert!(bottom - top > 80 && left >= 7 && right <= 192);
    let one = inked(&edit("write \"ab\" in white with a size of 30px", &black(200, 300))).unwrap();
    let two =
        inked(&edit("write \"ab\nab\" in white with a size of 30px", &black(200, 300))).unwrap();
    let apart = (two[3] - two[1]) - (one[3] - one[1]);
    assert!((37..=38).contains(&apart), "a line is 1.25 of the size: {apart}");
}

/// Every script that documents name: nothing is missing, and it is drawn.
#[test]
fn many_scripts_are_drawn_without_a_missing_letter() {
    for text in [
        "Ελληνικά",
        "Кириллица ђ",
        "עברית",
        "العربية",
        "हिन्दी",
        "বাংলা",
        "ਪੰਜਾਬੀ",
        "ગુજરાતી",
        "ଓଡ଼ିଆ",
        "தமிழ்",
        "తెలుగు",
        "ಕನ್ನಡ",
        "മലയാളം",
        "සිංහල",
        "ไทย",
        "ລາວ",
        "မြန်မာ",
        "ខ្មែរ",
        "አማርኛ",
        "ქართული",
        "Հայերեն",
        "Tiếng Việt",
        "é à ç",
        "→ ★ © € ½",
    ] {
        for bold in ["", " in bold"] {
            let done = edited(
                &format!("write \"{text}\" in white{bold} with a size of 30px"),
                &black(300, 80),
            );
            assert_eq!(done.warnings, [""; 0], "{text}");
            assert!(ink(&done.picture) > 50.0, "{text}");
        }
    }
}

/// Letters that join or stack are not the letters one by one.
#[test]
fn letters_are_shaped() {
    let width = |text: &str| {
        let done =
            edit(&format!("write \"{text}\" in white with a size of 60px"), &black(900, 120));
        let [left, _, right, _] = inked(&done).unwrap();
        right - left
    };
    // Arabic letters join; with a non-joiner between them they do not.
    assert!(width("ببب") + 10 < width("ب\u{200c}ب\u{200c}ب"));
    // A combining accent takes no room of its own.
    assert_eq!(width("e\u{301}"), width("é"));
    // A conjunct is narrower than its two letters.
    assert!(width("क्ष") < width("कष"));
    // Hebrew runs from the right: the last letter is the first from the left, yod or the wider mem.
    let first_from_the_left = |text: &str| {
        let done =
            edit(&format!("write \"{text}\" in white with a size of 60px"), &black(300, 120));
        let inked_column = |x: u32| (0..120).any(|y| done.pixel(x, y).unwrap()[0] > 0);
        let columns = (0..300).skip_while(|x| !inked_column(*x));
        columns.take_while(|x| inked_column(*x)).count()
    };
    assert!(first_from_the_left("ים") > 2 * first_from_the_left("םי"));
}

#[test]
fn a_tiled_watermark_covers_the_picture_evenly() {
    let gray = flat(400, 400, [100, 100, 100, 255]);
    let marked =
        edit("tile the watermark \"Sample\" in white with a size of 16px at 50% opacity", &gray);
    for (column, row) in (0..4_u32).flat_map(|column| (0..4_u32).map(move |row| (column, row))) {
        let touched = (0..100)
            .flat_map(|y| (0..100).map(move |x| (x, y)))
            .filter(|(x, y)| marked.pixel(column * 100 + x, row * 100 + y).unwrap()[0] > 100)
            .count();
        assert!((100..4000).contains(&touched), "{column} {row}: {touched}");
    }
    let lightest = marked.pixels().chunks(4).map(|pixel| pixel[0]).max();
    assert_eq!(lightest, Some(178), "half way from 100 to 255");
}

/// Golden values: a change of fonts, shaping or rasterizing shows here.
#[test]
fn a_known_text_has_known_ink() {
    let known = edit("write \"Retouch 42\" in white with a size of 40px", &black(300, 80));
    let sum: u64 = known
        .pixels()
        .chunks(4)
        .enumerate()
        .map(|(at, pixel)| u64::from(pixel[0]) * (at as u64 % 251 + 1))
        .sum();
    assert_eq!((inked(&known), sum), (Some([39, 23, 259, 54]), 60_377_179));
}

#[test]
fn characters_that_no_font_has_are_refused() {
    for text in ["你好", "日本語", "한국어", "🚀", "a 🦄", "\u{E000}", "नमस्ते 你"]
    {
        for words in [format!("write \"{text}\" at the top"), format!("watermark \"{text}\" tiled")]
        {
            let refusal = read(&words, &Context::default()).unwrap_err();
            assert!(refusal.message.contains("no font"), "{words}: {}", refusal.message);
        }
    }
    // Marks, joiners and directions are drawn with their letters or not at all.
    for text in ["é", "e\u{301}", "नमस्ते", "م\u{200D}ن", "\u{200F}שלום", "☺\u{FE0F}", "“—”"]
    {
        edit(&format!("write '{text}' in white"), &black(200, 100));
    }
}
