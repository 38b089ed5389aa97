//! Tests which edits stored files belong to.

use std::collections::HashSet;

use retouch_core::AccountId;
use retouch_store::{Deleted, OpenEdit, Opened, Outcome, Store};

use crate::edits::{failure, stored_as};
use crate::place::{Place, member_with};

pub(crate) fn stored(blob: &str) -> Outcome {
    stored_as(blob, 6)
}

async fn open(place: &Place, store: &Store, account: &AccountId) -> OpenEdit {
    let edit = place.edit();
    assert_eq!(store.open_edit(account, edit.clone()).await, Ok(Opened::New));
    edit
}

#[tokio::test]
async fn a_file_is_an_edits_while_it_may_be_stored_or_has_to_go_yet() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member_with(&store, "ada@example.com", 100).await;
    let running = open(&place, &store, &ada).await;
    let done = open(&place, &store, &ada).await;
    store.close_edit(&ada, &done.id, stored(&done.blob)).await.unwrap();
    let failed = open(&place, &store, &ada).await;
    store.close_edit(&ada, &failed.id, failure()).await.unwrap();
    let deleted = open(&place, &store, &ada).await;
    store.close_edit(&ada, &deleted.id, stored(&deleted.blob)).await.unwrap();
    let gone = store.delete_edit(&ada, &deleted.id).await.unwrap();
    assert_eq!(gone, Deleted::Gone { blobs: vec![deleted.blob.clone()] });
    let edits = [&running, &done, &failed, &deleted];
    let mut names: Vec<String> = edits.map(|edit| edit.blob.clone()).into();
    // More names than one query checks, before and after the others.
    names.splice(0..0, (0..150).map(|at| format!("nobody-{at}")));
    names.extend((150..330).map(|at| format!("nobody-{at}")));
    let of = |edits: &[&OpenEdit]| -> HashSet<String> {
        edits.iter().map(|edit| edit.blob.clone()).collect()
    };
    let claimed = store.claimed_blobs(names.clone()).await.unwrap();
    assert_eq!(claimed, of(&[&running, &done, &deleted]));
    store.confirm_removal(&ada, &deleted.id).await.unwrap();
    assert_eq!(store.claimed_blobs(names).await.unwrap(), of(&[&running, &done]));
    assert_eq!(store.claimed_blobs(Vec::new()).await.unwrap(), HashSet::new());
}
