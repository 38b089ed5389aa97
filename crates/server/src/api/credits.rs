//! `GET /api/credits` and `GET /api/credits/entries`: the balance and its transactions.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::request::Parts;
use retouch_core::{AccountId, Timestamp};
use retouch_store::{BucketView as StoredBucket, EntryView as StoredEntry, Scope};
use serde::Serialize;
use utoipa::ToSchema;

use super::page::{ListView, PageQuery};
use crate::app::App;
use crate::auth;
use crate::error::{ApiResult, ErrorBody};

/// Leaves `owed` out of responses where nothing is owed.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference over")]
pub(super) const fn is_zero(credits: &i64) -> bool {
    *credits == 0
}

/// A balance and its sources.
#[derive(Debug, Serialize, ToSchema)]
pub struct CreditsView {
    /// Credits you can spend.
    pub available: i64,
    /// Credits held for running calls.
    pub held: i64,
    /// Credits you owe because a payment was refunded or disputed after they were spent. New
    /// credits pay them off first. Absent if you owe nothing.
    #[serde(skip_serializing_if = "is_zero")]
    pub owed: i64,
    /// The available credits by source, in the order in which they are spent.
    pub buckets: Vec<BucketView>,
}

/// Credits from one source.
#[derive(Debug, Serialize, ToSchema)]
pub struct BucketView {
    /// `sign_up`, `plan`, `purchase`, `operator` or `grace`.
    pub kind: String,
    /// Credits left.
    pub remaining: i64,
    /// When they expire, or null.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expires_at: Option<Timestamp>,
}

/// A transaction: an entry of the ledger.
#[derive(Debug, Serialize, ToSchema)]
pub struct EntryView {
    /// The entry's id.
    pub id: String,
    /// When it was recorded.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// `grant`, `hold`, `capture`, `release`, `expire` or `take_back`.
    pub kind: String,
    /// The change in credits, negative if credits left. A `hold` takes credits out of the available
    /// balance; the `capture` that follows says how many of them were charged.
    pub amount: i64,
    /// Available credits after it.
    pub available_after: i64,
    /// Held credits after it.
    pub held_after: i64,
    /// The generation it belongs to, or null.
    pub generation_uuid: Option<String>,
    /// A short description for people.
    pub description: String,
}

/// Get the balance.
///
/// An API key needs the scope `edit` or `read`.
#[utoipa::path(
    get,
    path = "/api/credits",
    operation_id = "find_credits",
    tag = "Credits",
    responses(
        (status = 200, description = "The balance", body = CreditsView),
        (status = 403, description = "The API key does not have the scope", body = ErrorBody),
    ),
    security(("api_key" = []), ("session" = []))
)]
pub async fn find_credits(
    State(app): State<Arc<App>>,
    parts: Parts,
) -> ApiResult<Json<CreditsView>> {
    let caller = auth::caller(&app, &parts).await?;
    caller.require_any([Scope::Edit, Scope::Read])?;
    balance(&app, &caller.account.id).await.map(Json)
}

/// The balance of `account`.
pub(crate) async fn balance(app: &App, account: &AccountId) -> ApiResult<CreditsView> {
    let balance = app.store.balance(account).await?;
    Ok(CreditsView {
        available: balance.available.get(),
        held: balance.held.get(),
        owed: balance.debt.get(),
        buckets: balance.buckets.into_iter().map(bucket_view).collect(),
    })
}

/// List the transactions, newest first.
///
/// An API key needs the scope `read`.
#[utoipa::path(
    get,
    path = "/api/credits/entries",
    operation_id = "list_entries",
    tag = "Credits",
    params(PageQuery),
    responses(
        (status = 200, description = "A page of transactions", body = ListView<EntryView>),
        (status = 403, description = "The API key does not have the scope `read`", body = ErrorBody),
    ),
    security(("api_key" = []), ("session" = []))
)]
pub async fn list_entries(
    State(app): State<Arc<App>>,
    parts: Parts,
    page: ApiResult<PageQuery>,
) -> ApiResult<Json<ListView<EntryView>>> {
    let caller = auth::caller(&app, &parts).await?;
    caller.require(Scope::Read)?;
    let entries = app.store.list_entries(&caller.account.id, &page?.request()).await?;
    Ok(Json(ListView::of(entries, entry_view)))
}

pub(crate) fn bucket_view(bucket: StoredBucket) -> BucketView {
    BucketView {
        kind: bucket.kind.as_str().to_owned(),
        remaining: bucket.remaining.get(),
        expires_at: bucket.expires_at,
    }
}

pub(crate) fn entry_view(entry: StoredEntry) -> EntryView {
    EntryView {
        id: entry.id.to_string(),
        created_at: entry.created_at,
        kind: entry.kind.as_str().to_owned(),
        amount: entry.amount,
        available_after: entry.available_after.get(),
        held_after: entry.held_after.get(),
        generation_uuid: entry.edit.map(|id| id.to_string()),
        description: entry.description,
    }
}
