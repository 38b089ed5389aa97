//! Tests removing what anyone can create at no cost: failed edits, keys, challenges and sessions.

use retouch_core::credits::KeyLimits;
use retouch_core::{AccountId, EditId};
use retouch_store::{EditStatus, Error, IdempotencyKey, NewKey, OpenEdit, Opened, Pruned, Store};

use crate::database::TestDatabase;
use crate::edits::failed;
use crate::place::{HOUR_MS, Place, START, assert_proved, first, member};

const DAY_MS: i64 = 24 * HOUR_MS;

/// An edit with as much content as a request may have.
fn large(place: &Place) -> OpenEdit {
    OpenEdit {
        instruction: "ä".repeat(800),
        request: Some("r".repeat(1_200)),
        plan: Some("p".repeat(4_000)),
        warnings: format!("[\"{}\"]", "w".repeat(2_000)),
        ..place.edit()
    }
}

async fn fail(store: &Store, account: &AccountId, edit: OpenEdit) -> EditId {
    let (id, owner) = (edit.id, edit.owner.clone());
    assert_eq!(store.open_edit(account, edit).await, Ok(Opened::New));
    let failed = failed(&owner, ("image_fetch_failed", "`imageUrl`: no such host"));
    store.close_edit(account, &id, failed).await.unwrap();
    id
}

#[tokio::test]
async fn a_failed_edit_is_an_outline_after_a_day_and_gone_after_a_month() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let id = fail(&store, &ada, large(&place)).await;
    place.clock.advance_ms(DAY_MS - 1);
    assert_eq!(store.prune().await, Ok(Pruned::default()), "it is not a day old");
    place.clock.advance_ms(1);
    assert_eq!(store.prune().await, Ok(Pruned { failed_cut: 1, ..Pruned::default() }));
    assert_eq!(store.prune().await, Ok(Pruned::default()), "once");
    let kept = store.find_edit(&ada, &id).await.unwrap().unwrap();
    assert_eq!((kept.status, kept.instruction), (EditStatus::Failed, "ä".repeat(200)));
    assert_eq!((kept.plan, kept.request, kept.warnings.as_str()), (None, None, "[]"));
    assert_eq!(kept.failure.unwrap().message, "`imageUrl`: no such host");
    let entries = || place.database.texts("SELECT kind FROM entry ORDER BY seq");
    let before = entries();
    place.clock.advance_ms(29 * DAY_MS);
    assert_eq!(store.prune().await, Ok(Pruned { failed_edits: 1, ..Pruned::default() }));
    assert_eq!(store.find_edit(&ada, &id).await, Ok(None));
    assert_eq!(entries(), before, "the books keep what they have");
    assert_proved(&store).await;
}

#[tokio::test]
async fn a_key_of_a_failed_call_can_be_used_again_at_any_time() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let keyed = || {
        let key = IdempotencyKey { call: "image-edit", key: "k".into(), fingerprint: [1; 32] };
        OpenEdit { idempotency: Some(key), ..large(&place) }
    };
    fail(&store, &ada, keyed()).await;
    place.clock.advance_ms(DAY_MS - HOUR_MS);
    let second = fail(&store, &ada, keyed()).await;
    // The first edit is 30 days old. The idempotency key belongs to the second.
    place.clock.advance_ms(29 * DAY_MS + HOUR_MS);
    let pruned = store.prune().await.unwrap();
    assert_eq!((pruned.failed_edits, pruned.failed_cut), (1, 1));
    assert!(store.find_edit(&ada, &second).await.unwrap().is_some());
    fail(&store, &ada, keyed()).await;
    place.clock.advance_ms(31 * DAY_MS);
    let pruned = store.prune().await.unwrap();
    assert_eq!((pruned.failed_edits, pruned.idempotency_keys), (2, 1));
    fail(&store, &ada, keyed()).await;
    assert_proved(&store).await;
}

#[tokio::test]
async fn one_pruning_clears_more_than_a_thousand_of_each() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    fail(&store, &ada, large(&place)).await;
    // Adds thousands of failed edits like it, and as many expired challenges and sessions.
    let columns = "kind, status, model, provider, instruction, cost, blob, stored, warnings, owner,
        lease_until, created_at, completed_at, request";
    let many = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 2500)";
    let bytes = match place.database {
        TestDatabase::Sqlite(_) => "CAST(CAST(x AS TEXT) AS BLOB)",
        TestDatabase::Postgres(_) => "CAST(CAST(x AS TEXT) AS BYTEA)",
    };
    for sql in [
        format!(
            "INSERT INTO edit (account_id, id, {columns})
             {many} SELECT account_id, id || CAST(x AS TEXT), {columns} FROM edit, n"
        ),
        format!(
            "INSERT INTO challenge (token_hash, kind, content, expires_at)
             {many} SELECT {bytes}, 'sign_in', '', 0 FROM n"
        ),
        format!(
            "INSERT INTO session (token_hash, account_id, created_at, last_seen_at, expires_at)
             {many} SELECT {bytes}, '{ada}', 0, 0, 0 FROM n"
        ),
    ] {
        place.database.execute(&sql).unwrap();
    }
    let pruned = store.prune().await.unwrap();
    assert_eq!((pruned.challenges, pruned.sessions), (2_500, 2_500));
    place.clock.advance_ms(DAY_MS);
    assert_eq!(store.prune().await.unwrap().failed_cut, 2_501);
    place.clock.advance_ms(29 * DAY_MS);
    assert_eq!(store.prune().await.unwrap().failed_edits, 2_501);
}

/// A new key that is named after a number.
fn key(number: usize) -> NewKey {
    let mut hash = [0; 32];
    hash[..8].copy_from_slice(&number.to_be_bytes());
    let (name, start) = (number.to_string(), "retouch_".into());
    let scopes = retouch_store::Scopes::ALL;
    NewKey { name, hash, start, expires_at: None, limits: KeyLimits::default(), scopes }
}

#[tokio::test]
async fn an_account_has_fifty_keys_that_work_and_gets_another_for_one_that_is_revoked() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let bob = member(&store, "bob@example.com").await;
    let expiring = NewKey { expires_at: Some(START.plus_ms(HOUR_MS)), ..key(0) };
    let oldest = store.create_key(&ada, expiring).await.unwrap();
    for number in 1..50 {
        store.create_key(&ada, key(number)).await.unwrap();
    }
    let refused = store.create_key(&ada, key(50)).await.unwrap_err();
    assert!(matches!(refused, Error::TooMany { most: 50, .. }), "{refused}");
    store.create_key(&bob, key(51)).await.unwrap();
    store.revoke_key(&ada, &oldest.id).await.unwrap();
    let second = store.create_key(&ada, key(52)).await.unwrap();
    assert!(store.create_key(&ada, key(53)).await.is_err());
    // Expired keys don't count towards the limit either.
    store.revoke_key(&ada, &second.id).await.unwrap();
    let expiring = NewKey { expires_at: Some(START.plus_ms(HOUR_MS)), ..key(54) };
    store.create_key(&ada, expiring).await.unwrap();
    place.clock.advance_ms(HOUR_MS);
    store.create_key(&ada, key(55)).await.unwrap();
}

#[tokio::test]
async fn keys_that_no_longer_work_are_few_and_go_after_ninety_days() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    for number in 0..160 {
        let made = store.create_key(&ada, key(number)).await.unwrap();
        store.revoke_key(&ada, &made.id).await.unwrap();
        place.clock.advance_ms(1);
    }
    let kept = store.create_key(&ada, key(160)).await.unwrap();
    let names = place.database.texts("SELECT name FROM api_key ORDER BY id");
    assert_eq!((names.len(), names[0].as_str()), (101, "60"), "the latest");
    place.clock.advance_ms(90 * DAY_MS);
    assert_eq!(store.prune().await, Ok(Pruned { keys: 100, free_days: 1, ..Pruned::default() }));
    let left = store.list_keys(&ada, &first(10)).await.unwrap();
    assert_eq!(left.data, [kept]);
    assert_proved(&store).await;
}
