//! The API documents, health checks, metrics and response headers.

use serde_json::{Value, json};

use crate::support::{TestApp, log};

#[tokio::test]
async fn the_shipped_plans_are_listed_with_their_prices() {
    let app = TestApp::new().await;
    let plans = app.anon().get("/api/plans").await.ok();
    let plan = |id: &str, name: &str, credits: u32, price: &str| {
        json!({
            "id": id, "name": name, "credits_per_month": credits, "price_usd": price,
            "unused_credits": "stay", "results_kept_days": null, "calls_per_minute": null,
            "edits_at_once_max": 256, "videos_at_once_max": 4,
        })
    };
    let data = [
        plan("basic", "Basic monthly", 600, "9.90"),
        plan("pro", "Pro monthly", 1300, "19.90"),
        plan("max", "Max monthly", 2100, "29.90"),
    ];
    assert_eq!(plans, json!({ "data": data, "has_more": false, "next_cursor": null }));
    app.check().await;
}

#[tokio::test]
async fn the_openapi_document_describes_every_address_and_nothing_else() {
    let app = TestApp::new().await;
    let document = app.anon().get("/openapi.json").await.ok();
    assert_eq!(
        document["openapi"].as_str().unwrap().split('.').take(2).collect::<Vec<_>>(),
        ["3", "1"]
    );
    let mut addresses: Vec<String> = document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, methods)| {
            methods.as_object().unwrap().keys().map(move |method| format!("{method} {path}"))
        })
        .collect();
    addresses.sort();
    insta::assert_snapshot!(addresses.join("\n"));
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            let names = ["{uuid}", "{id}", "{name}", "{delivery}"];
            let filled = names.iter().fold(path.clone(), |path, name| path.replace(name, "x"));
            let answer =
                app.anon().send(method.to_uppercase().parse().unwrap(), &filled, None).await;
            assert_ne!(answer.status, 405, "{method} {path}");
            let routed = answer.status != 404 || path.starts_with("/files/");
            assert!(routed, "{method} {path}");
        }
    }
    app.check().await;
}

#[tokio::test]
async fn the_openapi_document_names_what_each_call_can_end_in() {
    let app = TestApp::new().await;
    let document = app.anon().get("/openapi.json").await.ok();
    let cookie = &document["components"]["securitySchemes"]["session"]["name"];
    assert_eq!(cookie, "retouch_session", "the name that the cookie has over plain HTTP");
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, call) in methods.as_object().unwrap() {
            let mut ends = Vec::new();
            if call["requestBody"].is_object() {
                ends.extend(["400", "413", "415"]);
            }
            if call["parameters"].to_string().contains("\"limit\"") {
                ends.push("400");
            }
            if call["security"].is_array() {
                ends.push("401");
            }
            // A request from another site's page may carry the session cookie.
            if call["security"].to_string().contains("session") && method != "get" {
                ends.push("403");
            }
            for end in ends {
                assert!(call["responses"][end].is_object(), "{method} {path}: {end}");
            }
        }
    }
    app.check().await;
}

#[tokio::test]
async fn the_documented_shapes_are_those_that_are_sent() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    let body = caller.edit("go").await.ok();
    let document = app.anon().get("/openapi.json").await.ok();
    let schemas = &document["components"]["schemas"];
    // Every field of a schema, and those that are always there.
    let documented = |name: &str| {
        let required = schemas[name]["required"].as_array().unwrap();
        let required = required.iter().map(|field| field.as_str().unwrap().to_owned());
        (keys(&schemas[name]["properties"]), required.collect::<Vec<_>>())
    };
    for (sent, name) in [
        (&body, "EditResponse"),
        (&body["warnings"][0], "Warning"),
        (&body["usage"], "Usage"),
        (&caller.get("/api/credits").await.ok(), "CreditsView"),
        (&app.anon().get("/api/plans").await.ok()["data"][0], "PlanView"),
    ] {
        let (all, mut required) = documented(name);
        required.sort();
        assert_eq!(required, keys(sent), "{name}");
        assert!(name == "CreditsView" || all == required, "{name}: {all:?}");
    }
    let (all, mut required) = documented("GenerationView");
    required.sort();
    assert_eq!(required, keys(&body["generation"]));
    assert_eq!(all.len(), required.len() + 2, "only `plan` and `error` may be missing: {all:?}");
    app.check().await;
}

fn keys(value: &Value) -> Vec<String> {
    let mut keys: Vec<String> = value.as_object().unwrap().keys().cloned().collect();
    keys.sort();
    keys
}

#[tokio::test]
async fn every_reference_in_the_openapi_document_leads_somewhere() {
    fn references(value: &Value) -> Vec<&str> {
        match value {
            Value::Object(fields) => {
                let own = fields.get("$ref").and_then(Value::as_str);
                own.into_iter().chain(fields.values().flat_map(references)).collect()
            }
            Value::Array(items) => items.iter().flat_map(references).collect(),
            _ => Vec::new(),
        }
    }
    let app = TestApp::new().await;
    let document = app.anon().get("/openapi.json").await.ok();
    for reference in references(&document) {
        assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
    }
    app.check().await;
}

#[tokio::test]
async fn every_list_has_pages() {
    let app = TestApp::new().await;
    let document = app.anon().get("/openapi.json").await.ok();
    let mut lists = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        let response = &methods["get"]["responses"]["200"]["content"]["application/json"]["schema"];
        let is_list = response["$ref"].as_str().is_some_and(|name| name.contains("ListView"));
        let parameters = methods["get"]["parameters"].to_string();
        for name in ["limit", "cursor"] {
            let is_there = parameters.contains(&format!("\"name\":\"{name}\""));
            assert_eq!(is_there, is_list, "{path}: {name}");
        }
        lists += usize::from(is_list);
    }
    assert_eq!(lists, 11);

    let ada = app.member("ada@example.com").await;
    for path in ["/api/models", "/api/plans", "/api/models?kind=video"] {
        let whole = app.anon().get(path).await.ok();
        let with =
            |more: &str| format!("{path}{}{more}", if path.contains('?') { '&' } else { '?' });
        let (mut seen, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = app.anon().get(&with(&format!("limit=2&cursor={cursor}"))).await.ok();
            assert!(page["data"].as_array().unwrap().len() <= 2);
            seen.extend(page["data"].as_array().unwrap().clone());
            assert_eq!(page["has_more"], json!(page["next_cursor"].is_string()));
            let Some(next) = page["next_cursor"].as_str() else { break };
            cursor = next.to_owned();
        }
        assert_eq!(json!(seen), whole["data"], "{path}");
        let wrong = app.anon().get(&with("limit=101")).await;
        wrong.is_error(400, "invalid_value", Some("limit"));
        // A cursor of another list.
        let keys = ada.get("/api/packs?cursor=bm9uZQ").await;
        keys.is_error(400, "invalid_cursor", Some("cursor"));
    }
    app.check().await;
}

#[tokio::test]
async fn the_plan_of_an_edit_is_not_documented_as_a_plan_to_buy() {
    let app = TestApp::new().await;
    let document = app.anon().get("/openapi.json").await.ok();
    let response = &document["paths"]["/api/plan"]["post"]["responses"]["200"];
    let name = response["content"]["application/json"]["schema"]["$ref"].as_str().unwrap();
    let schema = document.pointer(name.trim_start_matches('#')).unwrap();
    let asked = json!({ "instruction": "sepia" });
    assert_eq!(keys(&schema["properties"]), keys(&app.anon().post("/api/plan", &asked).await.ok()));
    app.check().await;
}

#[tokio::test]
async fn the_pages_list_every_address_and_every_error_and_loads_nothing_from_elsewhere() {
    let app = TestApp::new().await;
    let page = app.anon().get("/docs").await;
    assert!(page.header("content-security-policy").unwrap().contains("default-src 'none'"));
    let start = page.text();
    for row in retouch_server::error::Code::ALL {
        assert!(start.contains(&format!("<code>{}</code>", row.name)), "{}", row.name);
    }
    let operations = app.anon().get("/docs/operations").await.text();
    for edit in retouch_engine::capabilities().iter().chain(retouch_engine::makings()) {
        assert!(operations.contains(edit.summary), "{}", edit.name);
    }
    let html = app.anon().get("/docs/reference").await.text();
    for path in ["/api/image-edit", "/api/generations/{uuid}", "/metrics"] {
        assert!(html.contains(path), "{path}");
    }
    let (first, billing) = (html.find("/api/image-edit"), html.find("/api/billing/checkout"));
    assert!(first < billing, "readers need billing last");
    assert!(html.contains("<code>idempotent-replayed: true</code>") && !html.contains('`'));
    for page in [start, operations, html] {
        assert!(!page.contains("style=\"") && !page.contains("src=\"http"));
        assert!(page.contains("id=\"find\"") && page.contains("href=\"/studio\""));
    }
    app.check().await;
}

#[tokio::test]
async fn the_table_of_errors_in_the_documents_is_the_one_of_the_code() {
    let mut page = String::from(
        "# Errors\n\n\
         Every error has the body `{ \"error\": { \"type\", \"code\", \"message\", \"param\", \"request_id\" } }`.\n\
         Use `code` in programs: its meaning never changes. `message` is for people. \
         `param` names the field, or is null.\n\n\
         This page is generated from `crates/server/src/error/table.rs`; a test compares them.\n\n\
         | code | status | type | meaning |\n|---|---|---|---|\n",
    );
    for row in retouch_server::error::Code::ALL {
        let kind = serde_json::to_value(row.kind).unwrap();
        let kind = kind.as_str().unwrap();
        page += &format!("| `{}` | {} | `{kind}` | {} |\n", row.name, row.status, row.meaning);
    }
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/errors.md");
    if std::env::var_os("RETOUCH_WRITE_DOCS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    assert_eq!(
        std::fs::read_to_string(path).unwrap(),
        page,
        "set RETOUCH_WRITE_DOCS=1 to regenerate it"
    );
}

#[tokio::test]
async fn whatever_is_asked_for_gets_an_error_of_the_same_form() {
    let app = TestApp::new().await;
    app.anon().get("/nowhere").await.is_error(404, "not_found", None);
    let wrong = app.anon().get("/api/image-edit").await;
    wrong.is_error(405, "method_not_allowed", None);
    assert_eq!(wrong.header("allow"), Some("POST"));
    let echoed = app.anon().with_header("x-client-request-id", "mine-1").get("/healthz").await;
    assert_eq!(echoed.header("x-client-request-id"), Some("mine-1"));
    assert!(echoed.header("x-request-id").unwrap().starts_with("req_"));
    let theirs = app.anon().with_header("x-request-id", "theirs").get("/healthz").await;
    assert_ne!(theirs.header("x-request-id"), Some("theirs"));
    app.check().await;
}

#[tokio::test]
async fn a_service_that_cannot_store_is_not_ready() {
    let app = TestApp::new().await;
    std::fs::remove_dir_all(app.app.settings.store.blobs.folder().unwrap()).unwrap();
    let message = app.anon().get("/readyz").await.is_error(503, "not_ready", None);
    assert_eq!(message, "The image store is not responding or not writable.");
    assert_eq!(app.anon().get("/healthz").await.status, 200, "the process is still alive");
    app.check().await;
}

#[tokio::test]
async fn a_service_that_is_stopping_tells_balancers_and_goes_on_meanwhile() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    app.app.readiness.leave();
    app.anon().get("/readyz").await.is_error(503, "not_ready", None);
    assert_eq!(app.anon().get("/healthz").await.status, 200, "the process is still alive");
    caller.edit("go").await.ok();
    app.check().await;
}

#[tokio::test]
async fn what_is_logged_of_a_call_names_its_request_and_nothing_of_the_caller() {
    let app = TestApp::new().await;
    let caller = app.caller("ada@example.com").await;
    log::start();
    let failed = caller.edit("fail").await;
    let lines = log::of(failed.header("x-request-id").unwrap());
    assert!(lines.iter().any(|line| line.contains("a provider failed")), "{lines:?}");
    let told = lines.iter().any(|line| line.contains("ada@") || line.contains("\"fail\""));
    assert!(!told, "{lines:?}");
    app.check().await;
}

#[tokio::test]
async fn the_operator_sees_health_and_numbers_and_strangers_do_not() {
    let app = TestApp::with(&[("RETOUCH_METRICS__TOKEN", "a-long-metrics-token")]).await;
    assert_eq!(app.anon().get("/healthz").await.ok()["status"], "ok");
    assert_eq!(app.anon().get("/readyz").await.ok()["status"], "ok");
    let caller = app.caller("ada@example.com").await;
    caller.edit("go").await.ok();
    caller.edit("fail").await.is_error(500, "upstream_error", None);
    let page = app.anon().get("/metrics").await;
    let text = String::from_utf8(page.bytes).unwrap();
    for line in [
        r#"retouch_edits_total{model="gamma-2",provider="scripted",outcome="done"} 1"#,
        r#"retouch_edits_total{model="gamma-2",provider="scripted",outcome="upstream_error"} 1"#,
        r#"retouch_credits_captured_total{model="gamma-2"} 6"#,
        // A failed call may have cost something too, but the service cannot know.
        r#"retouch_provider_cost_micro_usd_total{model="gamma-2",provider="scripted",provider_model="script-1"} 39000"#,
        r#"retouch_http_requests_total{method="POST",route="/api/image-edit",status="200"} 1"#,
    ] {
        assert!(text.contains(line), "{line} in\n{text}");
    }
    assert!(!text.contains("ada@example.com"));
    let stranger = app.anon().calling_from([198, 51, 100, 1]);
    stranger.get("/metrics").await.is_error(403, "not_allowed", None);
    app.anon().with_header("x-forwarded-for", "1.2.3.4").get("/metrics").await.is_error(
        403,
        "not_allowed",
        None,
    );
    let token = stranger.clone().with_header("authorization", "Bearer a-long-metrics-token");
    assert_eq!(token.get("/metrics").await.status, 200);
    let wrong = stranger.with_header("authorization", "Bearer a-long-metrics-tokem");
    wrong.get("/metrics").await.is_error(403, "not_allowed", None);
    app.check().await;
}

#[tokio::test]
async fn numbers_without_the_token_are_for_this_machine_and_no_page_or_proxy_on_it() {
    let refused = async |app: &TestApp, header: Option<(&str, &str)>| {
        let near = app.anon();
        let near = match header {
            Some((name, value)) => near.with_header(name, value),
            None => near,
        };
        near.get("/metrics").await.is_error(403, "not_allowed", None);
    };
    let app = TestApp::new().await;
    for host in ["localhost", "localhost:8080", "127.0.0.1", "[::1]:8080"] {
        assert_eq!(
            app.anon().with_header("host", host).get("/metrics").await.status,
            200,
            "{host}"
        );
    }
    // A page whose host name now resolves to this machine (DNS rebinding), or a proxy that adds
    // headers.
    for header in [
        ("host", "evil.example"),
        ("host", "localhost.evil.example:8080"),
        ("forwarded", "for=1.2.3.4"),
        ("x-forwarded-host", "edit.example.com"),
        ("x-forwarded-proto", "https"),
        ("x-real-ip", "1.2.3.4"),
        ("via", "1.1 proxy"),
    ] {
        refused(&app, Some(header)).await;
    }
    app.check().await;
    // A proxy that adds no headers but that the settings reveal.
    for setting in [
        ("RETOUCH_SERVER__PUBLIC_URL", "https://edit.example.com"),
        ("RETOUCH_SERVER__TRUSTED_PROXIES", "127.0.0.1"),
    ] {
        let app = TestApp::with(&[setting, ("RETOUCH_METRICS__TOKEN", "a-long-token")]).await;
        refused(&app, None).await;
        let token = app.anon().with_header("authorization", "Bearer a-long-token");
        assert_eq!(token.get("/metrics").await.status, 200, "{setting:?}");
        app.check().await;
    }
}

#[tokio::test]
async fn browsers_are_told_to_keep_responses_to_themselves() {
    const POLICIES: [(&str, &str); 3] = [
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("x-content-type-options", "nosniff"),
    ];
    const TRANSPORT: &str = "strict-transport-security";
    let plain = TestApp::new().await;
    for path in ["/", "/docs", "/api/models", "/nothing-here"] {
        let answer = plain.anon().get(path).await;
        for (name, value) in POLICIES {
            assert_eq!(answer.header(name), Some(value), "{path}");
        }
        assert!(answer.header("permissions-policy").unwrap().contains("camera=()"), "{path}");
        assert_eq!(
            answer.header(TRANSPORT),
            None,
            "{path}: the header has no meaning over plain HTTP"
        );
    }
    let caller = plain.caller("ada@example.com").await;
    let edited = caller.edit("go").await.ok();
    let address = edited["generation"]["stored_images"][0].as_str().unwrap();
    let (_, name) = address.rsplit_once('/').unwrap();
    let file = plain.anon().get(&format!("/files/{name}")).await;
    let anywhere = file.header("cross-origin-resource-policy");
    assert_eq!(anywhere, Some("cross-origin"), "callers may show results on their own pages");
    plain.check().await;

    let secure = TestApp::with(&[("RETOUCH_SERVER__PUBLIC_URL", "https://edit.example.com")]).await;
    let answer = secure.anon().get("/api/models").await;
    assert_eq!(answer.header(TRANSPORT), Some("max-age=31536000"));
    let form = secure.anon().with_header("sec-fetch-site", "same-origin");
    let chosen = form.submit("/theme", &[("theme", "dark"), ("next", "/")]).await;
    let cookie = "theme=dark; Path=/; Max-Age=31536000; SameSite=Lax; Secure";
    assert_eq!(chosen.header("set-cookie"), Some(cookie));
    secure.check().await;
}
