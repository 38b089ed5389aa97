//! Tests how long results are kept.

use retouch_core::catalogue::{Catalogue, EMBEDDED, Retention};

/// The embedded catalogue with these lines added to it and to the plans `basic` and `pro`.
fn with(without_plan: &str, basic: &str, pro: &str) -> Result<Catalogue, String> {
    let text = EMBEDDED
        .replacen("sign_up_credits", &format!("{without_plan}\nsign_up_credits"), 1)
        .replacen("id = \"basic\"\n", &format!("id = \"basic\"\n{basic}\n"), 1)
        .replacen("id = \"pro\"\n", &format!("id = \"pro\"\n{pro}\n"), 1);
    Catalogue::parse(&text).map_err(|error| error.to_string())
}

fn days(retention: &Retention, plans: &[&str]) -> Option<u32> {
    retention.kept_days(plans.iter().copied())
}

#[test]
fn nothing_goes_because_of_its_age_unless_the_catalogue_says_so() {
    let retention = with("", "", "").unwrap().retention();
    assert!(retention.is_unlimited());
    for plans in [&[][..], &["basic"], &["basic", "max"], &["unheard-of"]] {
        assert_eq!(days(&retention, plans), None, "{plans:?}");
    }
}

#[test]
fn the_most_generous_plan_decides_and_none_is_without_limit() {
    let limits = with("results_kept_days = 7", "results_kept_days = 30", "results_kept_days = 20");
    let retention = limits.unwrap().retention();
    assert!(!retention.is_unlimited());
    for (plans, expected) in [
        (&[][..], Some(7)),
        (&["basic"], Some(30)),
        (&["pro"], Some(20)),
        (&["pro", "basic"], Some(30)),
        (&["max"], None),
        (&["basic", "max"], None),
        (&["max", "basic"], None),
        (&["unheard-of"], None),
        (&["basic", "unheard-of"], None),
    ] {
        assert_eq!(days(&retention, plans), expected, "{plans:?}");
    }
    assert_eq!(retention.kept_ms([]), Some(7 * 86_400_000));
    let one = with("", "", "results_kept_days = 1").unwrap().retention();
    assert!(!one.is_unlimited(), "one plan is enough");
}

#[test]
fn a_limit_is_a_day_at_least() {
    let refused = with("results_kept_days = 0", "", "").unwrap_err();
    assert_eq!(refused, "without a plan: results_kept_days is 0; expected 1 to 36500");
    let refused = with("", "results_kept_days = 36501", "").unwrap_err();
    assert_eq!(refused, "basic: results_kept_days is 36501; expected 1 to 36500");
    assert!(with("", "", "results_kept_days = 36500").is_ok());
}
