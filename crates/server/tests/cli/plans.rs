//! Plans that the operator gives.

use serde_json::json;

use super::Folder;

const ASSIGN: [&str; 5] = ["plan", "assign", "--account", "ada@example.com", "--plan"];

#[test]
fn a_plan_is_given_changed_shown_and_ended() {
    let folder = Folder::new();
    folder.account("ada@example.com");
    let given = folder.json(&[&ASSIGN[..], &["basic", "--reason", "a friend", "--json"]].concat());
    assert_eq!((&given["plan"], &given["status"]), (&json!("basic"), &json!("active")));
    assert_eq!(
        (&given["source"], &given["credits"]["available"]),
        (&json!("operator"), &json!(615))
    );
    let until = given["current_until"].as_str().unwrap().to_owned();
    let better = folder.run(&[&ASSIGN[..], &["max"]].concat());
    let said = format!(
        "ada@example.com: the plan max; its next month begins {until}; 2115 credits are available.\n"
    );
    assert_eq!((better.stdout, better.stderr.as_str()), (said, ""));
    let lesser = folder.run(&[&ASSIGN[..], &["pro"]].concat());
    assert!(lesser.stdout.contains(&format!("the plan max until {until}, then pro")), "{lesser:?}");
    let cancel = ["plan", "cancel", "--account", "ada@example.com"];
    let ending = folder.run(&cancel);
    assert_eq!(ending.stdout, format!("ada@example.com: the plan max until {until}.\n"));
    let show = ["plan", "show", "--account", "ada@example.com"];
    let shown = folder.json(&[&show[..], &["--json"]].concat());
    assert_eq!(shown["subscription"]["cancel_at"], json!(until));
    let over = folder.run(&[&cancel[..], &["--now"]].concat());
    assert_eq!(over.stdout, "ada@example.com: the plan max is over.\n");
    assert_eq!(folder.run(&show).stdout, "ada@example.com: no plan.\n");
    let nothing = folder.run(&cancel);
    assert_eq!((nothing.status, nothing.stderr.as_str()), (1, "error: the account has no plan\n"));
    assert_eq!(folder.run(&["credits", "verify"]).status, 0);
}

#[test]
fn there_are_the_plans_of_the_catalogue() {
    let folder = Folder::new();
    folder.account("ada@example.com");
    let refused = folder.run(&[&ASSIGN[..], &["gold"]].concat());
    assert_eq!((refused.status, refused.stdout.as_str()), (2, ""));
    assert_eq!(refused.stderr, "error: there is no plan gold; one of basic, pro, max\n");
    let nobody = ["plan", "assign", "--account", "bob@example.com", "--plan", "pro"];
    let refused = folder.run(&nobody);
    assert_eq!((refused.status, refused.stdout.as_str()), (1, ""));
}
