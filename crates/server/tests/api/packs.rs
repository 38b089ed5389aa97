//! Packs of credits, which are bought once, against the simulator of Stripe.

use serde_json::{Value, json};

use crate::support::TestApp;
use crate::support::persona::Persona;
use crate::support::till::Till;

/// A service that sells packs.
async fn open() -> Till {
    Till::with(&[("RETOUCH_BILLING__PACKS", "Small=300:4.90,Big pack=2000:25.00")]).await
}

/// A member at the checkout of a small pack, and the checkout.
async fn buyer(till: &Till, email: &str) -> (Persona, String) {
    let person = till.app.member(email).await;
    let session = checkout(&person, "small").await;
    (person, session)
}

async fn checkout(person: &Persona, pack: &str) -> String {
    let page = person.post("/api/billing/checkout", &json!({ "pack": pack })).await.ok();
    page["url"].as_str().unwrap().rsplit('/').next().unwrap().to_owned()
}

/// The newest charge.
async fn charge(till: &Till) -> String {
    let events = till.look("v1/events?limit=1&types[]=charge.succeeded").await;
    events["data"][0]["data"]["object"]["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_pack_is_granted_once_by_webhook_and_return() {
    let till = open().await;
    let packs = till.app.anon().get("/api/packs").await.ok();
    let small = json!({ "id": "small", "name": "Small", "credits": 300, "price_usd": "4.90" });
    assert_eq!(packs["data"][0], small);
    let (ada, session) = buyer(&till, "ada@example.com").await;
    let shown = till.look(&format!("v1/checkout/sessions/{session}")).await;
    assert_eq!((&shown["mode"], &shown["amount_total"]), (&json!("payment"), &json!(490)));
    assert_eq!(shown["allow_promotion_codes"], true);
    let back = format!("/api/billing/return?checkout={session}");
    assert_eq!(ada.get(&back).await.status, 303);
    assert_eq!(ada.available().await, 15, "nothing is paid yet");
    till.ask("pay", &json!({ "session": session })).await;
    // Someone else's return brings them nothing.
    let eve = till.app.member("eve@example.com").await;
    eve.get(&back).await;
    for _ in 0..2 {
        ada.get(&back).await;
        assert_eq!(ada.available().await, 315);
    }
    till.deliver(&json!({ "times": 3 })).await;
    assert_eq!((ada.available().await, eve.available().await), (315, 15));
    let page = ada.get("/credits").await.text();
    assert!(page.contains("Purchase") && page.contains("Paid"), "{page}");
    // Another pack is another purchase.
    let second = checkout(&ada, "big-pack").await;
    till.ask("pay", &json!({ "session": second })).await;
    till.deliver(&json!({})).await;
    assert_eq!(ada.available().await, 2_315);
    till.app.check().await;
}

#[tokio::test]
async fn what_goes_back_takes_its_share_of_the_credits_back() {
    let till = open().await;
    let (ada, session) = buyer(&till, "ada@example.com").await;
    till.ask("pay", &json!({ "session": session })).await;
    let charge = charge(&till).await;
    // The refund is heard of before the payment.
    till.refund(&charge, 245).await;
    till.deliver(&json!({ "reversed": true })).await;
    assert_eq!(ada.available().await, 15 + 150);
    till.refund(&charge, 245).await;
    till.deliver(&json!({ "times": 2 })).await;
    assert_eq!(ada.available().await, 15);
    till.app.check().await;
}

#[tokio::test]
async fn a_dispute_takes_the_credits_and_a_won_one_gives_them_back() {
    let till = open().await;
    let (ada, session) = buyer(&till, "ada@example.com").await;
    till.ask("pay", &json!({ "session": session })).await;
    till.deliver(&json!({})).await;
    let caller = ada.clone().with_key().await;
    caller.edit("go").await.ok();
    let charge = charge(&till).await;
    let dispute = till.ask("dispute", &json!({ "charge": charge })).await;
    till.deliver(&json!({})).await;
    let credits = ada.get("/api/credits").await.ok();
    assert_eq!(credits["available"], 9, "the pack is taken back, and nothing else: {credits}");
    assert!(ada.get("/credits").await.text().contains("under review"));
    till.ask("dispute", &json!({ "dispute": dispute["id"], "status": "won" })).await;
    till.deliver(&json!({})).await;
    assert_eq!(ada.available().await, 309);
    till.app.check().await;
}

#[tokio::test]
async fn a_promotion_code_makes_a_pack_cheaper_and_money_that_comes_later_counts_later() {
    let till = open().await;
    let (ada, half) = buyer(&till, "ada@example.com").await;
    till.ask("pay", &json!({ "session": half, "percent_off": 50 })).await;
    till.deliver(&json!({})).await;
    assert_eq!(ada.available().await, 315);
    let free = checkout(&ada, "small").await;
    till.ask("pay", &json!({ "session": free, "percent_off": 100 })).await;
    till.deliver(&json!({ "times": 2 })).await;
    assert_eq!(ada.available().await, 615);
    let late = checkout(&ada, "small").await;
    till.ask("pay", &json!({ "session": late, "later": true })).await;
    till.deliver(&json!({})).await;
    ada.get(&format!("/api/billing/return?checkout={late}")).await;
    assert_eq!(ada.available().await, 615, "the money has not arrived");
    till.ask("pay", &json!({ "session": late })).await;
    till.deliver(&json!({})).await;
    assert_eq!(ada.available().await, 915);
    till.app.check().await;
}

#[tokio::test]
async fn packs_and_plans_do_not_touch_each_other() {
    let till = open().await;
    let ada = till.payer("ada@example.com", "max").await;
    till.deliver(&json!({})).await;
    let session = checkout(&ada.person, "small").await;
    till.ask("pay", &json!({ "session": session })).await;
    till.deliver(&json!({})).await;
    assert_eq!(ada.caller.available().await, 15 + 2_100 + 300);
    // A downgrade with money back takes the better plan's credits, but those of no pack.
    let price = &till.prices[0];
    let switch = json!({ "subscription": ada.subscription, "price": price });
    till.ask("switch", &switch).await;
    till.deliver(&json!({})).await;
    let another = checkout(&ada.person, "small").await;
    till.ask("pay", &json!({ "session": another })).await;
    till.deliver(&json!({})).await;
    assert_eq!(ada.caller.available().await, 15 + 600 + 600);
    till.app.check().await;
}

#[tokio::test]
async fn a_pack_paid_after_the_account_was_deleted_is_refunded() {
    let till = open().await;
    let (ada, session) = buyer(&till, "ada@example.com").await;
    till.ask("pay", &json!({ "session": session })).await;
    let password = json!({ "password": "correct horse" });
    let gone = ada.delete_with("/api/account", &password).await;
    assert_eq!(gone.status, 204, "{}", gone.text());
    till.deliver(&json!({})).await;
    let charge = till.look(&format!("v1/charges/{}", charge(&till).await)).await;
    assert_eq!(charge["amount_refunded"], 490);
    till.app.check().await;
}

#[tokio::test]
async fn only_packs_that_are_for_sale_can_be_bought() {
    let till = open().await;
    let ada = till.app.member("ada@example.com").await;
    let wrong = ada.post("/api/billing/checkout", &json!({ "pack": "huge" })).await;
    let said = wrong.is_error(400, "invalid_value", Some("pack"));
    assert!(said.contains("small, big-pack"), "{said}");
    for body in [json!({}), json!({ "plan": "basic", "pack": "small" })] {
        let wrong = ada.post("/api/billing/checkout", &body).await;
        wrong.is_error(400, "missing_field", Some("plan"));
    }
    let page = ada.get("/plans").await.text();
    assert!(page.contains("4.90") && page.contains("/packs/big-pack/checkout"), "{page}");
    assert!(!page.contains("/credits/request"), "credits are for sale");
    let onward = ada.submit("/packs/small/checkout", &[]).await;
    assert!(onward.text().contains("/c/pay/"), "{}", onward.text());
    till.app.check().await;

    let app = TestApp::with(&[("RETOUCH_BILLING__PACKS", "Small=300:4.90")]).await;
    assert_eq!(app.anon().get("/api/packs").await.ok()["data"], Value::Array(Vec::new()));
    let ada = app.member("ada@example.com").await;
    let unpaid = ada.post("/api/billing/checkout", &json!({ "pack": "small" })).await;
    unpaid.is_error(503, "billing_not_configured", None);
    app.check().await;
}
