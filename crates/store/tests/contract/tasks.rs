//! Tests recording a provider's task for an open edit, including after a crash.

use retouch_store::{OpenEditRow, TaskRecord};

use crate::edits::{failure, opened, success};
use crate::place::{Place, START, assert_proved, member};

fn task(provider: &str, text: &str) -> TaskRecord {
    TaskRecord { owner: "process-1".into(), provider: provider.into(), task: text.into() }
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
    let closed = store.close_edit(&ada, &id, success(6)).await.unwrap().edit;
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
