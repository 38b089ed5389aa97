//! Lists come in pages, with a cursor from one to the next.

use crate::Error;

/// The maximum number of rows on a page.
pub const ROWS_MAX: u32 = 100;

/// Which page of a list is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageRequest {
    /// How many rows, 1 to [`ROWS_MAX`].
    pub limit: u32,
    /// `next_cursor` of the page before; none: the first page.
    pub cursor: Option<String>,
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    /// The rows.
    pub data: Vec<T>,
    /// What asks for the next page; none: this is the last.
    pub next_cursor: Option<String>,
}

/// A page request of a named list, read: where it goes on, and how many rows to fetch.
pub(crate) struct Place {
    list: &'static str,
    limit: usize,
    /// The position of the last row of the page before.
    pub(crate) after: Option<String>,
}

/// Behind every id, which are of letters, digits and `_`.
const BEHIND_ALL: &str = "~";

impl Place {
    pub(crate) fn read(list: &'static str, request: &PageRequest) -> Result<Self, Error> {
        if request.limit == 0 || request.limit > ROWS_MAX {
            return Err(Error::BadLimit { limit: request.limit });
        }
        let after = request.cursor.as_deref().map(|cursor| decode(list, cursor)).transpose()?;
        Ok(Self { list, limit: request.limit as usize, after })
    }

    /// What the ids of the page's rows come before, in a list that is ordered by ids from the last: always
    /// a bound, since databases begin a page where the last one ended only where there is no "or none".
    pub(crate) fn before(&self) -> &str {
        self.after.as_deref().unwrap_or(BEHIND_ALL)
    }

    /// The numeric position of the last row of the page before.
    pub(crate) fn after_number(&self) -> Result<Option<i64>, Error> {
        self.after.as_ref().map(|text| text.parse().map_err(|_| Error::BadCursor)).transpose()
    }

    /// One row more than is wanted, to see whether there is a next page.
    pub(crate) fn rows(&self) -> i64 {
        i64::try_from(self.limit).unwrap_or(i64::MAX).saturating_add(1)
    }

    /// The page out of the rows that were fetched.
    pub(crate) fn page<T>(&self, mut data: Vec<T>, position: impl Fn(&T) -> String) -> Page<T> {
        let more = data.len() > self.limit;
        data.truncate(self.limit);
        let last = data.last().filter(|_| more);
        let next_cursor = last.map(|row| encode(self.list, &position(row)));
        Page { data, next_cursor }
    }
}

/// List, position and a checksum: opaque enough not to be built by hand, and a cursor of another
/// list or with a typing mistake is refused instead of showing the wrong page.
fn encode(list: &str, position: &str) -> String {
    let text = format!("{list}:{position}");
    let mut bytes = crc32fast::hash(text.as_bytes()).to_le_bytes().to_vec();
    bytes.extend_from_slice(text.as_bytes());
    base64_simd::URL_SAFE_NO_PAD.encode_to_string(bytes)
}

fn decode(list: &str, cursor: &str) -> Result<String, Error> {
    let bytes = base64_simd::URL_SAFE_NO_PAD
        .decode_to_vec(cursor.as_bytes())
        .map_err(|_| Error::BadCursor)?;
    let (sum, text) = bytes.split_first_chunk::<4>().ok_or(Error::BadCursor)?;
    if crc32fast::hash(text).to_le_bytes() != *sum {
        return Err(Error::BadCursor);
    }
    let text = std::str::from_utf8(text).map_err(|_| Error::BadCursor)?;
    let position = text.strip_prefix(list).and_then(|rest| rest.strip_prefix(':'));
    position.map(str::to_owned).ok_or(Error::BadCursor)
}
