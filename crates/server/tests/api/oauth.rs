//! OAuth: a program is connected to an account by sign-in and consent, and gets tokens for `/mcp` only.
//! Through the real router, from the first 401 to the last revocation.

#[path = "oauth/attacks.rs"]
mod attacks;
#[path = "oauth/clients.rs"]
mod clients;
#[path = "oauth/consent.rs"]
mod consent;
#[path = "oauth/refresh.rs"]
mod refresh;

use serde_json::{Value, json};
use url::Url;

use crate::support::TestApp;
use crate::support::persona::{Answer, Persona};

/// The example of RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// Where the program of most tests wants codes.
const CALLBACK: &str = "https://claude.example/api/callback";
const BASE: &str = "http://127.0.0.1:8080";

/// Fields of a form or a query.
type Fields<'a> = [(&'a str, &'a str)];

/// Registers a program called Claude with these addresses, and returns its client ID.
async fn register(app: &TestApp, redirect_uris: &[&str]) -> String {
    let described = json!({ "client_name": "Claude", "redirect_uris": redirect_uris });
    let answer = app.anon().post("/oauth/register", &described).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    answer.json()["client_id"].as_str().unwrap().to_owned()
}

/// `fields` with those of `changes` in their place. Empty values are left out.
fn changed<'a>(fields: &Fields<'a>, changes: &Fields<'a>) -> Vec<(&'a str, &'a str)> {
    let kept = fields.iter().filter(|(name, _)| changes.iter().all(|(other, _)| name != other));
    kept.chain(changes).copied().filter(|(_, value)| !value.is_empty()).collect()
}

/// The query of a good authorization request of the program, with changes.
fn query(client: &str, changes: &Fields<'_>) -> String {
    let resource = format!("{BASE}/mcp");
    let usual = [
        ("response_type", "code"),
        ("client_id", client),
        ("redirect_uri", CALLBACK),
        ("state", "a state;+"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
        ("resource", &*resource),
        ("scope", "edit read"),
    ];
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(changed(&usual, changes)).finish()
}

/// What a member decides about a request, with further fields of the form.
async fn decide(member: &Persona, query: &str, fields: &Fields<'_>) -> Answer {
    let usual = [("query", query), ("decision", "allow")];
    member.submit("/oauth/authorize", &changed(&usual, fields)).await
}

/// The address that the browser is led to by the page in `answer`.
#[track_caller]
fn led_to(answer: &Answer) -> Url {
    assert_eq!(answer.status, 200, "{}", answer.text());
    let page = answer.text();
    let refresh = page.split_once("http-equiv=\"refresh\" content=\"0; url=");
    let (_, rest) = refresh.unwrap_or_else(|| panic!("{page}"));
    let address = rest.split('"').next().unwrap();
    Url::parse(&address.replace("&#38;", "&").replace("&amp;", "&")).unwrap()
}

/// A parameter of an address.
fn param(url: &Url, name: &str) -> Option<String> {
    let mut all = url.query_pairs().filter(|(known, _)| known == name);
    let only = all.next().map(|(_, value)| value.into_owned());
    assert!(all.next().is_none(), "{name} is repeated in {url}");
    only
}

/// A code for the program, to which the member agrees.
async fn code(member: &Persona, client: &str) -> String {
    let led = led_to(&decide(member, &query(client, &[]), &[]).await);
    param(&led, "code").unwrap()
}

/// Redeems a code, with changed fields.
async fn redeem(app: &TestApp, (client, code): (&str, &str), changes: &Fields<'_>) -> Answer {
    let usual = [
        ("grant_type", "authorization_code"),
        ("client_id", client),
        ("code", code),
        ("redirect_uri", CALLBACK),
        ("code_verifier", VERIFIER),
    ];
    app.anon().submit("/oauth/token", &changed(&usual, changes)).await
}

/// Exchanges a refresh token, with changed fields.
async fn refresh(app: &TestApp, (client, token): (&str, &str), changes: &Fields<'_>) -> Answer {
    let usual = [("grant_type", "refresh_token"), ("client_id", client), ("refresh_token", token)];
    app.anon().submit("/oauth/token", &changed(&usual, changes)).await
}

/// The tokens of a program that the member has connected.
async fn connected(app: &TestApp, member: &Persona, client: &str) -> Tokens {
    let code = code(member, client).await;
    Tokens::of(&redeem(app, (client, &code), &[]).await)
}

struct Tokens {
    access: String,
    refresh: String,
}

impl Tokens {
    #[track_caller]
    fn of(answer: &Answer) -> Self {
        let body = answer.ok();
        let text = |name: &str| body[name].as_str().unwrap().to_owned();
        Self { access: text("access_token"), refresh: text("refresh_token") }
    }

    /// The program as a caller.
    fn caller(&self, app: &TestApp) -> Persona {
        app.anon().with_header("authorization", &format!("Bearer {}", self.access))
    }
}

/// Calls a tool.
async fn call(caller: &Persona, tool: &str, arguments: Value) -> Answer {
    let params = json!({ "name": tool, "arguments": arguments });
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    caller.post("/mcp", &message).await
}

/// Whether the tokens of a caller are accepted.
async fn works(caller: &Persona) -> bool {
    match call(caller, "get_balance", json!({})).await.status.as_u16() {
        200 => true,
        401 => false,
        other => panic!("{other}"),
    }
}

/// Checks that `answer` is an error of OAuth, and returns its description.
#[track_caller]
fn is_refused(answer: &Answer, error: &str) -> String {
    let body = answer.json();
    assert_eq!((answer.status.as_u16(), &body["error"]), (400, &json!(error)), "{body}");
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    body["error_description"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_assistant_is_connected_edits_and_is_disconnected() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;

    // The program is told where to go, twice.
    let stranger = call(&app.anon(), "get_balance", json!({})).await;
    assert_eq!(stranger.status, 401);
    let metadata = format!("{BASE}/.well-known/oauth-protected-resource/mcp");
    let told = format!("Bearer resource_metadata=\"{metadata}\", scope=\"edit read\"");
    assert_eq!(stranger.header("www-authenticate"), Some(&*told));
    let resource = app.anon().get(metadata.strip_prefix(BASE).unwrap()).await.ok();
    assert_eq!(resource["resource"], format!("{BASE}/mcp"));
    assert_eq!(resource["authorization_servers"], json!([BASE]));
    let same = app.anon().get("/.well-known/oauth-protected-resource").await.ok();
    assert_eq!(resource, same);
    let server = app.anon().get("/.well-known/oauth-authorization-server").await.ok();
    assert_eq!(server["issuer"], BASE);
    assert_eq!(server["authorization_endpoint"], format!("{BASE}/oauth/authorize"));
    assert_eq!(server["code_challenge_methods_supported"], json!(["S256"]));

    // It sends the person here, who agrees and is sent back.
    let client = register(&app, &[CALLBACK]).await;
    let page = ada.get(&format!("/oauth/authorize?{}", query(&client, &[]))).await;
    assert_eq!(page.status, 200);
    let html = page.text();
    for shown in ["Connect Claude?", "ada@example.com", "<strong>claude.example</strong>"] {
        assert!(html.contains(shown), "{shown}: {html}");
    }
    assert!(html.contains("with your credits") && html.contains("See your history"), "{html}");
    let limit = [("credit_limit_per_day", "10")];
    let led = led_to(&decide(&ada, &query(&client, &[]), &limit).await);
    assert_eq!(led.as_str().split('?').next(), Some(CALLBACK));
    assert_eq!(param(&led, "state").as_deref(), Some("a state;+"));
    assert_eq!(param(&led, "iss").as_deref(), Some(BASE));

    // It gets tokens, and edits within the limit.
    let code = param(&led, "code").unwrap();
    let answer = redeem(&app, (&client, &code), &[]).await;
    let body = answer.ok();
    assert_eq!((&body["token_type"], &body["expires_in"]), (&json!("Bearer"), &json!(3_600)));
    assert_eq!(body["scope"], "edit read");
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let tokens = Tokens::of(&answer);
    let claude = tokens.caller(&app);
    let red = json!({ "instruction": "a red picture of 64x64 pixels" });
    let made = call(&claude, "generate_image", red.clone()).await.ok();
    assert_eq!(made["result"]["structuredContent"]["available"], 9, "{made}");
    let refused = call(&claude, "generate_image", red).await.ok();
    let text = refused["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("key_credit_limit_reached"), "{text}");

    // The person sees it among their keys, and ends it there.
    let key = ada.get("/api/keys").await.ok()["data"][0].clone();
    assert_eq!((&key["name"], &key["start"]), (&json!("Claude"), &json!("")));
    assert_eq!((&key["credits_used"], &key["credit_limit_per_day"]), (&json!(6), &json!(10)));
    assert_eq!(key["scopes"], json!(["edit", "read"]));
    assert!(ada.get("/keys").await.text().contains("Connected assistant"));
    let path = format!("/api/keys/{}", key["id"].as_str().unwrap());
    assert_eq!(ada.delete(&path).await.status, 204);
    let ended = call(&claude, "get_balance", json!({})).await;
    assert_eq!(ended.status, 401);
    assert!(ended.header("www-authenticate").unwrap().ends_with("error=\"invalid_token\""));
    is_refused(&refresh(&app, (&client, &tokens.refresh), &[]).await, "invalid_grant");
    app.check().await;
}

#[tokio::test]
async fn a_program_gives_its_access_back() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let (client, other) =
        (register(&app, &[CALLBACK]).await, register(&app, &["https://b.example/"]).await);
    let [first, second] =
        [connected(&app, &ada, &client).await, connected(&app, &ada, &client).await];
    let revoke = async |client: &str, token: &str| {
        let fields = [("client_id", client), ("token", token)];
        app.anon().submit("/oauth/revoke", &fields).await.status.as_u16()
    };
    assert_eq!(revoke(&other, &first.access).await, 200, "that is all that a stranger learns");
    assert_eq!(revoke(&client, "nothing").await, 200);
    assert!(works(&first.caller(&app)).await);
    assert_eq!(revoke(&client, &first.access).await, 200);
    assert!(!works(&first.caller(&app)).await);
    is_refused(&refresh(&app, (&client, &first.refresh), &[]).await, "invalid_grant");
    assert!(works(&second.caller(&app)).await, "another connection of the same program");
    assert_eq!(revoke(&client, &second.refresh).await, 200);
    assert!(!works(&second.caller(&app)).await);
    app.check().await;
}

#[tokio::test]
async fn a_token_opens_nothing_but_the_tools() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let client = register(&app, &[CALLBACK]).await;
    let tokens = connected(&app, &ada, &client).await;
    let claude = tokens.caller(&app);
    assert!(works(&claude).await);
    for path in ["/api/credits", "/api/account", "/api/generations", "/v1/models", "/api/keys"] {
        claude.get(path).await.is_error(401, "unauthenticated", None);
    }
    claude.edit("go").await.is_error(401, "unauthenticated", None);
    let cookie = format!("retouch_session={}", tokens.access);
    let browser = app.anon().with_header("cookie", &cookie);
    browser.get("/api/account").await.is_error(401, "unauthenticated", None);
    let renewing = app.anon().with_header("authorization", &format!("Bearer {}", tokens.refresh));
    assert!(!works(&renewing).await, "a refresh token is no access token");
    app.check().await;
}
