//! `GET /docs`: the API reference, a page made from the OpenAPI document and the table of errors.

mod reference;

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{Html, IntoResponse, Response};

use crate::app::App;
use crate::config::Settings;
use crate::error::{ApiError, ApiResult, Code};
use reference::{Operation, Schema};
use retouch_engine::{Capability, capabilities, makings};

/// The page may load nothing but its style sheet.
const POLICY: &str =
    "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'";

#[derive(Template)]
#[template(path = "docs.html")]
struct Page<'a> {
    base_url: &'a str,
    version: &'a str,
    operations: Vec<Operation>,
    schemas: Vec<Schema>,
    limits: [Limit; 6],
    edits: Vec<&'static Capability>,
    errors: &'a [crate::error::Row],
}

/// A limit on calls.
struct Limit {
    what: &'static str,
    /// Its name in the `RateLimit` headers.
    name: &'static str,
    a_minute: u32,
}

impl Limit {
    fn shown(&self) -> String {
        if self.a_minute == 0 { "no limit".to_owned() } else { self.a_minute.to_string() }
    }
}

fn limits(settings: &Settings) -> [Limit; 6] {
    let (edits, server) = (&settings.edits, &settings.server);
    let limit = |what, name, a_minute| Limit { what, name, a_minute };
    let reads = "GET and HEAD under /api/, and POST /api/plan";
    let strangers = "The same calls without an account, from one client address";
    [
        limit("Calls that charge credits", "account", edits.calls_per_minute_per_account),
        limit("The same calls with one API key", "key", edits.calls_per_minute_per_key),
        limit("The same calls from one address", "address", edits.calls_per_minute_per_address),
        limit(
            "Calls that fail, which are not charged",
            "failures",
            edits.failures_per_minute_per_account,
        ),
        limit(reads, "reads", server.reads_per_minute_per_account),
        limit(strangers, "reads", server.reads_per_minute_per_address),
    ]
}

/// Get this API reference as a page.
#[utoipa::path(
    get,
    path = "/docs",
    operation_id = "docs",
    tag = "Documents",
    responses((status = 200, description = "The page", body = String, content_type = "text/html"))
)]
pub async fn docs(State(app): State<Arc<App>>) -> ApiResult<Response> {
    let document = serde_json::to_value(super::openapi_document()).map_err(ApiError::internal)?;
    let page = Page {
        base_url: app.public_url.as_str().trim_end_matches('/'),
        version: env!("CARGO_PKG_VERSION"),
        operations: reference::operations(&document),
        schemas: reference::schemas(&document),
        limits: limits(&app.settings),
        edits: capabilities().iter().chain(makings()).collect(),
        errors: Code::ALL,
    };
    let html = page.render().map_err(ApiError::internal)?;
    let policy = [(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY))];
    Ok((policy, Html(html)).into_response())
}

/// The page's style sheet.
pub async fn style() -> Response {
    let kind = [(header::CONTENT_TYPE, HeaderValue::from_static("text/css; charset=utf-8"))];
    (kind, include_str!("../../assets/docs.css")).into_response()
}
