//! HTML forms.

use axum::extract::Request;
use axum::http::request::Parts;

use crate::app::App;
use crate::error::{ApiError, ApiResult, Code};
use crate::http::intake;

/// A form that was submitted from one of our pages.
pub(super) struct Form {
    /// The head of its request.
    pub(super) parts: Parts,
    fields: Vec<(String, String)>,
}

impl Form {
    /// Receives a form.
    ///
    /// # Errors
    /// 403 if another site's page sent it; 413, 415 or 400 if it is not a valid form.
    pub(super) async fn receive(app: &App, request: Request) -> ApiResult<Self> {
        let received = intake::receive_form(app, request).await?;
        let fields = form_urlencoded::parse(&received.body).into_owned().collect();
        Ok(Self { parts: received.parts, fields })
    }

    /// The value of the field `name`, unless it is missing or empty.
    pub(super) fn filled(&self, name: &str) -> Option<String> {
        Some(self.text(name)).filter(|text| !text.is_empty()).map(str::to_owned)
    }

    /// The value of the field `name`, or an empty string.
    pub(super) fn text(&self, name: &str) -> &str {
        self.sent(name).unwrap_or_default()
    }

    /// The value of the field `name`, which may be empty, unless it is missing. Of several, the
    /// last.
    pub(super) fn sent(&self, name: &str) -> Option<&str> {
        let mut fields = self.fields.iter().rev();
        fields.find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The values of all fields with this name.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        let fields = self.fields.iter().filter(move |(known, _)| known == name);
        fields.map(|(_, value)| value.as_str())
    }
}

/// The query parameter `name`.
pub(super) fn query(parts: &Parts, name: &str) -> Option<String> {
    let query = parts.uri.query().unwrap_or_default();
    let mut fields = form_urlencoded::parse(query.as_bytes());
    fields.find(|(known, _)| known == name).map(|(_, value)| value.into_owned())
}

/// The query parameter `name`, parsed by `read`; `None` if it is missing or empty.
///
/// # Errors
/// 400 if it cannot be parsed. Ignoring it would show unfiltered results as if they matched.
pub(super) fn choice<T>(
    parts: &Parts,
    name: &str,
    read: impl FnOnce(&str) -> Option<T>,
) -> ApiResult<Option<T>> {
    let Some(text) = query(parts, name).filter(|text| !text.is_empty()) else { return Ok(None) };
    let refused = || {
        let message = format!("This link contains an unknown value ({name}).");
        ApiError::about(Code::InvalidValue, name, message)
    };
    read(&text).map(Some).ok_or_else(refused)
}

/// `path` with a query of those `fields` that are not empty.
pub(super) fn address(path: &str, fields: &[(&str, &str)]) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(fields.iter().filter(|(_, value)| !value.is_empty()));
    format!("{path}?{}", query.finish())
}

/// `path` with this field in place of an earlier one of its name.
pub(super) fn with_field(path: &str, name: &str, value: &str) -> String {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let rest = form_urlencoded::parse(query.as_bytes()).filter(|(known, _)| known != name);
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(rest).append_pair(name, value);
    format!("{path}?{}", query.finish())
}
