//! Rate limits, with a clock that the test moves.

use std::net::IpAddr;
use std::sync::Arc;

use retouch_core::{Email, SeededEntropy, TestClock, Timestamp};
use retouch_server::auth::throttle::{Guesser, Throttled, Throttles};
use retouch_server::config::{Settings, Sources};
use retouch_store::{BlobsPlace, Context, Database, Store};
use tempfile::TempDir;

/// Throttles with their own store.
struct Place {
    throttles: Throttles,
    clock: Arc<TestClock>,
    _folder: TempDir,
}

impl Place {
    async fn new() -> Self {
        let sources = Sources::none()
            .with("RETOUCH_AUTH__SIGN_IN_ATTEMPTS_PER_MINUTE_PER_ACCOUNT", "3")
            .with("RETOUCH_AUTH__SIGN_IN_ATTEMPTS_PER_MINUTE_PER_ADDRESS", "5")
            .with("RETOUCH_AUTH__WRONG_PASSWORDS_PER_DAY_PER_NETWORK", "4")
            .with("RETOUCH_AUTH__WRONG_PASSWORDS_PER_DAY_PER_ACCOUNT", "6")
            .with("RETOUCH_AUTH__SIGN_UP_PER_HOUR_PER_ADDRESS", "2")
            .with("RETOUCH_AUTH__EMAILS_PER_HOUR_PER_RECIPIENT_AND_ADDRESS", "2")
            .with("RETOUCH_AUTH__EMAILS_PER_HOUR_PER_RECIPIENT", "4")
            .with("RETOUCH_AUTH__EMAILS_PER_HOUR_PER_ADDRESS", "3")
            .with("RETOUCH_AUTH__LINKS_PER_MINUTE_PER_ADDRESS", "2");
        let folder = TempDir::new().unwrap();
        let clock = Arc::new(TestClock::new(Timestamp(1_795_132_800_000)));
        let context = Context { clock: clock.clone(), entropy: Arc::new(SeededEntropy::new(1)) };
        let blobs = BlobsPlace::Folder(folder.path().join("blobs"));
        let database = Database::File(folder.path().join("rows.db"));
        let place = retouch_store::Settings::of(database, blobs);
        let store = Store::open(&place, context).await.unwrap();
        let throttles = Throttles::new(&Settings::load(&sources).unwrap(), &[], &store);
        Self { throttles, clock, _folder: folder }
    }
}

fn from(address: &str) -> Option<IpAddr> {
    Some(address.parse().unwrap())
}

fn ada() -> Email {
    "ada@example.com".parse().unwrap()
}

fn too_often(wait_s: u64) -> Result<(), Throttled> {
    Err(Throttled::TooOften { wait_s })
}

/// A wrong guess by a stranger at `address`.
async fn guess(throttles: &Throttles, email: &Email, address: &str) -> Result<(), Throttled> {
    throttles.guess(email, Guesser::Stranger(from(address))).await.map(drop)
}

#[tokio::test]
async fn strangers_share_an_accounts_guesses_and_wait_for_hours() {
    let Place { throttles, clock, .. } = &Place::new().await;
    for _ in 0..3 {
        assert_eq!(guess(throttles, &ada(), "192.0.2.1").await, Ok(()));
    }
    let shouted: Email = "ADA@Example.com".parse().unwrap();
    assert_eq!(guess(throttles, &shouted, "192.0.2.1").await, too_often(20), "per minute");
    clock.advance_ms(60_000);
    assert_eq!(guess(throttles, &ada(), "192.0.2.1").await, Ok(()));
    let day = 86_400 / 4 - 60;
    assert_eq!(guess(throttles, &ada(), "192.0.2.1").await, too_often(day), "four a day");
    for number in 2..=3 {
        assert_eq!(guess(throttles, &ada(), &format!("192.0.2.{number}")).await, Ok(()));
    }
    let all = 86_400 / 6 - 60;
    assert_eq!(
        guess(throttles, &ada(), "192.0.2.9").await,
        too_often(all),
        "six by all strangers together"
    );
    let bob = "bob@example.com".parse().unwrap();
    assert_eq!(guess(throttles, &bob, "192.0.2.9").await, Ok(()));
}

#[tokio::test]
async fn a_known_browser_has_attempts_of_its_own_that_no_stranger_takes() {
    let Place { throttles, .. } = &Place::new().await;
    for number in 0..8 {
        let _ = guess(throttles, &ada(), &format!("192.0.2.{number}")).await;
    }
    assert!(guess(throttles, &ada(), "198.51.100.1").await.is_err());
    for browser in [1, 2] {
        let known = Guesser::Known([browser; 32]);
        for _ in 0..3 {
            throttles.guess(&ada(), known).await.unwrap();
        }
        assert_eq!(throttles.guess(&ada(), known).await.map(drop), too_often(20));
    }
}

#[tokio::test]
async fn right_passwords_are_not_counted() {
    let Place { throttles, .. } = &Place::new().await;
    for guesser in [Guesser::Known([1; 32]), Guesser::Known([2; 32])] {
        for _ in 0..50 {
            let guess = throttles.guess(&ada(), guesser).await.unwrap();
            throttles.forgive(guess).await.unwrap();
        }
    }
    for number in 0..50 {
        let stranger = Guesser::Stranger(from(&format!("192.0.2.{number}")));
        let guess = throttles.guess(&ada(), stranger).await.unwrap();
        throttles.forgive(guess).await.unwrap();
    }
}

#[tokio::test]
async fn an_address_has_its_attempts_whichever_account_it_tries() {
    let Place { throttles, clock, .. } = &Place::new().await;
    let attempt = async |number: u32| {
        let email = format!("user{number}@example.com").parse().unwrap();
        guess(throttles, &email, "192.0.2.1").await
    };
    for number in 1..=5 {
        assert_eq!(attempt(number).await, Ok(()));
    }
    assert_eq!(attempt(6).await, too_often(12));
    clock.advance_ms(60_000);
    for number in 7..=11 {
        assert_eq!(attempt(number).await, Ok(()));
    }
}

#[tokio::test]
async fn one_ipv6_network_is_one_client_and_a_mapped_address_is_its_ipv4_one() {
    let Place { throttles, .. } = &Place::new().await;
    assert_eq!(throttles.sign_up(from("2001:db8:0:1::1")).await, Ok(()));
    assert_eq!(throttles.sign_up(from("2001:db8:0:1:ffff::2")).await, Ok(()));
    assert_eq!(throttles.sign_up(from("2001:db8:0:1::3")).await, too_often(1800));
    assert_eq!(throttles.sign_up(from("2001:db8:0:2::1")).await, Ok(()));

    assert_eq!(throttles.sign_up(from("192.0.2.1")).await, Ok(()));
    assert_eq!(throttles.sign_up(from("::ffff:192.0.2.1")).await, Ok(()));
    assert!(throttles.sign_up(from("192.0.2.1")).await.is_err());
    assert_eq!(throttles.sign_up(from("192.0.2.2")).await, Ok(()));
}

#[tokio::test]
async fn emails_are_counted_by_recipient_and_by_client() {
    let Place { throttles, clock, .. } = &Place::new().await;
    for number in 1..=4 {
        assert_eq!(throttles.email(&ada(), from(&format!("192.0.2.{number}"))).await, Ok(()));
    }
    let full = throttles.email(&"ADA@example.com".parse().unwrap(), from("192.0.2.5")).await;
    assert_eq!(full, too_often(900));
    let to = |number: u32| format!("user{number}@example.com").parse().unwrap();
    for number in 1..=3 {
        assert_eq!(throttles.email(&to(number), from("192.0.2.9")).await, Ok(()));
    }
    assert_eq!(throttles.email(&to(4), from("192.0.2.9")).await, too_often(1200));
    clock.advance_ms(1_800_000);
    assert_eq!(throttles.email(&ada(), from("192.0.2.4")).await, Ok(()));
}

#[tokio::test]
async fn a_stranger_does_not_use_up_the_emails_that_an_owner_can_ask_for() {
    let Place { throttles, .. } = &Place::new().await;
    let stranger = async || throttles.email(&ada(), from("192.0.2.1")).await;
    assert_eq!((stranger().await, stranger().await), (Ok(()), Ok(())));
    assert_eq!(stranger().await, too_often(1800));
    assert!(throttles.email(&ada(), from("2001:db8::1")).await.is_ok(), "the owner still can");
}

#[tokio::test]
async fn links_are_counted_for_who_tries_them() {
    let Place { throttles, .. } = &Place::new().await;
    for _ in 0..2 {
        assert_eq!(throttles.link(from("192.0.2.1")).await, Ok(()));
    }
    assert_eq!(throttles.link(from("192.0.2.1")).await, too_often(30));
    assert_eq!(throttles.link(from("192.0.2.2")).await, Ok(()));
}
