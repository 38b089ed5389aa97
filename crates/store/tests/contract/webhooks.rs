//! Tests webhooks: which events are queued, that each is taken by one node at a time, and what comes
//! of attempts.

use retouch_core::{AccountId, WebhookId};
use retouch_store::{
    Attempt, AttemptEnd, Claim, ClaimEnd, Deletion, DeliveryStatus, Error, EventKind, NewWebhook,
    Off, OpenError, Opened, SealedSecrets, Store, Webhook, WebhookChange,
};

use crate::edits::{failure, opened, success};
use crate::place::{
    HOUR_MS, Place, START, assert_proved, credits, first, key, member, member_with, together,
};
use crate::plans::{asked, deed};

const DAY_MS: i64 = 24 * HOUR_MS;

pub(crate) fn new_webhook(place: &Place, events: &[EventKind]) -> NewWebhook {
    NewWebhook {
        id: place.ids.webhook(),
        url: "https://hooks.example.com/secret/path".into(),
        events: events.to_vec(),
        secrets: SealedSecrets { sealed: vec![0, 1, 255], public_key: "whpk_first".into() },
        webhooks_max: 3,
    }
}

async fn listening(place: &Place, store: &Store, account: &AccountId) -> Webhook {
    store.create_webhook(account, new_webhook(place, &EventKind::ALL)).await.unwrap()
}

/// An account with credits for many edits and a webhook for all events.
async fn listener(place: &Place, store: &Store, email: &str) -> (AccountId, WebhookId) {
    let account = member_with(store, email, 1_000).await;
    let webhook = listening(place, store, &account).await;
    (account, webhook.id)
}

/// Makes an edit that succeeds.
async fn edit(place: &Place, store: &Store, account: &AccountId) {
    let id = opened(place, store, account).await;
    store.close_edit(account, &id, success(6)).await.unwrap();
}

/// The events that were queued for a webhook, newest first.
async fn queued(store: &Store, (account, webhook): (&AccountId, &WebhookId)) -> Vec<EventKind> {
    let all = store.list_deliveries(account, webhook, (None, &first(100))).await.unwrap().data;
    all.into_iter().map(|delivery| delivery.event).collect()
}

fn ended(claim: &Claim, end: AttemptEnd) -> ClaimEnd {
    let attempts = claim.deliveries.iter().map(|due| Attempt {
        due: due.clone(),
        end,
        response_status: Some(500),
        problem: Some("The address answered 500.".into()),
        took_ms: 12,
    });
    ClaimEnd { attempts: attempts.collect(), ..ClaimEnd::default() }
}

async fn take(store: &Store) -> Option<Claim> {
    store.claim_webhook(true).await.unwrap()
}

#[tokio::test]
async fn an_owner_creates_changes_and_deletes_webhooks() {
    let place = Place::new();
    let store = place.open().await;
    let (ada, bob) = (member(&store, "a@example.com").await, member(&store, "b@example.com").await);
    let made = listening(&place, &store, &ada).await;
    assert_eq!((made.off, made.created_at, made.failing_since), (None, START, None));
    assert_eq!(store.find_webhook(&ada, &made.id).await, Ok(Some(made.clone())));
    assert_eq!(store.find_webhook(&bob, &made.id).await, Ok(None));
    let change = WebhookChange {
        url: Some("https://example.org".into()),
        events: Some(vec![EventKind::CreditsLow]),
        is_on: Some(false),
    };
    assert_eq!(store.change_webhook(&bob, &made.id, change.clone()).await, Ok(None));
    let changed = store.change_webhook(&ada, &made.id, change).await.unwrap().unwrap();
    assert_eq!(store.find_webhook(&ada, &made.id).await, Ok(Some(changed.clone())));
    assert_eq!((&*changed.url, changed.off), ("https://example.org", Some((Off::Paused, START))));
    assert_eq!(changed.events, [EventKind::CreditsLow]);
    for _ in 0..2 {
        listening(&place, &store, &ada).await;
    }
    let full = store.create_webhook(&ada, new_webhook(&place, &EventKind::ALL)).await;
    assert_eq!(full, Err(Error::TooMany { what: "webhooks", most: 3 }));
    let page = store.list_webhooks(&ada, &first(2)).await.unwrap();
    assert_eq!((page.data.len(), page.next_cursor.is_some()), (2, true));
    assert_eq!(store.list_webhooks(&bob, &first(9)).await.unwrap().data, []);
    assert_eq!(store.delete_webhook(&bob, &made.id).await, Ok(false));
    assert_eq!(store.delete_webhook(&ada, &made.id).await, Ok(true));
    assert_eq!(store.delete_webhook(&ada, &made.id).await, Ok(false));
}

#[tokio::test]
async fn an_event_is_queued_with_what_it_reports_for_each_webhook_that_receives_it() {
    let place = Place::new();
    let store = place.open().await;
    let (ada, all) = listener(&place, &store, "ada@example.com").await;
    let new = new_webhook(&place, &[EventKind::GenerationFailed]);
    let failures = store.create_webhook(&ada, new).await.unwrap().id;
    let paused = listening(&place, &store, &ada).await.id;
    let off = WebhookChange { is_on: Some(false), ..WebhookChange::default() };
    store.change_webhook(&ada, &paused, off).await.unwrap();
    let (bob, other) = listener(&place, &store, "bob@example.com").await;
    edit(&place, &store, &ada).await;
    place.clock.advance_ms(1);
    let id = opened(&place, &store, &ada).await;
    assert_eq!(queued(&store, (&ada, &all)).await, [EventKind::GenerationSucceeded]);
    store.close_edit(&ada, &id, failure()).await.unwrap();
    // An edit ends once.
    store.close_edit(&ada, &id, failure()).await.unwrap_err();
    let both = [EventKind::GenerationFailed, EventKind::GenerationSucceeded];
    assert_eq!(queued(&store, (&ada, &all)).await, both);
    assert_eq!(queued(&store, (&ada, &failures)).await, [EventKind::GenerationFailed]);
    assert_eq!(queued(&store, (&ada, &paused)).await, []);
    assert_eq!(queued(&store, (&bob, &other)).await, []);
    assert_eq!(queued(&store, (&bob, &all)).await, [], "deliveries are their owner's");
    let claim = take(&store).await.unwrap();
    let data: serde_json::Value = serde_json::from_str(&claim.deliveries[1].data).unwrap();
    assert_eq!((&data["id"], &data["status"]), (&id.to_string().into(), &"failed".into()));
    assert_eq!((&data["cost"], &data["error"]["code"]), (&0.into(), &"upstream_error".into()));
    assert_proved(&store).await;
}

#[tokio::test]
async fn low_credits_a_keys_limit_and_another_plan_are_events() {
    let mut place = Place::new();
    place.settings.low_credits = credits(8);
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let webhook = listening(&place, &store, &ada).await.id;
    let mut new = key(1);
    new.limits.life = Some(credits(5));
    let limited = store.create_key(&ada, new).await.unwrap();
    for _ in 0..2 {
        let mut edit = place.edit();
        edit.key = Some(limited.id.clone());
        let refused = store.open_edit(&ada, edit).await;
        assert!(matches!(refused, Err(OpenError::Refused(_))), "{refused:?}");
    }
    assert_eq!(queued(&store, (&ada, &webhook)).await, [EventKind::KeyLimitReached], "once a day");
    place.clock.advance_ms(1);
    edit(&place, &store, &ada).await;
    place.clock.advance_ms(1);
    edit(&place, &store, &ada).await;
    let low = queued(&store, (&ada, &webhook)).await;
    assert_eq!(low.iter().filter(|kind| **kind == EventKind::CreditsLow).count(), 1, "{low:?}");
    place.clock.advance_ms(1);
    for plan in ["basic", "pro"] {
        store.assign_plan(&ada, asked(plan), deed()).await.unwrap();
    }
    place.clock.advance_ms(1);
    store.cancel_plan(&ada, true, deed()).await.unwrap();
    let all = queued(&store, (&ada, &webhook)).await;
    assert_eq!(all.iter().filter(|kind| **kind == EventKind::PlanChanged).count(), 3, "{all:?}");
    assert_eq!(all[0], EventKind::PlanChanged);
    assert_proved(&store).await;
}

#[tokio::test]
async fn a_webhook_is_claimed_by_one_node_until_its_claim_has_ended() {
    let place = Place::new();
    let store = place.open().await;
    let (ada, webhook) = listener(&place, &store, "ada@example.com").await;
    assert_eq!(take(&store).await, None);
    for _ in 0..6 {
        edit(&place, &store, &ada).await;
        place.clock.advance_ms(1);
    }
    let looks = (0..8).map(|_| {
        let store = store.clone();
        async move { take(&store).await }
    });
    let claims: Vec<Claim> = together(looks).await.into_iter().flatten().collect();
    assert_eq!(claims.len(), 1, "one claim for one webhook");
    let claim = &claims[0];
    assert_eq!((&claim.account, &claim.webhook), (&ada, &webhook));
    assert_eq!(claim.sealed_secrets, [0, 1, 255]);
    assert_eq!(claim.deliveries.len(), 4, "a few at a time");
    assert!(claim.deliveries.iter().all(|due| due.attempt == 1));
    store.end_claim(claim, ended(claim, AttemptEnd::Delivered)).await.unwrap();
    let rest = take(&store).await.unwrap();
    assert_eq!(rest.deliveries.len(), 2);
    // The node is gone. After its claim, another node sends the same events again.
    place.clock.advance_ms(59_000);
    assert_eq!(take(&store).await, None);
    place.clock.advance_ms(1_000);
    let again = take(&store).await.unwrap();
    let ids = |claim: &Claim| claim.deliveries.iter().map(|due| due.id.clone()).collect::<Vec<_>>();
    assert_eq!(ids(&again), ids(&rest));
    assert!(again.deliveries.iter().all(|due| due.attempt == 2));
    // If the first node was only slow, what it reports late changes nothing.
    store.end_claim(&rest, ended(&rest, AttemptEnd::Failed)).await.unwrap();
    assert_eq!(take(&store).await, None, "the second claim is still running");
    store.end_claim(&again, ended(&again, AttemptEnd::Delivered)).await.unwrap();
    assert_eq!(take(&store).await, None);
    let all = store.list_deliveries(&ada, &webhook, (None, &first(9))).await.unwrap().data;
    assert!(all.iter().all(|it| it.status == DeliveryStatus::Delivered && it.due_at.is_none()));
    // A process that is alone does not wait for the claims of the one before.
    edit(&place, &store, &ada).await;
    let lost = take(&store).await.unwrap();
    assert_eq!(take(&store).await, None);
    store.end_all_claims().await.unwrap();
    assert_eq!(ids(&take(&store).await.unwrap()), ids(&lost));
}

#[tokio::test]
async fn an_account_and_slow_webhooks_take_only_their_share() {
    let place = Place::new();
    let store = place.open().await;
    let (ada, _) = listener(&place, &store, "ada@example.com").await;
    for _ in 0..2 {
        listening(&place, &store, &ada).await;
    }
    edit(&place, &store, &ada).await;
    place.clock.advance_ms(1);
    let (bob, _) = listener(&place, &store, "bob@example.com").await;
    edit(&place, &store, &bob).await;
    let claims = [take(&store).await, take(&store).await, take(&store).await, take(&store).await];
    let owners = claims.each_ref().map(|claim| claim.as_ref().map(|claim| claim.account.clone()));
    assert_eq!(owners, [Some(ada.clone()), Some(ada.clone()), Some(bob), None]);
    for claim in claims.iter().flatten() {
        let end = ended(claim, AttemptEnd::Retry(5_000));
        store.end_claim(claim, ClaimEnd { is_slow: true, ..end }).await.unwrap();
    }
    let third = store.claim_webhook(false).await.unwrap().unwrap();
    assert_eq!((third.account, third.is_slow), (ada, false));
    place.clock.advance_ms(5_000);
    assert_eq!(store.claim_webhook(false).await, Ok(None), "the others were slow");
    assert!(take(&store).await.unwrap().is_slow);
}

#[tokio::test]
async fn an_event_is_due_again_when_the_attempt_says_and_not_while_the_webhook_is_quiet() {
    let place = Place::new();
    let store = place.open().await;
    let (ada, webhook) = listener(&place, &store, "ada@example.com").await;
    edit(&place, &store, &ada).await;
    let claim = take(&store).await.unwrap();
    let end = ClaimEnd { quiet_ms: Some(60_000), ..ended(&claim, AttemptEnd::Retry(5_000)) };
    store.end_claim(&claim, end).await.unwrap();
    place.clock.advance_ms(5_000);
    edit(&place, &store, &ada).await;
    assert_eq!(take(&store).await, None, "new events wait, too");
    place.clock.advance_ms(55_000);
    let claim = take(&store).await.unwrap();
    let attempts: Vec<i64> = claim.deliveries.iter().map(|due| due.attempt).collect();
    assert_eq!(attempts, [2, 1]);
    store.end_claim(&claim, ended(&claim, AttemptEnd::Failed)).await.unwrap();
    let found = store.list_deliveries(&ada, &webhook, (None, &first(9))).await.unwrap().data;
    assert_eq!((found[1].attempts, found[1].response_status), (2, Some(500)));
    assert_eq!(found[1].problem.as_deref(), Some("The address answered 500."));
    let failing = store.find_webhook(&ada, &webhook).await.unwrap().unwrap();
    assert_eq!(failing.failing_since, Some(START), "since the first attempt that failed");
}

#[tokio::test]
async fn a_webhook_is_turned_off_when_it_is_gone_or_has_failed_for_days() {
    let mut place = Place::new();
    place.settings.emails_max = 9;
    let store = place.open().await;
    for (days, is_gone, off) in
        [(3, false, Some(Off::Failing)), (2, false, None), (0, true, Some(Off::Gone))]
    {
        let (ada, webhook) = listener(&place, &store, &format!("ada{days}@example.com")).await;
        edit(&place, &store, &ada).await;
        let claim = take(&store).await.unwrap();
        store.end_claim(&claim, ended(&claim, AttemptEnd::Retry(days * DAY_MS))).await.unwrap();
        place.clock.advance_ms(days * DAY_MS);
        let claim = take(&store).await.unwrap();
        let end = ClaimEnd { is_gone, ..ended(&claim, AttemptEnd::Failed) };
        store.end_claim(&claim, end).await.unwrap();
        let found = store.find_webhook(&ada, &webhook).await.unwrap().unwrap();
        assert_eq!(found.off.map(|(reason, _)| reason), off, "after {days} days");
        let email = store.take_email([1; 32]).await.unwrap();
        assert_eq!(email.is_some(), off.is_some());
        if let Some(email) = email {
            assert_eq!(email.about.as_deref(), Some("hooks.example.com"), "without the path");
            store.email_sent(&email.id).await.unwrap();
        }
        store.redeliver_failed(&ada, &webhook).await.unwrap();
        assert_eq!(take(&store).await.is_none(), off.is_some(), "nothing goes to one that is off");
        let on = WebhookChange { is_on: Some(true), ..WebhookChange::default() };
        let found = store.change_webhook(&ada, &webhook, on).await.unwrap().unwrap();
        assert_eq!(found.off, None);
        place.clock.advance_ms(60_000);
        let claim = take(&store).await.unwrap();
        assert_eq!(claim.deliveries[0].attempt, if off.is_some() { 1 } else { 2 });
        store.end_claim(&claim, ended(&claim, AttemptEnd::Delivered)).await.unwrap();
    }
}

#[tokio::test]
async fn deliveries_are_queued_again_alone_or_together() {
    let place = Place::new();
    let store = place.open().await;
    let (ada, webhook) = listener(&place, &store, "ada@example.com").await;
    let (bob, _) = listener(&place, &store, "bob@example.com").await;
    for end in [AttemptEnd::Delivered, AttemptEnd::Failed, AttemptEnd::Failed] {
        place.clock.advance_ms(1);
        edit(&place, &store, &ada).await;
        let claim = take(&store).await.unwrap();
        store.end_claim(&claim, ended(&claim, end)).await.unwrap();
    }
    let listed = async |status| {
        store.list_deliveries(&ada, &webhook, (status, &first(9))).await.unwrap().data
    };
    let delivered = listed(Some(DeliveryStatus::Delivered)).await;
    assert_eq!((delivered.len(), listed(None).await.len()), (1, 3));
    assert_eq!(store.redeliver(&bob, &webhook, &delivered[0].id).await, Ok(None));
    let again = store.redeliver(&ada, &webhook, &delivered[0].id).await.unwrap().unwrap();
    assert_eq!((again.status, again.attempts), (DeliveryStatus::Waiting, 0));
    let claim = take(&store).await.unwrap();
    assert_eq!(claim.deliveries[0].id, delivered[0].id);
    store.end_claim(&claim, ended(&claim, AttemptEnd::Delivered)).await.unwrap();
    assert_eq!(store.redeliver_failed(&bob, &webhook).await, Ok(None));
    assert_eq!(store.redeliver_failed(&ada, &webhook).await, Ok(Some(2)));
    assert_eq!(store.redeliver_failed(&ada, &webhook).await, Ok(Some(0)));
    assert_eq!(take(&store).await.unwrap().deliveries.len(), 2);
    assert_eq!(store.test_webhook(&bob, &webhook).await, Ok(None));
    let test = store.test_webhook(&ada, &webhook).await.unwrap().unwrap();
    assert_eq!((test.event, test.status), (EventKind::Test, DeliveryStatus::Waiting));
}

#[tokio::test]
async fn both_secrets_sign_until_a_rotation_has_ended() {
    let place = Place::new();
    let store = place.open().await;
    let (ada, webhook) = listener(&place, &store, "ada@example.com").await;
    let new = || SealedSecrets { sealed: vec![2], public_key: "whpk_second".into() };
    let until = START.plus_ms(DAY_MS);
    let rotated = store.rotate_webhook(&ada, &webhook, (new(), until)).await.unwrap().unwrap();
    assert_eq!((&*rotated.public_key, rotated.earlier_until), ("whpk_second", Some(until)));
    let bob = member(&store, "bob@example.com").await;
    assert_eq!(store.rotate_webhook(&bob, &webhook, (new(), until)).await, Ok(None));
    for earlier in [Some(vec![0, 1, 255]), None] {
        edit(&place, &store, &ada).await;
        let claim = take(&store).await.unwrap();
        assert_eq!((&claim.sealed_secrets, &claim.earlier_secrets), (&vec![2], &earlier));
        store.end_claim(&claim, ended(&claim, AttemptEnd::Delivered)).await.unwrap();
        place.clock.advance_ms(DAY_MS);
    }
}

#[tokio::test]
async fn deliveries_go_after_two_weeks_or_with_their_account() {
    let place = Place::new();
    let store = place.open().await;
    let (ada, webhook) = listener(&place, &store, "ada@example.com").await;
    edit(&place, &store, &ada).await;
    place.clock.advance_ms(DAY_MS);
    edit(&place, &store, &ada).await;
    place.clock.advance_ms(13 * DAY_MS);
    assert_eq!(store.prune().await.unwrap().deliveries, 1);
    assert_eq!(queued(&store, (&ada, &webhook)).await.len(), 1);
    assert_eq!(store.suspend(&ada, deed()).await, Ok(true));
    assert_eq!(take(&store).await, None, "nothing is sent for a suspended account");
    assert_eq!(store.delete_account(&ada).await, Ok(Deletion::Gone));
    assert_eq!(queued(&store, (&ada, &webhook)).await, []);
    assert_eq!(store.list_webhooks(&ada, &first(9)).await.unwrap().data, []);
}

#[tokio::test]
async fn no_more_than_ten_thousand_events_wait_for_a_webhook() {
    let place = Place::new();
    let store = place.open().await;
    let (ada, webhook) = listener(&place, &store, "ada@example.com").await;
    let waiting = format!(
        "INSERT INTO webhook_delivery (webhook_id, id, account_id, event, data, created_at, status,
             attempts, due_at)
         WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 10000)
         SELECT '{webhook}', 'msg_000000000000000000' || CAST(10000000 + n AS TEXT), '{ada}',
             'credits.low', 'null', 0, 'waiting', 0, 0 FROM number"
    );
    place.database.execute(&waiting).unwrap();
    edit(&place, &store, &ada).await;
    assert!(!queued(&store, (&ada, &webhook)).await.contains(&EventKind::GenerationSucceeded));
    let full = Error::DeliveriesFull { most: 10_000 };
    assert_eq!(store.test_webhook(&ada, &webhook).await, Err(full.clone()));
    assert_eq!(store.redeliver_failed(&ada, &webhook).await, Err(full));
    assert_eq!(store.open_edit(&ada, place.edit()).await, Ok(Opened::New), "edits are not held up");
}
