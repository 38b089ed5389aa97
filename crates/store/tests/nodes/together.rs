//! Tests what must hold whichever node is called.

use std::num::NonZeroU32;

use retouch_core::credits::{Command, KeyAllowance, KeyLimits, NewHold, Refused};
use retouch_core::{Credits, Rate};
use retouch_store::{
    Adoption, Error, Granted, IdempotencyKey, Limit, NewChallenge, NewKey, NewSession, OpenEdit,
    OpenError, Opened, Outcome,
};
use tokio::task::JoinSet;

use crate::place::{HOUR_MS, Place, START, assert_proved, edit, grant, hold, member, new_account};

#[tokio::test]
async fn nodes_that_start_together_make_the_tables_once() {
    let Some(place) = Place::new() else { return };
    let (one, two, three) = tokio::join!(place.node(1), place.node(2), place.node(3));
    let ada = member(&one, "ada", 5).await;
    for node in [two, three] {
        assert_eq!(node.balance(&ada).await.unwrap().available, Credits::from(5));
    }
}

#[tokio::test]
async fn nodes_of_one_and_the_same_randomness_write_side_by_side() {
    let Some(place) = Place::new() else { return };
    let (one, two) = (place.node(1).await, place.node(1).await);
    for node in [&one, &two, &one, &two] {
        node.ready().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_credits_are_held_once_whichever_nodes_are_asked() {
    let Some(place) = Place::new() else { return };
    let nodes = place.nodes::<3>().await;
    let ada = member(&nodes[0], "ada", 603).await;
    let mut callers = JoinSet::new();
    for caller in 0..48 {
        let (node, ada, ids) = (nodes[caller % 3].clone(), ada.clone(), place.ids.clone());
        callers.spawn(async move {
            let mut held = 0;
            for turn in 0..6 {
                let id = ids.edit();
                match node.ledger(&ada, hold(id, 6)).await {
                    Ok(_) if turn % 3 == 2 => {
                        node.ledger(&ada, Command::Release { hold: id }).await.unwrap();
                    }
                    Ok(_) => held += 1,
                    Err(Error::Refused(Refused::Insufficient { .. })) => {}
                    Err(error) => panic!("{error}"),
                }
            }
            held
        });
    }
    let held: u32 = callers.join_all().await.into_iter().sum();
    let balance = nodes[1].balance(&ada).await.unwrap();
    assert_eq!(balance.held, Credits::from(held * 6));
    assert_eq!(balance.available, Credits::from(603 - held * 6));
    assert!(held > 50, "the callers got through: {held}");
    assert_proved(&nodes[2]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_source_key_counts_once_for_all_accounts_and_nodes() {
    let Some(place) = Place::new() else { return };
    let nodes = place.nodes::<2>().await;
    let mut accounts = Vec::new();
    for number in 0..4 {
        accounts.push(member(&nodes[0], &format!("member{number}"), 0).await);
    }
    let mut callers = JoinSet::new();
    for caller in 0..64 {
        let (node, account) = (nodes[caller % 2].clone(), accounts[caller % 4].clone());
        callers.spawn(async move {
            let granted = node.grant(&account, grant(format!("source-{}", caller / 8))).await;
            u32::from(granted.unwrap() != Granted::Already)
        });
    }
    assert_eq!(callers.join_all().await.into_iter().sum::<u32>(), 8);
    assert_proved(&nodes[1]).await;
}

#[tokio::test]
async fn sessions_keys_and_limits_hold_on_every_node_at_once() {
    let Some(place) = Place::new() else { return };
    let [one, two] = place.nodes().await;
    let ada = member(&one, "ada", 100).await;
    let session = NewSession {
        second_factor_at: None,
        browser: None,
        token_hash: [7; 32],
        expires_at: START.plus_ms(HOUR_MS),
        user_agent: None,
        proven_at: None,
    };
    one.create_session(&ada, session).await.unwrap();
    assert!(two.find_session(&[7; 32]).await.unwrap().is_some());
    assert!(two.delete_session(&[7; 32]).await.unwrap());
    assert_eq!(one.find_session(&[7; 32]).await.unwrap(), None);

    let new = NewKey {
        scopes: retouch_store::Scopes::ALL,
        name: "bot".into(),
        hash: [9; 32],
        start: "rt".into(),
        expires_at: None,
        limits: KeyLimits { life: Some(Credits::from(10)), ..KeyLimits::default() },
    };
    let key = one.create_key(&ada, new).await.unwrap();
    let spend = |id| {
        let key = Some(KeyAllowance { id: key.id.clone(), limits: key.limits });
        let credits = Credits::from(6);
        Command::Hold(NewHold { id, credits, key, description: "Edit".into() })
    };
    one.ledger(&ada, spend(place.ids.edit())).await.unwrap();
    let over = two.ledger(&ada, spend(place.ids.edit())).await;
    assert!(matches!(over, Err(Error::Refused(Refused::KeyLimit { .. }))), "{over:?}");
    assert!(two.revoke_key(&ada, &key.id).await.unwrap());
    assert_eq!(one.find_key(&[9; 32]).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_counts_once_counts_once_on_all_nodes_together() {
    let Some(place) = Place::new() else { return };
    let nodes = place.nodes::<2>().await;
    let challenge = NewChallenge {
        token_hash: [3; 32],
        kind: "passkey",
        account: None,
        content: "x".into(),
        expires_at: START.plus_ms(HOUR_MS),
    };
    nodes[0].create_challenge(challenge).await.unwrap();
    let mut takers = JoinSet::new();
    for taker in 0..16 {
        let node = nodes[taker % 2].clone();
        takers.spawn(async move { node.take_challenge(&[3; 32], "passkey").await.unwrap() });
    }
    assert_eq!(takers.join_all().await.into_iter().flatten().count(), 1);
    let mut askers = JoinSet::new();
    for asker in 0..16 {
        let node = nodes[asker % 2].clone();
        askers.spawn(async move { node.create_account(new_account("ada", 15)).await });
    }
    let made = askers.join_all().await;
    assert_eq!(made.iter().filter(|made| made.is_ok()).count(), 1);
    assert!(made.iter().flat_map(|made| made.as_ref().err()).all(|it| *it == Error::EmailTaken));
    assert_proved(&nodes[1]).await;
}

pub(crate) fn success() -> Outcome {
    Outcome::Succeeded {
        cost: Credits::from(6),
        provider_cost: None,
        usage: None,
        warnings: "[]".into(),
        plan: None,
        stored: vec!["x".into()],
        file: None,
        size: None,
        original: None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_made_to_all_nodes_is_charged_once() {
    let Some(place) = Place::new() else { return };
    let nodes = place.nodes::<2>().await;
    let ada = member(&nodes[0], "ada", 100).await;
    let key = IdempotencyKey { call: "image-edit", key: "k".into(), fingerprint: [1; 32] };
    let mut callers = JoinSet::new();
    for caller in 0..16 {
        let (node, ada) = (nodes[caller % 2].clone(), ada.clone());
        let edit = edit(&place, Some(key.clone()));
        callers.spawn(async move { (edit.id, node.open_edit(&ada, edit).await) });
    }
    let (mut opened, mut running) = (Vec::new(), 0);
    for (id, answer) in callers.join_all().await {
        match answer {
            Ok(_) => opened.push(id),
            Err(OpenError::IdempotencyRunning { .. }) => running += 1,
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!((opened.len(), running), (1, 15));
    let closed = tokio::join!(
        nodes[0].close_edit(&ada, &opened[0], success()),
        nodes[1].close_edit(&ada, &opened[0], success()),
    );
    assert_eq!(usize::from(closed.0.is_ok()) + usize::from(closed.1.is_ok()), 1);
    assert_eq!(nodes[0].balance(&ada).await.unwrap().available, Credits::from(94));
    assert_proved(&nodes[1]).await;
}

#[tokio::test]
async fn an_edit_of_a_dead_node_is_taken_over_by_one_other() {
    let Some(place) = Place::new() else { return };
    let dead = place.node(1).await;
    let ada = member(&dead, "ada", 100).await;
    let edit = edit(&place, None);
    dead.open_edit(&ada, edit.clone()).await.unwrap();
    drop(dead);
    let (two, three) = (place.node(2).await, place.node(3).await);
    let until = START.plus_ms(60_000);
    let open = two.list_due_edits("node-2", edit.lease_until, 30_000).await.unwrap();
    assert_eq!(open.len(), 1);
    let adoption = |owner: &str| Adoption { owner: owner.into(), until, blob: owner.into() };
    let taken = tokio::join!(
        two.adopt_edit(&open[0], adoption("node-2")),
        three.adopt_edit(&open[0], adoption("node-3")),
    );
    assert_ne!(taken.0.unwrap(), taken.1.unwrap(), "one of them has it");
    three.close_edit(&ada, &edit.id, success()).await.unwrap();
    assert!(two.list_open_edits().await.unwrap().is_empty());
    assert_proved(&two).await;
}

#[tokio::test]
async fn a_day_is_counted_by_all_nodes_together() {
    let Some(place) = Place::new() else { return };
    let nodes = place.nodes::<3>().await;
    let ada = member(&nodes[0], "ada", 100).await;
    for node in &nodes {
        let edit = edit(&place, None);
        node.open_edit(&ada, edit.clone()).await.unwrap();
        node.close_edit(&ada, &edit.id, success()).await.unwrap();
    }
    let days = nodes[0].list_days(START).await.unwrap();
    assert_eq!(days.iter().map(|it| (it.edits, it.credits)).collect::<Vec<_>>(), [(3, 18)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_comes_too_often_is_refused_whichever_nodes_are_asked() {
    let Some(place) = Place::new() else { return };
    let nodes = place.nodes::<3>().await;
    let visits = Limit { name: "visits", rate: Rate::per_minute(NonZeroU32::new(20).unwrap()) };
    let mut callers = JoinSet::new();
    for caller in 0..24 {
        let node = nodes[caller % 3].clone();
        callers.spawn(async move {
            let mut heard = 0;
            for _ in 0..5 {
                heard += u32::from(node.count(visits, [1; 16]).await.unwrap().may_come);
            }
            heard
        });
    }
    assert_eq!(callers.join_all().await.into_iter().sum::<u32>(), 20);
    for node in nodes {
        assert!(!node.count(visits, [1; 16]).await.unwrap().may_come);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_has_so_many_edits_under_way_whichever_nodes_are_asked() {
    let Some(place) = Place::new() else { return };
    let nodes = place.nodes::<3>().await;
    let ada = member(&nodes[0], "ada", 600).await;
    let mut callers = JoinSet::new();
    for caller in 0..24 {
        let (node, ada) = (nodes[caller % 3].clone(), ada.clone());
        let asked = OpenEdit { at_once_max: 5, ..edit(&place, None) };
        callers.spawn(async move { node.open_edit(&ada, asked).await });
    }
    let done = callers.join_all().await;
    assert_eq!(done.iter().filter(|it| **it == Ok(Opened::New)).count(), 5, "{done:?}");
    let full = Err(OpenError::Full { under_way: 5 });
    assert_eq!(done.iter().filter(|it| **it == full).count(), 19, "{done:?}");
    assert_proved(&nodes[1]).await;
}
