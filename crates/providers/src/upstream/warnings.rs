//! Warnings that several protocols give.

use retouch_core::Warning;

/// A warning that `param` has no effect. `why` completes the sentence "`param` …".
pub fn not_honored(param: &str, why: &str) -> Warning {
    Warning::about("parameter_not_honored", param, format!("`{param}` {why}"))
}

/// A warning that `param` is followed only approximately. `how` completes the sentence "`param` …".
pub fn approximated(param: &str, how: &str) -> Warning {
    Warning::about("parameter_approximated", param, format!("`{param}` {how}"))
}

/// A warning that a provider made more than one image, of which one is kept.
pub fn extra_results(count: usize) -> Warning {
    let message = format!("The provider made {count} results; only the first is kept.");
    Warning { code: "extra_results".into(), message, param: None }
}
