//! Typing errors.

use super::corpus::Known;
use super::random::Random;
use retouch_language::rows;

/// Shorter words are rarely misspelled, and nobody could tell what they were.
const LETTERS_MIN: usize = 4;
/// The rows of a keyboard, where fingers hit the next key.
const ROWS: [&str; 3] = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
/// Words that are no typing errors but other words.
const ENGLISH: &str = include_str!("../../words/english.txt");

/// The instruction with one wrong letter in one of its words: left out, typed twice, exchanged with
/// the next one, or next to the right key.
pub(crate) fn misspelled(one: &Known, random: &mut Random) -> Option<String> {
    let mut chars: Vec<char> = one.words.chars().collect();
    let words = one.is_free().then(|| words_of(&chars))?;
    let [start, end] = *words.get(random.below(words.len().max(1)))?;
    let at = start + random.below(end - start);
    match random.below(4) {
        0 => drop(chars.remove(at)),
        1 => chars.insert(at, chars[at]),
        2 if at + 1 < end && chars[at] != chars[at + 1] => chars.swap(at, at + 1),
        _ => chars[at] = beside(chars[at], random)?,
    }
    let length = chars.len() + end - one.words.chars().count();
    let typed: String = chars[start..length].iter().collect::<String>().to_lowercase();
    let is_word = ENGLISH.lines().any(|word| word == typed)
        || rows().any(|row| row.phrase.split(' ').any(|word| word == typed));
    (!is_word).then(|| chars.iter().collect())
}

/// The start and end of each word that is long enough.
fn words_of(chars: &[char]) -> Vec<[usize; 2]> {
    let mut words = Vec::new();
    let mut start = 0;
    for at in 0..=chars.len() {
        if chars.get(at).is_none_or(|letter| !letter.is_alphabetic()) {
            // One wrong letter makes another color of "#dfeeff".
            if at - start >= LETTERS_MIN && (start == 0 || chars[start - 1] != '#') {
                words.push([start, at]);
            }
            start = at + 1;
        }
    }
    words
}

/// A letter beside another one on the keyboard.
fn beside(letter: char, random: &mut Random) -> Option<char> {
    let row = ROWS.into_iter().find(|row| row.contains(letter.to_ascii_lowercase()))?;
    let at = row.find(letter.to_ascii_lowercase())?;
    let beside =
        if at == 0 || at + 1 < row.len() && random.below(2) == 0 { at + 1 } else { at - 1 };
    row.chars().nth(beside)
}
