//! The page between ours and one elsewhere. A form may lead nowhere else by the policy of our pages;
//! this page may, whatever address the other one has.

use askama::Template;
use axum::response::Response;

use super::html;
use super::shell::{Here, Shell};
use crate::error::ApiResult;

/// Where somebody is going.
#[derive(Template)]
#[template(path = "web/onward.html")]
pub(super) struct Onward {
    pub(super) shell: Shell,
    /// Whose page it is.
    pub(super) name: String,
    /// Why they are sent there.
    pub(super) lead: &'static str,
    pub(super) address: String,
    /// Where they can go back to: path and words.
    pub(super) back: (&'static str, &'static str),
}

impl Onward {
    /// The page.
    pub(super) fn page(&self) -> ApiResult<Response> {
        html::page(self)
    }
}
