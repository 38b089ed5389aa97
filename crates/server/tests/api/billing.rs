//! Paid plans, against the simulator of Stripe.

use axum::http::Method;
use retouch_server::billing;
use retouch_store::PageRequest;
use serde_json::{Value, json};

use crate::support::till::{DAY_S, Payer, SECRET, Till, send};
use crate::support::{TestApp, log};

#[tokio::test]
async fn without_a_payment_provider_billing_is_not_configured() {
    let app = TestApp::new().await;
    let member = app.member("ada@example.com").await;
    for (path, body) in [
        ("/api/billing/checkout", json!({ "plan": "basic" })),
        ("/api/billing/portal", json!({})),
        ("/api/billing/stripe/webhook", json!({ "id": "evt_1" })),
    ] {
        member.post(path, &body).await.is_error(503, "billing_not_configured", None);
    }
    app.check().await;
}

#[tokio::test]
async fn whoever_pays_has_the_plan_and_its_credits() {
    let till = Till::open().await;
    let ada = till.payer("ada@example.com", "basic").await;
    assert_eq!(ada.plan().await, Value::Null, "no event has arrived yet");
    let told = till.deliver(&json!({})).await;
    assert!(told.iter().all(|status| *status == 200), "{told:?}");
    assert_eq!(ada.caller.available().await, 615);
    assert_eq!(
        ada.plan().await,
        json!({
            "plan": "basic",
            "status": "active",
            "source": "stripe",
            "current_until": "2026-12-20T12:00:00.000Z",
            "cancel_at": null,
            "next_plan": null,
        })
    );
    let again = ada.person.post("/api/billing/checkout", &json!({ "plan": "basic" })).await;
    again.is_error(409, "already_subscribed", Some("plan"));
    let bob = till.app.member("bob@example.com").await;
    assert_eq!(bob.get("/api/account").await.ok()["subscription"], Value::Null);
    bob.post("/api/billing/portal", &json!({})).await.is_error(404, "not_found", None);
    let portal = ada.person.post("/api/billing/portal", &json!({})).await.ok();
    assert!(portal["url"].as_str().unwrap().contains("/p/session/"), "{portal}");
    till.app.check().await;
}

#[tokio::test]
async fn a_return_from_checkout_brings_the_credits_before_the_webhook() {
    let till = Till::open().await;
    let ada = till.payer("ada@example.com", "pro").await;
    let back = format!("/api/billing/return?checkout={}", ada.session);
    // A checkout that belongs to another account, or that does not exist, has no effect.
    let eve = till.app.member("eve@example.com").await;
    assert_eq!(eve.get(&back).await.header("location"), Some("/plans?paid"));
    assert_eq!(till.app.anon().get(&back).await.status, 303);
    for odd in ["?checkout=", "?checkout=cs_nothing", "?checkout=../x"] {
        assert_eq!(ada.person.get(&format!("/api/billing/return{odd}")).await.status, 303);
    }
    assert_eq!((ada.caller.available().await, eve.available().await), (15, 15));
    for _ in 0..2 {
        assert_eq!(ada.person.get(&back).await.status, 303);
        assert_eq!(ada.caller.available().await, 1_315);
    }
    till.deliver(&json!({ "times": 2 })).await;
    assert_eq!((ada.caller.available().await, eve.available().await), (1_315, 15));
    till.app.check().await;
}

#[tokio::test]
async fn the_address_of_the_checkout_leads_there_and_back() {
    let till = Till::open().await;
    let ada = till.app.member("ada@example.com").await;
    let page = ada.post("/api/billing/checkout", &json!({ "plan": "max" })).await.ok();
    let session = page["url"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let shown = till.look(&format!("v1/checkout/sessions/{session}")).await;
    let account = ada.get("/api/account").await.ok();
    assert_eq!((&shown["mode"], &shown["amount_total"]), (&json!("subscription"), &json!(2_990)));
    assert_eq!(shown["client_reference_id"], account["id"]);
    let back = "http://127.0.0.1:8080/api/billing/return?checkout={CHECKOUT_SESSION_ID}";
    assert_eq!((&shown["success_url"], &shown["status"]), (&json!(back), &json!("open")));
    assert_eq!(shown["cancel_url"], "http://127.0.0.1:8080/plans");
    // A second checkout uses the same customer.
    ada.post("/api/billing/checkout", &json!({ "plan": "basic" })).await.ok();
    let customer = shown["customer"].as_str().unwrap();
    let customer = till.look(&format!("v1/customers/{customer}")).await;
    assert_eq!(customer["metadata"]["account"], account["id"]);
    assert_eq!(customer["email"], "ada@example.com");
    let wrong = ada.post("/api/billing/checkout", &json!({ "plan": "gold" })).await;
    let said = wrong.is_error(400, "invalid_value", Some("plan"));
    assert!(said.contains("basic, pro, max"), "{said}");
    let key = ada.clone().with_key().await;
    let by_key = key.post("/api/billing/checkout", &json!({ "plan": "max" })).await;
    by_key.is_error(403, "session_required", None);
    till.app.check().await;
}

#[tokio::test]
async fn the_page_of_plans_leads_to_where_they_are_paid_and_says_what_somebody_has() {
    let till = Till::open().await;
    let visitor = till.app.anon().get("/plans").await.text();
    assert!(!visitor.contains("/checkout") && visitor.contains("/sign-up"), "{visitor}");
    let ada = till.app.member("ada@example.com").await;
    let page = ada.get("/plans").await.text();
    assert!(page.contains("/plans/pro/checkout") && !page.contains("/plans/manage"), "{page}");
    assert_eq!(ada.submit("/plans/manage", &[]).await.status, 404, "there has been no payment");
    let onward = ada.submit("/plans/pro/checkout", &[]).await;
    let policy = onward.header("content-security-policy").unwrap();
    assert!(onward.status == 200 && policy.contains("form-action 'self'"));
    assert!(onward.text().contains("content=\"0; url=http"), "{}", onward.text());
    assert_eq!(ada.submit("/plans/gold/checkout", &[]).await.status, 400);
    let signed_out = till.app.anon().with_header("sec-fetch-site", "same-origin");
    let gone = signed_out.submit("/plans/pro/checkout", &[]).await;
    assert_eq!(gone.header("location"), Some("/sign-in?next=%2Fplans"));
    let bob = till.payer("bob@example.com", "basic").await;
    till.deliver(&json!({})).await;
    let page = bob.person.get("/plans").await.text();
    assert!(page.contains("Your plan") && page.contains("Upgrade to Pro"), "{page}");
    assert!(!page.contains("/plans/basic/checkout") && page.contains("/plans/manage"), "{page}");
    assert!(bob.person.submit("/plans/manage", &[]).await.text().contains("/p/session/"));
    till.app.check().await;
}

#[tokio::test]
async fn a_plan_is_renewed_changed_up_changed_down_and_left() {
    let till = Till::open().await;
    let ada = till.payer("ada@example.com", "basic").await;
    till.deliver(&json!({})).await;
    till.wait(31).await;
    till.deliver(&json!({})).await;
    assert_eq!(ada.caller.available().await, 15 + 600 + 600);
    // Upgrades in the middle of the second month: the account pays for, and gets, the prorated
    // difference.
    till.wait(14).await;
    let max = &till.prices[2];
    till.ask("switch", &json!({ "subscription": ada.subscription, "price": max })).await;
    till.deliver(&json!({})).await;
    let after_up = ada.caller.available().await;
    let gained = after_up - (15 + 600 + 600);
    assert!((700..900).contains(&gained), "about half of 1,500: {gained}");
    assert_eq!(ada.plan().await["plan"], "max");
    // The downgrade takes effect at the end of the month.
    let pro = &till.prices[1];
    let down = json!({ "subscription": ada.subscription, "price": pro, "later": true });
    till.ask("switch", &down).await;
    till.deliver(&json!({})).await;
    let stands = ada.plan().await;
    assert_eq!((&stands["plan"], &stands["next_plan"]), (&json!("max"), &json!("pro")));
    assert_eq!(ada.caller.available().await, after_up);
    till.wait(20).await;
    till.deliver(&json!({})).await;
    assert_eq!(ada.caller.available().await, after_up + 1_300);
    let stands = ada.plan().await;
    assert_eq!((&stands["plan"], &stands["next_plan"]), (&json!("pro"), &Value::Null));
    let form = "cancel_at_period_end=true";
    let path = format!("/stripe/v1/subscriptions/{}", ada.subscription);
    send(&till.sim.origin(), ("POST", &path), "application/x-www-form-urlencoded", form).await;
    till.deliver(&json!({})).await;
    assert_eq!(ada.plan().await["cancel_at"], ada.plan().await["current_until"]);
    till.wait(31).await;
    till.deliver(&json!({})).await;
    assert_eq!(ada.plan().await, Value::Null);
    assert_eq!(ada.caller.available().await, after_up + 1_300, "credits are kept");
    till.app.check().await;
}

#[tokio::test]
async fn a_payment_that_fails_gives_nothing_until_it_succeeds() {
    let till = Till::open().await;
    let ada = till.payer("ada@example.com", "basic").await;
    till.ask("card", &json!({ "customer": ada.customer, "declined": true })).await;
    till.wait(31).await;
    till.deliver(&json!({})).await;
    assert_eq!(ada.caller.available().await, 615);
    assert_eq!(ada.plan().await["status"], "past_due");
    till.ask("card", &json!({ "customer": ada.customer, "declined": false })).await;
    let shown = till.look(&format!("v1/subscriptions/{}", ada.subscription)).await;
    till.ask("retry", &json!({ "invoice": shown["latest_invoice"] })).await;
    till.deliver(&json!({ "reversed": true })).await;
    assert_eq!(ada.caller.available().await, 1_215);
    assert_eq!(ada.plan().await["status"], "active");
    till.app.check().await;
}

#[tokio::test]
async fn money_back_takes_credits_back_and_a_dispute_that_is_won_returns_them() {
    let till = Till::open().await;
    let ada = till.payer("ada@example.com", "basic").await;
    till.deliver(&json!({})).await;
    let charge = till.charges(&ada).await.remove(0);
    till.refund(&charge, 330).await;
    till.deliver(&json!({})).await;
    assert_eq!(ada.caller.available().await, 15 + 400);
    let dispute = till.ask("dispute", &json!({ "charge": charge })).await;
    till.deliver(&json!({})).await;
    assert_eq!(ada.caller.available().await, 15);
    till.ask("dispute", &json!({ "dispute": dispute["id"], "status": "won" })).await;
    till.deliver(&json!({})).await;
    assert_eq!(ada.caller.available().await, 15 + 400);
    let entries = ada.caller.get("/api/credits/entries").await.ok();
    let kinds: Vec<_> = entries["data"].as_array().unwrap().iter().map(|it| &it["kind"]).collect();
    assert_eq!(kinds, ["grant", "take_back", "take_back", "grant", "grant"]);
    till.app.check().await;
}

#[tokio::test]
async fn only_what_stripe_signed_lately_is_heard() {
    let till = Till::open().await;
    let ada = till.payer("ada@example.com", "basic").await;
    till.ask(
        "hook",
        &json!({
            "url": format!("http://{}/api/billing/stripe/webhook", till.address),
            "secret": "whsec_of_somebody_else",
        }),
    )
    .await;
    let told = till.deliver(&json!({})).await;
    assert!(told.iter().all(|status| *status == 400), "{told:?}");
    till.ask(
        "hook",
        &json!({
            "url": format!("http://{}/api/billing/stripe/webhook", till.address),
            "secret": SECRET,
        }),
    )
    .await;
    let now = till.look("_sim/clock").await["now"].as_i64().unwrap();
    for (at, expected) in [(now - 301, 400), (now + 301, 400), (now - 299, 200)] {
        let told = till.deliver(&json!({ "signed_at": at })).await;
        assert!(told.iter().all(|status| *status == expected), "{at}: {told:?}");
    }
    assert_eq!(ada.caller.available().await, 615);
    let anybody = till.app.anon();
    let path = "/api/billing/stripe/webhook";
    anybody.post(path, &json!({ "id": "evt_1" })).await.is_error(400, "invalid_signature", None);
    let large = anybody.send(Method::POST, path, Some(vec![b' '; 600_000])).await;
    large.is_error(413, "body_too_large", None);
    let plain = anybody.with_header("content-type", "text/plain");
    plain.post(path, &json!({})).await.is_error(415, "unsupported_media_type", None);
    till.app.check().await;
}

#[tokio::test]
async fn refused_webhooks_are_counted_and_logged_once_a_minute() {
    let till = Till::open().await;
    log::start();
    let anybody = till.app.anon();
    let lines = async |calls: usize| {
        let mut lines = Vec::new();
        for _ in 0..calls {
            let refused = anybody.post("/api/billing/stripe/webhook", &json!({})).await;
            refused.is_error(400, "invalid_signature", None);
            let of_call = log::of(refused.header("x-request-id").unwrap());
            lines.extend(of_call.into_iter().filter(|line| line.contains("refused=")));
        }
        lines
    };
    assert_eq!(lines(20).await.len(), 1);
    till.app.clock.advance_ms(60_000);
    let next = lines(20).await;
    assert!(next.len() == 1 && next[0].contains("refused=20"), "{next:?}");
    let numbers = anybody.get("/metrics").await.text();
    assert!(numbers.contains("retouch_webhooks_refused_total 40"), "{numbers}");
    till.app.check().await;
}

#[tokio::test]
async fn what_is_of_no_interest_is_answered_and_forgotten() {
    let till = Till::open().await;
    till.payer("ada@example.com", "basic").await;
    till.deliver(&json!({ "times": 2 })).await;
    let page = PageRequest { limit: 100, cursor: None };
    let inbox = till.app.app.store.list_events(false, &page).await.unwrap().data;
    let kinds: Vec<_> = inbox.iter().map(|it| it.event.kind.as_str()).collect();
    assert!(!kinds.contains(&"charge.succeeded") && kinds.contains(&"invoice.paid"), "{kinds:?}");
    assert!(inbox.iter().all(|it| it.settled_at.is_some() && it.account.is_some()), "{inbox:?}");
    till.app.check().await;
}

#[tokio::test]
async fn what_is_not_heard_is_asked_for_and_what_cannot_be_looked_at_waits() {
    let till = Till::open().await;
    let ada = till.payer("ada@example.com", "basic").await;
    // Each webhook call is cut off halfway, so the service may or may not have received it.
    till.ask("deliver", &json!({ "hang_up": true })).await;
    billing::catch_up(&till.app.app).await.unwrap();
    assert_eq!(billing::catch_up(&till.app.app).await.unwrap(), 0);
    // Stripe itself has an outage.
    let fault =
        json!({ "provider": "stripe", "call": "poll", "fault": "internal_error", "times": 0 });
    let call = ("POST", "/_sim/faults");
    send(&till.sim.origin(), call, "application/json", &fault.to_string()).await;
    billing::settle_inbox(&till.app.app).await.unwrap();
    assert_eq!(ada.caller.available().await, 15);
    send(&till.sim.origin(), ("DELETE", "/_sim/faults"), "application/json", "").await;
    assert_eq!(
        billing::settle_inbox(&till.app.app).await.unwrap(),
        0,
        "calls to Stripe are paused"
    );
    till.app.clock.advance_ms(30_000);
    assert!(billing::settle_inbox(&till.app.app).await.unwrap() > 0);
    assert_eq!(ada.caller.available().await, 615);
    till.app.check().await;
}

#[tokio::test]
async fn an_answer_that_is_lost_makes_nothing_twice() {
    let till = Till::open().await;
    let ada = till.app.member("ada@example.com").await;
    let origin = till.sim.origin();
    let plan = async |fault: Value| {
        send(&origin, ("POST", "/_sim/faults"), "application/json", &fault.to_string()).await
    };
    plan(json!({ "provider": "stripe", "call": "submit", "fault": "close_before_answer" })).await;
    // The customer is created twice with one idempotency key, so there is only one.
    ada.post("/api/billing/checkout", &json!({ "plan": "max" })).await.ok();
    let requests = send(&origin, ("GET", "/_sim/requests?provider=stripe"), "", "").await.1;
    let asked = requests.as_array().unwrap().iter().filter(|it| it["path"] == "/v1/customers");
    let names: Vec<Value> = asked.map(|request| header(request, "idempotency-key")).collect();
    assert!(matches!(&names[..], [one, other] if one == other && one.is_string()), "{names:?}");
    plan(json!({ "provider": "stripe", "fault": "internal_error", "times": 0 })).await;
    let down = ada.post("/api/billing/checkout", &json!({ "plan": "max" })).await;
    down.is_error(503, "payments_unavailable", None);
    till.app.check().await;
}

/// A header of a recorded request.
fn header(request: &Value, name: &str) -> Value {
    let mut all = request["headers"].as_array().unwrap().iter();
    all.find(|pair| pair[0] == name).map_or(Value::Null, |pair| pair[1].clone())
}

/// Takes payers through a month of each kind, with everything that may happen to them.
async fn live(till: &Till, all: &[Payer]) {
    for payer in all {
        till.ask("card", &json!({ "customer": payer.customer, "declined": true })).await;
    }
    till.wait(31).await;
    for payer in all {
        till.ask("card", &json!({ "customer": payer.customer, "declined": false })).await;
        let shown = till.look(&format!("v1/subscriptions/{}", payer.subscription)).await;
        till.ask("retry", &json!({ "invoice": shown["latest_invoice"] })).await;
    }
    till.wait(10).await;
    for payer in all {
        let (subscription, max, basic) = (&payer.subscription, &till.prices[2], &till.prices[0]);
        till.ask("switch", &json!({ "subscription": subscription, "price": max })).await;
        let down = json!({ "subscription": subscription, "price": basic, "later": true });
        till.ask("switch", &down).await;
    }
    till.wait(25).await;
    for payer in all {
        // Half of the first payment is refunded, the second is disputed and won, the third is
        // disputed and lost.
        let charges = till.charges(payer).await;
        let [_, third, second, first] = &charges[..] else { panic!("{charges:?}") };
        till.refund(first, 495).await;
        let lost = till.ask("dispute", &json!({ "charge": third })).await;
        till.ask("dispute", &json!({ "dispute": lost["id"], "status": "lost" })).await;
        let won = till.ask("dispute", &json!({ "charge": second })).await;
        till.ask("dispute", &json!({ "dispute": won["id"], "status": "won" })).await;
        let path = format!("/stripe/v1/subscriptions/{}", payer.subscription);
        let origin = till.sim.origin();
        assert_eq!(send(&origin, ("DELETE", &path), "application/json", "").await.0, 200);
    }
}

/// The customer of each event. A dispute names no customer, but its charge does.
async fn owners(till: &Till) -> Vec<(String, String)> {
    let events = till.look("_sim/events").await;
    let mut owned = Vec::new();
    for event in events.as_array().unwrap() {
        let id = event["id"].as_str().unwrap().to_owned();
        let object = till.look(&format!("v1/events/{id}")).await["data"]["object"].clone();
        let owner = match object["charge"].as_str() {
            Some(charge) => till.look(&format!("v1/charges/{charge}")).await["customer"].clone(),
            None => object["customer"].clone(),
        };
        owned.push((id, owner.as_str().unwrap_or_default().to_owned()));
    }
    owned
}

#[tokio::test]
async fn every_order_of_a_whole_life_ends_in_the_same_balance() {
    let till = Till::open().await;
    let mut all = Vec::new();
    for number in 0..6 {
        all.push(till.payer(&format!("{number}@example.com"), "basic").await);
    }
    live(&till, &all).await;
    let owned = owners(&till).await;
    let mut balances = Vec::new();
    let mut seed = 7_usize;
    for (number, payer) in all.iter().enumerate() {
        let its = owned.iter().filter(|(_, owner)| *owner == payer.customer);
        let mut ids: Vec<&String> = its.map(|(id, _)| id).collect();
        assert!(ids.len() > 20, "{}", ids.len());
        match number {
            0 => {}
            1 => ids.reverse(),
            _ => {
                for last in (1..ids.len()).rev() {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
                    ids.swap(last, (seed >> 33) % (last + 1));
                }
            }
        }
        for half in ids.chunks(7) {
            till.deliver(&json!({ "ids": half, "times": 2 })).await;
        }
        balances.push(payer.caller.available().await);
        assert_eq!(payer.plan().await, Value::Null);
    }
    // Half of the first month, all of the second month, nothing for the upgrade (lost in the
    // dispute), and the last month.
    assert_eq!(balances, [15 + 300 + 600 + 600; 6]);
    assert!(till.look("_sim/clock").await["now"].as_i64().unwrap() > 60 * DAY_S);
    till.app.check().await;
}
