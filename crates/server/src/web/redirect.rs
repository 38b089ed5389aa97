//! The page that leads to another site. The content security policy keeps our forms from
//! redirecting to other sites; this page redirects instead.

use askama::Template;
use axum::response::Response;

use super::html;
use super::shell::{Here, Shell};
use crate::error::ApiResult;

/// A page that redirects to another site.
#[derive(Template)]
#[template(path = "web/redirect.html")]
pub(super) struct RedirectPage {
    pub(super) shell: Shell,
    /// The name of the other site.
    pub(super) name: String,
    /// Why the user is sent there.
    pub(super) lead: &'static str,
    pub(super) address: String,
    /// The link back: path and text.
    pub(super) back: (&'static str, &'static str),
}

impl RedirectPage {
    /// The page.
    pub(super) fn page(&self) -> ApiResult<Response> {
        html::page(self)
    }
}
