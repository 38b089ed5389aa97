//! Numbers and counts for people, on pages, in emails and on the command line.

use std::fmt::Display;

use retouch_store::VerifyReport;

/// A number with separators: `1,300`.
pub(crate) fn number(value: impl Display + Copy) -> String {
    let text = value.to_string();
    let (sign, digits) = text.split_at(usize::from(text.starts_with('-')));
    let mut grouped = sign.to_owned();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A count with its noun: `1 credit`, `1,300 credits`, `2 entries`.
pub(crate) fn counted(count: impl Display + Copy, noun: &str) -> String {
    let number = number(count);
    let is_one = number == "1";
    match noun.strip_suffix('y').filter(|stem| !is_one && !stem.ends_with(VOWELS)) {
        Some(stem) => format!("{number} {stem}ies"),
        None if is_one => format!("{number} {noun}"),
        None => format!("{number} {noun}s"),
    }
}

/// What a verified ledger consists of: `1 account, 3 entries`.
pub(crate) fn ledger(report: &VerifyReport) -> String {
    let VerifyReport { accounts, entries, .. } = report;
    format!("{}, {}", counted(*accounts, "account"), counted(*entries, "entry"))
}

/// After these, a final `y` stays in the plural: `days`, `keys`.
const VOWELS: [char; 5] = ['a', 'e', 'i', 'o', 'u'];

#[cfg(test)]
mod tests {
    use super::{counted, number};

    #[test]
    fn numbers_have_a_separator_every_three_digits() {
        let cases = [(0, "0"), (999, "999"), (1_300, "1,300"), (-1_234_567, "-1,234,567")];
        for (value, text) in cases {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn one_is_singular_and_all_else_is_plural() {
        let cases = [(1, "credit", "1 credit"), (0, "credit", "0 credits")];
        let more =
            [(2, "entry", "2 entries"), (1, "entry", "1 entry"), (1_300, "day", "1,300 days")];
        for (count, noun, words) in cases.into_iter().chain(more) {
            assert_eq!(counted(count, noun), words);
        }
    }
}
