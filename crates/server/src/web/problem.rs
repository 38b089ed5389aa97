//! Errors as pages show them: whole, or at the field that they are about.

use askama::Template;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::shell::{Here, Shell};
use super::{html, local};
use crate::error::ApiError;

/// What a page's handler gives.
pub(super) type PageResult = Result<Response, Problem>;

/// Why a page is not shown.
pub(super) enum Problem {
    /// An error, which becomes a page.
    Error(ApiError),
    /// Somebody has to sign in first, and is led back to this path then.
    SignIn(String),
}

impl<E: Into<ApiError>> From<E> for Problem {
    fn from(error: E) -> Self {
        Self::Error(error.into())
    }
}

#[derive(Template)]
#[template(path = "web/problem.html")]
struct ProblemPage {
    shell: Shell,
    status: u16,
    title: &'static str,
    message: String,
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        match self {
            Self::Error(error) => shown(&error),
            Self::SignIn(path) => html::see_other(&local::sign_in(&path)).into_response(),
        }
    }
}

fn shown(error: &ApiError) -> Response {
    let status = error.code.row().status;
    let title = match status {
        404 => "There is nothing here",
        403 => "Not from there",
        429 => "A little slower",
        500.. => "Something went wrong on our side",
        _ => "That did not work",
    };
    let message = in_words(&error.message);
    let page = ProblemPage { shell: Shell::bare(Here::Elsewhere), status, title, message };
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let shown = html::page_with(status, &page);
    let mut response = shown.unwrap_or_else(|_| error.clone().into_response());
    response.extensions_mut().insert(error.code);
    if let Some(seconds) = error.retry_after_s {
        response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    }
    response
}

/// The error as a page for a browser that asks for one, as JSON for everybody else.
pub(crate) fn for_reader(headers: &HeaderMap, error: ApiError) -> Response {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    if accepted.is_some_and(|accepted| accepted.contains("text/html")) {
        Problem::Error(error).into_response()
    } else {
        error.into_response()
    }
}

/// The status of a form that is shown once more, with what is wrong.
///
/// # Errors
/// Our own troubles, which have a page of their own.
pub(super) fn status_of_mistake(error: &ApiError) -> Result<StatusCode, Problem> {
    let status = error.code.row().status;
    if status >= 500 {
        return Err(Problem::from(error.clone()));
    }
    Ok(StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST))
}

/// What is wrong with what was typed into a form.
#[derive(Default)]
pub(super) struct Mistake {
    param: Option<String>,
    message: String,
}

impl Mistake {
    /// The mistake that `error` tells of.
    pub(super) fn of(error: &ApiError) -> Self {
        Self { param: error.param.clone(), message: in_words(&error.message) }
    }

    /// What is wrong with the field `name`; nothing where it is all right.
    pub(super) fn at(&self, name: &str) -> Option<&str> {
        (self.param.as_deref() == Some(name)).then_some(self.message.as_str())
    }

    /// What is wrong with the form as a whole.
    pub(super) fn general(&self) -> Option<&str> {
        (self.param.is_none() && !self.message.is_empty()).then_some(self.message.as_str())
    }
}

/// A message for a person at a page, who does not need the field's name in front.
fn in_words(message: &str) -> String {
    let bare = match message.strip_prefix('`').and_then(|rest| rest.split_once("`: ")) {
        Some((field, rest)) if !field.contains(' ') => rest,
        _ => message,
    };
    let mut letters = bare.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::in_words;

    #[test]
    fn the_field_in_front_is_left_out() {
        assert_eq!(in_words("`password`: the password is short."), "The password is short.");
        assert_eq!(in_words("`name` has 0 characters."), "`name` has 0 characters.");
        assert_eq!(in_words("The call failed: `a`: b."), "The call failed: `a`: b.");
        assert_eq!(in_words(""), "");
    }
}
