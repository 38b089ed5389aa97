//! Two servers on one PostgreSQL database, one of which is paused during its work. Does nothing
//! unless `RETOUCH_TEST_POSTGRES` is set, as `tests/postgres/run` does.

use std::thread;

use serde_json::json;

use crate::database::Database;
use crate::http::Connection;
use crate::service::Installation;
use crate::vendor::{PRICE, Run};
use crate::{SIGN_UP, books, calls};

#[test]
#[ignore = "slow: waits until a lease has expired"]
fn a_server_that_stood_still_hurts_nothing_when_it_goes_on() {
    let Some(database) = Database::new("halted") else { return };
    let run = Run::new(&[
        ("RETOUCH_STORE__DATABASE_URL", &database.address()),
        ("RETOUCH_EDITS__LEASE", "1.5 s"),
        ("RETOUCH_EDITS__LEASE_RENEW_EVERY", "500 ms"),
        ("RETOUCH_EDITS__SWEEP_EVERY", "100 ms"),
    ]);
    let (one, two) = (run.installation.start(), run.installation.start());
    let address = one.address;
    let (generation, answer) = thread::scope(|scope| {
        let caller = scope.spawn(|| run.edit(address).unwrap());
        run.wait_for_a_poll();
        one.signal("STOP");
        let generation = run.ended(&two);
        one.signal("CONT");
        (generation, caller.join().unwrap())
    });
    assert_eq!(generation["status"], "succeeded", "{generation}");
    // The caller gets the image, or an error that says where to look for it.
    match answer.status {
        200 => assert_eq!(answer.json()["generation"]["uuid"], generation["uuid"]),
        _ => assert_eq!(answer.json()["error"]["code"], "outcome_pending", "{answer:?}"),
    }
    let received = run.told("/_sim/counts")[0]["received"].clone();
    assert_eq!(received, 1, "the work was ordered only once");
    for server in [&one, &two] {
        let credits = server.get("/api/credits", &run.installation.key);
        let left = (&credits["available"], &credits["held"]);
        assert_eq!(left, (&json!(SIGN_UP - PRICE), &json!(0)));
        let again = run.edit(server.address).unwrap();
        assert_eq!(again.json()["generation"]["uuid"], generation["uuid"], "the same edit");
    }
    let files = books::stored_names(&run.installation);
    assert_eq!(files.len(), 1, "only one result is stored");
    assert!(one.stop().success() && two.stop().success());
    run.installation.verify();
}

#[test]
#[ignore = "slow: starts two servers"]
fn calls_are_counted_together_whichever_server_is_asked() {
    let Some(database) = Database::new("counted") else { return };
    let installation = Installation::new(&[
        ("RETOUCH_STORE__DATABASE_URL", &database.address()),
        ("RETOUCH_EDITS__CALLS_PER_MINUTE_PER_ACCOUNT", "1"),
    ]);
    let (one, two) = (installation.start(), installation.start());
    let call = |server: &crate::service::Service| {
        let mut connection = Connection::open(server.address).unwrap();
        connection.call(&calls::edit(0, &installation.key)).unwrap()
    };
    assert_eq!(call(&one).status, 200);
    for server in [&two, &one] {
        let refused = call(server);
        assert_eq!(refused.status, 429);
        let error = &refused.json()["error"];
        assert_eq!(error["code"], "rate_limited", "{error}");
    }
    assert!(one.stop().success() && two.stop().success());
    installation.verify();
}
