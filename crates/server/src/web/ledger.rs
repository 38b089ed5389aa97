//! `/credits.csv`: all transactions as a CSV file, streamed while they are read. As on the page, an
//! edit is one line, so the amounts add up to the available credits at the moment when the export
//! began: a charge is what was spent, a refund is 0, and only an edit in progress has its hold.

use std::collections::HashSet;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use retouch_core::credits::EntryKind;
use retouch_core::{AccountId, EditId};
use retouch_store::{EntryView, Error, PageRequest};

use super::problem::PageResult;
use super::shell::{Here, Shell};
use crate::app::App;

const HEAD: &str =
    "id,created_at,kind,amount,available_after,held_after,generation_uuid,description\r\n";
/// Entries read at a time.
const ROWS_MAX: u32 = 100;
const KIND: HeaderValue = HeaderValue::from_static("text/csv; charset=utf-8; header=present");
const FILE: HeaderValue = HeaderValue::from_static("attachment; filename=\"retouch-ledger.csv\"");

/// The position of the export.
enum Place {
    Head,
    Page(Option<String>, Ended),
    End,
}

/// Edits whose end was already written and whose hold is still to come, because entries are read
/// from the newest to the oldest. There are never more than ran at the same time.
type Ended = HashSet<EditId>;

pub(super) async fn csv(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let (_, account) = Shell::for_member(&app, &parts, Here::Credits).await?;
    let rows = stream::try_unfold(Place::Head, move |place| {
        let (app, account) = (Arc::clone(&app), account.id.clone());
        async move { next(&app, &account, place).await }
    });
    let headers = [(header::CONTENT_TYPE, KIND), (header::CONTENT_DISPOSITION, FILE)];
    let response: Response = (headers, Body::from_stream(rows)).into_response();
    Ok(response)
}

async fn next(
    app: &App,
    account: &AccountId,
    place: Place,
) -> Result<Option<(String, Place)>, Error> {
    let (cursor, mut ended) = match place {
        Place::Head => return Ok(Some((HEAD.to_owned(), Place::Page(None, Ended::new())))),
        Place::Page(cursor, ended) => (cursor, ended),
        Place::End => return Ok(None),
    };
    let page = app.store.list_entries(account, &PageRequest { limit: ROWS_MAX, cursor }).await?;
    let shown = page.data.iter().filter(|entry| is_shown(entry, &mut ended));
    let text = shown.map(line).collect();
    let next = |cursor| Place::Page(Some(cursor), ended);
    Ok(Some((text, page.next_cursor.map_or(Place::End, next))))
}

/// Whether `entry` has a line of its own: it is no hold, or the hold of an edit in progress.
fn is_shown(entry: &EntryView, ended: &mut Ended) -> bool {
    match (entry.kind, entry.edit) {
        (EntryKind::Capture | EntryKind::Release, Some(edit)) => {
            ended.insert(edit);
            true
        }
        (EntryKind::Hold, Some(edit)) => !ended.remove(&edit),
        _ => true,
    }
}

/// By how much the edit or the other transaction changed the available credits, from its beginning
/// to its end.
pub(super) fn net(entry: &EntryView) -> i64 {
    if entry.kind == EntryKind::Release { 0 } else { entry.amount }
}

fn line(entry: &EntryView) -> String {
    let edit = entry.edit.map(|edit| edit.to_string()).unwrap_or_default();
    format!(
        "{},{},{},{},{},{},{edit},{}\r\n",
        entry.id,
        entry.created_at,
        entry.kind.as_str(),
        net(entry),
        entry.available_after,
        entry.held_after,
        quoted(&entry.description),
    )
}

/// A text as a CSV field. A quote in front keeps a spreadsheet from running it as a formula.
pub(super) fn quoted(text: &str) -> String {
    let mark = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    format!("\"{mark}{}\"", text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_text_stays_one_field_and_a_text() {
        assert_eq!(quoted("Edit with a, b"), "\"Edit with a, b\"");
        assert_eq!(quoted("say \"hi\""), "\"say \"\"hi\"\"\"");
        assert_eq!(quoted("=1+1"), "\"'=1+1\"");
        assert_eq!(quoted(""), "\"\"");
    }
}
