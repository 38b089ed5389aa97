//! The Model Context Protocol over HTTP: tools and resources for the account of an API key, by the same
//! flow, limits and books as the API.

use std::sync::atomic::Ordering;

use axum::http::{Method, StatusCode};
use base64_simd::STANDARD;
use retouch_engine::codec;
use serde_json::{Value, json};

use crate::support::persona::{Answer, Persona};
use crate::support::{TestApp, pictures};

/// The most bytes of an answer that nobody asked to be larger.
const ANSWER_BYTES_MAX: usize = 256 * 1024;

/// Sends one request and returns the answer.
async fn send(caller: &Persona, method: &str, params: Value) -> Answer {
    let message = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
    caller.post("/mcp", &message).await
}

/// The result of a request that succeeded.
async fn result(caller: &Persona, method: &str, params: Value) -> Value {
    let answer = send(caller, method, params).await;
    let body = answer.ok();
    assert_eq!((&body["jsonrpc"], &body["id"]), (&json!("2.0"), &json!(7)), "{body}");
    assert!(body["result"].is_object(), "{body}");
    assert!(answer.bytes.len() < ANSWER_BYTES_MAX, "{} bytes", answer.bytes.len());
    body["result"].clone()
}

/// The result of a tool, whether it succeeded or not.
async fn call(caller: &Persona, name: &str, arguments: Value) -> Value {
    result(caller, "tools/call", json!({ "name": name, "arguments": arguments })).await
}

/// The data of a tool that succeeded.
#[track_caller]
fn data(result: &Value) -> &Value {
    assert_eq!(result["isError"], json!(false), "{result}");
    &result["structuredContent"]
}

/// The text of a tool that failed with `code`.
#[track_caller]
fn refusal<'a>(result: &'a Value, code: &str) -> &'a str {
    assert_eq!(result["isError"], json!(true), "{result}");
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.contains(&format!("code: {code}")), "{text}");
    text
}

fn image(width: u32, height: u32) -> String {
    format!("data:image/png;base64,{}", pictures::base64(width, height))
}

/// An edit by the built-in editor.
fn edit(instruction: &str) -> Value {
    json!({ "instruction": instruction, "images": [image(6, 4)] })
}

#[tokio::test]
async fn an_assistant_edits_an_image_and_pays_once() {
    let app = TestApp::new().await;
    let ada = app.caller("ada@example.com").await;
    let mut asked = edit("rotate left");
    asked["idempotency_key"] = "first".into();
    let first = call(&ada, "edit_image", asked.clone()).await;
    let generation = &data(&first)["generation"];
    assert_eq!((&generation["status"], &generation["cost"]), (&json!("succeeded"), &json!(6)));
    assert_eq!(generation["plan"]["words"], json!(["rotate 90 degrees counterclockwise"]));
    assert_eq!(first["structuredContent"]["available"], 9);
    let [text, preview, link] = first["content"].as_array().unwrap().as_slice() else {
        panic!("{first}")
    };
    let said = text["text"].as_str().unwrap();
    assert!(said.contains("6 credits charged, 9 left") && said.contains("rotate"), "{said}");
    assert_eq!(preview["mimeType"], "image/png");
    let bytes = STANDARD.decode_to_vec(preview["data"].as_str().unwrap()).unwrap();
    assert_eq!(codec::probe(&bytes, &codec::Limits::default()).unwrap().size(), (4, 6));
    assert_eq!((&link["type"], &link["mimeType"]), (&json!("resource_link"), &json!("image/png")));
    assert_eq!(link["uri"], generation["stored_images"][0]);

    // The same key gets the same result, and the books do not move.
    let again = call(&ada, "edit_image", asked.clone()).await;
    assert_eq!(data(&again)["generation"]["uuid"], generation["uuid"]);
    assert!(again["content"][0]["text"].as_str().unwrap().contains("as in the first call"));
    asked["instruction"] = "rotate right".into();
    refusal(&call(&ada, "edit_image", asked).await, "idempotency_mismatch");
    assert_eq!(ada.available().await, 9);

    // It is a generation like any other, and its image an input like any other.
    let uuid = generation["uuid"].as_str().unwrap();
    assert_eq!(ada.get(&format!("/api/generations/{uuid}")).await.ok()["cost"], 6);
    let next = json!({ "instruction": "sepia", "images": [link["uri"]] });
    data(&call(&ada, "edit_image", next).await);
    assert_eq!(app.results().len(), 2);
    app.check().await;
}

#[tokio::test]
async fn an_answer_is_small_unless_the_full_image_is_asked_for() {
    let app = TestApp::new().await;
    let ada = app.caller("ada@example.com").await;
    let asked = json!({ "instruction": "flip horizontally", "images": [image(1200, 900)] });
    let small = call(&ada, "edit_image", asked.clone()).await;
    let bytes = STANDARD.decode_to_vec(small["content"][1]["data"].as_str().unwrap()).unwrap();
    let (width, height) = codec::probe(&bytes, &codec::Limits::default()).unwrap().size();
    assert!(width <= 768 && height <= 768 && bytes.len() <= 128 * 1024, "{width}x{height}");

    let mut full = asked;
    full["full_image"] = true.into();
    let params = json!({ "name": "edit_image", "arguments": full });
    let full = send(&ada, "tools/call", params).await.ok()["result"].clone();
    let bytes = STANDARD.decode_to_vec(full["content"][1]["data"].as_str().unwrap()).unwrap();
    assert_eq!(codec::probe(&bytes, &codec::Limits::default()).unwrap().size(), (1200, 900));
    app.check().await;
    // The transport's tasks end after the answer.
    while app.app.bodies.used_bytes() > 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_plan_says_what_would_be_done_or_which_words_stop_it() {
    let app = TestApp::new().await;
    let ada = app.caller("ada@example.com").await;
    let planned =
        call(&ada, "plan_edit", json!({ "instruction": "crop to 1:1, then sepia" })).await;
    assert_eq!(data(&planned)["plan"]["steps"].as_array().unwrap().len(), 2);
    assert_eq!(data(&planned)["refusal"], Value::Null);
    let refused = call(&ada, "plan_edit", json!({ "instruction": "remove the dog" })).await;
    assert_eq!(data(&refused)["plan"], Value::Null);
    assert_eq!(data(&refused)["refusal"]["kind"], "needs_generative_model");
    assert!(refused["content"][0]["text"].as_str().unwrap().starts_with("Refused: "), "{refused}");
    refusal(&call(&ada, "plan_edit", json!({})).await, "missing_field");

    // A plan can be performed in place of an instruction.
    let plan = data(&planned)["plan"].clone();
    let made = call(&ada, "edit_image", json!({ "plan": plan, "images": [image(6, 4)] })).await;
    assert_eq!(data(&made)["generation"]["plan"]["steps"], plan["steps"]);
    app.check().await;
}

#[tokio::test]
async fn prices_models_and_the_balance_can_be_asked_for() {
    let app = TestApp::new().await;
    let ada = app.caller("ada@example.com").await;
    let estimate = call(&ada, "estimate_cost", edit("sepia")).await;
    assert_eq!(data(&estimate)["cost"], 6);
    assert_eq!(
        (&data(&estimate)["provider"], &data(&estimate)["available"]),
        (&json!("built-in"), &json!(15))
    );
    assert_eq!(data(&estimate)["warnings"], json!([]));
    let refused = call(&ada, "estimate_cost", edit("remove the dog")).await;
    refusal(&refused, "instruction_not_supported");
    let text = json!({ "instruction": "a red picture of 64x64 pixels" });
    assert_eq!(data(&call(&ada, "estimate_cost", text.clone()).await)["cost"], 6);
    let made = call(&ada, "generate_image", text).await;
    assert_eq!(data(&made)["generation"]["kind"], "text_to_image");

    let models = call(&ada, "list_models", json!({ "kind": "image_edit" })).await;
    let ids = data(&models)["data"].as_array().unwrap().iter().map(|model| model["id"].clone());
    assert!(ids.collect::<Vec<_>>().contains(&json!("gamma-2")));
    refusal(&call(&ada, "list_models", json!({ "kind": "sound" })).await, "invalid_value");
    assert_eq!(data(&call(&ada, "get_balance", json!({})).await)["available"], 9);
    app.check().await;
}

#[tokio::test]
async fn an_upload_is_used_by_its_id_and_only_by_its_owner() {
    let app = TestApp::new().await;
    let ada = app.caller("ada@example.com").await;
    let bob = app.caller("bob@example.com").await;
    let upload = call(&ada, "upload_image", json!({ "image": image(6, 4) })).await;
    let id = data(&upload)["id"].as_str().unwrap().to_owned();
    assert_eq!((&data(&upload)["width"], &data(&upload)["height"]), (&json!(6), &json!(4)));
    let asked = json!({ "instruction": "sepia", "images": [id] });
    data(&call(&ada, "edit_image", asked.clone()).await);
    let said = call(&bob, "edit_image", asked).await;
    assert!(refusal(&said, "image_fetch_failed").contains("argument: images[0]"), "{said}");
    for wrong in ["", "data:image/png,plain", "not base64!", "data:image/png;base64,"] {
        let refused = call(&ada, "upload_image", json!({ "image": wrong })).await;
        refusal(&refused, "invalid_value");
    }
    let text = call(&ada, "upload_image", json!({ "image": "aGVsbG8=" })).await;
    refusal(&text, "invalid_image");
    assert_eq!(ada.delete(&format!("/api/uploads/{id}")).await.status, 204);
    app.check().await;
}

#[tokio::test]
async fn what_a_tool_refuses_is_explained_and_free() {
    let app = TestApp::new().await;
    let ada = app.caller("ada@example.com").await;
    let no_image = call(&ada, "edit_image", json!({ "instruction": "sepia" })).await;
    let said = refusal(&no_image, "missing_field");
    assert!(said.contains("Pass it in `images`.") && said.contains("argument: images"), "{said}");
    for path in ["photo.jpg", "/etc/passwd", "file:///etc/passwd", "C:\\photo.jpg", ""] {
        let asked = json!({ "instruction": "sepia", "images": [path] });
        let refused = call(&ada, "edit_image", asked).await;
        assert!(refusal(&refused, "invalid_value").contains("images[0]"), "{refused}");
    }
    for (name, value, code) in [
        ("images", json!("photo.jpg"), "invalid_type"),
        ("images", json!([7]), "invalid_type"),
        ("idempotency_key", json!("two words"), "invalid_idempotency_key"),
        ("idempotency_key", json!(7), "invalid_type"),
        ("full_image", json!("yes"), "invalid_type"),
        ("model", json!("none"), "unknown_model"),
        ("instruction", json!("x".repeat(801)), "too_long"),
    ] {
        let mut asked = edit("sepia");
        asked[name] = value;
        refusal(&call(&ada, "edit_image", asked).await, code);
    }
    let mut odd = edit("sepia");
    odd["aspect_ratio"] = "1:1".into();
    let warned = call(&ada, "edit_image", odd).await;
    assert!(warned["content"][0]["text"].as_str().unwrap().contains("aspectRatio"), "{warned}");

    // With a provider that fails, and without credits.
    let mut asked = edit("fail");
    asked["model"] = "gamma-2".into();
    refusal(&call(&ada, "edit_image", asked).await, "upstream_error");
    data(&call(&ada, "edit_image", edit("sepia")).await);
    refusal(&call(&ada, "edit_image", edit("sepia")).await, "insufficient_credits");
    assert_eq!(ada.available().await, 3);
    app.check().await;
}

#[tokio::test]
async fn scopes_and_accounts_are_kept_apart() {
    let app = TestApp::new().await;
    let member = app.member("ada@example.com").await;
    let ada = member.clone().with_key().await;
    let bob = app.caller("bob@example.com").await;
    let made = call(&ada, "edit_image", edit("sepia")).await;
    let uuid = data(&made)["generation"]["uuid"].as_str().unwrap();
    let by_uuid = json!({ "uuid": uuid });
    let found = call(&ada, "get_generation", by_uuid.clone()).await;
    assert_eq!(data(&found)["generation"]["uuid"], uuid);
    assert_eq!(found["content"][1]["type"], "image");
    refusal(&call(&bob, "get_generation", by_uuid.clone()).await, "not_found");
    refusal(&call(&ada, "get_generation", json!({ "uuid": "x" })).await, "not_found");
    refusal(&call(&ada, "get_generation", json!({})).await, "missing_field");

    let uri = json!({ "uri": format!("retouch://generations/{uuid}") });
    let read = result(&ada, "resources/read", uri.clone()).await;
    let view: Value = serde_json::from_str(read["contents"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(view["uuid"], uuid);
    let refused = send(&bob, "resources/read", uri).await.ok();
    assert_eq!(refused["error"]["code"], -32_002, "{refused}");

    let key = member.post("/api/keys", &json!({ "name": "k", "scopes": ["read"] })).await.ok();
    let bearer = format!("Bearer {}", key["key"].as_str().unwrap());
    let reader = app.anon().with_header("authorization", &bearer);
    for tool in ["edit_image", "generate_image", "plan_edit", "estimate_cost", "upload_image"] {
        refusal(&call(&reader, tool, edit("sepia")).await, "missing_scope");
    }
    data(&call(&reader, "get_generation", by_uuid).await);
    assert_eq!(data(&call(&reader, "get_balance", json!({})).await)["available"], 9);
    app.check().await;
}

#[tokio::test]
async fn the_manual_is_a_resource() {
    let app = TestApp::new().await;
    let ada = app.caller("ada@example.com").await;
    let list = result(&ada, "resources/list", json!({})).await;
    assert_eq!(list["resources"][0]["uri"], "retouch://manual");
    let templates = result(&ada, "resources/templates/list", json!({})).await;
    let template = &templates["resourceTemplates"][0]["uriTemplate"];
    assert_eq!(template, "retouch://generations/{uuid}");
    let manual = result(&ada, "resources/read", json!({ "uri": "retouch://manual" })).await;
    assert_eq!(manual["contents"][0]["mimeType"], "text/markdown");
    assert!(manual["contents"][0]["text"].as_str().unwrap().contains("crop"));
    let unknown = send(&ada, "resources/read", json!({ "uri": "file:///etc/passwd" })).await.ok();
    assert_eq!(unknown["error"]["code"], -32_002, "{unknown}");
    assert_eq!(unknown["error"]["data"]["uri"], "file:///etc/passwd");
    app.check().await;
}

#[tokio::test]
async fn both_revisions_are_spoken() {
    let app = TestApp::new().await;
    let ada = app.caller("ada@example.com").await;
    // 2025-11-25 begins with a handshake, but needs no session.
    let client = json!({ "name": "test", "version": "1" });
    let hello = json!({
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client,
    });
    let answer = send(&ada, "initialize", hello).await;
    let server = answer.ok()["result"].clone();
    assert_eq!(server["protocolVersion"], "2025-11-25");
    assert_eq!(server["serverInfo"]["name"], "retouch");
    assert!(server["instructions"].as_str().unwrap().contains("plan_edit"));
    assert_eq!(answer.header("mcp-session-id"), None);
    let began = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(ada.post("/mcp", &began).await.status, StatusCode::ACCEPTED);
    assert_eq!(result(&ada, "ping", json!({})).await, json!({}));

    // 2026-07-28 sends everything with each request.
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": client,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let new = |method: &str, name: Option<&str>| {
        let caller = ada.clone().with_header("mcp-protocol-version", "2026-07-28");
        let caller = caller.with_header("mcp-method", method);
        name.into_iter().fold(caller, |caller, name| caller.with_header("mcp-name", name))
    };
    let discovered =
        result(&new("server/discover", None), "server/discover", json!({ "_meta": meta })).await;
    let versions = discovered["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2026-07-28")) && versions.contains(&json!("2025-11-25")));
    let list = result(&new("tools/list", None), "tools/list", json!({ "_meta": meta })).await;
    assert_eq!((&list["resultType"], &list["cacheScope"]), (&json!("complete"), &json!("public")));
    let params = json!({ "name": "get_balance", "arguments": {}, "_meta": meta });
    let balance =
        result(&new("tools/call", Some("get_balance")), "tools/call", params.clone()).await;
    assert_eq!(data(&balance)["available"], 15);
    let other = send(&new("tools/call", Some("edit_image")), "tools/call", params).await;
    assert_eq!(other.status, 400, "the header names another tool");
    app.check().await;
}

#[tokio::test]
async fn a_client_that_accepts_a_stream_gets_one() {
    let app = TestApp::new().await;
    let ada = app.caller("ada@example.com").await;
    let streaming = ada.with_header("accept", "application/json, text/event-stream");
    let mut params = json!({ "name": "edit_image", "arguments": edit("sepia") });
    params["_meta"] = json!({ "progressToken": "p" });
    let answer = send(&streaming, "tools/call", params).await;
    assert_eq!(answer.header("content-type"), Some("text/event-stream"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let text = answer.text();
    let events: Vec<Value> = text
        .lines()
        .filter_map(|line| line.strip_prefix("data:"))
        .map(|data| serde_json::from_str(data).unwrap())
        .collect();
    let [progress, last] = events.as_slice() else { panic!("{text}") };
    assert_eq!(progress["params"]["progressToken"], "p");
    data(&last["result"]);
    app.check().await;
}

#[tokio::test]
async fn only_programs_with_a_key_may_call() {
    let app = TestApp::new().await;
    let member = app.member("ada@example.com").await;
    let ada = member.clone().with_key().await;
    for stranger in [app.anon(), member, app.anon().with_header("authorization", "Bearer x")] {
        let answer = send(&stranger, "tools/list", json!({})).await;
        answer.is_error(401, "unauthenticated", None);
        assert!(answer.header("www-authenticate").unwrap().starts_with("Bearer"));
    }
    for origin in ["https://evil.example", "http://evil.example:8080", "null"] {
        let page =
            ada.clone().with_header("origin", origin).with_header("host", "evil.example:8080");
        send(&page, "tools/list", json!({})).await.is_error(403, "cross_site_request", None);
    }
    let ours = ada.clone().with_header("origin", "http://localhost:6274");
    assert_eq!(send(&ours, "tools/list", json!({})).await.status, 200);
    for method in [Method::GET, Method::DELETE] {
        ada.send(method, "/mcp", None).await.is_error(405, "method_not_allowed", None);
    }
    let text = ada.clone().with_header("content-type", "text/plain");
    text.send(Method::POST, "/mcp", Some(b"{}".to_vec())).await.is_error(
        415,
        "unsupported_media_type",
        None,
    );
    app.check().await;
}

#[tokio::test]
async fn hostile_messages_change_nothing() {
    let app = TestApp::with(&[("RETOUCH_SERVER__BODY_SIZE_MAX", "1 MiB")]).await;
    let ada = app.caller("ada@example.com").await;
    let call = json!({ "name": "edit_image", "arguments": edit("sepia") });
    let message = |id: Value, method: &str, params: &Value| {
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
    };
    let whole = message(json!(1), "tools/call", &call);
    let deep = "[".repeat(100_000);
    for (body, code) in [
        (String::new(), -32_700),
        (whole[..whole.len() - 1].to_owned(), -32_700),
        (format!("[{whole}]"), -32_600),
        (deep, -32_600),
        (
            format!(r#"{{"jsonrpc":"2.0","method":"ping","params":[{}0]}}"#, "0,".repeat(20_000)),
            -32_600,
        ),
        (whole.replace("2.0", "1.0"), -32_600),
        (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#.to_owned(), -32_600),
    ] {
        let answer = ada.send(Method::POST, "/mcp", Some(body.clone().into_bytes())).await;
        assert_eq!(answer.status, 400, "{body:.80}");
        assert_eq!(answer.json()["error"]["code"], code, "{body:.80}");
    }
    // What is JSON-RPC and makes no sense is refused in its own way.
    for body in [
        message(json!(1), "tools/call", &json!(null)),
        message(json!(1), "tools/call", &json!([])),
        message(json!(1), "tools/call", &json!({ "arguments": {} })),
        message(json!(1), "tools/call", &json!({ "name": "drop_tables" })),
        message(json!(1), "tools/call", &json!({ "name": "edit_image", "arguments": [1] })),
        message(json!({}), "tools/call", &call),
        message(json!(1), "no/such/method", &json!({})),
        message(json!(1), "sampling/createMessage", &json!({})),
        message(json!(1), "subscriptions/listen", &json!({ "notifications": {} })),
        message(json!(1), "resources/subscribe", &json!({ "uri": "retouch://manual" })),
        // Without an id, it is a notification, which runs nothing.
        json!({ "jsonrpc": "2.0", "method": "tools/call", "params": call }).to_string(),
    ] {
        let answer = ada.send(Method::POST, "/mcp", Some(body.clone().into_bytes())).await;
        assert!(answer.status.as_u16() < 500, "{body:.80}: {}", answer.text());
        if answer.status == 200 {
            assert!(answer.json()["error"]["code"].is_i64(), "{body:.80}: {}", answer.text());
        }
    }
    let large = message(json!(1), "tools/call", &json!({ "name": "x".repeat(1 << 20) }));
    let refused = ada.send(Method::POST, "/mcp", Some(large.into_bytes())).await;
    refused.is_error(413, "body_too_large", None);
    assert_eq!(ada.available().await, 15);
    assert_eq!(app.provider.begun.load(Ordering::Relaxed), 0);
    assert_eq!(app.results().len(), 0);
    app.check().await;
}

#[tokio::test]
async fn calls_count_toward_the_limits_of_the_api() {
    let app = TestApp::with(&[
        ("RETOUCH_EDITS__CALLS_PER_MINUTE_PER_ACCOUNT", "2"),
        ("RETOUCH_SERVER__READS_PER_MINUTE_PER_ACCOUNT", "6"),
    ])
    .await;
    let ada = app.caller("ada@example.com").await;
    data(&call(&ada, "edit_image", edit("sepia")).await);
    refusal(&call(&ada, "edit_image", edit("remove the dog")).await, "instruction_not_supported");
    let third = call(&ada, "generate_image", json!({ "instruction": "a red picture" })).await;
    assert!(refusal(&third, "rate_limited").contains("Try again in"), "{third}");
    ada.edit("go").await.is_error(429, "rate_limited", None);
    // Each message counts as a call that reads.
    for _ in 0..3 {
        call(&ada, "get_balance", json!({})).await;
    }
    send(&ada, "tools/list", json!({})).await.is_error(429, "rate_limited", None);
    app.check().await;
}

#[tokio::test]
async fn failures_count_toward_the_limit_on_failures() {
    let app = TestApp::with(&[("RETOUCH_EDITS__FAILURES_PER_MINUTE_PER_ACCOUNT", "2")]).await;
    let ada = app.caller("ada@example.com").await;
    for _ in 0..2 {
        let refused = call(&ada, "edit_image", edit("remove the dog")).await;
        refusal(&refused, "instruction_not_supported");
    }
    refusal(&call(&ada, "edit_image", edit("sepia")).await, "rate_limited");
    app.check().await;
}

#[tokio::test]
async fn a_client_that_hangs_up_is_charged_for_a_stored_result_only() {
    let app = TestApp::new().await;
    let ada = app.caller("ada@example.com").await;
    let mut asked = edit("wait");
    (asked["model"], asked["idempotency_key"]) = ("gamma-2".into(), "k".into());
    let (caller, params) = (ada.clone(), json!({ "name": "edit_image", "arguments": asked }));
    let waiting = params.clone();
    let first = tokio::spawn(async move { send(&caller, "tools/call", waiting).await });
    app.provider.waiting.acquire().await.unwrap().forget();
    first.abort();
    assert!(first.await.unwrap_err().is_cancelled());
    let early = call(&ada, "edit_image", params["arguments"].clone()).await;
    refusal(&early, "idempotency_in_progress");
    app.provider.gate.add_permits(1);
    app.settled().await;
    let again = call(&ada, "edit_image", params["arguments"].clone()).await;
    assert_eq!(data(&again)["available"], 9);
    assert_eq!(app.provider.begun.load(Ordering::Relaxed), 1);
    app.check().await;
}
