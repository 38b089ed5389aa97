//! The part of a file that a request asks for (RFC 9110, section 14).

use axum::http::{HeaderMap, HeaderValue, header};

/// A part of a file, or all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// All of it: there is no range, or none that we understand.
    Whole,
    /// These bytes.
    Some(Span),
    /// Bytes that the file does not have.
    None,
}

/// A contiguous range of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// The position of the first byte, from 0.
    pub(super) first: u64,
    /// The number of bytes.
    pub(super) length: u64,
}

impl Span {
    /// The value of `Content-Range` for a file of `bytes`.
    pub(super) fn of(self, bytes: u64) -> String {
        let last = self.first + self.length.saturating_sub(1);
        format!("bytes {}-{last}/{bytes}", self.first)
    }
}

/// The part that `headers` ask for, of a file of `bytes` with the `ETag` `tag`. A range is ignored
/// if it is for another file, in another unit, malformed or in several parts.
pub(super) fn asked(headers: &HeaderMap, tag: &HeaderValue, bytes: u64) -> Part {
    if headers.get(header::IF_RANGE).is_some_and(|theirs| theirs != tag) {
        return Part::Whole;
    }
    let mut all = headers.get_all(header::RANGE).iter();
    let only = all.next().filter(|_| all.next().is_none());
    let text = only.and_then(|value| value.to_str().ok());
    text.and_then(|text| part(text, bytes)).unwrap_or(Part::Whole)
}

fn part(text: &str, bytes: u64) -> Option<Part> {
    let (unit, set) = text.split_once('=')?;
    if !unit.trim().eq_ignore_ascii_case("bytes") {
        return None;
    }
    let (first, last) = set.trim().split_once('-')?;
    let span = match (number(first)?, number(last)?) {
        (None, None) => return None,
        (Some(first), Some(last)) if last < first => return None,
        (Some(first), last) => {
            let end = last.map_or(bytes, |last| last.saturating_add(1).min(bytes));
            Span { first, length: end.saturating_sub(first) }
        }
        (None, Some(count)) => {
            let length = count.min(bytes);
            Span { first: bytes - length, length }
        }
    };
    Some(if span.length == 0 { Part::None } else { Part::Some(span) })
}

/// A number or an empty text; `None` if it is neither. A number that does not fit becomes the
/// largest.
fn number(text: &str) -> Option<Option<u64>> {
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some((!text.is_empty()).then(|| text.parse().unwrap_or(u64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_those_of_the_standard() {
        let some = |first, length| Some(Part::Some(Span { first, length }));
        for (text, wanted) in [
            ("bytes=0-0", some(0, 1)),
            ("bytes=0-9", some(0, 10)),
            ("Bytes= 2-5 ", some(2, 4)),
            ("bytes=5-", some(5, 5)),
            ("bytes=9-99999999999999999999999", some(9, 1)),
            ("bytes=-3", some(7, 3)),
            ("bytes=-99", some(0, 10)),
            ("bytes=10-", Some(Part::None)),
            ("bytes=10-20", Some(Part::None)),
            ("bytes=99999999999999999999999-", Some(Part::None)),
            ("bytes=-0", Some(Part::None)),
            ("bytes=5-4", None),
            ("bytes=-", None),
            ("bytes=0-1,3-4", None),
            ("bytes=+1-2", None),
            ("bytes=0x1-2", None),
            ("bytes", None),
            ("chars=0-1", None),
            ("", None),
        ] {
            assert_eq!(part(text, 10), wanted, "{text}");
        }
        assert_eq!(part("bytes=0-", 0), Some(Part::None));
        assert_eq!(Span { first: 2, length: 4 }.of(10), "bytes 2-5/10");
    }
}
