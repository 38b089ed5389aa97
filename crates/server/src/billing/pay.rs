//! The way to Stripe and back: to pay for a plan, and to manage a subscription.

use retouch_core::billing::Subscription;
use retouch_outbound::payments::PaymentError;
use retouch_outbound::payments::stripe::{Checkout, Item, Portal};
use retouch_store::Account;

use super::Payments;
use super::inbox::book;
use super::turn::in_turn;
use crate::app::App;
use crate::auth::throttle::Throttled;
use crate::config::PackSettings;
use crate::error::{ApiError, ApiResult, Code};

/// Opens a checkout for `plan` or, if the account already pays for another plan, the page where it
/// changes to this one. Returns the page's URL.
///
/// # Errors
/// 400 for a plan that is not for sale, 409 for the account's current plan, 429, 503.
pub async fn check_out(app: &App, account: &Account, plan: &str) -> ApiResult<String> {
    let payments = configured(app)?;
    let price = payments.stripe.price_of(plan).ok_or_else(|| not_sold(app, payments, plan))?;
    app.throttles.payment(&account.id).await?;
    let opening = open_checkout(app, payments, account, Offer { plan, price });
    in_turn(app, payments, &account.id, opening).await
}

/// Opens a checkout for the pack of credits named `id`. Returns the page's URL. A pack can be bought any
/// number of times, also next to a plan.
///
/// # Errors
/// 400 for a pack that is not for sale, 429, 503.
pub async fn check_out_pack(app: &App, account: &Account, id: &str) -> ApiResult<String> {
    let payments = configured(app)?;
    let pack = packs(app).iter().find(|pack| pack.id() == id);
    let pack = pack.ok_or_else(|| no_such_pack(app, id))?;
    app.throttles.payment(&account.id).await?;
    let opening = async {
        let known = present_customer(app, payments, account).await?;
        let customer = match known {
            Some(known) => known,
            None => new_customer(app, payments, account).await?,
        };
        let PackSettings { name, credits, cents } = pack;
        let name = &format!("{name}: {credits} credits");
        let item = Item::Pack { name, credits: *credits, cents: *cents };
        visit_checkout(app, account, (&customer, item)).await
    };
    in_turn(app, payments, &account.id, opening).await
}

/// The packs of credits that are for sale.
pub fn packs(app: &App) -> &[PackSettings] {
    if app.payments.is_some() { &app.settings.billing.packs } else { &[] }
}

/// A plan that is for sale.
#[derive(Clone, Copy)]
struct Offer<'a> {
    plan: &'a str,
    /// Stripe's name for its price.
    price: &'a str,
}

async fn open_checkout(
    app: &App,
    payments: &Payments,
    account: &Account,
    offer: Offer<'_>,
) -> ApiResult<String> {
    let customer = match present_customer(app, payments, account).await? {
        Some(known) => {
            // Close checkouts first: after that, each one has either become a subscription or
            // never will.
            payments.stripe.close_checkouts(&known).await?;
            if let Some(paid) = paid_for(app, payments, &known).await? {
                return change(app, &known, &paid, offer).await;
            }
            known
        }
        None => new_customer(app, payments, account).await?,
    };
    visit_checkout(app, account, (&customer, Item::Plan(offer.price))).await
}

async fn new_customer(app: &App, payments: &Payments, account: &Account) -> ApiResult<String> {
    let who = (account.id.as_str(), account.email.as_str());
    let made = payments.stripe.create_customer(who, &once(app)).await?;
    Ok(app.store.keep_customer(&account.id, made).await?)
}

/// Creates a checkout and returns its URL.
async fn visit_checkout(
    app: &App,
    account: &Account,
    (customer, item): (&str, Item<'_>),
) -> ApiResult<String> {
    let (back, away) = (address(app, "api/billing/return"), address(app, "plans"));
    let asked = Checkout {
        customer,
        item,
        reference: account.id.as_str(),
        success_url: &format!("{back}?checkout={{CHECKOUT_SESSION_ID}}"),
        cancel_url: &away,
    };
    Ok(configured(app)?.stripe.open_checkout(&asked, &once(app)).await?)
}

/// Opens the customer portal and returns its URL.
///
/// # Errors
/// 404 for an account that has never paid, 429, 503.
pub async fn open_portal(app: &App, account: &Account) -> ApiResult<String> {
    let payments = configured(app)?;
    app.throttles.payment(&account.id).await?;
    let customer = present_customer(app, payments, account).await?;
    let customer =
        customer.ok_or_else(|| ApiError::not_found("customer: the account has never paid"))?;
    visit(app, &customer, None).await
}

/// Books the result of the checkout `id` or, without one, the changes made in the portal, in case
/// the events have not arrived yet.
///
/// # Errors
/// Errors of the store. A payment provider that does not respond is not an error here, because its
/// event will follow.
pub async fn come_back(app: &App, account: &Account, id: Option<&str>) -> ApiResult<()> {
    let payments = configured(app)?;
    match app.throttles.payment(&account.id).await {
        Err(Throttled::TooOften { .. }) => return Ok(()),
        counted => counted?,
    }
    let Some(ours) = app.store.find_customer(&account.id).await? else { return Ok(()) };
    let now = app.clock.now();
    let found = match id {
        Some(id) => payments.stripe.state_of_checkout(id, now).await.map(|facts| vec![facts]),
        None => payments.stripe.live_subscriptions(&ours, now).await,
    };
    match found {
        Ok(found) => {
            // A checkout of another account is settled by its own event.
            for facts in found.into_iter().filter(|it| it.customer.as_ref() == Some(&ours)) {
                book(app, facts).await?;
            }
        }
        Err(PaymentError::Missing) => {}
        Err(error) => {
            tracing::warn!(%error, "could not read a payment from Stripe; its event will follow");
        }
    }
    Ok(())
}

/// Asks Stripe to cancel a subscription, immediately or at the end of the paid month, and books it.
///
/// # Errors
/// 503; errors of the store.
pub async fn end_paid(app: &App, subscription: &str, at_once: bool) -> ApiResult<()> {
    let stripe = &configured(app)?.stripe;
    stripe.end_subscription(subscription, at_once).await?;
    let changed = ("customer.subscription.updated", subscription);
    let facts = stripe.state_of(changed, app.clock.now()).await?;
    Ok(book(app, facts).await?)
}

/// The configured payment provider.
///
/// # Errors
/// 503 if there is none.
pub(crate) fn configured(app: &App) -> ApiResult<&Payments> {
    app.payments.as_ref().ok_or_else(|| {
        let message = "Online payment is not set up on this server. Ask the operator for a plan.";
        ApiError::new(Code::BillingNotConfigured, message)
    })
}

/// The account's customer ID at Stripe, if it still exists there. The customer may have been
/// deleted, or the operator may have switched from test keys to live keys.
async fn present_customer(
    app: &App,
    payments: &Payments,
    account: &Account,
) -> ApiResult<Option<String>> {
    let Some(known) = app.store.find_customer(&account.id).await? else { return Ok(None) };
    if payments.stripe.has_customer(&known).await? {
        return Ok(Some(known));
    }
    tracing::warn!(account = %account.id, customer = known, "a Stripe customer no longer exists");
    app.store.lose_customer(&account.id, &known).await?;
    Ok(None)
}

/// What a customer pays for now, read from Stripe because our record may be out of date: a second
/// subscription would be charged in addition to the first.
async fn paid_for(
    app: &App,
    payments: &Payments,
    customer: &str,
) -> ApiResult<Option<Subscription>> {
    let mut found = None;
    for facts in payments.stripe.live_subscriptions(customer, app.clock.now()).await? {
        // The operator may also sell other things to this customer.
        if facts.unknown_price.is_none() {
            found = found.or_else(|| facts.subscription.clone());
            book(app, facts).await?;
        }
    }
    Ok(found)
}

/// The URL of the page where `paid` can be changed to the plan of `offer`. If the plan is the same, the page is
/// where a scheduled cancellation or change can be undone.
async fn change(
    app: &App,
    customer: &str,
    paid: &Subscription,
    offer: Offer<'_>,
) -> ApiResult<String> {
    let Offer { plan, price } = offer;
    let same = paid.plan == plan;
    if same && paid.cancel_at.is_none() && paid.next_plan.is_none() {
        let message = format!("The account already pays for the plan {plan}.");
        return Err(ApiError::about(Code::AlreadySubscribed, "plan", message));
    }
    visit(app, customer, (!same).then_some((paid.id.as_str(), price))).await
}

async fn visit(app: &App, customer: &str, change: Option<(&str, &str)>) -> ApiResult<String> {
    let payments = configured(app)?;
    let settings = app.settings.billing.stripe.as_ref();
    let asked = Portal {
        customer,
        return_url: &address(app, "api/billing/return"),
        configuration: settings.and_then(|it| it.portal_configuration.as_deref()),
        change,
    };
    Ok(payments.stripe.open_portal(&asked, &once(app)).await?)
}

fn not_sold(app: &App, payments: &Payments, plan: &str) -> ApiError {
    let plans = app.catalogue.plans.iter().map(|plan| plan.id.as_str());
    let sold: Vec<&str> = plans.filter(|id| payments.stripe.price_of(id).is_some()).collect();
    let plan: String = plan.chars().take(40).collect();
    let message = format!("`plan`: {plan:?} is not for sale; choose one of {}.", sold.join(", "));
    ApiError::about(Code::InvalidValue, "plan", message)
}

fn no_such_pack(app: &App, id: &str) -> ApiError {
    let sold: Vec<String> = packs(app).iter().map(PackSettings::id).collect();
    let id: String = id.chars().take(40).collect();
    let choice = match &sold[..] {
        [] => "no packs are for sale".to_owned(),
        sold => format!("choose one of {}", sold.join(", ")),
    };
    ApiError::about(
        Code::InvalidValue,
        "pack",
        format!("`pack`: {id:?} is not for sale; {choice}."),
    )
}

/// An idempotency key for one call that creates something.
fn once(app: &App) -> String {
    app.ids.edit().to_string()
}

fn address(app: &App, path: &str) -> String {
    format!("{}/{path}", app.public_url.as_str().trim_end_matches('/'))
}
