//! The messages to webhooks, as `openapi.json` describes them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{delivered, listen, open_with, path};
use crate::support::receiver::Arrived;

#[tokio::test]
async fn the_documented_messages_are_those_that_are_sent() {
    let (app, receiver) = open_with(&[("RETOUCH_MAIL__LOW_CREDITS", "12")]).await;
    let document = app.anon().get("/openapi.json").await.ok();
    let schema = |value: &Value| {
        let name = value["$ref"].as_str().unwrap().rsplit('/').next().unwrap();
        document["components"]["schemas"][name].clone()
    };
    let ada = app.member("ada@example.com").await;
    let webhook = listen(&ada, &receiver).await;
    ada.edit("go").await.ok();
    ada.edit("fail").await.is_error(500, "upstream_error", None);
    assert_eq!(ada.post(&path(&webhook, "/test"), &json!({})).await.status, 202);
    let arrived = delivered(&app, &receiver).await;
    let mut kinds = Vec::new();
    for message in arrived.iter().map(Arrived::json) {
        let kind = message["type"].as_str().unwrap().to_owned();
        let documented = &document["webhooks"][&kind]["post"];
        let content = &documented["requestBody"]["content"]["application/json"];
        let envelope = &content["schema"];
        assert_eq!(envelope["properties"]["type"]["const"], kind);
        assert_eq!(keys(&message), keys(&envelope["properties"]));
        let data = schema(&envelope["properties"]["data"]);
        let required = data["required"].as_array().map_or(0, Vec::len);
        assert_eq!(keys(&message["data"]).len(), required, "{data}");
        assert_eq!(keys(&message["data"]), keys(&data["properties"]));
        kinds.push(kind);
    }
    kinds.sort_unstable();
    let expected = ["credits.low", "generation.failed", "generation.succeeded", "webhook.test"];
    assert_eq!(kinds, expected);
    app.check().await;
}

fn keys(value: &Value) -> BTreeSet<&String> {
    value.as_object().into_iter().flat_map(|fields| fields.keys()).collect()
}
