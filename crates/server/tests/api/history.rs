//! The history page: what it finds, and what it does with several generations at once.

use serde_json::json;

use crate::results::unzipped;
use crate::support::TestApp;
use crate::support::persona::Persona;

const DAY_MS: i64 = 86_400_000;

async fn made(ada: &Persona, instruction: &str) -> String {
    let made = ada.edit(instruction).await.ok();
    made["generation"]["uuid"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn the_history_is_searched_by_words_dates_models_and_stars() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await.with_header("accept", "text/html");
    let old = made(&ada, "make the sky blue").await;
    ada.edit("fail").await.is_error(500, "upstream_error", None);
    let failed = ada.get("/api/generations").await.ok()["data"][0]["uuid"].clone();
    let failed = failed.as_str().unwrap();
    app.clock.advance_ms(2 * DAY_MS);
    let young = made(&ada, "make it warmer").await;
    let change = json!({ "name": "Harbor", "starred": true });
    ada.patch(&format!("/api/generations/{young}"), &change).await.ok();
    for (query, found) in [
        ("", vec![&*old, &young]),
        ("?q=blue+MAKE", vec![&*old]),
        ("?q=harbor", vec![&*young]),
        ("?starred=true", vec![&*young]),
        ("?from=2026-11-21", vec![&*young]),
        ("?to=2026-11-20", vec![&*old]),
        ("?from=2026-11-20&to=2026-11-20&status=any", vec![&*old, failed]),
        ("?model=gamma-2", vec![&*old, &young]),
        ("?model=delta-5-0", vec![]),
        ("?status=failed", vec![failed]),
        ("?status=any", vec![&*old, failed, &young]),
    ] {
        let text = ada.get(&format!("/history{query}")).await.text();
        for uuid in [&*old, failed, &young] {
            let is_there = text.contains(&format!("href=\"/history/{uuid}\""));
            assert_eq!(is_there, found.contains(&uuid), "{query}: {uuid}");
        }
    }
    for query in ["?from=yesterday", "?to=2026-02-30", "?status=broken"] {
        assert_eq!(ada.get(&format!("/history{query}")).await.status, 400, "{query}");
    }
    app.check().await;
}

#[tokio::test]
async fn selected_generations_are_starred_downloaded_and_deleted_by_a_form() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await.with_header("accept", "text/html");
    let bob = app.member("bob@example.com").await.with_header("accept", "text/html");
    let (one, two) = (made(&ada, "one").await, made(&ada, "two").await);
    let theirs = made(&bob, "theirs").await;
    let act = async |act: &str, uuids: &[&str]| {
        let uuids = uuids.iter().map(|uuid| ("uuid", *uuid));
        let fields: Vec<_> =
            uuids.chain([("act", act), ("back", "/history?q=o&deleted=9")]).collect();
        ada.submit("/history/selected", &fields).await
    };
    let starred = async |uuid: &str| {
        ada.get(&format!("/api/generations/{uuid}")).await.ok()["starred"].as_bool().unwrap()
    };
    assert_eq!(act("star", &[&one, &two]).await.status, 303);
    assert!(starred(&one).await && starred(&two).await);
    assert_eq!(act("unstar", &[&two]).await.status, 303);
    assert!(starred(&one).await && !starred(&two).await);
    assert_eq!(ada.submit("/history/selected", &[("star", two.as_str())]).await.status, 303);
    assert!(starred(&two).await);
    assert_eq!(unzipped(&act("zip", &[&one, &two]).await.bytes).len(), 2);
    assert_eq!(act("zip", &[&one, &theirs]).await.status, 404);
    assert_eq!(act("star", &[]).await.status, 400);
    assert_eq!(act("burn", &[&one]).await.status, 400);
    let deleted = act("delete", &[&one, &two, &theirs]).await;
    assert_eq!(deleted.header("location"), Some("/history?q=o&deleted=2"));
    app.settled().await;
    assert_eq!(app.results().len(), 1, "theirs");
    let text = ada.get("/history?deleted=2").await.text();
    assert!(text.contains("2 generations were deleted."), "{text}");
    assert_eq!(bob.get(&format!("/history/{theirs}")).await.status, 200);
    app.check().await;
}

#[tokio::test]
async fn the_page_of_a_generation_names_stars_and_shares_it() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await.with_header("accept", "text/html");
    let bob = app.member("bob@example.com").await;
    let uuid = made(&ada, "make it grey").await;
    let (page, change) = (format!("/history/{uuid}"), format!("/history/{uuid}/change"));
    let fields = [("name", "Fog <1>"), ("starred", "true"), ("shared", "true")];
    assert_eq!(bob.submit(&change, &fields).await.status, 404);
    assert_eq!(ada.submit(&change, &fields).await.header("location"), Some(&*page));
    let text = ada.get(&page).await.text();
    let generation = ada.get(&format!("/api/generations/{uuid}")).await.ok();
    let link = generation["share_url"].as_str().unwrap();
    assert_eq!(generation["name"], "Fog <1>");
    let named = "download=Fog+-1-.webp\" download=\"Fog -1-.webp\"";
    for words in ["Fog &#60;1&#62;", "★ Starred", link, "format=webp", named] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let ended = [("shared", "false"), ("name", "")];
    ada.submit(&change, &ended).await;
    let generation = ada.get(&format!("/api/generations/{uuid}")).await.ok();
    assert_eq!((&generation["share_url"], &generation["name"]), (&json!(null), &json!(null)));
    assert_eq!(generation["starred"], true);
    app.check().await;
}
