//! `/credits`: the balance, its sources, usage and transactions.

use std::collections::HashMap;
use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use retouch_core::billing::{Status, Subscription};
use retouch_core::catalogue::Plan;
use retouch_core::{EditId, Timestamp};
use retouch_store::{EntryView, FreeCredits, PageRequest};

use super::form;
use super::html::{self, day};
use super::ledger::net;
use super::problem::PageResult;
use super::shell::{Here, Shell};
use super::tile::Tile;
use super::usage::{DAY_MS, DAYS, Usage};
use crate::app::App;
use crate::words::number;

/// Transactions per page.
const ROWS_MAX: u32 = 50;

/// Credits from one source.
struct Bucket {
    origin: &'static str,
    remaining: i64,
    expires_at: Option<Timestamp>,
}

/// The plan, and what happens next with it.
struct PlanLine {
    name: String,
    /// Whether its latest payment failed.
    is_failed: bool,
    words: String,
}

impl PlanLine {
    fn of(it: &Subscription, plans: &[Plan]) -> Self {
        let plan = plans.iter().find(|plan| plan.id == it.plan);
        let name = plan.map_or(it.plan.clone(), |plan| plan.name.clone());
        let until = day(&it.paid_until);
        let next = it.next_plan.as_ref().map_or(plan, |id| plans.iter().find(|one| one.id == *id));
        let words = match (it.cancel_at, next) {
            (Some(end), _) => {
                format!("{name} ends on {}. You keep the credits you have.", day(&end))
            }
            (None, Some(next)) => {
                let credits = number(next.credits_per_month.get());
                format!("{name}: {credits} credits will be added on {until}.")
            }
            (None, None) => format!("{name} renews on {until}."),
        };
        Self { name, is_failed: it.status == Status::PastDue, words }
    }
}

/// A transaction as the page shows it.
struct Row {
    at: Timestamp,
    what: String,
    kind: &'static str,
    amount: String,
    /// Whether the credits are only reserved.
    is_reserved: bool,
    /// The available and reserved credits afterwards.
    balance: i64,
    /// The steps of a run, each with its time.
    steps: Vec<(String, Timestamp)>,
    tile: Option<Tile>,
}

#[derive(Template)]
#[template(path = "web/credits.html")]
struct CreditsPage {
    shell: Shell,
    available: i64,
    held: i64,
    /// Why the account got no free credits.
    without_free: Option<&'static str>,
    owed: i64,
    /// Whether paid providers are paused for the account.
    is_paused: bool,
    plan: Option<PlanLine>,
    buckets: Vec<Bucket>,
    usage: Usage,
    rows: Vec<Row>,
    is_first: bool,
    older: Option<String>,
}

pub(super) async fn credits(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let (shell, account) = Shell::for_member(&app, &parts, Here::Credits).await?;
    let balance = app.store.balance(&account.id).await?;
    let cursor = form::query(&parts, "cursor").filter(|cursor| !cursor.is_empty());
    let is_first = cursor.is_none();
    let request = PageRequest { limit: ROWS_MAX, cursor };
    let entries = app.store.list_transactions(&account.id, &request).await?;
    let names: Vec<EditId> = entries.data.iter().filter_map(|entry| entry.edit).collect();
    let edits = app.store.list_edits_named(&account.id, names).await?;
    let mut tiles: HashMap<EditId, Tile> =
        edits.iter().map(|edit| (edit.id, Tile::of(edit))).collect();
    let now = app.clock.now();
    let since = now.plus_ms(-(DAYS - 1) * DAY_MS);
    let usage = Usage::of(&app.store.list_usage(&account.id, since).await?, now);
    let has = app.store.find_subscription(&account.id).await?;
    let without_free = match app.store.find_free_credits(&account.id).await? {
        _ if !entries.data.is_empty() => None,
        Some(FreeCredits::HadBefore) => Some(
            "You already received free credits with another account. Each person gets them once.",
        ),
        Some(FreeCredits::DayFull) => Some(
            "All free credits for the day had been given out when you signed up, so your account \
             started without any.",
        ),
        _ => None,
    };
    let page = CreditsPage {
        shell,
        available: balance.available.get(),
        held: balance.held.get(),
        without_free,
        owed: balance.debt.get(),
        is_paused: !app.store.list_pauses(&account.id).await?.is_empty(),
        usage,
        plan: has.map(|it| PlanLine::of(&it, &app.catalogue.plans)),
        buckets: balance.buckets.iter().map(bucket).collect(),
        rows: entries.data.into_iter().map(|entry| row(entry, &mut tiles)).collect(),
        is_first,
        older: entries.next_cursor.map(|cursor| format!("/credits?cursor={cursor}")),
    };
    Ok(html::page(&page)?)
}

fn bucket(bucket: &retouch_store::BucketView) -> Bucket {
    use retouch_core::credits::BucketKind;
    Bucket {
        origin: match bucket.kind {
            BucketKind::SignUp => "Welcome",
            BucketKind::Plan => "Plan",
            BucketKind::Purchase => "Purchase",
            BucketKind::Operator => "Granted by an administrator",
            BucketKind::Grace => "Refunded after a failure",
        },
        remaining: bucket.remaining.get(),
        expires_at: bucket.expires_at,
    }
}

fn row(entry: EntryView, tiles: &mut HashMap<EditId, Tile>) -> Row {
    use retouch_core::credits::EntryKind;
    let is_reserved = entry.kind == EntryKind::Hold;
    let amount = match net(&entry) {
        amount if is_reserved => format!("{} reserved", number(-amount)),
        0 => "0".to_owned(),
        amount if amount > 0 => format!("+{}", number(amount)),
        amount => format!("\u{2212}{}", number(-amount)),
    };
    Row {
        at: entry.created_at,
        kind: match entry.kind {
            EntryKind::Grant => "Added",
            EntryKind::Hold => "Reserved",
            EntryKind::Capture => "Charged",
            EntryKind::Release => "Not charged",
            EntryKind::Expire => "Expired",
            EntryKind::TakeBack => "Removed",
        },
        amount,
        is_reserved,
        balance: entry.available_after.get() + entry.held_after.get(),
        steps: steps(&entry),
        tile: entry.edit.and_then(|edit| tiles.remove(&edit)),
        what: match entry.kind {
            EntryKind::Capture => "Deleted generation".to_owned(),
            EntryKind::Release => "Failed try".to_owned(),
            _ => entry.description,
        },
    }
}

/// What happened to the credits of a run.
fn steps(entry: &EntryView) -> Vec<(String, Timestamp)> {
    use retouch_core::credits::EntryKind;
    let credits = |count: i64| match count {
        1 => "1 credit".to_owned(),
        count => format!("{} credits", number(count)),
    };
    let Some(began) = entry.edit.and_then(|edit| edit.created_at()) else { return Vec::new() };
    let reserved = (format!("Reserved {}", credits(entry.reserved)), began);
    let ended = match entry.kind {
        EntryKind::Capture => format!("Charged {}", credits(-entry.amount)),
        EntryKind::Release => format!("Returned {}", credits(entry.reserved)),
        _ => return vec![reserved],
    };
    vec![reserved, (ended, entry.created_at)]
}
