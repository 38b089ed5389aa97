//! `/admin/books`: proves that every balance is what its entries add up to.

use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::request::Parts;

use super::{Tab, deed};
use crate::app::{App, Proof};
use crate::web::form::Form;
use crate::web::html;
use crate::web::problem::PageResult;
use crate::web::shell::{Here, Shell};

/// How long a click waits for the proof, in milliseconds: that of small books is shown at once.
const WAIT_MS: u64 = 1_000;

#[derive(Template)]
#[template(path = "web/admin/books.html")]
struct BooksPage {
    shell: Shell,
    tab: Tab,
    proof: Proof,
}

pub(super) async fn books(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let (shell, _) = Shell::for_member(&app, &parts, Here::Administration).await?;
    Ok(html::page(&BooksPage { shell, tab: Tab::Books, proof: app.proofs.latest() })?)
}

pub(super) async fn prove(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let (_, own) = Shell::for_member(&app, &form.parts, Here::Administration).await?;
    app.store.note_proof(deed(&own, "Asked for on the page of the books".to_owned())).await?;
    app.prove_books();
    // What takes longer is looked at later.
    let _ = tokio::time::timeout(Duration::from_millis(WAIT_MS), app.proofs.ended()).await;
    Ok(html::see_other("/admin/books")?)
}
