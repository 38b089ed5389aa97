//! Tests changing the email address of an account, and deleting accounts.

use retouch_core::AccountId;
use retouch_core::credits::EntryKind;
use retouch_store::{
    Claimed, Deleted, Deletion, Error, Failure, IdempotencyKey, NewAccount, NewKey, NewSession,
    OpenEdit, OpenError, Outcome, Store, TaskRecord,
};

use crate::database::{TestDatabase, text};
use crate::edits::{opened, success};
use crate::place::{Place, START, assert_proved, credits, first, key, member, session};
use crate::plans::{asked, deed, plans};

#[tokio::test]
async fn an_address_is_changed_unless_it_is_somebody_elses() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    member(&store, "bob@example.com").await;
    let taken = store.change_email(&ada, "BOB@example.com".parse().unwrap()).await;
    assert_eq!(taken, Err(Error::EmailTaken));
    let shouted = store.change_email(&ada, "ADA@example.com".parse().unwrap()).await.unwrap();
    assert_eq!(shouted.email.as_str(), "ADA@example.com", "the same, written in another way");
    let changed = store.change_email(&ada, "lovelace@example.com".parse().unwrap()).await.unwrap();
    assert_eq!((&changed.id, changed.email.as_str()), (&ada, "lovelace@example.com"));
    let old = store.find_account_by_email(&"ada@example.com".parse().unwrap()).await.unwrap();
    assert_eq!(old, None);
    let nobody = store.change_email(&place.ids.account(), "x@example.com".parse().unwrap()).await;
    assert_eq!(nobody, Err(Error::AccountUnknown));
}

#[tokio::test]
async fn a_deleted_account_leaves_books_in_balance_and_nothing_else() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let edit = opened(&place, &store, &ada).await;
    assert_eq!(store.delete_account(&ada).await, Ok(Deletion::Running { edits: 1 }));
    store.close_edit(&ada, &edit, success(6)).await.unwrap();
    let expires_at = START.plus_ms(1_000_000);
    let session = NewSession { expires_at, ..session(7) };
    store.create_session(&ada, session.clone()).await.unwrap();
    let key = NewKey { name: "laptop".into(), start: "retouch_abc".into(), ..key(8) };
    store.create_key(&ada, key.clone()).await.unwrap();
    store.assign_plan(&ada, asked("basic"), deed()).await.unwrap();

    assert_eq!(store.delete_account(&ada).await, Ok(Deletion::Gone));
    assert_eq!(store.delete_account(&ada).await, Ok(Deletion::Unknown));
    assert_eq!(store.find_session(&[7; 32]).await, Ok(None));
    assert_eq!(store.find_key(&[8; 32]).await, Ok(None));
    assert_eq!(store.find_edit(&ada, &edit).await, Ok(None));
    assert_eq!(store.list_removals(0).await.unwrap().len(), 1, "its picture has to go");
    assert_eq!(store.list_accounts(&first(10)).await.unwrap().data, []);
    let balance = store.balance(&ada).await.unwrap();
    assert_eq!((balance.available, balance.held), (credits(0), credits(0)));
    let last = store.list_entries(&ada, &first(1)).await.unwrap().data.remove(0);
    assert_eq!((last.kind, last.amount), (EntryKind::TakeBack, -609));
    assert_eq!(last.description, "The account was deleted");
    // The plan grants no further months.
    place.clock.advance_ms(40 * 86_400_000);
    assert_eq!(store.grant_due(&plans(), None).await.unwrap().grants, 0);
    // The deleted account can't start anything.
    assert_eq!(store.create_session(&ada, session).await, Err(Error::AccountUnknown));
    assert_eq!(store.create_key(&ada, key).await, Err(Error::AccountUnknown));
    let late = store.open_edit(&ada, place.edit()).await;
    assert_eq!(late, Err(OpenError::Store(Error::AccountUnknown)));
    assert_proved(&store).await;

    let again = NewAccount {
        email: "Ada@example.com".parse().unwrap(),
        password_hash: None,
        sign_up_credits: credits(15),
        invitation: None,
    };
    assert_ne!(store.create_account(again).await.unwrap().id, ada, "the address is free again");
    assert_proved(&store).await;
}

#[tokio::test]
async fn a_deleted_administrator_administers_nothing_and_another_can_begin() {
    let place = Place::new();
    let store = place.open().await;
    let (ada, bob) =
        (member(&store, "ada@example.com").await, member(&store, "bob@example.com").await);
    store.create_admin_link([1; 32]).await.unwrap().unwrap();
    store.claim_administration(&ada, [1; 32], None).await.unwrap();
    assert_eq!(store.create_admin_link([2; 32]).await.unwrap(), None);
    assert_eq!(store.delete_account(&ada).await, Ok(Deletion::Gone));
    assert!(!store.is_administrator(&ada).await.unwrap());
    store.create_admin_link([3; 32]).await.unwrap().expect("nobody administers any more");
    let gone = store.claim_administration(&ada, [3; 32], None).await;
    assert_eq!(gone, Err(Error::AccountUnknown), "a deleted account becomes nothing");
    let claimed = store.claim_administration(&bob, [3; 32], None).await.unwrap();
    assert_eq!(claimed, Claimed::New);
}

/// A text that stands for everything a user writes and receives, wherever it is stored.
const PRIVATE: &str = "a private matter";

/// A failed edit with the private text in every column that can have it.
async fn failed_in_private(place: &Place, store: &Store, account: &AccountId) -> OpenEdit {
    let idempotency =
        IdempotencyKey { call: "image-edit", key: PRIVATE.into(), fingerprint: [5; 32] };
    let edit = OpenEdit {
        instruction: PRIVATE.into(),
        request: Some(format!("{{\"negative\":\"{PRIVATE}\"}}")),
        plan: Some(format!("[\"{PRIVATE}\"]")),
        warnings: format!("[\"{PRIVATE}\"]"),
        input_name: Some(PRIVATE.into()),
        idempotency: Some(idempotency),
        ..place.edit()
    };
    store.open_edit(account, edit.clone()).await.unwrap();
    let (owner, provider) = (edit.owner.clone(), "vendor".into());
    let task = TaskRecord { owner, provider, task: format!("[\"{PRIVATE}\"]") };
    assert!(store.record_task(account, &edit.id, task).await.unwrap());
    let message = format!("cannot do {PRIVATE}");
    let code = "instruction_not_supported".into();
    let failure = Failure { code, message, in_doubt: false };
    let failed = Outcome::Failed { owner: edit.owner.clone(), failure };
    store.close_edit(account, &edit.id, failed).await.unwrap();
    edit
}

/// The names of the tables that contain the private text.
fn tables_with_private_matters(place: &Place) -> Vec<String> {
    let mut names = place.database.texts(match place.database {
        TestDatabase::Sqlite(_) => {
            "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
        }
        TestDatabase::Postgres(_) => {
            "SELECT CAST(relname AS TEXT) FROM pg_class WHERE relkind = 'r'
                 AND relnamespace = CAST(current_schema() AS regnamespace) ORDER BY relname"
        }
    });
    names.retain(|name| content(place, name).contains(PRIVATE));
    names
}

/// The whole content of a table.
fn content(place: &Place, table: &str) -> String {
    let TestDatabase::Sqlite(path) = &place.database else {
        return place
            .database
            .texts(&format!("SELECT CAST({table} AS TEXT) FROM {table}"))
            .join("\n");
    };
    let rows = rusqlite::Connection::open(path).unwrap();
    let mut all = rows.prepare(&format!("SELECT * FROM {table}")).unwrap();
    let columns = all.column_count();
    let mut found = all.query([]).unwrap();
    let mut texts = String::new();
    while let Some(row) = found.next().unwrap() {
        (0..columns).for_each(|at| texts += &text(row.get_ref(at).unwrap()));
    }
    texts
}

#[tokio::test]
async fn nothing_that_was_written_or_got_outlives_an_edit() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let edit = failed_in_private(&place, &store, &ada).await;
    assert_eq!(tables_with_private_matters(&place), ["edit", "idempotency"], "the test can fail");
    assert!(matches!(store.delete_edit(&ada, &edit.id).await, Ok(Deleted::Gone { .. })));
    assert_eq!(tables_with_private_matters(&place), ["idempotency"], "a caller's name, for a day");
    place.clock.advance_ms(25 * 3_600_000);
    store.prune().await.unwrap();
    assert_eq!(tables_with_private_matters(&place), [""; 0]);
    assert_proved(&store).await;
}

#[tokio::test]
async fn nothing_that_was_written_or_got_outlives_an_account() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let edit = failed_in_private(&place, &store, &ada).await;
    let hash = "08".repeat(32);
    let key = NewKey { name: PRIVATE.into(), start: PRIVATE.into(), ..key(8) };
    store.create_key(&ada, key).await.unwrap();
    assert!(content(&place, "api_key").contains(&hash), "the test can fail");
    assert_eq!(store.delete_account(&ada).await, Ok(Deletion::Gone));
    assert_eq!(tables_with_private_matters(&place), [""; 0]);
    let kept = format!("SELECT failure_code FROM edit WHERE id = '{}'", edit.id);
    let code = place.database.texts(&kept);
    assert_eq!(code, ["instruction_not_supported"], "how it went, for the operator");
    let found = content(&place, "api_key");
    assert!(!found.contains(&hash), "nor what a secret could be known by");
    assert_proved(&store).await;
}
