//! Pagination: the query parameters and the response of every list.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use retouch_store::{Page, PageRequest};
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use crate::error::{ApiError, ApiResult, Code};

/// Items of a page if the caller does not set `limit`.
const LIMIT_DEFAULT: u32 = 20;
/// Most items of a page.
pub(super) const LIMIT_MAX: u32 = 100;

/// One page of a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListView<T: ToSchema> {
    /// The items.
    pub data: Vec<T>,
    /// Whether there are more items after these.
    pub has_more: bool,
    /// What to send as `cursor` for the next page, or null.
    pub next_cursor: Option<String>,
}

impl<T: ToSchema> ListView<T> {
    /// A page whose items have been converted with `view`.
    pub fn of<U>(page: Page<U>, view: impl Fn(U) -> T) -> Self {
        let has_more = page.next_cursor.is_some();
        let data = page.data.into_iter().map(view).collect();
        Self { data, has_more, next_cursor: page.next_cursor }
    }

    /// The page that `query` asks for, of a list whose order changes only with the settings.
    ///
    /// # Errors
    /// 400 if the cursor did not come from this `list`.
    pub fn of_fixed(list: &'static str, data: Vec<T>, query: &PageQuery) -> ApiResult<Self> {
        let rows = data.into_iter().enumerate().collect();
        let page = Page::of_all(list, rows, &query.request(), |(at, _)| format!("{at:05}"))?;
        Ok(Self::of(page, |(_, view)| view))
    }
}

/// Which page of a list.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// Most items to return: 1 to 100, 20 by default.
    #[param(minimum = 1, maximum = 100, value_type = u32, required = false)]
    pub limit: Option<u32>,
    /// The `next_cursor` of the previous page.
    pub cursor: Option<String>,
}

impl PageQuery {
    /// What to ask the store for.
    pub fn request(&self) -> PageRequest {
        PageRequest { limit: self.limit.unwrap_or(LIMIT_DEFAULT), cursor: self.cursor.clone() }
    }
}

impl<S: Sync> FromRequestParts<S> for PageQuery {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> ApiResult<Self> {
        let query = parts.uri.query().unwrap_or_default();
        let (mut limit, mut cursor) = (None, None);
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            match name.as_ref() {
                "limit" => limit = Some(parse_limit(&value)?),
                "cursor" => cursor = Some(value.into_owned()).filter(|text| !text.is_empty()),
                _ => {}
            }
        }
        Ok(Self { limit, cursor })
    }
}

fn parse_limit(text: &str) -> ApiResult<u32> {
    let limit = text.parse().ok().filter(|limit| (1..=LIMIT_MAX).contains(limit));
    limit.ok_or_else(|| {
        let message = format!("`limit` must be a whole number from 1 to {LIMIT_MAX}.");
        ApiError::about(Code::InvalidValue, "limit", message)
    })
}
