//! What the section `[billing]` accepts.

use super::{load, refused};

const KEY: (&str, &str) = ("RETOUCH_BILLING__STRIPE_SECRET_KEY", "sk_test_1");
const SECRET: (&str, &str) = ("RETOUCH_BILLING__STRIPE_WEBHOOK_SECRET", "whsec_new, whsec_old");
const PRICES: (&str, &str) =
    ("RETOUCH_BILLING__STRIPE_PRICES", "basic=price_1,pro=price_2,basic=price_0");

#[test]
fn without_a_key_nobody_can_pay() {
    assert!(load(&[]).unwrap().billing.stripe.is_none());
    assert!(load(&[SECRET, PRICES]).unwrap().billing.stripe.is_none());
}

#[test]
fn with_a_key_there_has_to_be_what_it_needs() {
    let stripe = load(&[KEY, SECRET, PRICES]).unwrap().billing.stripe.unwrap();
    assert_eq!(stripe.base_url.as_str(), "https://api.stripe.com/");
    let secrets: Vec<_> = stripe.webhook_secrets.iter().map(|one| one.reveal()).collect();
    assert_eq!(secrets, ["whsec_new", "whsec_old"]);
    let prices: Vec<_> = stripe.prices.iter().map(|(plan, it)| format!("{plan} {it}")).collect();
    assert_eq!(prices, ["basic price_1", "pro price_2", "basic price_0"]);
    let said = refused(&[KEY]);
    assert!(said.contains("billing.stripe_webhook_secret: missing"), "{said}");
    assert!(said.contains("billing.stripe_prices: missing"), "{said}");
    for wrong in ["price_1", "basic=", "=price_1", "basic=price 1", "basic=price_1/../x"] {
        let said = refused(&[KEY, SECRET, ("RETOUCH_BILLING__STRIPE_PRICES", wrong)]);
        assert!(said.contains("expected a plan and a price"), "{wrong}: {said}");
    }
}

#[test]
fn what_opens_the_account_is_not_shown() {
    let shown = format!("{:?}", load(&[KEY, SECRET, PRICES]).unwrap());
    assert!(!shown.contains("sk_test") && !shown.contains("whsec_"), "{shown}");
}
