//! The variable part of a path.

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;

use crate::error::{ApiError, ApiResult};

/// A name in a path. One that is not valid UTF-8 gets 404, like any other name that does not exist.
pub struct Named(pub String);

/// Two names in a path, in order.
pub struct NamedTwice(pub String, pub String);

impl<S: Send + Sync> FromRequestParts<S> for NamedTwice {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> ApiResult<Self> {
        let names = Path::<(String, String)>::from_request_parts(parts, state).await;
        let named = names.map(|Path((first, second))| Self(first, second));
        named.map_err(|_| ApiError::not_found("address"))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Named {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> ApiResult<Self> {
        let name = Path::<String>::from_request_parts(parts, state).await;
        name.map(|Path(name)| Self(name)).map_err(|_| ApiError::not_found("address"))
    }
}
