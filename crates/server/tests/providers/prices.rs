//! Requests to a provider stay within what the price covers and what the operator allows.

use axum::http::StatusCode;
use serde_json::json;

use crate::service::Service;
use crate::table::{GEMINI, OPENAI};

#[tokio::test(flavor = "multi_thread")]
async fn a_size_that_no_price_covers_is_refused_before_a_provider_is_asked() {
    let service = Service::new(&[&GEMINI]).await;
    let before = service.credits().await;
    let (status, body) = service.edit_with("too large", json!({ "size": "4096x4096" })).await;
    let error = &body["error"];
    assert_eq!(
        (status, &error["code"]),
        (StatusCode::BAD_REQUEST, &json!("invalid_value")),
        "{body}"
    );
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains("size 1K (6 credits)") && message.contains("size 2K (12"),
        "{message}"
    );
    assert_eq!((service.credits().await, service.worked("too large")), (before, 0));
    let (status, body) = service.edit_with("of 2K", json!({ "size": "2048x2048" })).await;
    assert_eq!((status, &body["cost"]), (StatusCode::OK, &json!(12)), "{body}");
    service.check().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_at_its_limit_for_the_day_is_passed_over_until_none_is_left() {
    // A call costs 0.03 in the catalogue: the first limit allows none, the second allows one.
    let limits = [
        ("RETOUCH_PROVIDERS__GEMINI__USD_PER_DAY_MAX", "0.02"),
        ("RETOUCH_PROVIDERS__OPENAI__USD_PER_DAY_MAX", "0.05"),
    ];
    let service = Service::with(&[&GEMINI, &OPENAI], &limits).await;
    let (status, body) = service.edit("the first").await;
    assert_eq!(status, StatusCode::OK, "{body}");
    assert_eq!(body["generation"]["provider"], "openai");
    let spending = service.app.store.list_spending().await.unwrap();
    let spent: Vec<_> =
        spending.iter().map(|one| (one.provider.as_str(), one.spent.to_string())).collect();
    assert_eq!(spent, [("openai", "0.03".to_owned())]);
    let before = service.credits().await;
    let (status, body) = service.edit("the second").await;
    let error = &body["error"];
    assert_eq!((status, &error["code"]), (StatusCode::SERVICE_UNAVAILABLE, &json!("overloaded")));
    assert!(error["message"].as_str().unwrap().contains("daily spending limit"), "{body}");
    assert_eq!((service.credits().await, service.worked("the second")), (before, 0));
    service.check().await;
}
