//! Pagination: lists are returned in pages, with a cursor from one to the next.

use crate::Error;

/// The maximum number of rows on a page.
pub const ROWS_MAX: u32 = 100;

/// Which page of a list to return.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageRequest {
    /// How many rows, 1 to [`ROWS_MAX`].
    pub limit: u32,
    /// `next_cursor` of the previous page. `None`: the first page.
    pub cursor: Option<String>,
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    /// The rows.
    pub data: Vec<T>,
    /// The cursor for the next page. `None`: this is the last one.
    pub next_cursor: Option<String>,
}

impl<T> Page<T> {
    /// A page of a list that is short enough to be read as a whole, in the order of `position`, which
    /// is different for each row.
    ///
    /// # Errors
    /// [`Error::BadLimit`], or [`Error::BadCursor`] if the cursor did not come from this `list`.
    pub fn of_all(
        list: &'static str,
        mut rows: Vec<T>,
        request: &PageRequest,
        position: impl Fn(&T) -> String,
    ) -> Result<Self, Error> {
        let place = Place::read(list, request)?;
        if let Some(after) = &place.after {
            rows.retain(|row| position(row) > *after);
        }
        rows.sort_by_cached_key(&position);
        Ok(place.page(rows, position))
    }
}

/// A validated request for a page of a named list.
pub(crate) struct Place {
    list: &'static str,
    limit: usize,
    /// The position of the last row of the previous page.
    pub(crate) after: Option<String>,
}

/// Sorts after every id, because ids consist of letters, digits and `_`.
const BEHIND_ALL: &str = "~";

impl Place {
    pub(crate) fn read(list: &'static str, request: &PageRequest) -> Result<Self, Error> {
        if request.limit == 0 || request.limit > ROWS_MAX {
            return Err(Error::BadLimit { limit: request.limit });
        }
        let after = request.cursor.as_deref().map(|cursor| decode(list, cursor)).transpose()?;
        Ok(Self { list, limit: request.limit as usize, after })
    }

    /// The upper bound of the page's ids, in a list in descending order of ids. There is always a
    /// bound, because with an "or there is none" in the query, databases would not start at the
    /// right place in the index.
    pub(crate) fn before(&self) -> &str {
        self.after.as_deref().unwrap_or(BEHIND_ALL)
    }

    /// The numeric position of the last row of the previous page.
    pub(crate) fn after_number(&self) -> Result<Option<i64>, Error> {
        self.after.as_ref().map(|text| text.parse().map_err(|_| Error::BadCursor)).transpose()
    }

    /// One row more than the page holds, to find out whether there is a next page.
    pub(crate) fn rows(&self) -> i64 {
        i64::try_from(self.limit).unwrap_or(i64::MAX).saturating_add(1)
    }

    /// Builds the page from the rows that were fetched.
    pub(crate) fn page<T>(&self, data: Vec<T>, position: impl Fn(&T) -> String) -> Page<T> {
        self.page_until(data, position, None)
    }

    /// Builds the page from the rows that were fetched. If they do not fill it, the next page
    /// starts behind the position `stop`, where the search for them ended.
    pub(crate) fn page_until<T>(
        &self,
        mut data: Vec<T>,
        position: impl Fn(&T) -> String,
        stop: Option<String>,
    ) -> Page<T> {
        let is_full = data.len() > self.limit;
        data.truncate(self.limit);
        let last = if is_full { data.last().map(position) } else { stop };
        Page { data, next_cursor: last.map(|last| encode(self.list, &last)) }
    }
}

/// A cursor: list, position and checksum. It is opaque enough that no one builds one by hand, and a
/// mistyped cursor or one of another list is rejected instead of showing the wrong page.
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
