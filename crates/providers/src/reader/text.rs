//! A text as words and quotations, to compare what was said with what was made of it.

use std::collections::BTreeSet;
use std::ops::Range;

/// Words between which a sentence can be cut in parts.
const JOINTS: [&str; 6] = ["and", "then", "but", "also", "plus", "or"];

/// A text, cut into characters.
pub(super) struct Text {
    chars: Vec<char>,
    /// What is between quotation marks, without them.
    quotations: Vec<Range<usize>>,
}

/// A word, and where it is.
struct Word {
    text: String,
    at: Range<usize>,
}

impl Text {
    pub(super) fn new(text: &str) -> Self {
        let chars: Vec<char> = text.chars().collect();
        let mut quotations: Vec<Range<usize>> = Vec::new();
        let mut at = 0;
        while at < chars.len() {
            match quotation(&chars, at) {
                Some(range) => {
                    at = range.end + 1;
                    quotations.push(range);
                }
                None => at += 1,
            }
        }
        Self { chars, quotations }
    }

    /// The texts in quotation marks.
    pub(super) fn quoted(&self) -> Vec<String> {
        let ranges = self.quotations.iter();
        ranges.map(|range| self.slice(range).trim().to_owned()).collect()
    }

    /// The different words outside quotation marks, in lower case. Digits and letters are separate
    /// words, and `#` begins one.
    pub(super) fn words(&self) -> BTreeSet<String> {
        self.cut().into_iter().map(|word| word.text).collect()
    }

    /// The words outside quotation marks in their order, in lower case.
    pub(super) fn in_order(&self) -> Vec<String> {
        self.cut().into_iter().map(|word| word.text).collect()
    }

    /// Parts of the text, of which those with no word between them are one.
    pub(super) fn joined(&self, parts: &[String]) -> Vec<String> {
        let mut places: Vec<Range<usize>> = Vec::new();
        for part in parts {
            places.extend(self.find(part, &places));
        }
        places.sort_by_key(|place| place.start);
        let mut joined: Vec<Range<usize>> = Vec::new();
        for place in places {
            let is_word = |at: usize| self.chars.get(at).is_some_and(|char| char.is_alphanumeric());
            match joined.last_mut().filter(|last| !(last.end..place.start).any(is_word)) {
                Some(last) => last.end = last.end.max(place.end),
                None => joined.push(place),
            }
        }
        joined.iter().map(|place| self.slice(place)).collect()
    }

    /// The words outside `covered` and outside quotation marks.
    pub(super) fn words_outside(&self, covered: &[Range<usize>]) -> Vec<String> {
        let is_free = |word: &Word| !covered.iter().any(|range| overlap(range, &word.at));
        self.cut().into_iter().filter(is_free).map(|word| word.text).collect()
    }

    /// Where `part` is in the text, ignoring case: outside `taken` if possible, and not within a
    /// quotation.
    pub(super) fn find(&self, part: &str, taken: &[Range<usize>]) -> Option<Range<usize>> {
        let part: Vec<char> = part.trim().chars().collect();
        if part.is_empty() {
            return None;
        }
        let places = self.places(&part).filter(|place| !self.is_quoted(place));
        let places: Vec<Range<usize>> = places.collect();
        let is_free = |place: &&Range<usize>| !taken.iter().any(|range| overlap(range, place));
        places.iter().find(is_free).or(places.first()).cloned()
    }

    /// Whether `text` is in the text as it is, and no word of it is only a part of a longer one.
    pub(super) fn says(&self, text: &str) -> bool {
        let part: Vec<char> = text.chars().collect();
        let mut places = self.exact(&part);
        places.any(|place| {
            let before = place.start.checked_sub(1).and_then(|at| self.chars.get(at));
            let joins = |outer: Option<&char>, inner: Option<&char>| {
                outer.zip(inner).is_some_and(|(outer, inner)| in_word(*outer) && in_word(*inner))
            };
            !joins(before, part.first()) && !joins(self.chars.get(place.end), part.last())
        })
    }

    /// The parts of the text between marks and conjunctions.
    pub(super) fn parts(&self) -> Vec<String> {
        let mut cuts: Vec<Range<usize>> = self.marks().collect();
        let joints = self.cut().into_iter().filter(|word| JOINTS.contains(&word.text.as_str()));
        cuts.extend(joints.map(|word| word.at));
        cuts.sort_by_key(|cut| cut.start);
        let mut parts = Vec::new();
        let mut start = 0;
        let end = self.chars.len();
        for cut in cuts.into_iter().chain(std::iter::once(end..end)) {
            parts.push(self.slice(&(start..cut.start)).trim().to_owned());
            start = cut.end;
        }
        parts.retain(|part| !part.is_empty());
        parts
    }

    fn slice(&self, range: &Range<usize>) -> String {
        self.chars.get(range.clone()).unwrap_or_default().iter().collect()
    }

    fn places(&self, part: &[char]) -> impl Iterator<Item = Range<usize>> {
        let same = |one: &char, other: &char| one.to_lowercase().eq(other.to_lowercase());
        self.matches(part, move |slice, part| {
            slice.iter().zip(part).all(|(one, other)| same(one, other))
        })
    }

    fn exact(&self, part: &[char]) -> impl Iterator<Item = Range<usize>> {
        self.matches(part, |slice, part| slice == part)
    }

    fn matches(
        &self,
        part: &[char],
        is_same: impl Fn(&[char], &[char]) -> bool,
    ) -> impl Iterator<Item = Range<usize>> {
        let length = part.len().max(1);
        let windows = self.chars.windows(length).enumerate();
        windows.filter(move |(_, slice)| is_same(slice, part)).map(move |(at, _)| at..at + length)
    }

    /// Marks that end a part of a sentence. Those between digits are part of a number.
    fn marks(&self) -> impl Iterator<Item = Range<usize>> {
        let digit = |at: Option<usize>| {
            at.and_then(|at| self.chars.get(at)).is_some_and(char::is_ascii_digit)
        };
        let marks = self.chars.iter().enumerate().filter(move |(at, mark)| {
            let is_mark = matches!(mark, ',' | ';' | '.' | '!' | '?' | '\n' | '，' | '。' | '；');
            is_mark
                && !(digit(at.checked_sub(1)) && digit(Some(at + 1)))
                && !self.is_quoted(&(*at..at + 1))
        });
        marks.map(|(at, _)| at..at + 1)
    }

    fn is_quoted(&self, place: &Range<usize>) -> bool {
        let mut quotations = self.quotations.iter();
        quotations.any(|range| range.start <= place.start && place.end <= range.end)
    }

    fn cut(&self) -> Vec<Word> {
        let mut words: Vec<Word> = Vec::new();
        for (at, char) in self.chars.iter().copied().enumerate() {
            if self.is_quoted(&(at..at + 1)) || !(char.is_alphanumeric() || char == '#') {
                continue;
            }
            let lower = char.to_lowercase();
            match words.last_mut().filter(|word| word.at.end == at && word.continues(char)) {
                Some(word) => {
                    word.text.extend(lower);
                    word.at.end += 1;
                }
                None => words.push(Word { text: lower.collect(), at: at..at + 1 }),
            }
        }
        words.retain(|word| word.text != "#");
        words
    }
}

impl Word {
    fn continues(&self, char: char) -> bool {
        let is_numeric = self.text.ends_with(|last: char| last.is_ascii_digit());
        char != '#' && (self.text.starts_with('#') || is_numeric == char.is_ascii_digit())
    }
}

/// Whether a word only joins two parts of a sentence.
pub(super) fn is_joint(word: &str) -> bool {
    JOINTS.contains(&word)
}

/// Whether a letter belongs to a word that is written without a space to the next. East Asian
/// letters don't.
fn in_word(char: char) -> bool {
    char.is_alphanumeric() && char < '\u{2e80}'
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// What is between quotation marks that open at `at`. An apostrophe is none.
fn quotation(chars: &[char], at: usize) -> Option<Range<usize>> {
    let open = *chars.get(at)?;
    let before = at.checked_sub(1).and_then(|at| chars.get(at));
    let closers: &[char] = match open {
        '"' | '“' | '”' | '„' => &['"', '”', '“'],
        '«' => &['»'],
        '「' => &['」'],
        '\'' | '‘' | '’' if !before.is_some_and(|it| it.is_alphanumeric()) => &['\'', '’'],
        _ => return None,
    };
    let is_single = closers.contains(&'’');
    let end = (at + 1..chars.len()).find(|at| {
        let follows = chars.get(at + 1).is_some_and(|next| next.is_alphanumeric());
        chars.get(*at).is_some_and(|mark| closers.contains(mark)) && !(is_single && follows)
    })?;
    Some(at + 1..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_are_not_words() {
        let text = Text::new("write \"Big Sale\" at 20px, it's #FF00aa");
        assert_eq!(text.quoted(), ["Big Sale"]);
        let words: Vec<String> = text.words().into_iter().collect();
        assert_eq!(words, ["#ff00aa", "20", "at", "it", "px", "s", "write"]);
    }

    #[test]
    fn parts_are_cut_at_marks_and_conjunctions() {
        let text = Text::new("crop it, then resize to 1.5 times and write \"a, b and c\". Thanks!");
        let parts = ["crop it", "resize to 1.5 times", "write \"a, b and c\"", "Thanks"];
        assert_eq!(text.parts(), parts);
    }

    #[test]
    fn a_part_is_found_outside_quotations_and_first_where_nothing_is_taken() {
        let text = Text::new("\"crop\" Crop and crop");
        let first = text.find("crop", &[]).unwrap();
        assert_eq!(first, 7..11);
        assert_eq!(text.find("crop", std::slice::from_ref(&first)), Some(16..20));
        assert_eq!(text.find("blur", &[]), None);
        assert_eq!(text.find(" ", &[]), None);
    }

    #[test]
    fn a_part_of_a_word_is_not_said() {
        let text = Text::new("start with Art, 写上你好在底部");
        assert!(text.says("Art"));
        assert!(!text.says("art"));
        assert!(text.says("你好"));
    }
}
