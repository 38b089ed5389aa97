//! Stripe: customers, prices, checkout, the portal, subscriptions, invoices, refunds, disputes and
//! webhooks, with a clock that can be moved.
//!
//! The API version is 2025-03-31 ("basil"). Requests below `_sim` trigger what a bank, a customer
//! or the passage of time would do.

mod api;
mod bill;
mod calendar;
mod errors;
mod fields;
mod find;
mod hooks;
mod life;
mod make;
mod once;
mod pages;
mod people;
mod portal;
mod shapes;
mod state;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use crate::world::World;
use state::Stripe;

/// The provider's name in faults, records and counts.
const NAME: &str = "stripe";
/// The supported API version.
const VERSION: &str = "2025-03-31.basil";

/// What the handlers share.
#[derive(Clone)]
struct Shared {
    world: Arc<World>,
    stripe: Arc<Stripe>,
}

/// The routes of the protocol.
pub(crate) fn router(world: Arc<World>) -> Router {
    let shared = Shared { world, stripe: Arc::new(Stripe::default()) };
    Router::new()
        .route("/v1/{*path}", get(api::find).post(api::make).delete(api::end))
        .route("/c/pay/{session}", get(pages::checkout).post(pages::pay))
        .route("/p/session/{visit}", get(pages::portal).post(pages::act))
        .route("/_sim/clock", get(people::time).post(people::wait))
        .route("/_sim/card", post(people::card))
        .route("/_sim/pay", post(people::pay))
        .route("/_sim/retry", post(people::retry))
        .route("/_sim/switch", post(people::switch))
        .route("/_sim/dispute", post(people::dispute))
        .route("/_sim/fail_refund", post(people::fail_refund))
        .route("/_sim/warn", post(people::warn))
        .route("/_sim/cancel", post(people::cancel))
        .route("/_sim/hook", post(hooks::listen))
        .route("/_sim/events", get(hooks::events))
        .route("/_sim/deliver", post(hooks::deliver))
        .with_state(shared)
}
