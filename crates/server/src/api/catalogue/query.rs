//! The query of `GET /api/models`.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use retouch_core::Kind;
use utoipa::IntoParams;

use crate::api::schema::CallKind;
use crate::error::{ApiError, ApiResult, Code};

/// Which models to list.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ModelQuery {
    /// Only models that can do this. By default, all models that make images.
    #[param(value_type = Option<CallKind>)]
    pub kind: Option<Kind>,
}

impl<S: Sync> FromRequestParts<S> for ModelQuery {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> ApiResult<Self> {
        let query = parts.uri.query().unwrap_or_default();
        let mut named = form_urlencoded::parse(query.as_bytes());
        let kind = named.find(|(name, value)| name == "kind" && !value.is_empty());
        let kind = kind.map(|(_, value)| Kind::parse(&value).ok_or_else(unknown_kind));
        Ok(Self { kind: kind.transpose()? })
    }
}

fn unknown_kind() -> ApiError {
    let names: Vec<&str> = Kind::ALL.map(Kind::as_str).into();
    let message = format!("`kind` must be one of {}.", names.join(", "));
    ApiError::about(Code::InvalidValue, "kind", message)
}
