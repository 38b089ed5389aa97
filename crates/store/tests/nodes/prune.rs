//! Tests pruning old rows while they are used again.

use retouch_store::{Failure, IdempotencyKey, NewSession, Outcome};

use crate::place::{HOUR_MS, Place, START, assert_proved, edit, member};

#[tokio::test(flavor = "multi_thread")]
async fn what_is_used_again_while_what_is_old_goes_stays() {
    let Some(place) = Place::new() else { return };
    let node = place.node(1).await;
    let ada = member(&node, "ada", 100).await;
    let session = NewSession {
        second_factor_at: None,
        browser: None,
        token_hash: [7; 32],
        expires_at: START.plus_ms(10_000 * HOUR_MS),
        user_agent: None,
        proven_at: None,
    };
    node.create_session(&ada, session).await.unwrap();
    let key = IdempotencyKey { call: "image-edit", key: "k".into(), fingerprint: [1; 32] };
    let failed = edit(&place, Some(key));
    node.open_edit(&ada, failed.clone()).await.unwrap();
    let why = Failure { code: "upstream_error".into(), message: "no".into(), in_doubt: false };
    let failure = Outcome::Failed { owner: failed.owner.clone(), failure: why };
    node.close_edit(&ada, &failed.id, failure).await.unwrap();
    place.clock.advance_ms(1_000 * HOUR_MS);
    let now = START.plus_ms(1_000 * HOUR_MS).0;
    let other = place.connect().await;
    let used = format!(
        "BEGIN; UPDATE session SET last_seen_at = {now}; UPDATE idempotency SET created_at = {now}"
    );
    other.batch_execute(&used).await.unwrap();
    let pruning = {
        let node = node.clone();
        tokio::spawn(async move { node.prune().await.unwrap() })
    };
    while !pruning.is_finished() && !place.somebody_waits() {
        tokio::task::yield_now().await;
    }
    other.batch_execute("COMMIT").await.unwrap();
    let pruned = pruning.await.unwrap();
    assert_eq!((pruned.sessions, pruned.idempotency_keys), (0, 0));
    assert!(node.find_session(&[7; 32]).await.unwrap().is_some());
    place.clock.advance_ms(1_000 * HOUR_MS);
    let pruned = node.prune().await.unwrap();
    assert_eq!((pruned.sessions, pruned.idempotency_keys), (1, 1));
    assert_proved(&node).await;
}
