//! Tests results that are stored as rows, together with their charge.

use futures_util::TryStreamExt;
use retouch_core::AccountId;
use retouch_store::{CloseError, Store};

use crate::edits::{failure, stored_small};
use crate::place::{Place, assert_proved, member_with};

const CONTENT: &str = "a small image";

/// An edit whose result is a row. Returns its blob. None on a server, which has no such rows.
async fn made(place: &Place, store: &Store, account: &AccountId) -> Option<String> {
    if !store.blobs().is_small(CONTENT.len()) {
        return None;
    }
    let edit = place.edit();
    store.open_edit(account, edit.clone()).await.unwrap();
    assert!(!store.blobs().confirm(&edit.blob).await.unwrap());
    let outcome = stored_small(&edit.blob, CONTENT);
    store.close_edit(account, &edit.id, outcome).await.unwrap();
    Some(edit.blob)
}

#[tokio::test]
async fn a_small_result_is_stored_by_its_charge_and_is_like_any_other_file() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member_with(&store, "ada@example.com", 100).await;
    let Some(blob) = made(&place, &store, &ada).await else { return };
    store.close().await.unwrap();
    let store = place.open().await;
    let blobs = store.blobs();
    assert!(blobs.confirm(&blob).await.unwrap());
    let found = blobs.read(&blob).await.unwrap().unwrap();
    assert_eq!((found.bytes, found.into_bytes().await.unwrap().as_ref()), (13, CONTENT.as_bytes()));
    let found = blobs.read(&blob).await.unwrap().unwrap();
    let part: Vec<_> = found.into_pieces(2..7).await.unwrap().try_collect().await.unwrap();
    assert_eq!(part.concat(), b"small");
    assert_eq!(store.missing_files().await.unwrap(), (0, Vec::new()));
    let found = blobs.read(&blob).await.unwrap().unwrap();
    blobs.delete(&blob).await.unwrap();
    assert_eq!(found.into_bytes().await.unwrap_err(), retouch_store::Error::FileGone);
    assert!(blobs.read(&blob).await.unwrap().is_none());
    assert!(!blobs.confirm(&blob).await.unwrap());
    assert_eq!(store.missing_files().await.unwrap(), (1, vec![blob]));
    assert_proved(&store).await;
}

#[tokio::test]
async fn the_result_of_an_edit_that_has_ended_is_not_stored() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member_with(&store, "ada@example.com", 100).await;
    let edit = place.edit();
    store.open_edit(&ada, edit.clone()).await.unwrap();
    store.close_edit(&ada, &edit.id, failure()).await.unwrap();
    let late = store.close_edit(&ada, &edit.id, stored_small(&edit.blob, CONTENT)).await;
    assert!(matches!(late, Err(CloseError::Ended(_))), "{late:?}");
    assert!(store.blobs().read(&edit.blob).await.unwrap().is_none());
}

#[tokio::test]
async fn a_database_behind_a_link_is_synced_where_it_is() {
    let mut place = Place::new();
    let retouch_store::Database::File(path) = &mut place.settings.database else { return };
    let link = path.with_file_name("link.db");
    let real = path.with_file_name("elsewhere.db");
    std::fs::write(&real, "").unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    *path = link;
    let store = place.open().await;
    let ada = member_with(&store, "ada@example.com", 100).await;
    // The hold is not on disk yet, so storing a file syncs the log.
    let edit = place.edit();
    store.open_edit(&ada, edit.clone()).await.unwrap();
    store.blobs().put(&edit.blob, vec![7; 100_000]).await.unwrap();
    let outcome = crate::edits::stored_as(&edit.blob, 6);
    store.close_edit(&ada, &edit.id, outcome).await.unwrap();
    assert_proved(&store).await;
}

#[tokio::test]
async fn only_small_results_in_a_folder_are_rows() {
    let place = Place::new();
    let store = place.open().await;
    let embedded = matches!(place.settings.database, retouch_store::Database::File(_));
    assert_eq!(store.blobs().is_small(64 << 10), embedded);
    assert!(!store.blobs().is_small((64 << 10) + 1));
}
