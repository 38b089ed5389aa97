//! Emails about credits and plans, in the transaction of what they report.

use serde_json::json;

use crate::admin::{admin_of, id};
use crate::mail::{member, open_with, sent};
use crate::support::post::{Post, Taken};
use crate::support::till::Till;

fn subjects(messages: &[Taken]) -> Vec<&str> {
    messages.iter().map(|message| message.header("Subject")).collect()
}

#[tokio::test]
async fn credits_that_run_low_are_told_once_for_each_crossing() {
    let (app, post) = open_with(&[("RETOUCH_MAIL__LOW_CREDITS", "8")]).await;
    let ada = member(&app, &post, "ada@example.com").await;
    let caller = ada.clone().with_key().await;
    sent(&app, &post).await;
    caller.edit("go").await.ok();
    assert_eq!(subjects(&sent(&app, &post).await), [""; 0], "9 credits are left");
    caller.edit("fail").await;
    caller.edit("go").await.ok();
    let told = sent(&app, &post).await;
    assert_eq!(subjects(&told), ["Your Retouch credits are running low"]);
    assert!(told[0].text.contains("You have 3 credits left"), "{}", told[0].text);
    app.check().await;
}

#[tokio::test]
async fn owners_switch_the_emails_off() {
    let (app, post) = open_with(&[("RETOUCH_MAIL__LOW_CREDITS", "12")]).await;
    let ada = member(&app, &post, "ada@example.com").await;
    assert!(ada.get("/account").await.text().contains("name=\"warn\" value=\"yes\" checked"));
    let saved = ada.submit("/account/emails", &[]).await;
    assert_eq!(saved.header("location"), Some("/account?done=emails"), "{}", saved.text());
    assert!(!ada.get("/account").await.text().contains("value=\"yes\" checked"));
    let caller = ada.clone().with_key().await;
    sent(&app, &post).await;
    caller.edit("go").await.ok();
    assert_eq!(sent(&app, &post).await.len(), 0);
    ada.submit("/account/emails", &[("warn", "yes")]).await;
    assert!(ada.get("/account").await.text().contains("value=\"yes\" checked"));
    app.check().await;
}

#[tokio::test]
async fn renewals_and_failed_payments_are_told_once() {
    let post = Post::open().await;
    let url = post.url();
    let settings = [("RETOUCH_MAIL__SMTP_URL", &*url), ("RETOUCH_MAIL__FROM", "post@example.com")];
    let till = Till::with(&settings).await;
    let ada = member(&till.app, &post, "ada@example.com").await;
    let page = ada.post("/api/billing/checkout", &json!({ "plan": "basic" })).await.ok();
    let session = page["url"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let paid = till.ask("pay", &json!({ "session": session })).await;
    till.deliver(&json!({ "times": 2 })).await;
    assert_eq!(sent(&till.app, &post).await.len(), 0, "the first month is no renewal");
    till.wait(31).await;
    till.deliver(&json!({ "times": 3 })).await;
    let told = sent(&till.app, &post).await;
    assert_eq!(subjects(&told), ["Your Retouch plan was renewed"]);
    assert!(told[0].text.contains("Basic monthly (600 credits)"), "{}", told[0].text);
    till.ask("card", &json!({ "customer": paid["customer"], "declined": true })).await;
    till.wait(31).await;
    till.deliver(&json!({ "times": 2 })).await;
    let told = sent(&till.app, &post).await;
    assert_eq!(subjects(&told), ["The payment for your Retouch plan failed"]);
    assert!(told[0].text.contains("Basic monthly"), "{}", told[0].text);
    // Stripe tries again: first in vain, then with another card.
    till.wait(3).await;
    till.deliver(&json!({ "times": 2 })).await;
    assert_eq!(subjects(&sent(&till.app, &post).await), [""; 0], "each retry is not reported");
    till.ask("card", &json!({ "customer": paid["customer"], "declined": false })).await;
    let subscription = paid["subscription"].as_str().unwrap();
    let invoice = till.look(&format!("v1/subscriptions/{subscription}")).await;
    till.ask("retry", &json!({ "invoice": invoice["latest_invoice"] })).await;
    till.deliver(&json!({ "times": 2 })).await;
    let told = sent(&till.app, &post).await;
    assert_eq!(subjects(&told), ["Your Retouch plan was renewed"]);
    let other = json!({ "subscription": subscription, "price": till.prices[2] });
    till.ask("switch", &other).await;
    till.deliver(&json!({ "times": 2 })).await;
    assert_eq!(subjects(&sent(&till.app, &post).await), [""; 0], "a change of plan is no renewal");
    till.app.check().await;
}

#[tokio::test]
async fn administrators_are_told_of_a_request_and_its_owner_of_the_answer() {
    let (app, post) = open_with(&[]).await;
    let admin = member(&app, &post, "admin@example.com").await.with_header("accept", "text/html");
    let admin = admin_of(&app, admin).await;
    sent(&app, &post).await;
    let ada = member(&app, &post, "ada@example.com").await;
    sent(&app, &post).await;
    ada.submit("/credits/request", &[("words", "please <i>more</i>")]).await;
    let told = sent(&app, &post).await;
    assert_eq!(subjects(&told), ["Someone asked for credits on Retouch"]);
    assert_eq!(told[0].to, "admin@example.com");
    assert!(!told[0].text.contains("please"), "a stranger must not write emails through us");
    let page = admin.get("/admin/requests").await.text();
    assert!(page.contains("please") && !page.contains("<i>"), "{page}");
    assert!(page.contains("ada@example.com"), "{page}");
    let path = format!("/admin/users/{}/credits", id(&ada).await);
    let form = crate::admin::form(&admin, &ada).await;
    let fields = [("act", "grant"), ("credits", "100"), ("reason", "asked"), ("form", &*form)];
    let granted = admin.submit(&path, &fields).await;
    assert_eq!(granted.status, 303, "{}", granted.text());
    let told = sent(&app, &post).await;
    assert_eq!(subjects(&told), ["You have new Retouch credits"]);
    assert!(told[0].text.contains("added 100 credits"), "{}", told[0].text);
    assert!(admin.get("/admin/requests").await.text().contains("no open requests"));
    ada.submit("/credits/request", &[]).await;
    let dismiss = format!("/admin/requests/{}/dismiss", id(&ada).await);
    assert_eq!(admin.submit(&dismiss, &[]).await.status, 303);
    assert!(admin.get("/admin/log").await.text().contains("Dismissed a request for credits"));
    app.check().await;
}
