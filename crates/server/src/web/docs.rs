//! `/docs`: how to begin, what the built-in editor can do, and the API reference. The pages are made
//! from the tables that the program itself uses.

mod handbook;
mod reference;

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use axum::response::Response;

use super::shell::{Here, Shell};
use super::{assets, html};
use crate::app::App;
use crate::config::Settings;
use crate::error::{ApiResult, Code};
use handbook::Chapter;
use reference::Schema;

pub(super) use handbook::{Entry, chapters, picture, pictures};

/// The pages, in the order of the contents: path and title.
const PAGES: [(&str, &str); 3] = [
    ("/docs", "Get started"),
    ("/docs/operations", "What you can ask for"),
    ("/docs/reference", "API reference"),
];

/// Where a reader is in the documentation.
struct Place {
    path: &'static str,
}

impl Place {
    /// All pages: path, title, the value of `aria-current`, and whether it is this one.
    fn pages(&self) -> Vec<(&'static str, &'static str, &'static str, bool)> {
        let page = |(path, title)| match self.path == path {
            true => (path, title, "page", true),
            false => (path, title, "false", false),
        };
        PAGES.into_iter().map(page).collect()
    }
}

#[derive(Template)]
#[template(path = "web/docs/start.html")]
struct StartPage<'a> {
    shell: Shell,
    place: Place,
    base_url: &'a str,
    /// The address of the sample photo.
    sample: String,
    /// Whether a new account has enough credits for the example.
    is_free_to_try: bool,
    edit_credits: i64,
    sign_up_credits: i64,
    limits: [Limit; 6],
    errors: &'a [crate::error::Row],
}

#[derive(Template)]
#[template(path = "web/docs/operations.html")]
struct OperationsPage {
    shell: Shell,
    place: Place,
    chapters: &'static [Chapter],
}

#[derive(Template)]
#[template(path = "web/docs/reference.html")]
struct ReferencePage {
    shell: Shell,
    place: Place,
    version: &'static str,
    groups: Vec<reference::Group>,
    schemas: Vec<Schema>,
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

/// Get the documentation as a page.
#[utoipa::path(
    get,
    path = "/docs",
    operation_id = "docs",
    tag = "Documents",
    responses((status = 200, description = "The page", body = String, content_type = "text/html"))
)]
pub(crate) async fn docs(State(app): State<Arc<App>>, parts: Parts) -> ApiResult<Response> {
    let base_url = app.public_url.as_str().trim_end_matches('/');
    let edit_credits = super::edit_credits(&app);
    let sign_up_credits = app.sign_up_credits().get();
    html::page(&StartPage {
        shell: Shell::of(&app, &parts, Here::Docs).await?,
        place: Place { path: "/docs" },
        base_url,
        sample: format!("{base_url}{}", assets::SAMPLE_PATH),
        is_free_to_try: sign_up_credits >= edit_credits,
        edit_credits,
        sign_up_credits,
        limits: limits(&app.settings),
        errors: Code::ALL,
    })
}

/// The operations of the built-in editor, each with a picture.
pub(super) async fn operations(State(app): State<Arc<App>>, parts: Parts) -> ApiResult<Response> {
    let shell = Shell::of(&app, &parts, Here::Docs).await?;
    let place = Place { path: "/docs/operations" };
    html::page(&OperationsPage { shell, place, chapters: chapters() })
}

/// Every call and every schema.
pub(super) async fn reference(State(app): State<Arc<App>>, parts: Parts) -> ApiResult<Response> {
    let document = crate::api::openapi_document();
    html::page(&ReferencePage {
        shell: Shell::of(&app, &parts, Here::Docs).await?,
        place: Place { path: "/docs/reference" },
        version: env!("CARGO_PKG_VERSION"),
        groups: reference::groups(document),
        schemas: reference::schemas(document),
    })
}
