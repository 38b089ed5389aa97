//! A store with rows of every kind, and its content as seen through the public API.

use std::fmt::Debug;

use retouch_core::billing::Alarm;
use retouch_core::billing::Status;
use retouch_core::catalogue::MicroDollars;
use retouch_core::credits::{BucketKind, Grant, KeyLimits};
use retouch_core::{AccountId, Credits, EditId};
use retouch_store::{
    AccountTerms, AnyEditFilter, ConfirmedApp, EditFilter, EventKind, ExpiryPlace, IdempotencyKey,
    Logo, NewBrowser, NewChallenge, NewInvitation, NewKey, NewPasskey, NewSession, OpenEdit,
    Opened, SignUpRequest, Store, StoredProvider, Subject, TaskRecord, UploadLimits,
};

use crate::claims::stored;
use crate::edits::stored_small;
use crate::expiry::kept;
use crate::grants::grant;
use crate::payments::{about, event, invoice, subscription};
use crate::place::{HOUR_MS, Place, START, first, member_with};
use crate::plans::{asked, deed};
use crate::uploads::upload;
use crate::webhooks::new_webhook;

const DAY_MS: i64 = 24 * HOUR_MS;

/// The accounts and edits in the store.
pub(crate) struct Everything {
    pub(crate) ada: AccountId,
    pub(crate) bob: AccountId,
    /// An edit in progress.
    pub(crate) open: EditId,
    /// The blobs of results that the store promises to keep.
    pub(crate) results: Vec<String>,
}

/// Fills an empty store that sends emails.
pub(crate) async fn fill(place: &Place, store: &Store) -> Everything {
    store.create_admin_link([1; 32]).await.unwrap();
    let ada = member_with(store, "Ada@Example.com", 500).await;
    let bob = member_with(store, "bob@example.com", 100).await;
    let gone = member_with(store, "gone@example.com", 5).await;
    store.suspend(&bob, deed()).await.unwrap();
    store.delete_account(&gone).await.unwrap();
    ways_in(store, &ada).await;
    money(store, &ada, &bob).await;
    let (open, results) = edits(place, store, &ada).await;
    let wish = SignUpRequest {
        email: "eve@example.com".parse().unwrap(),
        password_hash: "hash".into(),
        browser_hash: [9; 32],
        expires_at: START.plus_ms(400 * DAY_MS),
        invitation: None,
    };
    store.request_sign_up(wish).await.unwrap();
    let reset = "ada@example.com".parse().unwrap();
    store.request_reset(reset, START.plus_ms(400 * DAY_MS)).await.unwrap();
    store.take_email([4; 32]).await.unwrap().unwrap();
    store.ask_for_credits(&ada, "for fifty photos".to_owned()).await.unwrap();
    let invitation = NewInvitation {
        token_hash: [8; 32],
        email: Some("zoe@example.com".parse().unwrap()),
        expires_at: START.plus_ms(400 * DAY_MS),
    };
    store.create_invitation(invitation, deed()).await.unwrap();
    let limits = UploadLimits { count_max: 1, bytes_max: 1_000 };
    store.create_upload(&ada, upload(place, 10), limits).await.unwrap();
    let webhook = new_webhook(place, &EventKind::ALL);
    let webhook = store.create_webhook(&ada, webhook).await.unwrap();
    store.test_webhook(&ada, &webhook.id).await.unwrap();
    operator(store, &ada).await;
    store.ready().await.unwrap();
    Everything { ada, bob, open, results }
}

async fn ways_in(store: &Store, ada: &AccountId) {
    let expires_at = START.plus_ms(400 * DAY_MS);
    for (number, user_agent) in [(2, None), (3, Some("Firefox – “ü”".to_owned()))] {
        let proven_at = user_agent.as_ref().map(|_| START);
        let session = NewSession {
            second_factor_at: proven_at,
            browser: Some(NewBrowser { token_hash: [8; 32], told_as: None }),
            token_hash: [number; 32],
            expires_at,
            user_agent,
            proven_at,
        };
        store.create_session(ada, session).await.unwrap();
    }
    for (number, is_backed_up) in [(1, true), (2, false)] {
        let passkey = NewPasskey {
            id: vec![number; 16],
            name: "phone".into(),
            public_key: vec![0, 1, 255],
            sign_count: 4_000_000_000,
            may_back_up: true,
            is_backed_up,
        };
        store.create_passkey(ada, passkey).await.unwrap();
    }
    store.begin_second_factor(ada, [3; 20]).await.unwrap();
    let app = ConfirmedApp { step: 59_000_000, session: [2; 32], codes: vec![[1; 32], [2; 32]] };
    assert!(store.confirm_second_factor(ada, app).await.unwrap());
    let subject =
        Subject { issuer: "https://id.example".into(), subject: "ada".into(), email: None };
    store.link_identity(ada, subject).await.unwrap();
    store.create_grant(ada, grant()).await.unwrap();
    let challenge = NewChallenge {
        token_hash: [5; 32],
        kind: "passkey",
        account: Some(ada.clone()),
        content: "{\"a\":\"\\u0000\"}".into(),
        expires_at,
    };
    store.create_challenge(challenge).await.unwrap();
    let dollar = MicroDollars(1_000_000);
    store.reserve_spending("fal", dollar, dollar).await.unwrap();
}

/// What operators set in the browser, and what is measured for them.
async fn operator(store: &Store, ada: &AccountId) {
    store.measure(Some(1_000_000)).await.unwrap();
    let terms =
        AccountTerms { calls_per_minute: Some(7), note: "a friend".into(), ..Default::default() };
    store.set_terms(ada, terms, deed()).await.unwrap();
    let name = ("site.name".to_owned(), Some("Ada’s photos".to_owned()));
    store.change_settings(vec![name], deed()).await.unwrap();
    let logo = Logo { media: "image/png".into(), bytes: vec![0, 1, 255] };
    store.set_logo(Some(logo), deed()).await.unwrap();
    let provider = StoredProvider {
        name: "fal".into(),
        kind: "fal".into(),
        settings: "{}".into(),
        sealed_key: Some(vec![0, 1, 255]),
        key_end: "wxyz".into(),
        is_on: true,
    };
    store.put_provider(provider, deed()).await.unwrap();
}

async fn money(store: &Store, ada: &AccountId, bob: &AccountId) {
    // The better plan starts immediately and replaces the other.
    for plan in ["basic", "pro"] {
        store.assign_plan(bob, asked(plan), deed()).await.unwrap();
    }
    store.keep_customer(ada, "cus_ada".into()).await.unwrap();
    store.receive_event(event("evt_1")).await.unwrap();
    let mut facts = about(invoice("in_1"));
    facts.alarms = vec![Alarm::Dispute("du_1".into())];
    facts.subscription = Some(subscription(Status::Active));
    store.settle_event("evt_1", facts).await.unwrap();
    assert!(store.lift_pauses(ada, deed()).await.unwrap());
    store.receive_event(event("evt_2")).await.unwrap();
    let thanks = Grant {
        kind: BucketKind::Operator,
        credits: Credits::from(40),
        source_key: "thanks".into(),
        expires_at: Some(START.plus_ms(DAY_MS)),
        priority: None,
        description: "thanks ☕".into(),
    };
    store.grant_as(ada, thanks, deed()).await.unwrap();
}

/// Edits that succeeded, failed, were deleted or have expired, and one in progress.
async fn edits(place: &Place, store: &Store, ada: &AccountId) -> (EditId, Vec<String>) {
    let key = NewKey {
        scopes: retouch_store::Scopes::ALL,
        name: "laptop".into(),
        hash: [6; 32],
        start: "retouch_abc".into(),
        expires_at: None,
        limits: KeyLimits {
            life: Some(Credits::from(100)),
            day: Some(Credits::from(50)),
            month: Some(Credits::from(60)),
        },
    };
    let key = store.create_key(ada, key).await.unwrap();
    let old = made(place, store, ada, place.edit()).await;
    place.clock.advance_ms(31 * DAY_MS);
    store.expire_results(&kept(Some(30), [Some(30); 3]), &ExpiryPlace::default()).await.unwrap();
    assert!(store.find_expiry(&old.blob).await.unwrap().is_some());
    let mut named = place.edit();
    named.instruction = "make it \0 grey".into();
    named.key = Some(key.id);
    named.idempotency =
        Some(IdempotencyKey { call: "image-edit", key: "k".into(), fingerprint: [7; 32] });
    let named = made(place, store, ada, named).await;
    let mut results = vec![named.blob];
    for _ in 0..3 {
        results.push(made(place, store, ada, place.edit()).await.blob);
    }
    let deleted = made(place, store, ada, place.edit()).await;
    store.delete_edit(ada, &deleted.id).await.unwrap();
    let failed = place.edit();
    assert_eq!(store.open_edit(ada, failed.clone()).await, Ok(Opened::New));
    let refused = crate::edits::failed("process-1", ("content_refused", "no"));
    store.close_edit(ada, &failed.id, refused).await.unwrap();
    let open = place.edit();
    assert_eq!(store.open_edit(ada, open.clone()).await, Ok(Opened::New));
    let task = TaskRecord { owner: "process-1".into(), provider: "a".into(), task: "{}".into() };
    assert_eq!(store.record_task(ada, &open.id, task).await, Ok(true));
    (open.id, results)
}

async fn made(place: &Place, store: &Store, ada: &AccountId, edit: OpenEdit) -> OpenEdit {
    assert_eq!(store.open_edit(ada, edit.clone()).await, Ok(Opened::New));
    place.clock.advance_ms(7);
    // One result is a row where that is possible; files are what others are.
    let is_row = edit.idempotency.is_some() && store.blobs().is_small(edit.blob.len());
    if is_row {
        let closed = store.close_edit(ada, &edit.id, stored_small(&edit.blob, &edit.blob)).await;
        closed.unwrap();
    } else {
        store.close_edit(ada, &edit.id, stored(&edit.blob)).await.unwrap();
        store.blobs().put(&edit.blob, edit.blob.clone()).await.unwrap();
    }
    edit
}

/// The content of the store. NUL characters are shown as U+FFFD, which PostgreSQL stores instead.
pub(crate) async fn portrait(store: &Store, there: &Everything) -> Vec<String> {
    let mut seen = Vec::new();
    let mut see = |what: &dyn Debug| seen.push(format!("{what:?}").replace("\\0", "\u{fffd}"));
    see(&store.list_accounts(&first(9)).await.unwrap().data);
    see(&store.list_administrators().await.unwrap());
    see(&store.admin_link_is_open(&[1; 32]).await.unwrap());
    see(&store.list_audit(None, &first(99)).await.unwrap().data);
    let mut edits = store.list_all_edits(&AnyEditFilter::default(), &first(99)).await.unwrap().data;
    // SQLite only counts the characters before a NUL.
    edits.iter_mut().for_each(|edit| edit.instruction_chars = 0);
    see(&edits);
    see(&store.list_days(START).await.unwrap());
    see(&store.list_open_edits().await.unwrap());
    see(&store.list_open_events().await.unwrap());
    let mut removals = store.list_removals(0).await.unwrap();
    removals.sort_by(|one, other| one.blob.cmp(&other.blob));
    see(&removals);
    for account in [&there.ada, &there.bob] {
        see(&store.find_user(account).await.unwrap());
        see(&store.balance(account).await.unwrap());
        see(&store.list_entries(account, &first(99)).await.unwrap().data);
        see(&store.list_keys(account, &first(99)).await.unwrap().data);
        see(&store.list_sessions(account).await.unwrap());
        see(&store.list_passkeys(account).await.unwrap());
        see(&store.list_identities(account).await.unwrap());
        see(&store.list_openers(account).await.unwrap());
        see(&store.find_second_factor(account).await.unwrap());
        see(&store.find_subscription(account).await.unwrap());
        see(&store.find_customer(account).await.unwrap());
        see(&store.list_edits(account, &EditFilter::default(), &first(99)).await.unwrap().data);
        see(&store.find_password_hash(account).await.unwrap());
        for webhook in store.list_webhooks(account, &first(9)).await.unwrap().data {
            let deliveries = (None, &first(9));
            see(&store.list_deliveries(account, &webhook.id, deliveries).await.unwrap().data);
            see(&webhook);
        }
    }
    see(&store.find_key(&[6; 32]).await.unwrap());
    see(&store.find_key_of_token(&[1; 32]).await.unwrap());
    see(&store.find_passkey(&[1; 16]).await.unwrap());
    see(&store.find_link(&[4; 32]).await.unwrap());
    see(&store.missing_files().await.unwrap());
    seen
}
