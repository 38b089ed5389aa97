//! What is known of the work on an open edit elsewhere, and who goes on with it after a crash.

use retouch_store::{OpenEditRow, TaskRecord};

use crate::edits::{failure, opened, success};
use crate::place::{Place, START, assert_proved, member};

fn task(provider: &str, text: &str) -> TaskRecord {
    TaskRecord { provider: provider.into(), task: text.into() }
}

async fn only(store: &retouch_store::Store) -> OpenEditRow {
    let [row] = store.list_open_edits().await.unwrap().try_into().unwrap();
    row
}

#[tokio::test]
async fn a_task_survives_a_crash_and_the_last_one_counts() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let id = opened(&place, &store, &ada).await;
    assert_eq!((only(&store).await.task, only(&store).await.created_at), (None, START));
    for (provider, text) in [("first", r#"{"ticket":null}"#), ("second", r#"{"ticket":"t-1"}"#)] {
        assert_eq!(store.record_task(&ada, &id, task(provider, text)).await, Ok(true));
    }
    drop(store);
    let store = place.open().await;
    let row = only(&store).await;
    assert_eq!(
        (row.provider.as_str(), row.task.as_deref()),
        ("second", Some(r#"{"ticket":"t-1"}"#))
    );
    let closed = store.close_edit(&ada, &id, success(6)).await.unwrap();
    assert_eq!(closed.provider, "second", "who really did it");
    assert_proved(&store).await;
}

#[tokio::test]
async fn only_its_own_account_records_for_an_edit_and_only_while_it_is_open() {
    let place = Place::new();
    let store = place.open().await;
    let (ada, bob) =
        (member(&store, "ada@example.com").await, member(&store, "bob@example.com").await);
    let id = opened(&place, &store, &ada).await;
    assert_eq!(store.record_task(&bob, &id, task("other", "{}")).await, Ok(false));
    assert_eq!(only(&store).await.task, None);
    store.close_edit(&ada, &id, failure()).await.unwrap();
    assert_eq!(store.record_task(&ada, &id, task("other", "{}")).await, Ok(false));
    let record = store.find_edit(&ada, &id).await.unwrap().unwrap();
    assert_eq!(record.provider, "built-in");
}

#[tokio::test]
async fn an_edit_is_taken_over_once_and_then_belongs_to_whoever_took_it() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    let id = opened(&place, &store, &ada).await;
    let row = only(&store).await;
    let until = START.plus_ms(90_000);
    assert_eq!(store.adopt_edit(&row, "process-2", until).await, Ok(true));
    assert_eq!(store.adopt_edit(&row, "process-3", until).await, Ok(false), "it is another's now");
    let mine = [(ada.clone(), id)];
    assert_eq!(store.renew_leases("process-1", &mine, until).await, Ok(0));
    assert_eq!(store.renew_leases("process-2", &mine, until).await, Ok(1));
    let row = only(&store).await;
    assert_eq!((row.owner.as_str(), row.lease_until), ("process-2", until));
    store.close_edit(&ada, &id, failure()).await.unwrap();
    assert_eq!(store.adopt_edit(&row, "process-3", until).await, Ok(false), "it has ended");
    assert_proved(&store).await;
}
