//! Plans and payments, as administrators see them.

use retouch_server::billing;
use serde_json::json;

use crate::admin::{admin, id, leads_to};
use crate::support::TestApp;
use crate::support::till::Till;

#[tokio::test]
async fn a_plan_is_given_changed_and_ended_with_a_reason() {
    let app = TestApp::new().await;
    let admin = admin(&app).await;
    let bob = app.member("bob@example.com").await;
    let path = format!("/admin/users/{}", id(&bob).await);
    let there = format!("{path}/plan");
    let fields = |act, plan, why| [("act", act), ("plan", plan), ("plan_reason", why)];
    assert_eq!(
        admin.submit(&there, &fields("assign", "basic", "")).await.status,
        400,
        "a reason is required"
    );
    assert_eq!(admin.submit(&there, &fields("assign", "gold", "a friend")).await.status, 400);
    assert_eq!(
        admin.submit(&there, &fields("cancel", "", "why not")).await.status,
        400,
        "there is no plan to cancel"
    );
    assert_eq!(bob.available().await, 15);
    let done = admin.submit(&there, &fields("assign", "basic", "a friend")).await;
    leads_to(&done, &format!("{path}?done=plan-given"));
    assert_eq!(bob.available().await, 615);
    let entries = bob.get("/api/credits/entries").await.ok();
    assert_eq!(entries["data"][0]["description"], "Basic monthly: monthly credits (a friend)");
    let page = admin.get(&path).await.text();
    assert!(page.contains("<strong>Basic monthly</strong>, assigned: renews on"), "{page}");
    let done = admin.submit(&there, &fields("cancel", "", "moved away")).await;
    leads_to(&done, &format!("{path}?done=plan-ended"));
    let page = admin.get(&path).await.text();
    assert!(
        page.contains("ends on 2026-12-20") && !page.contains("End after this month"),
        "{page}"
    );
    leads_to(
        &admin.submit(&there, &fields("cancel_now", "", "moved")).await,
        &format!("{path}?done=plan-ended"),
    );
    assert!(admin.get(&path).await.text().contains("No plan."));
    let log = admin.get("/admin/log").await.text();
    for words in
        ["Assigned a plan", "basic: a friend", "Canceled an assigned plan", "basic: moved away"]
    {
        assert!(log.contains(words), "{words}: {log}");
    }
    let bob_tries = bob.submit(&there, &fields("assign", "max", "for me")).await;
    assert_eq!(bob_tries.status, 404);
    app.check().await;
}

#[tokio::test]
async fn a_suspended_payer_is_shown_to_be_charged_and_is_charged_no_more_when_asked() {
    let till = Till::open().await;
    let admin = admin(&till.app).await;
    let ada = till.payer("ada@example.com", "pro").await;
    till.deliver(&json!({})).await;
    let path = format!("/admin/users/{}", id(&ada.person).await);
    let suspend = [("suspend_reason", "spam"), ("act", "suspend")];
    admin.submit(&format!("{path}/suspension"), &suspend).await;
    let page = admin.get(&path).await.text();
    assert!(page.contains("is suspended but is still charged every month"), "{page}");
    assert!(page.contains(&ada.customer) && page.contains(&ada.subscription), "{page}");
    let there = format!("{path}/plan");
    let given = [("act", "assign"), ("plan", "max"), ("plan_reason", "x")];
    assert_eq!(admin.submit(&there, &given).await.status, 400, "not in addition to a paid plan");
    let other = [("act", "end_paid_now"), ("subscription", "sub_other"), ("plan_reason", "x")];
    assert_eq!(
        admin.submit(&there, &other).await.status,
        400,
        "only the account's own subscription"
    );
    let end = |act| [("act", act), ("subscription", &*ada.subscription), ("plan_reason", "spam")];
    leads_to(&admin.submit(&there, &end("end_paid")).await, &format!("{path}?done=plan-ended"));
    let shown = till.look(&format!("v1/subscriptions/{}", ada.subscription)).await;
    assert_eq!(
        (&shown["cancel_at_period_end"], &shown["status"]),
        (&json!(true), &json!("active"))
    );
    assert!(!admin.get(&path).await.text().contains("still charged"));
    leads_to(&admin.submit(&there, &end("end_paid_now")).await, &format!("{path}?done=plan-ended"));
    let shown = till.look(&format!("v1/subscriptions/{}", ada.subscription)).await;
    assert_eq!(shown["status"], "canceled");
    let log = admin.get("/admin/log").await.text();
    assert_eq!(log.matches("Canceled a paid plan").count(), 2, "{log}");
    till.app.check().await;
}

#[tokio::test]
async fn the_inbox_shows_what_waits_and_tries_again_when_asked() {
    let till = Till::with(&[("RETOUCH_METRICS__TOKEN", "numbers")]).await;
    let admin = admin(&till.app).await;
    let page = admin.get("/admin/payments").await.text();
    assert!(page.contains("Nothing pending.") && page.contains("No events."), "{page}");
    let ada = till.payer("ada@example.com", "basic").await;
    let fault =
        json!({ "provider": "stripe", "call": "poll", "fault": "internal_error", "times": 0 });
    let origin = till.sim.origin();
    let kind = "application/json";
    crate::support::till::send(&origin, ("POST", "/_sim/faults"), kind, &fault.to_string()).await;
    till.deliver(&json!({})).await;
    crate::support::till::send(&origin, ("DELETE", "/_sim/faults"), kind, "").await;
    let page = admin.get("/admin/payments?show=waiting").await.text();
    assert!(page.contains("invoice.paid") && page.contains("no response: 500"), "{page}");
    let numbers = till.app.anon().with_header("authorization", "Bearer numbers");
    let numbers = numbers.get("/metrics").await.text();
    assert!(numbers.contains("retouch_payment_events_waiting 4"), "{numbers}");
    let retries: Vec<&str> =
        page.split("action=\"").filter_map(|it| it.split('"').next()).collect();
    for path in retries.into_iter().filter(|path| path.ends_with("/retry")) {
        leads_to(&admin.submit(path, &[]).await, "/admin/payments?done=retried");
    }
    assert!(
        billing::settle_inbox(&till.app.app).await.unwrap() > 0,
        "an administrator can retry immediately"
    );
    assert_eq!(ada.caller.available().await, 615);
    let page = admin.get("/admin/payments").await.text();
    assert!(page.contains("Nothing pending.") && page.contains("600 credits for in_"), "{page}");
    assert_eq!(admin.submit("/admin/payments/evt_none/retry", &[]).await.status, 404);
    assert_eq!(ada.person.submit("/admin/payments/evt_none/retry", &[]).await.status, 404);
    assert!(admin.get("/admin/log").await.text().contains("Retried a payment event"));
    till.app.check().await;
}
