//! `/admin/books`: verifies that every balance equals the sum of its ledger entries.

use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use retouch_store::AuditAct;

use super::{Tab, deed};
use crate::app::{App, Proof};
use crate::web::form::Form;
use crate::web::html;
use crate::web::problem::PageResult;
use crate::web::shell::{Here, Shell};

/// How long a click waits for the result, in milliseconds. A small ledger is verified by then.
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
    let note = deed(&own, "On the ledger page".to_owned());
    app.store.note_act(AuditAct::ProveBooks, note).await?;
    app.prove_books();
    // If it takes longer, the page shows that it is still running.
    let _ = tokio::time::timeout(Duration::from_millis(WAIT_MS), app.proofs.ended()).await;
    Ok(html::see_other("/admin/books")?)
}
