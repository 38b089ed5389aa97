//! What must not happen to paying customers: double charges, charges after leaving, blocked
//! payments.

use retouch_core::Timestamp;
use retouch_core::billing::{Facts, Invoice};
use retouch_server::billing;
use retouch_store::PageRequest;
use serde_json::{Value, json};

use crate::support::till::{Payer, Till};

const WORD: &str = "correct horse";

fn last(url: &Value) -> String {
    url.as_str().unwrap().rsplit('/').next().unwrap().to_owned()
}

/// The events that wait in the inbox, each with the reason.
async fn waiting(till: &Till) -> Vec<(String, String)> {
    let page = PageRequest { limit: 100, cursor: None };
    let found = till.app.app.store.list_events(true, &page).await.unwrap().data;
    found.into_iter().map(|it| (it.event.kind, it.outcome.unwrap_or_default())).collect()
}

async fn delete(payer: &crate::support::persona::Persona) {
    let gone = payer.delete_with("/api/account", &json!({ "password": WORD })).await;
    assert_eq!(gone.status, 204, "{}", gone.text());
}

#[tokio::test]
async fn whoever_has_left_is_paid_back_what_was_paid_late_and_is_charged_no_more() {
    let till = Till::open().await;
    let ada = till.app.member("ada@example.com").await;
    let page = ada.post("/api/billing/checkout", &json!({ "plan": "pro" })).await.ok();
    delete(&ada).await;
    // The checkout page was still open, and Stripe did not know about the deletion yet.
    let paid = till.ask("pay", &json!({ "session": last(&page["url"]) })).await;
    let customer = paid["customer"].as_str().unwrap();
    till.deliver(&json!({})).await;
    assert_eq!(till.look(&format!("v1/customers/{customer}")).await["deleted"], true);
    let subscription = format!("v1/subscriptions/{}", paid["subscription"].as_str().unwrap());
    assert_eq!(till.look(&subscription).await["status"], "canceled");
    let charges = till.look(&format!("v1/charges?customer={customer}")).await;
    assert_eq!(
        (&charges["data"][0]["refunded"], &charges["data"][0]["amount"]),
        (&json!(true), &json!(1_990))
    );
    till.deliver(&json!({ "times": 2 })).await;
    till.wait(31).await;
    till.deliver(&json!({})).await;
    let charges = till.look(&format!("v1/charges?customer={customer}")).await;
    assert_eq!(charges["data"].as_array().unwrap().len(), 1, "no further month");
    assert_eq!(waiting(&till).await, []);
    till.app.check().await;
}

#[tokio::test]
async fn a_checkout_of_somebody_who_left_is_closed_and_what_was_used_is_not_paid_back() {
    let till = Till::open().await;
    let ada = till.payer("ada@example.com", "basic").await;
    till.deliver(&json!({})).await;
    till.operate(
        "POST",
        &format!("subscriptions/{}", ada.subscription),
        "cancel_at_period_end=true",
    )
    .await;
    till.deliver(&json!({})).await;
    delete(&ada.person).await;
    let bob = till.app.member("bob@example.com").await;
    let page = bob.post("/api/billing/checkout", &json!({ "plan": "max" })).await.ok();
    delete(&bob).await;
    assert_eq!(billing::sync_customers(&till.app.app).await.unwrap(), 2);
    let session = till.look(&format!("v1/checkout/sessions/{}", last(&page["url"]))).await;
    assert_eq!(session["status"], "expired");
    let charges = till.look(&format!("v1/charges?customer={}", ada.customer)).await;
    assert_eq!(charges["data"][0]["amount_refunded"], 0, "its credits had been added");
    // The service keeps asking Stripe for as long as a slow payment may take, and then stops.
    till.wait(13).await;
    assert_eq!(billing::sync_customers(&till.app.app).await.unwrap(), 2);
    till.wait(2).await;
    assert_eq!(billing::sync_customers(&till.app.app).await.unwrap(), 0);
    till.app.check().await;
}

#[tokio::test]
async fn a_second_checkout_closes_the_first_and_one_that_was_paid_is_found() {
    let till = Till::open().await;
    let ada = till.app.member("ada@example.com").await;
    let ask = async |plan: &str| ada.post("/api/billing/checkout", &json!({ "plan": plan })).await;
    let first = ask("basic").await.ok();
    let second = ask("pro").await.ok();
    let session = till.look(&format!("v1/checkout/sessions/{}", last(&first["url"]))).await;
    assert_eq!(session["status"], "expired");
    till.ask("pay", &json!({ "session": last(&second["url"]) })).await;
    // No event has arrived yet. A third checkout would create a second plan.
    ask("pro").await.is_error(409, "already_subscribed", Some("plan"));
    assert_eq!(ada.available().await, 15 + 1_300, "the payment is recorded");
    let change = ask("max").await.ok();
    assert!(change["url"].as_str().unwrap().contains("/p/session/"), "{change}");
    till.app.check().await;
}

#[tokio::test]
async fn two_plans_that_are_paid_for_are_said_loudly() {
    let till = Till::open().await;
    let ada = till.payer("ada@example.com", "basic").await;
    let form = format!(
        "mode=subscription&customer={}&line_items[0][price]={}&line_items[0][quantity]=1&success_url=x",
        ada.customer, till.prices[1]
    );
    let other = till.operate("POST", "checkout/sessions", &form).await;
    till.ask("pay", &json!({ "session": other["id"] })).await;
    till.deliver(&json!({})).await;
    let page = PageRequest { limit: 100, cursor: None };
    let inbox = till.app.app.store.list_events(false, &page).await.unwrap().data;
    let said = |words: &str| {
        inbox.iter().filter(|it| it.outcome.as_ref().unwrap().contains(words)).count()
    };
    assert!(said("is charged as well") > 0, "{inbox:?}");
    let plans = ada.person.get("/plans").await.text();
    assert!(plans.contains("paying for more than one plan"), "{plans}");
    till.operate("DELETE", &format!("subscriptions/{}", ada.subscription), "").await;
    till.deliver(&json!({})).await;
    assert!(!ada.person.get("/plans").await.text().contains("more than one plan"));
    assert_eq!(ada.plan().await["plan"], "pro");
    till.app.check().await;
}

/// Renews the subscription at a price that belongs to no plan.
async fn with_unknown_price(till: &Till, ada: &Payer) {
    let form = "unit_amount=500&currency=usd&recurring[interval]=month&product_data[name]=old";
    let price = till.operate("POST", "prices", form).await;
    let switch = json!({ "subscription": ada.subscription, "price": price["id"], "later": true });
    till.ask("switch", &switch).await;
    till.wait(31).await;
}

#[tokio::test]
async fn a_price_that_is_no_plans_waits_for_the_operator_and_its_end_is_heard() {
    let till = Till::open().await;
    let ada = till.payer("ada@example.com", "basic").await;
    till.deliver(&json!({})).await;
    with_unknown_price(&till, &ada).await;
    till.deliver(&json!({})).await;
    let stands = ada.plan().await;
    assert_eq!((&stands["plan"], &stands["status"]), (&json!("basic"), &json!("active")));
    assert_eq!(stands["current_until"], "2027-01-20T12:00:00.000Z", "the plan keeps renewing");
    let waits = waiting(&till).await;
    assert!(
        matches!(&waits[..], [(kind, why)] if kind == "invoice.paid" && why.contains("names no plan for it")),
        "{waits:?}"
    );
    till.operate("DELETE", &format!("subscriptions/{}", ada.subscription), "").await;
    till.deliver(&json!({})).await;
    assert_eq!(ada.plan().await, Value::Null, "the plan has ended");
    assert_eq!(ada.caller.available().await, 615);
    till.app.check().await;
}

#[tokio::test]
async fn a_customer_that_stripe_has_no_more_keeps_nobody_from_paying() {
    let till = Till::open().await;
    let ada = till.payer("ada@example.com", "basic").await;
    till.deliver(&json!({})).await;
    till.operate("DELETE", &format!("customers/{}", ada.customer), "").await;
    ada.person.post("/api/billing/portal", &json!({})).await.is_error(404, "not_found", None);
    assert_eq!(ada.plan().await, Value::Null, "it is no longer charged");
    let page = ada.person.post("/api/billing/checkout", &json!({ "plan": "pro" })).await.ok();
    let paid = till.ask("pay", &json!({ "session": last(&page["url"]) })).await;
    assert_ne!(paid["customer"], ada.customer);
    till.deliver(&json!({})).await;
    assert_eq!(ada.plan().await["plan"], "pro");
    // Late events of the first customer still belong to the account.
    assert_eq!(waiting(&till).await, []);
    assert_eq!(ada.caller.available().await, 15 + 600 + 1_300);
    till.app.check().await;
}

#[tokio::test]
async fn one_event_that_cannot_be_settled_keeps_no_others() {
    let till = Till::open().await;
    let ada = till.payer("ada@example.com", "basic").await;
    let bob = till.payer("bob@example.com", "pro").await;
    let eve = till.app.member("eve@example.com").await;
    let id = eve.get("/api/account").await.ok()["id"].as_str().unwrap().parse().unwrap();
    till.app.app.store.keep_customer(&id, "cus_eve".into()).await.unwrap();
    // The ledger says that the invoice belongs to someone else.
    let session = till.look(&format!("v1/checkout/sessions/{}", ada.session)).await;
    let invoice = Invoice {
        id: session["invoice"].as_str().unwrap().to_owned(),
        subscription: "sub_eve".into(),
        finalized_at: Timestamp::default(),
        paid: false,
        lines: Vec::new(),
        unknown_price: None,
        payments: Vec::new(),
        credited: 0,
    };
    let facts =
        Facts { customer: Some("cus_eve".into()), invoice: Some(invoice), ..Facts::default() };
    till.app.app.store.settle_facts(facts).await.unwrap();
    till.deliver(&json!({})).await;
    assert_eq!(bob.caller.available().await, 15 + 1_300);
    assert!(!waiting(&till).await.is_empty(), "the other event waits");
    let metrics = till.app.app.store.count_open_events().await.unwrap();
    assert!(metrics.count > 0 && metrics.oldest.is_some());
    till.app.check().await;
}

#[tokio::test]
async fn visits_to_stripe_are_limited_for_each_account() {
    let till = Till::with(&[("RETOUCH_BILLING__VISITS_PER_MINUTE_PER_ACCOUNT", "2")]).await;
    let ada = till.app.member("ada@example.com").await;
    for _ in 0..2 {
        ada.post("/api/billing/checkout", &json!({ "plan": "basic" })).await.ok();
    }
    let third = ada.post("/api/billing/checkout", &json!({ "plan": "basic" })).await;
    third.is_error(429, "rate_limited", None);
    ada.post("/api/billing/portal", &json!({})).await.is_error(429, "rate_limited", None);
    assert_eq!(ada.get("/api/billing/return?checkout=cs_1").await.status, 303);
    let bob = till.app.member("bob@example.com").await;
    bob.post("/api/billing/checkout", &json!({ "plan": "basic" })).await.ok();
    till.app.check().await;
}

#[tokio::test]
async fn stripe_is_told_of_another_address() {
    let till = Till::open().await;
    let ada = till.payer("ada@example.com", "basic").await;
    assert_eq!(
        billing::sync_customers(&till.app.app).await.unwrap(),
        0,
        "Stripe already has the address"
    );
    let change = json!({ "current_password": WORD, "email": "lovelace@example.com" });
    ada.person.patch("/api/account", &change).await.ok();
    assert_eq!(billing::sync_customers(&till.app.app).await.unwrap(), 1);
    let shown = till.look(&format!("v1/customers/{}", ada.customer)).await;
    assert_eq!(shown["email"], "lovelace@example.com");
    assert_eq!(billing::sync_customers(&till.app.app).await.unwrap(), 0);
    till.app.check().await;
}

#[tokio::test]
async fn a_return_from_the_portal_brings_the_change_before_the_webhook() {
    let till = Till::open().await;
    let ada = till.payer("ada@example.com", "basic").await;
    till.deliver(&json!({})).await;
    let max = json!({ "subscription": ada.subscription, "price": till.prices[2] });
    till.ask("switch", &max).await;
    assert_eq!(ada.person.get("/api/billing/return").await.header("location"), Some("/plans"));
    assert_eq!(ada.plan().await["plan"], "max");
    assert_eq!(ada.caller.available().await, 15 + 600 + 1_500);
    till.deliver(&json!({ "times": 2 })).await;
    assert_eq!(ada.caller.available().await, 15 + 600 + 1_500);
    till.app.check().await;
}

#[tokio::test]
async fn a_payment_that_failed_is_told_where_credits_and_plans_are() {
    let till = Till::open().await;
    let ada = till.payer("ada@example.com", "basic").await;
    till.deliver(&json!({})).await;
    let credits = ada.person.get("/credits").await.text();
    assert!(credits.contains("600 credits will be added on 2026-12-20"), "{credits}");
    assert!(
        ada.person
            .get("/plans?paid")
            .await
            .text()
            .contains("Thank you. Your payment was received.")
    );
    till.ask("card", &json!({ "customer": ada.customer, "declined": true })).await;
    // Only Stripe's clock moves, so that the session does not expire.
    till.ask("clock", &json!({ "seconds": 31 * 86_400 })).await;
    billing::catch_up(&till.app.app).await.unwrap();
    billing::settle_inbox(&till.app.app).await.unwrap();
    for path in ["/credits", "/plans", "/plans?paid"] {
        let page = ada.person.get(path).await.text();
        assert!(page.contains("The latest payment for Basic monthly failed"), "{path}: {page}");
        assert!(!page.contains("Thank you"), "{path}");
    }
    till.app.check().await;
}

#[tokio::test]
async fn two_servers_that_are_asked_at_once_leave_one_checkout_open() {
    let till = Till::open().await;
    let other = till.second().await;
    till.app.member("ada@example.com").await;
    let store = &till.app.app.store;
    let found = store.find_account_by_email(&"ada@example.com".parse().unwrap()).await.unwrap();
    let (ada, _) = found.unwrap();
    let pages = tokio::join!(
        billing::check_out(&till.app.app, &ada, "pro"),
        billing::check_out(&other, &ada, "basic"),
    );
    let mut seen = Vec::new();
    for page in [pages.0.unwrap(), pages.1.unwrap()] {
        let session = till.look(&format!("v1/checkout/sessions/{}", last(&json!(page)))).await;
        let customer = session["customer"].as_str().unwrap().to_owned();
        seen.push((session["status"].as_str().unwrap().to_owned(), customer));
    }
    seen.sort();
    assert_eq!((seen[0].0.as_str(), seen[1].0.as_str()), ("expired", "open"));
    assert_eq!(seen[0].1, seen[1].1, "one customer");
    till.app.check().await;
}
