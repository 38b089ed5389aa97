//! Sentences as people read them: numbers are rounded, and articles and units agree. Reading such a
//! sentence again may give slightly different steps, so plans keep the exact words.

/// Decimals that are shown as they are. Longer numbers come from fractions and conversions.
const DECIMALS_KEPT: usize = 2;

/// Units that may follow a number.
const UNITS: [(&str, &str); 6] = [
    ("stops", "stop"),
    ("pixels", "pixel"),
    ("degrees", "degree"),
    ("levels", "level"),
    ("colors", "color"),
    ("seconds", "second"),
];

/// `sentence` for people. Text in quotation marks, which is drawn, stays as it is.
pub(super) fn for_people(sentence: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut quoted = false;
    for word in sentence.split(' ') {
        let marks = word.matches('"').count();
        if quoted || marks > 0 {
            words.push(word.to_owned());
        } else {
            agree(words.last_mut(), word);
            let one = words.last().is_some_and(|number| number == "1");
            words.push(if one { singular(word) } else { rounded(word) });
        }
        quoted ^= marks % 2 == 1;
    }
    words.join(" ")
}

/// Turns "a" into "an" before a vowel.
fn agree(before: Option<&mut String>, word: &str) {
    if let Some(article) = before.filter(|before| *before == "a")
        && word.starts_with(['a', 'e', 'i', 'o', '8'])
    {
        article.push('n');
    }
}

/// A unit after the number 1; other words stay as they are.
fn singular(word: &str) -> String {
    let unit = word.trim_end_matches([',', '.', ';']);
    let found = UNITS.iter().find(|(plural, _)| *plural == unit);
    found.map_or_else(|| word.to_owned(), |(plural, one)| word.replacen(plural, one, 1))
}

/// `word` with every number in it rounded.
fn rounded(word: &str) -> String {
    let mut shown = String::with_capacity(word.len());
    let mut rest = word;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, number) = rest.split_at(start);
        let end = number.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(number.len());
        let (number, after) = number.split_at(end);
        shown.push_str(before);
        push_rounded(&mut shown, number);
        rest = after;
    }
    shown + rest
}

/// Appends a number: whole from 10, with one decimal from 1, else with two significant digits.
fn push_rounded(shown: &mut String, number: &str) {
    let decimals = number.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let value = number.parse::<f64>().ok().filter(|_| decimals > DECIMALS_KEPT);
    let Some(value) = value else {
        shown.push_str(number);
        return;
    };
    let kept = match value {
        10.0.. => 0,
        1.0..10.0 => 1,
        0.1..1.0 => 2,
        0.01..0.1 => 3,
        _ => 4,
    };
    let text = format!("{value:.kept$}");
    shown.push_str(if kept == 0 {
        &text
    } else {
        text.trim_end_matches('0').trim_end_matches('.')
    });
}

#[test]
fn numbers_are_rounded_and_words_agree() {
    let cases = [
        ("crop to 33.333333333333336% width 100% height", "crop to 33% width 100% height"),
        ("increase the exposure by 1 stops", "increase the exposure by 1 stop"),
        (
            "increase the exposure by 0.3333333333333333 stops",
            "increase the exposure by 0.33 stops",
        ),
        ("set the levels from 0 to 242.24999999999997, then", "set the levels from 0 to 242, then"),
        ("add a ivory border of 2%", "add an ivory border of 2%"),
        ("scale by 1.0004 and 0.0123456", "scale by 1 and 0.012"),
        ("write \"a 1.23456 ounce\" at 12.3456x7.25px", "write \"a 1.23456 ounce\" at 12x7.25px"),
        ("fade in for 1 seconds.", "fade in for 1 second."),
        ("a #1e1e1e line, a 9.999999", "a #1e1e1e line, a 10"),
    ];
    for (exact, shown) in cases {
        assert_eq!(for_people(exact), shown);
    }
}
