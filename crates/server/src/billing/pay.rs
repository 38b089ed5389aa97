//! How a person gets to Stripe and back: to pay for a plan, and to manage what is paid for.

use retouch_core::billing::{Source, Subscription};
use retouch_providers::payments::PaymentError;
use retouch_providers::payments::stripe::{Checkout, Portal};
use retouch_store::Account;

use super::Payments;
use crate::app::App;
use crate::error::{ApiError, ApiResult, Code};

/// Opens a checkout for `plan`, or, where the account pays for another plan, the page where it
/// changes to this one; its address.
///
/// # Errors
/// 400 for a plan that is not sold, 409 for the one that the account has, 503.
pub async fn check_out(app: &App, account: &Account, plan: &str) -> ApiResult<String> {
    let payments = configured(app)?;
    let price = payments.stripe.price_of(plan).ok_or_else(|| not_sold(app, payments, plan))?;
    let has = app.store.find_subscription(&account.id).await?;
    let paid = has.filter(|it| it.source == Source::Stripe);
    if let Some(paid) = &paid {
        if paid.plan == plan && paid.cancel_at.is_none() && paid.next_plan.is_none() {
            let message = format!("The account pays for the plan {plan} already.");
            return Err(ApiError::about(Code::AlreadySubscribed, "plan", message));
        }
        return visit(app, account, change(paid, plan, price)).await;
    }
    let customer = customer(app, payments, account).await?;
    let (back, away) = (address(app, "api/billing/return"), address(app, "plans"));
    let asked = Checkout {
        customer: &customer,
        price,
        reference: account.id.as_str(),
        success_url: &format!("{back}?checkout={{CHECKOUT_SESSION_ID}}"),
        cancel_url: &away,
    };
    Ok(payments.stripe.open_checkout(&asked, &once(app)).await?)
}

/// Opens the customer portal; its address.
///
/// # Errors
/// 404 for an account that has never paid, 503.
pub async fn open_portal(app: &App, account: &Account) -> ApiResult<String> {
    visit(app, account, None).await
}

/// Books what the checkout `id` has come to, should its events not have arrived yet.
///
/// # Errors
/// Faults of the store; a vendor that does not answer is no fault here, its event will come.
pub async fn come_back(app: &App, account: &Account, id: &str) -> ApiResult<()> {
    let payments = configured(app)?;
    let ours = app.store.find_customer(&account.id).await?;
    match payments.stripe.look_at_checkout(id, app.clock.now()).await {
        // Another account's checkout is settled by its own event.
        Ok(facts) if facts.customer.is_some() && facts.customer == ours => {
            match app.store.settle_facts(facts).await {
                // Its event has come meanwhile.
                Ok(_) | Err(retouch_store::Error::SeenBefore) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(_) | Err(PaymentError::Missing) => {}
        Err(error) => {
            tracing::warn!(%error, "a checkout could not be looked at; its event will come");
        }
    }
    Ok(())
}

/// Who takes money.
///
/// # Errors
/// 503 where nobody does.
pub(crate) fn configured(app: &App) -> ApiResult<&Payments> {
    app.payments.as_ref().ok_or_else(|| {
        let message = "Payments are not set up here; the operator gives plans.";
        ApiError::new(Code::BillingNotConfigured, message)
    })
}

async fn visit(app: &App, account: &Account, change: Option<(&str, &str)>) -> ApiResult<String> {
    let payments = configured(app)?;
    let customer = app.store.find_customer(&account.id).await?;
    let customer =
        customer.ok_or_else(|| ApiError::not_found("payment: the account never paid"))?;
    let settings = app.settings.billing.stripe.as_ref();
    let asked = Portal {
        customer: &customer,
        return_url: &address(app, "plans"),
        configuration: settings.and_then(|it| it.portal_configuration.as_deref()),
        change,
    };
    Ok(payments.stripe.open_portal(&asked, &once(app)).await?)
}

/// What to confirm in the portal. Where the plan stays, there is something else to undo there.
fn change<'a>(paid: &'a Subscription, plan: &str, price: &'a str) -> Option<(&'a str, &'a str)> {
    (paid.plan != plan).then_some((paid.id.as_str(), price))
}

async fn customer(app: &App, payments: &Payments, account: &Account) -> ApiResult<String> {
    if let Some(known) = app.store.find_customer(&account.id).await? {
        return Ok(known);
    }
    let who = (account.id.as_str(), account.email.as_str());
    let made = payments.stripe.make_customer(who, &once(app)).await?;
    Ok(app.store.keep_customer(&account.id, made).await?)
}

fn not_sold(app: &App, payments: &Payments, plan: &str) -> ApiError {
    let plans = app.catalogue.plans.iter().map(|plan| plan.id.as_str());
    let sold: Vec<&str> = plans.filter(|id| payments.stripe.price_of(id).is_some()).collect();
    let plan: String = plan.chars().take(40).collect();
    let message = format!("`plan`: {plan:?} is not sold; one of {}.", sold.join(", "));
    ApiError::about(Code::InvalidValue, "plan", message)
}

/// A name for one attempt at a call that makes something.
fn once(app: &App) -> String {
    app.ids.edit().to_string()
}

fn address(app: &App, path: &str) -> String {
    format!("{}/{path}", app.public_url.as_str().trim_end_matches('/'))
}
