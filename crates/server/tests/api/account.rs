//! The account and its transactions.

use retouch_server::billing;
use retouch_store::AssignPlan;
use serde_json::{Value, json};

use crate::support::TestApp;

#[tokio::test]
async fn the_ledger_tells_every_change_newest_first() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let uuid = caller.edit("go").await.ok()["generation"]["uuid"].clone();
    caller.edit("fail").await.is_error(500, "upstream_error", None);
    let entries = caller.get("/api/credits/entries").await.ok();
    let told: Vec<(&Value, &Value, &Value, &Value)> = entries["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            (&entry["kind"], &entry["amount"], &entry["available_after"], &entry["held_after"])
        })
        .collect();
    let expected = [
        ("release", 6, 9, 0),
        ("hold", -6, 3, 6),
        ("capture", -6, 9, 0),
        ("hold", -6, 9, 6),
        ("grant", 15, 15, 0),
    ];
    let expected: Vec<_> = expected
        .iter()
        .map(|(kind, amount, available, held)| {
            (json!(kind), json!(amount), json!(available), json!(held))
        })
        .collect();
    assert_eq!(told, expected.iter().map(|(a, b, c, d)| (a, b, c, d)).collect::<Vec<_>>());
    assert_eq!(entries["data"][2]["generation_uuid"], uuid);
    assert_eq!(entries["data"][4]["generation_uuid"], json!(null));
    app.check().await;
}

#[tokio::test]
async fn lists_are_walked_page_by_page() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    caller.edit("go").await.ok();
    caller.edit("go").await.ok();
    let mut path = "/api/credits/entries?limit=2".to_owned();
    let mut ids = Vec::new();
    loop {
        let page = caller.get(&path).await.ok();
        ids.extend(
            page["data"]
                .as_array()
                .unwrap()
                .iter()
                .map(|entry| entry["id"].as_str().unwrap().to_owned()),
        );
        assert_eq!(page["has_more"], page["next_cursor"].is_string());
        match page["next_cursor"].as_str() {
            Some(cursor) => path = format!("/api/credits/entries?limit=2&cursor={cursor}"),
            None => break,
        }
    }
    assert_eq!(ids.len(), 5);
    let mut distinct = ids.clone();
    distinct.dedup();
    assert_eq!(ids, distinct);
    for limit in ["0", "101", "-1", "x", "1.5"] {
        let answer = caller.get(&format!("/api/credits/entries?limit={limit}")).await;
        answer.is_error(400, "invalid_value", Some("limit"));
    }
    for list in ["/api/credits/entries", "/api/generations"] {
        caller.get(&format!("{list}?cursor=nonsense")).await.is_error(
            400,
            "invalid_cursor",
            Some("cursor"),
        );
    }
    app.check().await;
}

#[tokio::test]
async fn whoever_is_not_known_gets_401_everywhere() {
    let app = TestApp::new().await;
    for path in [
        "/api/account",
        "/api/credits",
        "/api/credits/entries",
        "/api/credits/entries?limit=0",
        "/api/keys",
        "/api/keys?limit=x",
        "/api/generations",
        "/api/generations?cursor=nonsense&limit=101",
        "/api/generations/0190a0a0-0000-7000-8000-000000000000",
    ] {
        app.anon().get(path).await.is_error(401, "unauthenticated", None);
    }
    app.check().await;
}

#[tokio::test]
async fn an_account_calls_as_often_as_it_may_and_others_are_not_touched_by_that() {
    let app = TestApp::with(&[("RETOUCH_EDITS__CALLS_PER_MINUTE_PER_ACCOUNT", "2")]).await;
    let (ada, bob) = (app.caller("ada@example.com").await, app.caller("bob@example.com").await);
    ada.edit("go").await.ok();
    // Every call counts, even one whose instruction is refused.
    ada.edit("refuse at once").await.is_error(400, "content_refused", None);
    let third = ada.edit("go").await;
    third.is_error(429, "rate_limited", None);
    assert!(third.header("retry-after").unwrap().parse::<u32>().unwrap() >= 1);
    assert_eq!(ada.available().await, 9);
    bob.edit("go").await.ok();
    app.check().await;
}

#[tokio::test]
async fn the_account_says_which_plan_it_has_and_its_months_come_by_themselves() {
    let app = TestApp::new().await;
    let member = app.caller("ada@example.com").await;
    let account = member.get("/api/account").await.ok();
    assert_eq!((&account["plan"], &account["subscription"]), (&json!(null), &json!(null)));
    let plans = app.app.catalogue.plans.clone();
    let deed = retouch_store::Deed { by: None, reason: String::new(), request_id: None };
    let given = AssignPlan { plan: plans[0].clone(), plans };
    let id = account["id"].as_str().unwrap().parse().unwrap();
    app.app.store.assign_plan(&id, given, deed).await.unwrap();
    let account = member.get("/api/account").await.ok();
    assert_eq!(account["plan"], "basic");
    assert_eq!(
        account["subscription"],
        json!({
            "plan": "basic",
            "status": "active",
            "source": "operator",
            "current_until": "2026-12-20T12:00:00.000Z",
            "cancel_at": null,
            "next_plan": null,
        })
    );
    app.clock.advance_ms(31 * 24 * 3_600_000);
    assert_eq!(billing::grant_months(&app.app).await.unwrap(), 1);
    assert_eq!(billing::grant_months(&app.app).await.unwrap(), 0);
    assert_eq!(member.available().await, 15 + 1_200);
    app.check().await;
}
