//! Tests the limits that plans can have.

use retouch_core::catalogue::{Catalogue, EMBEDDED};

/// The embedded catalogue with these lines added to the plan `basic`.
fn with(basic: &str) -> Result<Catalogue, String> {
    let text = EMBEDDED.replacen("id = \"basic\"\n", &format!("id = \"basic\"\n{basic}\n"), 1);
    Catalogue::parse(&text).map_err(|error| error.to_string())
}

#[test]
fn a_plan_has_the_limits_that_it_names_and_no_others() {
    let catalogue = with("calls_per_minute = 0\nedits_at_once_max = 8").unwrap();
    let plan = catalogue.find_plan("basic").unwrap();
    let limits = (plan.calls_per_minute, plan.edits_at_once_max, plan.videos_at_once_max);
    assert_eq!(limits, (Some(0), Some(8), None));
}

#[test]
fn a_limit_that_no_setting_could_have_is_refused() {
    for (line, said) in [
        ("edits_at_once_max = 0", "basic: edits_at_once_max is 0; expected 1 to 1000000"),
        ("videos_at_once_max = 1000001", "basic: videos_at_once_max is 1000001; expected 1 to"),
        (
            "calls_per_minute = 100000001",
            "basic: calls_per_minute is 100000001; expected 0 to 100000000",
        ),
    ] {
        let refused = with(line).unwrap_err();
        assert!(refused.starts_with(said), "{refused}");
    }
}
