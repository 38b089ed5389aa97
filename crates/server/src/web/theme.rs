//! Light or dark: as the system says, unless somebody chose.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;

use super::form::Form;
use super::html;
use super::local;
use super::problem::PageResult;
use crate::app::App;

/// How the pages look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Theme {
    System,
    Light,
    Dark,
}

impl Theme {
    /// The choice that a browser remembers.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let texts = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs = texts.flat_map(|text| text.split(';')).filter_map(|it| it.split_once('='));
        pairs
            .find(|(name, _)| name.trim() == "theme")
            .map_or(Self::System, |(_, it)| Self::named(it))
    }

    /// The name, as the pages and the cookie have it.
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

    /// A year of the choice; none of the system's own.
    fn cookie(self) -> HeaderValue {
        match self {
            Self::System => HeaderValue::from_static("theme=; Path=/; Max-Age=0; SameSite=Lax"),
            Self::Light => {
                HeaderValue::from_static("theme=light; Path=/; Max-Age=31536000; SameSite=Lax")
            }
            Self::Dark => {
                HeaderValue::from_static("theme=dark; Path=/; Max-Age=31536000; SameSite=Lax")
            }
        }
    }
}

/// Remembers a choice, and goes back to where it was made.
pub(super) async fn choose(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let theme = Theme::named(form.text("theme"));
    let mut response: Response = html::see_other(&local::path(form.text("next")))?;
    response.headers_mut().insert(header::SET_COOKIE, theme.cookie());
    Ok(response)
}
