//! The words for a text.

/// The default font size in percent of the height.
pub(crate) const USUAL_PERCENT: f64 = 6.0;

/// Quotes the text with the first kind of quotation marks that it does not close itself.
pub(crate) fn quoted(text: &str) -> Option<String> {
    const MARKS: [(char, &[char]); 3] =
        [('"', &['"', '”', '“']), ('«', &['»']), ('\'', &['\'', '’'])];
    let (open, closing) = MARKS.iter().find(|(_, closing)| !text.contains(*closing))?;
    Some(format!("{open}{text}{}", closing[0]))
}
