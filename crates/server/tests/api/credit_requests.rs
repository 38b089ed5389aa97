//! Asking the administrators for credits, where none are sold.

use crate::support::TestApp;
use crate::support::till::Till;

#[tokio::test]
async fn a_member_asks_once_and_can_take_it_back() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let page = ada.get("/plans").await.text();
    assert!(page.contains("action=\"/credits/request\"") && !page.contains("9.90"), "{page}");
    assert!(ada.get("/credits").await.text().contains("/plans#ask"));
    let words = [("words", "For <b>50</b> product photos")];
    let asked = ada.submit("/credits/request", &words).await;
    assert_eq!(asked.header("location"), Some("/plans?asked"), "{}", asked.text());
    let page = ada.get("/plans?asked").await.text();
    assert!(page.contains("You asked for credits") && page.contains("Your request was sent"));
    ada.submit("/credits/request", &[("words", "again")]).await;
    let open = app.app.store.list_credit_requests().await.unwrap();
    assert_eq!(open.len(), 1, "one open request for each account");
    let first = (open[0].words.as_str(), open[0].available);
    assert_eq!(first, ("For <b>50</b> product photos", 15));
    ada.submit("/credits/request/withdraw", &[]).await;
    assert_eq!(app.app.store.count_credit_requests().await.unwrap(), 0);
    // A visitor signs in first.
    let anon = app.anon().with_header("sec-fetch-site", "same-origin");
    let gone = anon.submit("/credits/request", &[]).await;
    assert_eq!(gone.header("location"), Some("/sign-in?next=%2Fplans"));
    app.check().await;
}

#[tokio::test]
async fn requests_are_limited_and_short() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let long = "x".repeat(501);
    assert_eq!(ada.submit("/credits/request", &[("words", &long)]).await.status, 400);
    let statuses = async |times: usize| {
        let mut all = Vec::new();
        for _ in 0..times {
            all.push(ada.submit("/credits/request", &[]).await.status.as_u16());
            ada.submit("/credits/request/withdraw", &[]).await;
        }
        all
    };
    assert_eq!(statuses(4).await, [303, 303, 303, 429]);
    app.check().await;
}

#[tokio::test]
async fn a_request_goes_with_its_account_and_nobody_asks_where_credits_are_sold() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    ada.submit("/credits/request", &[]).await;
    let gone = ada.submit("/account/delete", &[("password", "correct horse")]).await;
    assert_eq!(gone.header("location"), Some("/"), "{}", gone.text());
    assert_eq!(app.app.store.count_credit_requests().await.unwrap(), 0);
    app.check().await;
    let till = Till::open().await;
    let bob = till.app.member("bob@example.com").await;
    assert_eq!(bob.submit("/credits/request", &[]).await.status, 400);
    till.app.check().await;
}
