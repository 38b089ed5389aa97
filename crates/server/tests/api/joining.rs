//! Sign-up rules, invitations and free credits, through the real router.

use serde_json::{Value, json};

use crate::admin::{self, leads_to};
use crate::support::TestApp;
use crate::support::authenticator::Authenticator;
use crate::support::door::Door;
use crate::support::persona::{Answer, Persona};

const WORD: &str = "correct horse";
const SIGN_UP: &str = "/api/auth/sign-up";

async fn with_rule(rule: &str) -> TestApp {
    TestApp::with(&[
        ("RETOUCH_AUTH__SIGN_UP", rule),
        ("RETOUCH_AUTH__SIGN_UP_DOMAINS", "example.org,Example.net"),
    ])
    .await
}

async fn sign_up(app: &TestApp, email: &str, invitation: Option<&str>) -> Answer {
    let body = json!({ "email": email, "password": WORD, "invitation": invitation });
    app.anon().post(SIGN_UP, &body).await
}

/// The secret in the link that an administrator's page shows.
fn secret(page: &str) -> String {
    let (_, rest) = page.split_once("/sign-up?invitation=").unwrap();
    rest.chars().take_while(|c| c.is_ascii_alphanumeric() || "-_".contains(*c)).collect()
}

/// Creates an invitation on the administrator's page and returns its secret.
async fn invited(admin: &Persona, email: &str) -> String {
    let page = admin.submit("/admin/invitations", &[("email", email), ("days", "7")]).await;
    assert_eq!(page.status, 200, "{}", page.text());
    secret(&page.text())
}

/// An administrator of a service where sign-up is closed.
async fn admin(app: &TestApp) -> Persona {
    let token = admin::link(app).await.unwrap();
    let answer = sign_up(app, "admin@example.com", Some(&token)).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    let admin = app.anon().with_session(&answer).with_header("accept", "text/html");
    leads_to(&admin.submit("/first-administrator", &[("token", &token)]).await, "/admin");
    Authenticator::set_up(app, &admin).await;
    admin
}

/// The state of the free credits, and how many there are.
fn free(answer: &Answer) -> (Value, Value) {
    let account = answer.ok();
    (account["free_credits"].clone(), account["credits"]["available"].clone())
}

async fn delete(who: &Persona) {
    let body = json!({ "password": WORD });
    assert_eq!(who.delete_with("/api/account", &body).await.status, 204);
}

#[tokio::test]
async fn one_person_is_not_given_free_credits_again_by_deleting_the_account() {
    let app = TestApp::new().await;
    let mut granted = 0;
    for (round, email) in [
        "ada@gmail.com",
        "ada@gmail.com",
        "A.D.A+2@googlemail.com",
        "ada+x@gmail.com",
        "ADA@gmail.com",
    ]
    .into_iter()
    .enumerate()
    {
        let answer = sign_up(&app, email, None).await;
        let (free_credits, available) = free(&answer);
        let wanted = if round == 0 { "granted" } else { "had_before" };
        assert_eq!(free_credits, wanted, "{email}");
        granted += available.as_i64().unwrap();
        delete(&app.anon().with_session(&answer)).await;
    }
    assert_eq!(granted, 15, "in total, after five deletions");
    app.check().await;
}

#[tokio::test]
async fn tags_and_dots_of_one_mailbox_are_one_person() {
    let app = TestApp::new().await;
    let mut granted = 0;
    for number in 1..=40 {
        let answer = sign_up(&app, &format!("farm+{number}@example.com"), None).await;
        granted += free(&answer).1.as_i64().unwrap();
    }
    assert_eq!(granted, 15, "for 40 accounts");
    let other = sign_up(&app, "f.arm@example.com", None).await;
    assert_eq!(
        free(&other).1,
        15,
        "except at Gmail, an address with other dots belongs to someone else"
    );
    app.check().await;
}

#[tokio::test]
async fn sign_ups_of_a_day_get_only_so_many_free_credits_together() {
    let app = TestApp::with(&[("RETOUCH_AUTH__FREE_CREDITS_PER_DAY_MAX", "31")]).await;
    let mut all = Vec::new();
    for name in ["ada", "bob", "eve"] {
        all.push(free(&sign_up(&app, &format!("{name}@example.com"), None).await));
    }
    let granted = (json!("granted"), json!(15));
    assert_eq!(all, [granted.clone(), granted.clone(), (json!("day_full"), json!(0))]);
    app.clock.advance_ms(24 * 3_600_000);
    assert_eq!(free(&sign_up(&app, "zoe@example.com", None).await), granted);

    let page = app.anon().with_header("sec-fetch-site", "same-origin");
    let fields = [("email", "ian@example.com"), ("password", WORD), ("next", "/")];
    leads_to(&page.submit("/sign-up", &fields).await, "/");
    let fields = [("email", "ivy@example.com"), ("password", WORD), ("next", "/")];
    let late = page.submit("/sign-up", &fields).await;
    leads_to(&late, "/credits");
    let told = app.anon().with_session(&late).get("/credits").await.text();
    assert!(told.contains("All free credits for the day had been given out"), "{told}");
    app.check().await;
}

#[tokio::test]
async fn an_identity_that_was_linked_before_gets_no_free_credits_of_its_own() {
    let door = Door::open().await;
    door.person("sub-1", "ada@example.org").await;
    let ada = door.enter().await;
    assert_eq!(ada.available().await, 15);
    let id = admin::id(&ada).await.parse().unwrap();
    door.app.app.store.delete_account(&id).await.unwrap();
    door.person("sub-1", "other@example.net").await;
    let again = door.enter().await;
    assert_eq!(again.available().await, 0, "the same subject with another address");
    door.person("sub-2", "ada@example.org").await;
    let third = door.enter().await;
    assert_eq!(third.available().await, 0, "another subject with the same address");
    door.app.check().await;
}

#[tokio::test]
async fn nobody_signs_up_where_it_is_closed_but_by_the_operators_link() {
    let app = with_rule("closed").await;
    let refused = sign_up(&app, "ada@example.org", None).await;
    refused.is_error(403, "sign_up_closed", None);
    let page = app.anon().get("/sign-up").await.text();
    assert!(page.contains("Sign-up is closed") && !page.contains("name=\"password\""), "{page}");
    for path in ["/", "/plans", "/sign-in"] {
        let page = app.anon().get(path).await.text();
        assert!(!page.contains("href=\"/sign-up"), "{path}: {page}");
    }
    let admin = admin(&app).await;
    let invitation = invited(&admin, "").await;
    let refused = sign_up(&app, "ada@example.org", Some(&invitation)).await;
    refused.is_error(403, "sign_up_closed", None);
    app.check().await;
}

#[tokio::test]
async fn an_invitation_lets_one_person_in_once_and_in_time() {
    let app = with_rule("invited").await;
    sign_up(&app, "ada@example.com", None).await.is_error(403, "invitation_required", None);
    let admin = admin(&app).await;
    let (anybody, bob) = (invited(&admin, "").await, invited(&admin, "bob@example.com").await);
    let unusable = ("invalid_invitation", Some("invitation"));
    for wrong in ["", "x", &"A".repeat(43)] {
        let refused = sign_up(&app, "ada@example.com", Some(wrong)).await;
        let (status, code, param) = match wrong {
            "" => (403, "invitation_required", None),
            _ => (400, unusable.0, unusable.1),
        };
        refused.is_error(status, code, param);
    }
    let refused = sign_up(&app, "ada@example.com", Some(&bob)).await;
    refused.is_error(400, unusable.0, unusable.1);
    let page = app.anon().get(&format!("/sign-up?invitation={bob}")).await.text();
    assert!(page.contains("Sign up as bob@example.com") && page.contains(&bob), "{page}");
    assert_eq!(sign_up(&app, "ada@example.com", Some(&anybody)).await.status, 201);
    let again = sign_up(&app, "eve@example.com", Some(&anybody)).await;
    again.is_error(400, unusable.0, unusable.1);
    let page = app.anon().get(&format!("/sign-up?invitation={anybody}")).await.text();
    assert!(page.contains("has been used, has expired") && !page.contains("name=\"password\""));
    let list = admin.get("/admin/invitations").await.text();
    assert!(list.contains("Used by ada@example.com") && list.contains("Withdraw"), "{list}");
    assert!(admin.get("/admin/log").await.text().contains("Invited someone"));

    app.clock.advance_ms(7 * 24 * 3_600_000);
    let late = sign_up(&app, "bob@example.com", Some(&bob)).await;
    late.is_error(400, unusable.0, unusable.1);
    app.check().await;
}

#[tokio::test]
async fn a_withdrawn_invitation_lets_nobody_in() {
    let app = with_rule("invited").await;
    let admin = admin(&app).await;
    let invitation = invited(&admin, "").await;
    let list = admin.get("/admin/invitations").await.text();
    let (_, rest) = list.split_once("action=\"/admin/invitations/").unwrap();
    let (id, _) = rest.split_once("/withdraw").unwrap();
    let path = format!("/admin/invitations/{id}/withdraw");
    assert_eq!(
        app.anon().submit(&path, &[]).await.status,
        404,
        "only an administrator can withdraw it"
    );
    leads_to(&admin.submit(&path, &[]).await, "/admin/invitations");
    let refused = sign_up(&app, "ada@example.com", Some(&invitation)).await;
    refused.is_error(400, "invalid_invitation", Some("invitation"));
    app.check().await;
}

#[tokio::test]
async fn addresses_of_the_domains_sign_up_and_others_need_an_invitation() {
    let app = with_rule("domains").await;
    for email in ["ada@example.org", "bob@EXAMPLE.NET"] {
        assert_eq!(sign_up(&app, email, None).await.status, 201, "{email}");
    }
    for email in ["eve@example.com", "eve@mail.example.org", "eve@example.org.example.com"] {
        let refused = sign_up(&app, email, None).await;
        let told = refused.is_error(403, "email_domain_not_allowed", Some("email"));
        assert!(told.contains("example.org, example.net"), "{told}");
    }
    let page = app.anon().get("/sign-up").await.text();
    assert!(page.contains("an email address at example.org, example.net"), "{page}");
    let admin = admin(&app).await;
    let invitation = invited(&admin, "eve@example.com").await;
    assert_eq!(sign_up(&app, "eve@example.com", Some(&invitation)).await.status, 201);
    app.check().await;
}

#[tokio::test]
async fn a_provider_of_identities_obeys_who_may_sign_up() {
    let door = Door::open_with(&[("RETOUCH_AUTH__SIGN_UP", "invited")]).await;
    door.person("sub-1", "ada@example.org").await;
    let refused = door.pass(&door.app.anon()).await;
    assert_eq!(refused.status, 403, "{}", refused.text());
    let admin = admin(&door.app).await;
    let invitation = invited(&admin, "ada@example.org").await;
    let path = format!("/sign-in/provider?next=/history&invitation={invitation}");
    leads_to(&door.pass_by(&door.app.anon(), &path).await, "/history");
    leads_to(&door.pass(&door.app.anon()).await, "/history");
    door.app.check().await;
}

#[tokio::test]
async fn refusals_by_providers_slow_an_account_down_and_not_the_built_in_editor() {
    let app = TestApp::with(&[("RETOUCH_EDITS__REFUSALS_PER_DAY_BEFORE_WAIT", "2")]).await;
    let eve = app.rich_caller("eve@example.com").await;
    let ask = async || eve.edit_with(&json!({ "instruction": "refuse", "model": "gamma-2" })).await;
    for _ in 0..2 {
        ask().await.is_error(400, "content_refused", None);
    }
    let slowed = ask().await;
    slowed.is_error(429, "too_many_refusals", None);
    assert_eq!(slowed.header("retry-after"), Some("60"));
    let built_in = json!({ "instruction": "make it grayscale", "model": "alpha-image-2-free" });
    eve.edit_with(&built_in).await.ok();
    app.clock.advance_ms(60_000);
    ask().await.is_error(400, "content_refused", None);
    assert_eq!(ask().await.header("retry-after"), Some("120"));
    app.check().await;
}

#[tokio::test]
async fn refusals_pause_providers_for_an_account_until_an_administrator_has_looked() {
    let app = TestApp::with(&[("RETOUCH_EDITS__REFUSALS_PER_DAY_BEFORE_PAUSE", "2")]).await;
    let admin = admin(&app).await;
    let eve = app.rich_caller("eve@example.com").await;
    let ask = async || eve.edit_with(&json!({ "instruction": "refuse", "model": "gamma-2" })).await;
    for _ in 0..2 {
        ask().await.is_error(400, "content_refused", None);
    }
    ask().await.is_error(403, "providers_paused", None);
    let built_in = json!({ "instruction": "make it grayscale", "model": "alpha-image-2-free" });
    eve.edit_with(&built_in).await.ok();
    let path = format!("/admin/users/{}", admin::id(&eve).await);
    let page = admin.get(&path).await.text();
    assert!(page.contains("Providers refused too many calls"), "{page}");
    let lifted = admin.submit(&format!("{path}/resume"), &[("pause_reason", "a mistake")]).await;
    leads_to(&lifted, &format!("{path}?done=resumed"));
    ask().await.is_error(400, "content_refused", None);
    app.check().await;
}
