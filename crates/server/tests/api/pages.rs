//! The pages, as a browser without JavaScript sees them.

use std::io::Read;

use retouch_core::Clock;
use serde_json::Value;

use crate::support::persona::Persona;
use crate::support::{TestApp, pictures};

const ADA: [(&str, &str); 2] = [("email", "ada@example.com"), ("password", "correct horse")];

/// A browser on one of the service's pages.
fn browser(app: &TestApp) -> Persona {
    app.anon().with_header("sec-fetch-site", "same-origin").with_header("accept", "text/html")
}

#[tokio::test]
async fn a_newcomer_signs_up_signs_out_and_signs_in_by_forms_alone() {
    let app = TestApp::new().await;
    let page = browser(&app).get("/sign-up?next=/docs").await;
    assert!(page.text().contains("<strong>15 free credits</strong>"), "{}", page.text());
    let fields = [ADA[0], ADA[1], ("next", "/docs")];
    let entered = browser(&app).submit("/sign-up", &fields).await;
    assert_eq!((entered.status.as_u16(), entered.header("location")), (303, Some("/docs")));
    let ada = browser(&app).with_session(&entered);
    let studio = ada.get("/").await.text();
    assert!(studio.contains("ada@example.com") && studio.contains("data-balance>15<"), "{studio}");
    assert_eq!(ada.get("/sign-in").await.header("location"), Some("/"), "already signed in");

    let left = ada.submit("/sign-out", &[]).await;
    assert_eq!((left.status.as_u16(), left.header("location")), (303, Some("/")));
    assert_eq!(ada.get("/api/account").await.status, 401);
    assert_eq!(ada.submit("/sign-out", &[]).await.status, 303, "signing out twice is not an error");

    let entered = browser(&app).submit("/sign-in", &ADA).await;
    assert_eq!(entered.status, 303);
    assert_eq!(browser(&app).with_session(&entered).get("/api/account").await.status, 200);
    app.check().await;
}

#[tokio::test]
async fn a_mistake_is_shown_at_its_field_with_what_was_typed() {
    let app = TestApp::new().await;
    app.member("ada@example.com").await;
    let cases = [
        (
            "/sign-up",
            [("email", "grace <at> x"), ("password", "correct horse")],
            400,
            "email-wrong",
        ),
        ("/sign-up", [("email", "new@example.com"), ("password", "Tiny7")], 400, "password-wrong"),
        ("/sign-up", ADA, 409, "email-wrong"),
        ("/sign-in", [ADA[0], ("password", "wrong horse")], 401, "role=\"alert\""),
    ];
    for (path, fields, status, place) in cases {
        let answer = browser(&app).submit(path, &fields).await;
        let html = answer.text();
        assert_eq!(answer.status, status, "{html}");
        assert!(html.contains(place), "{path} {fields:?}: {html}");
        let typed = fields[0].1.replace('<', "&#60;").replace('>', "&#62;");
        assert!(html.contains(&format!("value=\"{typed}\"")), "{html}");
        assert!(!html.contains(fields[1].1), "the page does not repeat the password");
    }
    app.check().await;
}

#[tokio::test]
async fn another_sites_page_can_neither_sign_anybody_in_nor_out() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    let elsewhere = |persona: Persona| {
        persona.without_header("sec-fetch-site").with_header("origin", "https://evil.example")
    };
    for (path, fields) in [("/sign-in", &ADA[..]), ("/sign-up", &ADA[..]), ("/theme", &[])] {
        let answer = elsewhere(app.anon()).submit(path, fields).await;
        assert_eq!(answer.status, 403, "{path}");
        assert!(answer.header("set-cookie").is_none(), "{path}");
    }
    assert_eq!(elsewhere(ada.clone()).submit("/sign-out", &[]).await.status, 403);
    assert_eq!(ada.get("/api/account").await.status, 200, "still signed in");
    app.check().await;
}

#[tokio::test]
async fn the_way_on_never_leaves_the_site() {
    let app = TestApp::new().await;
    for next in ["//evil.example", "https://evil.example/", "/\\evil.example", "javascript:1"] {
        let fields = [ADA[0], ADA[1], ("next", next)];
        let path = if next.starts_with("//") { "/sign-up" } else { "/sign-in" };
        let entered = browser(&app).submit(path, &fields).await;
        assert_eq!(
            (entered.status.as_u16(), entered.header("location")),
            (303, Some("/")),
            "{next}"
        );
    }
    app.check().await;
}

#[tokio::test]
async fn every_page_allows_nothing_from_elsewhere_and_nothing_inline() {
    let app = TestApp::new().await;
    for path in ["/", "/studio", "/docs", "/docs/operations", "/sign-up", "/no-such-page"] {
        let page = browser(&app).get(path).await;
        let policy = page.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'"));
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(page.header("referrer-policy"), Some("same-origin"), "{path}");
        let html = page.text();
        for inline in [" style=", " onclick=", " onload=", "<style", "javascript:", "src=\"http"] {
            assert!(!html.contains(inline), "{path}: {inline}");
        }
    }
    app.check().await;
}

#[tokio::test]
async fn what_a_page_loads_is_kept_for_ever_under_an_address_of_its_content() {
    let app = TestApp::new().await;
    let mut addresses = Vec::new();
    for path in ["/", "/studio", "/docs/operations"] {
        let html = browser(&app).get(path).await.text();
        let its = html.split('"').filter(|text| text.starts_with("/assets/"));
        addresses.extend(its.map(str::to_owned));
    }
    assert!(addresses.len() >= 80, "{addresses:?}");
    for address in &addresses {
        let asset = app.anon().get(address).await;
        assert_eq!(asset.status, 200, "{address}");
        assert!(asset.header("cache-control").unwrap().contains("immutable"), "{address}");
        let tag = asset.header("etag").unwrap();
        let again = app.anon().with_header("if-none-match", tag).get(address).await;
        assert_eq!((again.status.as_u16(), again.bytes.len()), (304, 0), "{address}");
        let old = address.replacen(address.split('/').nth(2).unwrap(), "0123456789abcdef", 1);
        let other = app.anon().get(&old).await;
        assert_eq!(other.header("cache-control"), Some("no-store"), "{old}");
    }
    assert_eq!(app.anon().get("/assets/x/Cargo.toml").await.status, 404);
    let sample = app.anon().get("/sample.jpg").await;
    assert_eq!(sample.header("content-type"), Some("image/jpeg"));
    assert!(sample.bytes.starts_with(b"\xFF\xD8\xFF"));
    app.check().await;
}

#[tokio::test]
async fn texts_are_compressed_for_browsers_that_accept_it_and_images_are_not() {
    let app = TestApp::new().await;
    let get = async |name: &str, accepts: &str| {
        let path = format!("/assets/0123456789abcdef/{name}");
        app.anon().with_header("accept-encoding", accepts).get(&path).await
    };
    let plain = get("app.css", "br").await;
    assert_eq!(
        (plain.header("content-encoding"), plain.header("vary")),
        (None, Some("accept-encoding"))
    );
    for accepts in ["gzip", "br, GZIP;q=0.5", "deflate,gzip"] {
        let packed = get("app.css", accepts).await;
        assert_eq!(packed.header("content-encoding"), Some("gzip"), "{accepts}");
        assert!(packed.bytes.len() * 2 < plain.bytes.len(), "{accepts}");
        assert_ne!(packed.header("etag"), plain.header("etag"), "other bytes need another ETag");
        let mut text = Vec::new();
        flate2::read::GzDecoder::new(packed.bytes.as_slice()).read_to_end(&mut text).unwrap();
        assert!(text == plain.bytes, "the same text");
    }
    for (name, accepts) in
        [("app.css", "gzip;q=0"), ("app.css", "gzip; q=0.0"), ("coffee.jpg", "gzip")]
    {
        assert_eq!(get(name, accepts).await.header("content-encoding"), None, "{name} {accepts}");
    }
    app.check().await;
}

#[tokio::test]
async fn pages_are_compressed_unless_another_site_made_the_browser_ask() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await.without_header("sec-fetch-site");
    let ada = ada.with_header("accept-encoding", "gzip");
    let coding = async |person: &Persona, path: &str| {
        let page = person.get(path).await;
        page.header("content-encoding").map(ToOwned::to_owned)
    };
    let anyone = app.anon().with_header("accept-encoding", "gzip");
    for path in ["/", "/docs/reference", "/openapi.json"] {
        assert_eq!(coding(&anyone, path).await.as_deref(), Some("gzip"), "{path}");
        assert_eq!(coding(&app.anon(), path).await, None, "{path}");
    }
    assert_eq!(coding(&anyone, "/api/models").await, None, "JSON of the API is not compressed");
    let (own, other) = ("same-origin", "cross-site");
    let from = |site: &str| ada.clone().with_header("sec-fetch-site", site);
    assert_eq!(coding(&from(own), "/history?q=x").await.as_deref(), Some("gzip"));
    assert_eq!(coding(&from(other), "/history?q=x").await, None);
    let page = anyone.get("/").await;
    let mut text = Vec::new();
    flate2::read::GzDecoder::new(page.bytes.as_slice()).read_to_end(&mut text).unwrap();
    assert_eq!(text, app.anon().get("/").await.bytes);
    app.check().await;
}

#[tokio::test]
async fn visitors_land_on_a_page_that_lets_them_try_and_members_in_the_studio() {
    let app = TestApp::new().await;
    let landing = browser(&app).get("/").await.text();
    assert!(landing.contains("Edit photos by describing the change"), "{landing}");
    assert!(landing.contains("href=\"/studio\"") && !landing.contains("id=\"composer\""));
    assert!(landing.contains("Free on this server") && landing.contains("And what it invents"));
    let studio = browser(&app).get("/studio").await.text();
    assert!(studio.contains("id=\"composer\""));
    let ada = app.member("ada@example.com").await;
    for path in ["/", "/studio"] {
        assert!(ada.get(path).await.text().contains("id=\"composer\""), "{path}");
    }
    let sample = app.anon().get("/sample.jpg").await;
    assert_eq!(sample.header("content-type"), Some("image/jpeg"));
    app.check().await;
}

#[tokio::test]
async fn a_browser_is_told_in_a_page_what_a_program_is_told_in_json() {
    let app = TestApp::new().await;
    let page = browser(&app).get("/no-such-page").await;
    assert_eq!(page.status, 404);
    assert!(page.text().contains("Page not found"));
    app.anon().get("/no-such-page").await.is_error(404, "not_found", None);
    app.check().await;
}

#[tokio::test]
async fn a_page_that_is_not_there_knows_who_asked_for_it() {
    let app = TestApp::new().await;
    let visitor = browser(&app).with_header("cookie", "theme=dark");
    for path in ["/no-such-page?a=b", "/history/no/such", "/admin/users", "/s/no-such-link"] {
        let page = visitor.get(path).await;
        let html = page.text();
        assert_eq!(page.status, 404, "{path}");
        assert!(html.contains("data-theme=\"dark\"") && html.contains("href=\"/\""), "{html}");
        let next = form_urlencoded::byte_serialize(path.as_bytes()).collect::<String>();
        assert!(html.contains(&format!("href=\"/sign-in?next={next}\"")), "{path}: {html}");
        assert!(!html.contains("canonical"), "{html}");
    }
    let ada = app.member("ada@example.com").await.with_header("accept", "text/html");
    let html = ada.get("/no-such-page").await.text();
    assert!(html.contains("See your history") && html.contains("data-balance>15<"), "{html}");
    assert!(!html.contains("Sign in"), "{html}");
    let html = ada.get("/history?kind=poem").await.text();
    assert!(html.contains("That didn’t work") && html.contains("data-balance>15<"), "{html}");
    app.check().await;
}

#[tokio::test]
async fn an_empty_history_offers_failed_tries_only_if_there_are_some() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await.with_header("accept", "text/html");
    let html = ada.get("/history").await.text();
    assert!(html.contains("Nothing here yet") && !html.contains("failed tries"), "{html}");
    ada.edit("fail").await;
    let html = ada.get("/history").await.text();
    assert!(html.contains("Nothing here yet") && html.contains("Show failed tries"), "{html}");
    app.check().await;
}

#[tokio::test]
async fn search_engines_learn_what_pages_are_about_and_what_to_leave_alone() {
    let app = TestApp::new().await;
    let robots = app.anon().get("/robots.txt").await;
    assert_eq!(robots.header("content-type"), Some("text/plain; charset=utf-8"));
    assert!(robots.text().contains("Disallow: /api/"), "{}", robots.text());
    for path in ["/", "/studio", "/docs", "/docs/operations", "/docs/reference", "/plans"] {
        let html = browser(&app).get(&format!("{path}?utm_source=x")).await.text();
        assert!(html.contains("<meta name=\"description\" content=\""), "{path}");
        let address = app.app.url_of(path);
        assert!(html.contains(&format!("<link rel=\"canonical\" href=\"{address}\">")), "{html}");
    }
    app.check().await;
}

#[tokio::test]
async fn the_chosen_look_is_remembered() {
    let app = TestApp::new().await;
    let html = browser(&app).get("/").await.text();
    assert!(html.contains("data-theme=\"system\""));
    let chosen = browser(&app).submit("/theme", &[("theme", "dark"), ("next", "/sign-in")]).await;
    assert_eq!(chosen.header("location"), Some("/sign-in"));
    let cookie = chosen.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let html = browser(&app).with_header("cookie", &cookie).get("/").await.text();
    assert!(html.contains("data-theme=\"dark\""), "{html}");
    app.check().await;
}

#[tokio::test]
async fn pages_of_members_lead_strangers_to_sign_in_and_back() {
    let app = TestApp::new().await;
    for path in ["/history", "/credits", "/keys", "/account", "/history?q=a%26b"] {
        let answer = browser(&app).get(path).await;
        assert_eq!(answer.status, 303, "{path}");
        let place = answer.header("location").unwrap().to_owned();
        let query = place.strip_prefix("/sign-in?").unwrap();
        let next = form_urlencoded::parse(query.as_bytes()).next().unwrap().1.into_owned();
        assert_eq!(next, path);
        let page = browser(&app).get(&place).await.text();
        assert!(page.contains("name=\"next\"") && page.contains("Sign in to see your"), "{page}");
    }
    assert!(!browser(&app).get("/sign-in?next=/docs").await.text().contains("Sign in to see"));
    app.check().await;
}

#[tokio::test]
async fn pages_name_the_built_in_editor_and_number_images_where_programs_get_fields() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await.with_header("accept", "text/html");
    let photo = format!("data:image/png;base64,{}", pictures::base64(4, 3));
    let fields = serde_json::json!({
        "instruction": "rotate left", "model": "alpha-image-2-free", "imageUrls": [photo, photo],
    });
    let made = ada.edit_with(&fields).await.ok();
    assert_eq!(made["warnings"][0]["param"], "imageUrls[1]");
    ada.edit("go").await.ok();
    let history = ada.get("/history").await.text();
    assert!(history.contains("Edit · built-in editor · 6 credits"), "{history}");
    assert!(history.contains("Edit · gamma-2 · 6 credits"), "{history}");
    let uuid = made["generation"]["uuid"].as_str().unwrap();
    let page = ada.get(&format!("/history/{uuid}")).await.text();
    assert!(page.contains("The prompt doesn’t use image 2.") && !page.contains("imageUrls"));
    app.check().await;
}

#[tokio::test]
async fn the_studio_opens_with_the_result_that_was_shown_last() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await.with_header("accept", "text/html");
    let mut made = Vec::new();
    for instruction in ["one", "two"] {
        app.clock.advance_ms(1_000);
        made.push(ada.edit(instruction).await.ok()["generation"].clone());
    }
    let shown = async |cookie: &str| {
        let page = ada.clone().with_header("cookie", cookie).get("/").await.text();
        let file = |it: &Value| {
            it["stored_images"][0].as_str().unwrap().rsplit('/').next().unwrap().to_owned()
        };
        made.iter()
            .position(|it| page.contains(&format!("src=\"/files/{}?reduced=true\"", file(it))))
    };
    let (first, now) = (made[0]["uuid"].as_str().unwrap(), app.clock.now().0);
    assert_eq!(shown("theme=dark").await, Some(1), "the newest");
    assert_eq!(shown(&format!("stage={now}.{first}")).await, Some(0), "what was shown");
    assert_eq!(shown(&format!("stage={}.{first}", now - 1)).await, Some(1), "what was made since");
    assert_eq!(shown(&format!("stage={now}.")).await, None, "what only the browser has");
    assert_eq!(shown("stage=nonsense").await, Some(1));
    let other = app.member("bob@example.com").await.edit("three").await.ok();
    let theirs = other["generation"]["uuid"].as_str().unwrap();
    assert_eq!(shown(&format!("stage={now}.{theirs}")).await, Some(1), "nothing of others");
    assert!(!ada.get(&format!("/?from={first}")).await.text().contains("?reduced=true\" width"));
    app.check().await;
}

#[tokio::test]
async fn what_was_made_is_found_looked_at_and_deleted_with_its_small_picture() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await.with_header("accept", "text/html");
    let made = ada.edit("make it <b>grey</b>").await.ok();
    let uuid = made["generation"]["uuid"].as_str().unwrap();
    let history = ada.get("/history").await.text();
    assert!(history.contains("make it &#60;b&#62;grey&#60;/b&#62;"), "{history}");
    assert!(ada.get("/history?q=GREY").await.text().contains(uuid));
    assert!(!ada.get("/history?q=green").await.text().contains(uuid));
    assert!(!ada.get("/history?kind=video").await.text().contains(uuid));

    let small = history.split('"').find(|text| text.starts_with("/thumbnails/")).unwrap();
    for _ in ["made", "kept"] {
        let picture = app.anon().get(small).await;
        assert_eq!(picture.header("content-type"), Some("image/png"));
        assert!(picture.bytes.starts_with(b"\x89PNG"));
    }
    assert_eq!(app.other_files().len(), 1);

    let bob = app.member("bob@example.com").await.with_header("accept", "text/html");
    let page = format!("/history/{uuid}");
    assert_eq!(bob.get(&page).await.status, 404);
    let delete = format!("{page}/delete");
    assert_eq!(bob.submit(&delete, &[]).await.status, 404);
    assert!(ada.get(&page).await.text().contains("&#60;b&#62;"));
    assert_eq!(ada.submit(&delete, &[]).await.header("location"), Some("/history?deleted=1"));
    assert_eq!(ada.get(&page).await.status, 404);
    assert_eq!(app.anon().get(small).await.status, 404, "the thumbnail is deleted too");
    app.check().await;
}

#[tokio::test]
async fn an_edit_of_a_result_says_what_it_was_made_from_and_how_it_was_asked() {
    let app = TestApp::new().await;
    let ada = app.rich_caller("ada@example.com").await;
    let first =
        ada.edit_with(&serde_json::json!({ "instruction": "one", "model": "gamma-2" })).await.ok();
    assert_eq!(first["generation"]["parent"], Value::Null);
    assert_eq!(first["generation"]["request"], serde_json::json!({ "pictures": [null] }));
    let address = first["generation"]["stored_images"][0].clone();
    let fields = serde_json::json!({
        "instruction": "two", "model": "gamma-2", "imageUrl": address, "aspectRatio": "16:9",
        "negative_prompt": "rain", "watermark": false,
    });
    let second = ada.edit_with(&fields).await.ok();
    assert_eq!(second["generation"]["parent"], first["generation"]["uuid"]);
    let wanted = serde_json::json!({
        "aspectRatio": "16:9", "negative_prompt": "rain", "watermark": false, "pictures": [address],
    });
    assert_eq!(second["generation"]["request"], wanted);
    app.check().await;
}

#[tokio::test]
async fn a_key_is_shown_once_and_revoked_by_a_form() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await.with_header("accept", "text/html");
    let fields = [
        ("name", "laptop"),
        ("expires_on", "2026-12-31"),
        ("credit_limit", "60"),
        ("credit_limit_per_day", "20"),
        ("scope_read", "1"),
    ];
    let made = ada.submit("/keys", &fields).await.text();
    let secret = made.split(['<', '>']).find(|text| text.starts_with("retouch_")).unwrap();
    let bearer = format!("Bearer {secret}");
    let program = app.anon().with_header("authorization", &bearer);
    assert_eq!(program.get("/api/account").await.status, 200);
    let list = ada.get("/keys").await.text();
    assert!(
        !list.contains(secret)
            && list.contains("laptop")
            && list.contains("0 of 60")
            && list.contains("Today: 0 of 20"),
        "{list}"
    );
    assert!(list.contains("2026-12-31 23:59 UTC"), "{list}");

    let wrong = [
        ([("name", " "), ("expires_on", ""), ("credit_limit", "")], "name-wrong"),
        ([("name", "a"), ("expires_on", "2026-02-30"), ("credit_limit", "")], "expires-wrong"),
        ([("name", "a"), ("expires_on", "2026-11-01"), ("credit_limit", "")], "expires-wrong"),
        ([("name", "a"), ("expires_on", ""), ("credit_limit", "0")], "credit_limit-wrong"),
        ([("name", "a"), ("expires_on", ""), ("credit_limit", "lots")], "credit_limit-wrong"),
        (
            [("name", "a"), ("expires_on", ""), ("credit_limit_per_month", "-1")],
            "credit_limit_per_month-wrong",
        ),
        ([("name", "a"), ("expires_on", ""), ("credit_limit", "")], "scopes-wrong"),
    ];
    for (fields, place) in wrong {
        let answer = ada.submit("/keys", &fields).await;
        let html = answer.text();
        assert_eq!(answer.status, 400, "{fields:?}");
        let message = html.split(&format!("id=\"{place}\">")).nth(1).unwrap();
        assert!(!message.starts_with('<'), "{fields:?}: {html}");
    }
    let revoke = list.split('"').find(|text| text.ends_with("/revoke")).unwrap();
    let bob = app.member("bob@example.com").await;
    assert_eq!(bob.submit(revoke, &[]).await.status, 404);
    assert_eq!(ada.submit(revoke, &[]).await.header("location"), Some("/keys"));
    assert_eq!(program.get("/api/account").await.status, 401);
    app.check().await;
}

#[tokio::test]
async fn the_ledger_shows_each_change_with_what_it_was_for() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await.with_header("accept", "text/html");
    ada.edit("make it grey").await.ok();
    let page = ada.get("/credits").await.text();
    for words in ["Welcome", "Reserved 6 credits", "Charged", "\u{2212}6", "+15", "make it grey"] {
        assert!(page.contains(words), "{words}: {page}");
    }
    assert!(page.contains("6 credits used from 2026-10-22 to 2026-11-20"), "{page}");
    let csv = ada.get("/credits.csv").await;
    assert!(csv.header("content-disposition").unwrap().starts_with("attachment"));
    let text = csv.text();
    let lines: Vec<&str> = text.split_terminator("\r\n").collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert_eq!(lines[2], "1,2026-11-20T12:00:00.000Z,grant,15,15,0,,\"Welcome\"");
    assert_eq!(browser(&app).get("/credits.csv").await.status, 303);
    let plans = browser(&app).get("/plans").await.text();
    for words in ["600 credits", "1,300 credits", "2,100 credits"] {
        assert!(plans.contains(words), "{words}");
    }
    assert!(!plans.contains("9.90"), "no prices where nothing can be paid: {plans}");
    assert!(ada.get("/account").await.text().contains("ada@example.com"));
    app.check().await;
}
