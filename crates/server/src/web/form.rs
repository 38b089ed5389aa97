//! The fields of a form.

use std::collections::HashMap;

use axum::extract::Request;
use axum::http::request::Parts;

use crate::app::App;
use crate::error::{ApiError, ApiResult, Code};
use crate::http::intake;

/// A form that has come in from one of our own pages.
pub(super) struct Form {
    /// The head of its request.
    pub(super) parts: Parts,
    fields: HashMap<String, String>,
}

impl Form {
    /// Receives a form.
    ///
    /// # Errors
    /// 403 when another site's page sent it; 413, 415, 400 when it is no form.
    pub(super) async fn receive(app: &App, request: Request) -> ApiResult<Self> {
        let received = intake::receive_form(app, request).await?;
        let fields = form_urlencoded::parse(&received.body).into_owned().collect();
        Ok(Self { parts: received.parts, fields })
    }

    /// What stands in the field `name`, where it is there and not empty.
    pub(super) fn filled(&self, name: &str) -> Option<String> {
        Some(self.text(name)).filter(|text| !text.is_empty()).map(str::to_owned)
    }

    /// What stands in the field `name`; nothing where there is none.
    pub(super) fn text(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", String::as_str)
    }
}

/// What stands in the field `name` of an address's query.
pub(super) fn query(parts: &Parts, name: &str) -> Option<String> {
    let query = parts.uri.query().unwrap_or_default();
    let mut fields = form_urlencoded::parse(query.as_bytes());
    fields.find(|(known, _)| known == name).map(|(_, value)| value.into_owned())
}

/// What the field `name` of an address's query is, as `read` understands it; none where it is empty
/// or not there.
///
/// # Errors
/// 400 where it cannot be understood: showing everything instead would look like an answer.
pub(super) fn choice<T>(
    parts: &Parts,
    name: &str,
    read: impl FnOnce(&str) -> Option<T>,
) -> ApiResult<Option<T>> {
    let Some(text) = query(parts, name).filter(|text| !text.is_empty()) else { return Ok(None) };
    let refused = || {
        let message =
            format!("What the address of this page says of `{name}` cannot be understood.");
        ApiError::about(Code::InvalidValue, name, message)
    };
    read(&text).map(Some).ok_or_else(refused)
}

/// The address of `path` with those of `fields` that are not empty.
pub(super) fn address(path: &str, fields: &[(&str, &str)]) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(fields.iter().filter(|(_, value)| !value.is_empty()));
    format!("{path}?{}", query.finish())
}
