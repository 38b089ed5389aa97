//! The theme: light, dark, or the system setting.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{self, InvalidHeaderValue};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;

use super::form::Form;
use super::html;
use super::local;
use super::problem::PageResult;
use crate::app::App;
use crate::auth::cookie::{self, CookieKind};
use crate::error::ApiError;

/// The theme of the pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Theme {
    System,
    Light,
    Dark,
}

impl Theme {
    /// The choice stored in the browser.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        cookie::values(headers, "theme").next().map_or(Self::System, Self::named)
    }

    /// The name, as in the pages and the cookie.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    fn named(text: &str) -> Self {
        match text.trim() {
            "light" => Self::Light,
            "dark" => Self::Dark,
            _ => Self::System,
        }
    }

    /// A cookie that stores the choice for a year, or deletes it for the system setting.
    fn cookie(self, kind: CookieKind) -> Result<HeaderValue, InvalidHeaderValue> {
        let (value, seconds) = match self {
            Self::System => ("", 0),
            chosen => (chosen.name(), 31_536_000),
        };
        let secure = kind.secure();
        format!("theme={value}; Path=/; Max-Age={seconds}; SameSite=Lax{secure}").parse()
    }
}

/// Stores the choice and returns to the page where it was made.
pub(super) async fn choose(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let theme = Theme::named(form.text("theme"));
    let mut response: Response = html::see_other(&local::path(form.text("next")))?;
    let cookie = theme.cookie(app.cookies()).map_err(ApiError::internal)?;
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    Ok(response)
}
