//! Runs every part that needs no other program, for a short time each.

use std::process::Command;

use serde_json::Value;

#[test]
#[ignore = "slow: measures for half a minute"]
fn each_part_measures() {
    let folder = tempfile::tempdir().unwrap();
    for (part, figures) in [
        ("path", 40),
        ("compare", 6),
        ("ledger", 18),
        ("edits", 15 * 2 * 3 + 1),
        ("soak --minutes 0.05 --share 0.3", 2 + 3 + 10 * 5 + 13 + 3 + 4),
    ] {
        let json = folder.path().join("figures.json");
        let done = Command::new(env!("CARGO_BIN_EXE_retouch-bench"))
            .args(part.split(' '))
            .args(["--seconds", "0.05", "--megapixels", "1", "--json"])
            .arg(&json)
            .arg("--folder")
            .arg(folder.path().join("data"))
            .output()
            .unwrap();
        assert!(done.status.success(), "{part}: {}", String::from_utf8_lossy(&done.stderr));
        let report: Value = serde_json::from_slice(&std::fs::read(&json).unwrap()).unwrap();
        // Not every disk has these counters.
        let is_everywhere = |figure: &&Value| {
            !["disk's writes", "disk's flushes"].contains(&figure["name"].as_str().unwrap())
        };
        let measured: Vec<&Value> =
            report["figures"].as_array().unwrap().iter().filter(is_everywhere).collect();
        assert_eq!(measured.len(), figures, "{part}");
        let finite = |figure: &Value| figure["value"].as_f64().is_some_and(f64::is_finite);
        assert!(measured.into_iter().all(finite), "{part}: {report}");
    }
}
