//! Errors on pages: as a page of their own, or at a field of a form.

use askama::Template;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::shell::{Here, Shell};
use super::{html, local};
use crate::app::App;
use crate::error::{ApiError, Code};

/// The result of a page's handler.
pub(super) type PageResult = Result<Response, Problem>;

/// Why a page cannot be shown.
pub(super) enum Problem {
    /// An error, shown as a page.
    Error(ApiError),
    /// The user has to sign in first and then returns to this path.
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
            Self::Error(error) => {
                let mut response = shown(&error, Shell::bare(Here::Elsewhere));
                response.extensions_mut().insert(Shown(error));
                response
            }
            Self::SignIn(path) => html::see_other(&local::sign_in(&path)).into_response(),
        }
    }
}

/// The error that a page shows without knowing its reader.
#[derive(Clone)]
struct Shown(ApiError);

/// The request, if its client accepts HTML.
pub(crate) fn reader(parts: &Parts) -> Option<Parts> {
    takes_pages(&parts.headers).then(|| parts.clone())
}

/// Shows an error again, now that it can be known who reads it: in their theme, and with the links to
/// sign in for visitors, whose page may be there for members only.
pub(crate) async fn problem_for(
    app: &App,
    reader: Option<Parts>,
    response: &mut Response,
) -> Option<Response> {
    let Shown(error) = response.extensions_mut().remove()?;
    shown_to(app, &reader?, &error).await
}

/// The page for its reader. `None` if the service itself has a problem, and had better not be asked
/// for more.
async fn shown_to(app: &App, reader: &Parts, error: &ApiError) -> Option<Response> {
    let path = match error.code.row().status {
        429 | 500.. => return None,
        404 if reader.method == Method::GET => {
            reader.uri.path_and_query().map_or("/", |path| path.as_str())
        }
        // What is wrong would still be wrong after signing in.
        _ => "/",
    };
    let shell = Shell::of(app, reader, Here::Elsewhere).await.ok()?;
    Some(shown(error, shell.leading_to(&local::path(path), "").unlisted()))
}

fn takes_pages(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accepted.is_some_and(|accepted| accepted.contains("text/html"))
}

fn shown(error: &ApiError, shell: Shell) -> Response {
    let status = error.code.row().status;
    let title = match status {
        404 => "Page not found",
        403 => "Not allowed",
        429 => "Too many requests",
        500.. => "Something went wrong",
        _ => "That didn’t work",
    };
    let message = in_words(&error.message);
    let page = ProblemPage { shell, status, title, message };
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let shown = html::page_with(status, &page);
    let mut response = shown.unwrap_or_else(|_| error.clone().into_response());
    response.extensions_mut().insert(error.code);
    if let Some(seconds) = error.retry_after_s {
        response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    }
    response
}

/// An error as a page if the client accepts HTML, otherwise as JSON.
pub(crate) fn for_reader(headers: &HeaderMap, error: ApiError) -> Response {
    if takes_pages(headers) {
        let error = match error.code {
            Code::NotFound => ApiError::new(Code::NotFound, "We couldn’t find that page."),
            _ => error,
        };
        Problem::Error(error).into_response()
    } else {
        error.into_response()
    }
}

/// The status of a form that is shown again with an error.
///
/// # Errors
/// Server errors, which have a page of their own.
pub(super) fn status_of_mistake(error: &ApiError) -> Result<StatusCode, Problem> {
    let status = error.code.row().status;
    if status >= 500 {
        return Err(Problem::from(error.clone()));
    }
    Ok(StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST))
}

/// What is wrong with a submitted form.
#[derive(Default)]
pub(super) struct Mistake {
    param: Option<String>,
    message: String,
}

impl Mistake {
    /// The mistake that `error` reports.
    pub(super) fn of(error: &ApiError) -> Self {
        Self { param: error.param.clone(), message: in_words(&error.message) }
    }

    /// The error at the field `name`.
    pub(super) fn at(&self, name: &str) -> Option<&str> {
        (self.param.as_deref() == Some(name)).then_some(self.message.as_str())
    }

    /// The error that belongs to no field.
    pub(super) fn general(&self) -> Option<&str> {
        (self.param.is_none() && !self.message.is_empty()).then_some(self.message.as_str())
    }
}

/// A message without the field name in front, which pages do not show.
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
