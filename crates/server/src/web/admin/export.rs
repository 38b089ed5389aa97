//! `/admin/users.csv`, `generations.csv`, `transactions.csv` and `log.csv`: whole lists, streamed
//! while they are read. Each download is in the audit log.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use retouch_core::Timestamp;
use retouch_store::{
    AnyEdit, AnyEditFilter, AnyEntry, AuditAct, AuditEntry, Error, Page, PageRequest, User,
};

use super::deed;
use crate::app::App;
use crate::error::ApiError;
use crate::web::ledger::quoted;
use crate::web::problem::PageResult;
use crate::web::shell::{Here, Shell};

/// Rows read at a time.
const ROWS_MAX: u32 = 100;
const KIND: HeaderValue = HeaderValue::from_static("text/csv; charset=utf-8; header=present");

/// A list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum List {
    Users,
    Generations,
    Transactions,
    Log,
}

/// The position in a list.
enum Place {
    Head,
    Page(Option<String>),
    End,
}

impl List {
    fn find(name: &str) -> Option<Self> {
        match name {
            "users.csv" => Some(Self::Users),
            "generations.csv" => Some(Self::Generations),
            "transactions.csv" => Some(Self::Transactions),
            "log.csv" => Some(Self::Log),
            _ => None,
        }
    }

    const fn head(self) -> &'static str {
        match self {
            Self::Users => {
                "id,email,created_at,suspended_at,administrator,credits_available,credits_reserved"
            }
            Self::Generations => {
                "uuid,account_id,email,type,status,failure_code,model,provider,credits,created_at,\
                 completed_at,deleted_at"
            }
            Self::Transactions => {
                "account_id,email,number,created_at,kind,available_change,reserved_change,charged,\
                 generation_uuid,description"
            }
            Self::Log => {
                "number,created_at,by,action,account_id,account_email,credits,reason,request_id"
            }
        }
    }

    async fn page(self, app: &App, page: &PageRequest) -> Result<(String, Option<String>), Error> {
        let store = &app.store;
        Ok(match self {
            Self::Users => lines(store.list_users("", page).await?, user),
            Self::Generations => {
                lines(store.list_all_edits(&AnyEditFilter::default(), page).await?, edit)
            }
            Self::Transactions => lines(store.list_all_entries(page).await?, entry),
            Self::Log => lines(store.list_audit(None, page).await?, act),
        })
    }
}

pub(super) async fn csv(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    parts: Parts,
) -> PageResult {
    let (_, own) = Shell::for_member(&app, &parts, Here::Administration).await?;
    let list = List::find(&name).ok_or_else(|| ApiError::not_found("list"))?;
    app.store.note_act(AuditAct::Export, deed(&own, name.clone())).await?;
    let rows = stream::try_unfold(Place::Head, move |place| {
        let app = Arc::clone(&app);
        async move { next(&app, list, place).await }
    });
    let file = format!("attachment; filename=\"retouch-{name}\"");
    let file = HeaderValue::from_str(&file).map_err(ApiError::internal)?;
    let headers = [
        (header::CONTENT_TYPE, KIND),
        (header::CONTENT_DISPOSITION, file),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    let response: Response = (headers, Body::from_stream(rows)).into_response();
    Ok(response)
}

async fn next(app: &App, list: List, place: Place) -> Result<Option<(String, Place)>, Error> {
    let cursor = match place {
        Place::Head => {
            return Ok(Some((format!("{}\r\n", list.head()), Place::Page(None))));
        }
        Place::Page(cursor) => cursor,
        Place::End => return Ok(None),
    };
    let (text, next) = list.page(app, &PageRequest { limit: ROWS_MAX, cursor }).await?;
    Ok(Some((text, next.map_or(Place::End, |cursor| Place::Page(Some(cursor))))))
}

fn lines<T, const N: usize>(
    page: Page<T>,
    cells: fn(&T) -> [String; N],
) -> (String, Option<String>) {
    let lines = page.data.iter().map(|row| cells(row).join(",") + "\r\n");
    (lines.collect(), page.next_cursor)
}

fn time(at: Option<Timestamp>) -> String {
    at.map(|at| at.to_string()).unwrap_or_default()
}

/// A text that may be missing, as a field.
fn text(text: Option<&str>) -> String {
    text.map(quoted).unwrap_or_default()
}

fn user(user: &User) -> [String; 7] {
    [
        user.account.id.to_string(),
        quoted(user.account.email.as_str()),
        user.account.created_at.to_string(),
        time(user.suspended_at),
        user.is_administrator.to_string(),
        user.available.to_string(),
        user.held.to_string(),
    ]
}

fn edit(edit: &AnyEdit) -> [String; 12] {
    let cost = if edit.failure_code.is_some() { 0 } else { edit.cost.get() };
    [
        edit.id.to_string(),
        edit.account.to_string(),
        text(edit.email.as_deref()),
        edit.kind.as_str().to_owned(),
        edit.status.as_str().to_owned(),
        text(edit.failure_code.as_deref()),
        quoted(&edit.model),
        quoted(&edit.provider),
        cost.to_string(),
        edit.created_at.to_string(),
        time(edit.completed_at),
        time(edit.deleted_at),
    ]
}

fn entry(entry: &AnyEntry) -> [String; 10] {
    [
        entry.account.to_string(),
        text(entry.email.as_deref()),
        entry.number.to_string(),
        entry.at.to_string(),
        entry.kind.as_str().to_owned(),
        entry.available.to_string(),
        entry.held.to_string(),
        entry.spent.to_string(),
        entry.edit.clone().unwrap_or_default(),
        quoted(&entry.description),
    ]
}

fn act(line: &AuditEntry) -> [String; 9] {
    [
        line.number.to_string(),
        line.at.to_string(),
        text(line.actor.as_deref()),
        line.act.as_str().to_owned(),
        line.subject.clone().unwrap_or_default(),
        text(line.subject_email.as_deref()),
        line.credits.map(|credits| credits.to_string()).unwrap_or_default(),
        quoted(&line.reason),
        line.request_id.clone().unwrap_or_default(),
    ]
}
