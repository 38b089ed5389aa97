//! Sign-in through an OpenID Connect provider, and attempts to impersonate someone.

use retouch_store::Deed;
use serde_json::json;

use crate::support::TestApp;
use crate::support::door::{Door, Trip};
use crate::support::persona::{Answer, Persona};

const FORM: &[(&str, &str)] = &[("password", "correct horse")];

/// Checks that no session was created, and returns the message.
#[track_caller]
fn refused(answer: &Answer, status: u16) -> String {
    assert_eq!(answer.status.as_u16(), status, "{}", answer.text());
    let cookies: Vec<_> = answer.headers.get_all("set-cookie").iter().collect();
    assert_eq!(cookies.len(), 1, "{cookies:?}");
    assert!(cookies[0].to_str().unwrap().starts_with("retouch_away=; Path=/; Max-Age=0"));
    answer.text()
}

/// The form of a page that starts a sign-in at the provider: where it leads, and the cookie it
/// sets.
fn onward(answer: &Answer) -> Trip {
    assert_eq!(answer.status, 200, "{}", answer.text());
    let text = answer.text();
    let address = text.split("url=").nth(1).unwrap().split('"').next().unwrap();
    let cookie = answer.header("set-cookie").unwrap().split(';').next().unwrap();
    let address = address.replace("&#38;", "&").replace("&amp;", "&");
    Trip { address, cookie: cookie.to_owned() }
}

async fn link(door: &Door, who: &Persona) -> Answer {
    let trip = onward(&who.submit("/account/identities", FORM).await);
    let back = door.agree(&trip).await;
    door.arrive(who, &trip, &back).await
}

#[tokio::test]
async fn somebody_new_gets_an_account_once_and_comes_back_to_it() {
    let door = Door::open().await;
    let first = door.pass(&door.app.anon()).await;
    assert_eq!(first.header("location"), Some("/history"));
    let ada = door.app.anon().with_session(&first);
    let account = ada.get("/api/account").await.ok();
    assert_eq!(account["email"], "ada@example.com");
    assert_eq!(ada.available().await, 15);
    for algorithm in ["ES256", "EdDSA", "RS256"] {
        // The key is unknown to the service, so it fetches the provider's keys again.
        let key = json!({ "algorithm": algorithm, "kid": format!("the one for {algorithm}") });
        door.ask("key", &key).await;
        let again = door.enter().await;
        assert_eq!(again.get("/api/account").await.ok()["id"], account["id"], "{algorithm}");
    }
    assert_eq!((door.accounts().await, ada.available().await), (1, 15));
    let word = json!({ "email": "ada@example.com", "password": "correct horse" });
    let guess = door.app.anon().post("/api/auth/sign-in", &word).await;
    guess.is_error(401, "invalid_credentials", None);
    door.app.check().await;
}

#[tokio::test]
async fn a_token_that_is_wrong_in_any_way_lets_nobody_in() {
    let door = Door::open().await;
    let ways = [
        "wrong_nonce",
        "no_nonce",
        "wrong_audience",
        "several_audiences",
        "wrong_party",
        "wrong_issuer",
        "expired",
        "early",
        "no_subject",
        "unsigned",
        "shared_secret",
        "other_key",
        "changed",
        "garbage",
    ];
    for how in ways {
        door.ask("token_fault", &json!({ "fault": how })).await;
        let said = refused(&door.pass(&door.app.anon()).await, 400);
        assert!(said.contains("could not be completed"), "{how}: {said}");
    }
    // The key's type decides which algorithm is accepted, not the token's header.
    door.ask("key", &json!({ "algorithm": "EdDSA", "kid": "first" })).await;
    door.ask("token_fault", &json!({ "fault": "other_key" })).await;
    refused(&door.pass(&door.app.anon()).await, 400);
    assert_eq!(door.accounts().await, 0);
    door.enter().await;
    door.app.check().await;
}

#[tokio::test]
async fn an_answer_counts_in_the_browser_that_asked_once_and_in_time() {
    let door = Door::open().await;
    let (eve, ada) = (door.app.anon(), door.app.anon());
    // Ada's browser opens Eve's callback, first without a sign-in of its own, then during its own.
    let of_eve = door.leave(&eve, "/sign-in/provider").await;
    let back = door.agree(&of_eve).await;
    assert!(refused(&ada.get(&back).await, 400).contains("not started in this browser"));
    let of_ada = door.leave(&ada, "/sign-in/provider").await;
    assert!(refused(&door.arrive(&ada, &of_ada, &back).await, 400).contains("not started"));
    // Ada's sign-in attempt is used up, and a made-up state matches no attempt.
    let of_ada = door.leave(&ada, "/sign-in/provider").await;
    let made_up = "/sign-in/provider/return?code=code-1&state=state";
    refused(&door.arrive(&ada, &of_ada, made_up).await, 400);
    // A callback works only once, and so does its code.
    let used = door.arrive(&eve, &of_eve, &back).await;
    assert_eq!(used.status, 303, "{}", used.text());
    refused(&door.arrive(&eve, &of_eve, &back).await, 400);
    let again = door.leave(&eve, "/sign-in/provider").await;
    let fresh = door.agree(&again).await;
    let part = |path: &str, name: &str| {
        let query = path.split('?').nth(1).unwrap();
        let found = query.split('&').find(|it| it.starts_with(name)).unwrap();
        found.to_owned()
    };
    let replayed = fresh.replace(&part(&fresh, "code="), &part(&back, "code="));
    refused(&door.arrive(&eve, &again, &replayed).await, 400);
    // The issuer must be the provider (RFC 9207). Another issuer is refused, and so is a missing
    // one.
    for name in ["iss=https%3A%2F%2Fevil.example", "is="] {
        let trip = door.leave(&eve, "/sign-in/provider").await;
        let path = door.agree(&trip).await;
        refused(&door.arrive(&eve, &trip, &path.replace(&part(&path, "iss="), name)).await, 400);
    }
    // A sign-in attempt expires after ten minutes.
    let late = door.leave(&eve, "/sign-in/provider").await;
    let back = door.agree(&late).await;
    door.app.clock.advance_ms(10 * 60_000);
    refused(&door.arrive(&eve, &late, &back).await, 400);
    assert_eq!(door.accounts().await, 1);
    door.app.check().await;
}

#[tokio::test]
async fn an_account_is_never_entered_by_its_address_alone() {
    let door = Door::open().await;
    let ada = door.app.member("Ada@example.com").await;
    let said = refused(&door.pass(&door.app.anon()).await, 409);
    assert!(said.contains("You already have an account") && said.contains("Example ID"), "{said}");
    assert_eq!(ada.get("/api/account").await.status, 200);
    // An address that is missing or not verified creates no account and reveals no existing one.
    for person in [
        json!({ "sub": "2", "email": "ada@example.com", "email_verified": false }),
        json!({ "sub": "2", "email": "new@example.com", "email_verified": null }),
        json!({ "sub": "2", "email": null }),
        json!({ "sub": "2", "email": "no address" }),
    ] {
        door.ask("person", &person).await;
        let said = refused(&door.pass(&door.app.anon()).await, 403);
        assert!(said.contains("hasn’t verified your email address"), "{said}");
    }
    assert_eq!(door.accounts().await, 1);
    // The address may come from the userinfo endpoint, if it is about the same person.
    let asked = json!({ "sub": "3", "email": "bob@example.com", "email_on_request": true });
    door.ask("person", &asked).await;
    door.ask("token_fault", &json!({ "fault": "other_person" })).await;
    refused(&door.pass(&door.app.anon()).await, 400);
    let bob = door.enter().await;
    assert_eq!(bob.get("/api/account").await.ok()["email"], "bob@example.com");
    door.app.check().await;
}

#[tokio::test]
async fn an_identity_is_linked_by_whoever_has_the_password_and_opens_the_account_then() {
    let door = Door::open().await;
    let ada = door.app.member("ada@example.com").await;
    let wrong = ada.submit("/account/identities", &[("password", "wrong horse")]).await;
    assert_eq!(wrong.status, 401, "{}", wrong.text());
    assert!(wrong.text().contains("The password is wrong."), "{}", wrong.text());
    let linked = link(&door, &ada).await;
    assert_eq!(linked.header("location"), Some("/account?done=linked"), "{}", linked.text());
    let page = ada.get("/account").await.text();
    assert!(page.contains("Example ID") && page.contains("Unlink"), "{page}");
    let entered = door.enter().await;
    let id = ada.get("/api/account").await.ok()["id"].clone();
    assert_eq!(entered.get("/api/account").await.ok()["id"], id);

    // No other account can link this identity, and a link that was started in one browser cannot be
    // finished in another.
    let bob = door.app.member("bob@example.com").await;
    let taken = link(&door, &bob).await;
    assert_eq!(taken.status, 409, "{}", taken.text());
    door.person("another", "bob@example.com").await;
    let trip = onward(&bob.submit("/account/identities", FORM).await);
    let back = door.agree(&trip).await;
    let elsewhere = door.arrive(&ada, &trip, &back).await;
    assert_eq!(elsewhere.header("location"), Some("/sign-in?next=%2Faccount"));

    let issuer = door.app.app.settings.oidc.as_ref().unwrap().issuer.clone();
    let named = [("issuer", issuer.as_str()), ("subject", "person-1")];
    assert_eq!(bob.submit("/account/identities/unlink", &named).await.status, 404);
    let unlinked = ada.submit("/account/identities/unlink", &named).await;
    assert_eq!(unlinked.header("location"), Some("/account?done=unlinked"));
    door.person("person-1", "ada@example.com").await;
    refused(&door.pass(&door.app.anon()).await, 409);
    door.app.check().await;
}

#[tokio::test]
async fn accounts_without_a_password_confirm_by_signing_in_again() {
    let door = Door::open().await;
    // The user last signed in at the provider an hour ago, so someone else may be using that
    // browser now.
    let silent = door.enter().await;
    let page = silent.get("/account").await.text();
    assert!(page.contains("Sign in with Example ID again"), "{page}");
    let gone = silent.delete_with("/api/account", &json!({})).await;
    gone.is_error(403, "sign_in_again", None);
    let new = json!({ "password": "battery staple" });
    silent.patch("/api/account", &new).await.is_error(403, "sign_in_again", None);
    let refused = silent.submit("/account/identities", &[]).await;
    assert_eq!(refused.status, 403, "{}", refused.text());
    let issuer = door.app.app.settings.oidc.as_ref().unwrap().issuer.clone();
    let named = [("issuer", issuer.as_str()), ("subject", "person-1")];
    let unsure = silent.submit("/account/identities/unlink", &named).await;
    assert_eq!(unsure.status, 403, "{}", unsure.text());

    let answer = door.pass_by(&silent, "/sign-in/provider?again=1&next=/account").await;
    assert_eq!(answer.header("location"), Some("/account"));
    let fresh = door.app.anon().with_session(&answer);
    silent.get("/api/account").await.is_error(401, "unauthenticated", None);
    assert!(!fresh.get("/account").await.text().contains("you must have signed in within"));
    let last = fresh.submit("/account/identities/unlink", &named).await;
    assert_eq!(last.status, 409, "{}", last.text());
    assert!(last.text().contains("Add another one first"), "{}", last.text());
    door.app.clock.advance_ms(10 * 60_000);
    fresh.patch("/api/account", &new).await.is_error(403, "sign_in_again", None);
    door.ask("clock", &json!({ "seconds": door.app.app.clock.now().0 / 1_000 })).await;

    let answer = door.pass_by(&silent, "/sign-in/provider?again=1").await;
    let fresh = door.app.anon().with_session(&answer);
    fresh.patch("/api/account", &new).await.ok();
    // The account has a password now, so it is required.
    let missing = fresh.delete_with("/api/account", &json!({})).await;
    missing.is_error(400, "missing_field", Some("password"));
    let gone = fresh.delete_with("/api/account", &new).await;
    assert_eq!(gone.status, 204, "{}", gone.text());
    assert_eq!(door.accounts().await, 0);
    door.enter().await;
    door.app.check().await;
}

#[tokio::test]
async fn an_open_browser_proves_nothing_where_the_provider_does_not_say_when_somebody_signed_in() {
    let quiet = json!({ "sub": "person-1", "signed_in_s_ago": null });
    let new = json!({ "password": "battery staple" });
    for (setting, status) in [("refuse", 400), ("accept", 303)] {
        let door = Door::open_with(&[("RETOUCH_OIDC__MISSING_AUTH_TIME", setting)]).await;
        door.ask("person", &quiet).await;
        let silent = door.enter().await;
        silent.patch("/api/account", &new).await.is_error(403, "sign_in_again", None);
        let answer = door.pass_by(&silent, "/sign-in/provider?again=1").await;
        assert_eq!(answer.status, status, "{setting}: {}", answer.text());
        let proven = if status == 303 { door.app.anon().with_session(&answer) } else { silent };
        let changed = proven.patch("/api/account", &new).await;
        assert_eq!(changed.status.is_success(), setting == "accept", "{}", changed.text());
        door.app.check().await;
    }
}

#[tokio::test]
async fn who_is_kept_out_stays_out_and_a_provider_that_fails_is_said_to() {
    let door = Door::open().await;
    let trip = door.leave(&door.app.anon(), "/sign-in/provider?next=/keys").await;
    let back = door.decline(&trip).await;
    let declined = door.arrive(&door.app.anon(), &trip, &back).await;
    let place = declined.header("location").unwrap();
    assert_eq!(place, "/sign-in?next=%2Fkeys&done=declined");
    let page = door.app.anon().get(place).await.text();
    assert!(page.contains("You canceled at the sign-in provider"), "{page}");

    let ada = door.enter().await;
    door.fault("submit").await;
    let said = refused(&door.pass(&door.app.anon()).await, 503);
    assert!(said.contains("is not responding"), "{said}");
    let ada = ada.get("/api/account").await.ok()["id"].as_str().unwrap().parse().unwrap();
    let deed = Deed { by: None, reason: "a test".into(), request_id: None };
    door.app.app.store.suspend(&ada, deed).await.unwrap();
    let said = refused(&door.pass(&door.app.anon()).await, 403);
    assert!(said.contains("This account is suspended"), "{said}");
    door.app.check().await;
}

#[tokio::test]
async fn the_way_is_shown_where_there_is_one_and_begun_by_our_own_pages() {
    let without = TestApp::new().await;
    assert!(!without.anon().get("/sign-in").await.text().contains("Continue with"));
    for path in ["/sign-in/provider", "/sign-in/provider/return?code=1&state=1"] {
        assert_eq!(without.anon().get(path).await.status, 404);
    }
    without.check().await;
    let door = Door::open().await;
    for path in ["/sign-in?next=/keys", "/sign-up?next=/keys"] {
        let page = door.app.anon().get(path).await.text();
        assert!(page.contains("Continue with Example ID"), "{page}");
        assert!(page.contains("/sign-in/provider?next=%2Fkeys"), "{page}");
    }
    let evil = door.app.anon().with_header("sec-fetch-site", "cross-site");
    let answer = evil.get("/sign-in/provider?next=//evil.example").await;
    assert_eq!(answer.header("location"), Some("/sign-in?next=%2F"));
    assert_eq!(answer.header("set-cookie"), None);
    // One client address cannot fill the memory for sign-in attempts.
    let many = door.app.anon().calling_from([10, 0, 0, 9]);
    for _ in 0..1_000 {
        let answer = many.get("/sign-in/provider").await;
        if answer.status == 429 {
            return door.app.check().await;
        }
        assert_eq!(answer.status, 303);
    }
    panic!("the attempts were never rate-limited");
}
