//! The page of transactions and its export.

use retouch_core::credits::{BucketKind, Command, Grant, TakeBack};
use retouch_core::{Clock, Credits};
use serde_json::json;
use tokio::task::JoinSet;

use crate::support::TestApp;
use crate::support::persona::Persona;

const DAY_MS: i64 = 86_400_000;

/// The lines of the export without its head, each with its kind and amount.
async fn lines(ada: &Persona) -> Vec<(String, i64)> {
    let text = ada.get("/credits.csv").await.text();
    let lines = text.split_terminator("\r\n").skip(1);
    let fields = lines.map(|line| line.split(',').collect::<Vec<_>>());
    fields.map(|fields| (fields[2].to_owned(), fields[3].parse().unwrap())).collect()
}

#[tokio::test]
async fn exported_amounts_add_up_to_the_available_credits() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let account = ada.get("/api/account").await.ok()["id"].as_str().unwrap().parse().unwrap();
    let grant = |source: &str, credits: u32, expires_at| {
        let (kind, source_key) = (BucketKind::Operator, source.into());
        let (credits, description) = (Credits::from(credits), "thanks".into());
        Command::Grant(Grant { kind, credits, source_key, expires_at, priority: None, description })
    };
    let books = &app.app.store;
    books.ledger(&account, grant("a", 300, None)).await.unwrap();
    let mut late = JoinSet::new();
    for _ in 0..2 {
        let ada = ada.clone();
        late.spawn(async move { ada.edit("wait").await.ok() });
    }
    app.provider.waiting.acquire_many(2).await.unwrap().forget();
    // More entries than the export reads at a time.
    for number in 0..60 {
        ada.edit(if number % 4 == 0 { "fail" } else { "go" }).await;
    }
    let tomorrow = app.clock.now().plus_ms(DAY_MS);
    books.ledger(&account, grant("b", 40, Some(tomorrow))).await.unwrap();
    adds_up(&ada, [3, 45, 15, 2, 0, 0]).await;

    app.provider.gate.add_permits(1);
    late.join_next().await.unwrap().unwrap();
    app.clock.advance_ms(2 * DAY_MS);
    let taken = TakeBack {
        credits: Credits::from(7_u32),
        excused_max: None,
        source_key: "c".into(),
        only_from: None,
        description: "taken".into(),
    };
    books.ledger(&account, Command::TakeBack(taken)).await.unwrap();
    adds_up(&ada, [3, 46, 15, 1, 1, 1]).await;

    app.provider.gate.add_permits(1);
    late.join_next().await.unwrap().unwrap();
    adds_up(&ada, [3, 47, 15, 0, 1, 1]).await;
    app.check().await;
}

/// Checks that the export has so many lines of each kind, and that its amounts add up.
async fn adds_up(ada: &Persona, counts: [usize; 6]) {
    let lines = lines(ada).await;
    let count = |kind: &str| lines.iter().filter(|(it, _)| it == kind).count();
    let kinds = ["grant", "capture", "release", "hold", "expire", "take_back"];
    assert_eq!(kinds.map(count), counts, "{lines:?}");
    let sum: i64 = lines.iter().map(|(_, amount)| amount).sum();
    assert_eq!(sum, ada.available().await);
}

#[tokio::test]
async fn one_run_is_one_row_that_can_be_opened() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await.with_header("accept", "text/html");
    ada.edit("make it grey").await.ok();
    ada.edit("fail").await.is_error(500, "upstream_error", None);
    let page = ada.get("/credits").await.text();
    let table = page.split("<table class=\"ledger\">").nth(1).unwrap();
    let rows: Vec<&str> = table.split("<tr>").skip(2).collect();
    assert_eq!(rows.len(), 3, "{table}");
    for (row, words) in [
        (rows[0], vec!["Not charged", "Reserved 6 credits", "Returned 6 credits", ">0<", ">9<"]),
        (rows[1], vec!["Charged", "Reserved 6 credits", "Charged 6 credits", ">\u{2212}6<", ">9<"]),
        (rows[2], vec!["Added", "Welcome", ">+15<", ">15<"]),
    ] {
        for words in words {
            assert!(row.contains(words), "{words}: {row}");
        }
    }
    let data = ada.get("/api/credits/entries").await.ok();
    assert_eq!(data["data"].as_array().unwrap().len(), 5, "the API lists every entry");
    assert_eq!(data["has_more"], json!(false));
    app.check().await;
}
