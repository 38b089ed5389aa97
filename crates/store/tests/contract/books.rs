//! Tests credits: grants, races for the last credits, and detecting tampering.

use retouch_core::credits::{
    BucketKind, Command, EntryKind, Grant, HoldState, KeyAllowance, KeyLimits, KeyPeriod, NewHold,
    Refused, TakeBack,
};
use retouch_core::{AccountId, EditId};
use retouch_store::{Error, Granted};

use crate::place::{
    HOUR_MS, Place, START, assert_proved, credits, first, member, member_with, together,
};

fn grant(number: u32, source_key: &str) -> Grant {
    Grant {
        kind: BucketKind::Operator,
        credits: credits(number),
        source_key: source_key.into(),
        expires_at: None,
        priority: None,
        description: "thanks".into(),
    }
}

fn hold(id: EditId, number: u32) -> Command {
    Command::Hold(NewHold { id, credits: credits(number), key: None, description: "Edit".into() })
}

fn refused(refused: Refused) -> Result<retouch_core::credits::Balance, Error> {
    Err(Error::Refused(refused))
}

#[tokio::test]
async fn a_source_key_grants_once_whichever_account_asks() {
    let place = Place::new();
    let store = place.open().await;
    let (ada, bob) =
        (member(&store, "ada@example.com").await, member(&store, "bob@example.com").await);
    let first_time = store.grant(&ada, grant(100, "invoice-1")).await.unwrap();
    assert!(matches!(first_time, Granted::New(balance) if balance.available == credits(115)));
    assert_eq!(store.grant(&ada, grant(100, "invoice-1")).await, Ok(Granted::Already));
    assert_eq!(store.grant(&bob, grant(100, "invoice-1")).await, Ok(Granted::Already));
    assert_eq!(store.balance(&bob).await.unwrap().available, credits(15));
    assert_proved(&store).await;
}

#[tokio::test]
async fn one_source_key_at_the_same_time_grants_once() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let grants = (0..32).map(|_| {
        let (store, ada) = (store.clone(), ada.clone());
        async move { store.grant(&ada, grant(100, "invoice-1")).await.unwrap() }
    });
    let granted = together(grants).await;
    assert_eq!(granted.into_iter().filter(|it| *it != Granted::Already).count(), 1);
    assert_eq!(store.balance(&ada).await.unwrap().available, credits(115));
    assert_proved(&store).await;
}

#[tokio::test]
async fn the_last_credits_are_held_by_as_many_as_they_last_for() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member_with(&store, "ada@example.com", 603).await;
    let callers = (0..64).map(|_| {
        let (store, ada, ids) = (store.clone(), ada.clone(), place.ids.clone());
        async move {
            let mut held = 0;
            for _ in 0..4 {
                match store.ledger(&ada, hold(ids.edit(), 6)).await {
                    Ok(_) => held += 1,
                    Err(Error::Refused(Refused::Insufficient { needed, available })) => {
                        assert!(available < needed);
                    }
                    Err(error) => panic!("{error}"),
                }
            }
            held
        }
    });
    let held: u32 = together(callers).await.into_iter().sum();
    assert_eq!(held, 100);
    let balance = store.balance(&ada).await.unwrap();
    assert_eq!((balance.available, balance.held), (credits(3), credits(600)));
    assert_proved(&store).await;
}

#[tokio::test]
async fn a_hold_ends_once_also_after_a_restart() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let (kept, given_back) = (place.ids.edit(), place.ids.edit());
    store.ledger(&ada, hold(kept, 6)).await.unwrap();
    store.ledger(&ada, hold(given_back, 6)).await.unwrap();
    let capture = |hold| Command::Capture { hold, credits: credits(6) };
    store.ledger(&ada, capture(kept)).await.unwrap();
    store.ledger(&ada, Command::Release { hold: given_back }).await.unwrap();
    store.close().await.unwrap();
    let store = place.open().await;
    for command in [capture(kept), Command::Release { hold: kept }] {
        let ended = Refused::HoldEnded { state: HoldState::Captured };
        assert_eq!(store.ledger(&ada, command).await, refused(ended));
    }
    let ended = Refused::HoldEnded { state: HoldState::Released };
    assert_eq!(store.ledger(&ada, capture(given_back)).await, refused(ended));
    assert_eq!(store.ledger(&ada, hold(kept, 1)).await, refused(Refused::HoldIdTaken));
    assert_proved(&store).await;
}

#[tokio::test]
async fn a_hold_is_its_accounts_own_and_its_name_is_everybodys() {
    let place = Place::new();
    let store = place.open().await;
    let (ada, bob) =
        (member(&store, "ada@example.com").await, member(&store, "bob@example.com").await);
    let id = place.ids.edit();
    store.ledger(&ada, hold(id, 6)).await.unwrap();
    assert_eq!(store.ledger(&bob, hold(id, 6)).await, refused(Refused::HoldIdTaken));
    for command in
        [Command::Release { hold: id }, Command::Capture { hold: id, credits: credits(1) }]
    {
        assert_eq!(store.ledger(&bob, command).await, refused(Refused::HoldUnknown));
    }
    assert_eq!(store.balance(&ada).await.unwrap().held, credits(6));
    assert_proved(&store).await;
}

#[tokio::test]
async fn the_limit_of_a_key_counts_over_its_life_also_after_a_restart() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let key = place.ids.key();
    let limits = KeyLimits { life: Some(credits(10)), ..KeyLimits::default() };
    let with_key = |id| {
        let allowance = KeyAllowance { id: key.clone(), limits };
        Command::Hold(NewHold {
            id,
            credits: credits(6),
            key: Some(allowance),
            description: String::new(),
        })
    };
    let (one, two) = (place.ids.edit(), place.ids.edit());
    store.ledger(&ada, with_key(one)).await.unwrap();
    let (limit, used, needed) = (credits(10), credits(6), credits(6));
    let limit = Refused::KeyLimit { period: KeyPeriod::Life, limit, used, needed };
    assert_eq!(store.ledger(&ada, with_key(two)).await, refused(limit));
    store.close().await.unwrap();
    let store = place.open().await;
    store.ledger(&ada, Command::Capture { hold: one, credits: credits(4) }).await.unwrap();
    store.ledger(&ada, with_key(two)).await.unwrap();
    assert_proved(&store).await;
}

#[tokio::test]
async fn the_limits_of_a_key_on_days_and_months_hold_after_a_restart_too() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let key = place.ids.key();
    let limits = KeyLimits { life: None, day: Some(credits(6)), month: Some(credits(8)) };
    let with_key = |number| {
        let key = Some(KeyAllowance { id: key.clone(), limits });
        let (id, credits) = (place.ids.edit(), credits(number));
        Command::Hold(NewHold { id, credits, key, description: String::new() })
    };
    let over = |period, limit, used, needed| {
        let (limit, used, needed) = (credits(limit), credits(used), credits(needed));
        refused(Refused::KeyLimit { period, limit, used, needed })
    };
    store.ledger(&ada, with_key(4)).await.unwrap();
    store.close().await.unwrap();
    let store = place.open().await;
    assert_eq!(store.ledger(&ada, with_key(3)).await, over(KeyPeriod::Day, 6, 4, 3));
    place.clock.advance_ms(24 * 3_600_000);
    store.ledger(&ada, with_key(3)).await.unwrap();
    assert_eq!(store.ledger(&ada, with_key(2)).await, over(KeyPeriod::Month, 8, 7, 2));
    store.ledger(&ada, with_key(1)).await.unwrap();
    assert_proved(&store).await;
}

#[tokio::test]
async fn what_has_expired_is_off_the_balance_and_in_the_entries() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let expires_at = Some(START.plus_ms(HOUR_MS));
    store.grant(&ada, Grant { expires_at, ..grant(100, "month-1") }).await.unwrap();
    place.clock.advance_ms(HOUR_MS);
    let newest = store.list_entries(&ada, &first(1)).await.unwrap().data.remove(0);
    assert_eq!((newest.kind, newest.amount), (EntryKind::Expire, -100));
    assert_eq!(store.balance(&ada).await.unwrap().available, credits(15));
    assert_proved(&store).await;
}

#[tokio::test]
async fn entries_tell_the_story_newest_first() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let id = place.ids.edit();
    store.ledger(&ada, hold(id, 6)).await.unwrap();
    store.ledger(&ada, Command::Capture { hold: id, credits: credits(4) }).await.unwrap();
    let taken = TakeBack {
        credits: credits(50),
        excused_max: None,
        only_from: None,
        source_key: "refund-1".into(),
        description: "refund".into(),
    };
    store.ledger(&ada, Command::TakeBack(taken)).await.unwrap();
    let told: Vec<_> = store
        .list_entries(&ada, &first(10))
        .await
        .unwrap()
        .data
        .into_iter()
        .map(|entry| {
            (
                entry.id,
                entry.kind,
                entry.amount,
                entry.available_after,
                entry.held_after,
                entry.edit,
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            (4, EntryKind::TakeBack, -11, credits(0), credits(0), None),
            (3, EntryKind::Capture, -4, credits(11), credits(0), Some(id)),
            (2, EntryKind::Hold, -6, credits(9), credits(6), Some(id)),
            (1, EntryKind::Grant, 15, credits(15), credits(0), None),
        ]
    );
    assert_proved(&store).await;
}

#[tokio::test]
async fn nobody_has_no_books() {
    let place = Place::new();
    let store = place.open().await;
    let nobody: AccountId = place.ids.account();
    assert_eq!(store.balance(&nobody).await, Err(Error::AccountUnknown));
    assert_eq!(store.grant(&nobody, grant(1, "x")).await, Err(Error::AccountUnknown));
    assert_eq!(store.ledger(&nobody, Command::Expire).await, Err(Error::AccountUnknown));
}

#[tokio::test]
async fn two_stores_on_one_database_see_each_others_books_at_once() {
    let place = Place::new();
    let (serving, operator) = (place.open().await, place.open().await);
    let ada = member(&serving, "ada@example.com").await;
    for turn in 0..20 {
        let key = format!("thanks-{turn}");
        operator.grant(&ada, grant(6, &key)).await.unwrap();
        let id = place.ids.edit();
        serving.ledger(&ada, hold(id, 6)).await.unwrap();
        operator.ledger(&ada, Command::Capture { hold: id, credits: credits(6) }).await.unwrap();
        assert_eq!(serving.grant(&ada, grant(6, &key)).await, Ok(Granted::Already));
    }
    assert_eq!(serving.balance(&ada).await.unwrap().available, credits(15));
    assert_proved(&operator).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_stores_race_for_the_last_credits() {
    let place = Place::new();
    let stores = [place.open().await, place.open().await];
    let ada = member_with(&stores[0], "ada@example.com", 303).await;
    let callers = (0..16).map(|number: usize| {
        let (store, ada, ids) = (stores[number % 2].clone(), ada.clone(), place.ids.clone());
        async move {
            let mut held = 0;
            for _ in 0..8 {
                held += u32::from(store.ledger(&ada, hold(ids.edit(), 6)).await.is_ok());
            }
            held
        }
    });
    let held: u32 = together(callers).await.into_iter().sum();
    assert_eq!(held, 50);
    assert_proved(&stores[1]).await;
}
