//! A reader for the part of CBOR (RFC 8949) that authenticators write (CTAP 2.1, 8): integers, byte
//! strings, text, and arrays and maps of definite length.

use super::Distrust;

/// The maximum nesting depth; authenticators use at most four levels.
const DEPTH_MAX: usize = 8;

/// A value.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Value<'a> {
    Number(i64),
    Bytes(&'a [u8]),
    Text(&'a str),
    Map(Vec<(Value<'a>, Value<'a>)>),
    /// An array, a boolean or null, whose content is not needed.
    Other,
}

impl<'a> Value<'a> {
    /// Reads one value from the front of `rest`.
    pub(super) fn read(rest: &mut &'a [u8]) -> Result<Self, Distrust> {
        Self::read_within(rest, DEPTH_MAX)
    }

    /// The value of `key`, if this is a map.
    pub(super) fn at(&self, key: &Value<'_>) -> Option<&Self> {
        let Self::Map(fields) = self else { return None };
        fields.iter().find(|(known, _)| known == key).map(|(_, value)| value)
    }

    /// The bytes, if this is a byte string.
    pub(super) fn bytes(&self) -> Option<&'a [u8]> {
        if let Self::Bytes(bytes) = self { Some(bytes) } else { None }
    }

    fn read_within(rest: &mut &'a [u8], depth: usize) -> Result<Self, Distrust> {
        let depth = depth.checked_sub(1).ok_or(Distrust::Malformed)?;
        let [head] = take(rest)?;
        let (kind, count) = (head >> 5, count(rest, head & 0x1f)?);
        let number = || i64::try_from(count).map_err(|_| Distrust::Malformed);
        match kind {
            0 => Ok(Self::Number(number()?)),
            1 => Ok(Self::Number(-1 - number()?)),
            2 => Ok(Self::Bytes(slice(rest, count)?)),
            3 => {
                let text = std::str::from_utf8(slice(rest, count)?);
                Ok(Self::Text(text.map_err(|_| Distrust::Malformed)?))
            }
            // Every element takes at least one byte, so the input bounds the number of elements.
            4 => {
                (0..count).try_for_each(|_| Self::read_within(rest, depth).map(drop))?;
                Ok(Self::Other)
            }
            5 => {
                let mut fields = Vec::new();
                for _ in 0..count {
                    let key = Self::read_within(rest, depth)?;
                    fields.push((key, Self::read_within(rest, depth)?));
                }
                Ok(Self::Map(fields))
            }
            // False, true, null.
            7 if (20..=22).contains(&count) => Ok(Self::Other),
            _ => Err(Distrust::Malformed),
        }
    }
}

/// Takes the next `N` bytes.
pub(super) fn take<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], Distrust> {
    let (taken, after) = rest.split_first_chunk().ok_or(Distrust::Malformed)?;
    *rest = after;
    Ok(*taken)
}

/// Takes the next `length` bytes.
pub(super) fn slice<'a>(rest: &mut &'a [u8], length: u64) -> Result<&'a [u8], Distrust> {
    let length = usize::try_from(length).map_err(|_| Distrust::Malformed)?;
    let (taken, after) = rest.split_at_checked(length).ok_or(Distrust::Malformed)?;
    *rest = after;
    Ok(taken)
}

/// The number in the head of a value, or in the bytes after it.
fn count(rest: &mut &[u8], said: u8) -> Result<u64, Distrust> {
    match said {
        0..=23 => Ok(said.into()),
        24 => take::<1>(rest).map(|[byte]| byte.into()),
        25 => Ok(u16::from_be_bytes(take(rest)?).into()),
        26 => Ok(u32::from_be_bytes(take(rest)?).into()),
        27 => Ok(u64::from_be_bytes(take(rest)?)),
        _ => Err(Distrust::Malformed),
    }
}
