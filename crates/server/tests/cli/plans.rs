//! Plans that the operator assigns.

use std::io::{Read, Write};
use std::net::TcpStream;

use retouch_sim::{Options, Sim};
use serde_json::json;

use super::{Folder, Outcome, outcome};

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
        "ada@example.com: plan max; the next month starts {until}; 2115 credits available.\n"
    );
    assert_eq!((better.stdout, better.stderr.as_str()), (said, ""));
    let lesser = folder.run(&[&ASSIGN[..], &["pro"]].concat());
    assert!(lesser.stdout.contains(&format!("plan max until {until}, then pro")), "{lesser:?}");
    let cancel = ["plan", "cancel", "--account", "ada@example.com"];
    let ending = folder.run(&cancel);
    assert_eq!(ending.stdout, format!("ada@example.com: plan max until {until}.\n"));
    let show = ["plan", "show", "--account", "ada@example.com"];
    let shown = folder.json(&[&show[..], &["--json"]].concat());
    assert_eq!(shown["subscription"]["cancel_at"], json!(until));
    let over = folder.run(&[&cancel[..], &["--now"]].concat());
    assert_eq!(over.stdout, "ada@example.com: plan max has ended.\n");
    assert_eq!(folder.run(&show).stdout, "ada@example.com: no plan.\n");
    let nothing = folder.run(&cancel);
    assert_eq!((nothing.status, nothing.stderr.as_str()), (1, "error: the account has no plan\n"));
    assert_eq!(folder.run(&["credits", "verify"]).status, 0);
}

/// The result of `doctor` when Stripe charges `cents` each `interval` for Basic.
fn doctor(cents: u32, interval: &str) -> Outcome {
    let sim = Sim::start(Options::default()).unwrap();
    let form = format!(
        "unit_amount={cents}&currency=usd&recurring[interval]={interval}&product_data[name]=Basic"
    );
    let mut stream = TcpStream::connect(sim.origin().strip_prefix("http://").unwrap()).unwrap();
    let request = format!(
        "POST /stripe/v1/prices HTTP/1.1\r\nhost: x\r\nauthorization: Bearer k\r\n\
         content-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\
         connection: close\r\n\r\n{form}",
        form.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut made = String::new();
    stream.read_to_string(&mut made).unwrap();
    let made = &made[made.find("price_").unwrap()..];
    let price = &made[..made.find('"').unwrap()];
    let folder = Folder::new();
    let mut command = folder.command(&["doctor"]);
    command.env("RETOUCH_SERVER__LISTEN", "127.0.0.1:0");
    command.env("RETOUCH_BILLING__STRIPE_SECRET_KEY", "sk_test_hunter22");
    command.env("RETOUCH_BILLING__STRIPE_WEBHOOK_SECRET", "whsec_hunter22");
    command.env("RETOUCH_BILLING__STRIPE_PRICES", format!("basic={price}"));
    command.env("RETOUCH_BILLING__STRIPE_BASE_URL", sim.url("stripe"));
    outcome(command, "")
}

#[test]
fn the_doctor_compares_what_stripe_charges_with_the_catalogue() {
    let right = doctor(990, "month");
    assert_eq!(right.status, 0, "{right:?}");
    assert!(right.stdout.contains("9.90 usd a month"), "{right:?}");
    for (wrong, said) in
        [(doctor(999, "month"), "9.99 usd a month"), (doctor(990, "year"), "a year")]
    {
        assert_eq!(wrong.status, 1, "{wrong:?}");
        assert!(wrong.stdout.contains("FAIL  stripe basic"), "{wrong:?}");
        assert!(
            wrong.stdout.contains(said) && !format!("{wrong:?}").contains("hunter"),
            "{wrong:?}"
        );
    }
}

#[test]
fn there_are_the_plans_of_the_catalogue() {
    let folder = Folder::new();
    folder.account("ada@example.com");
    let refused = folder.run(&[&ASSIGN[..], &["gold"]].concat());
    assert_eq!((refused.status, refused.stdout.as_str()), (2, ""));
    assert_eq!(refused.stderr, "error: unknown plan gold; choose one of basic, pro, max\n");
    let nobody = ["plan", "assign", "--account", "bob@example.com", "--plan", "pro"];
    let refused = folder.run(&nobody);
    assert_eq!((refused.status, refused.stdout.as_str()), (1, ""));
}
