//! Tests uploads: their owners, their limits, and that every file can be found until it is removed.

use retouch_core::AccountId;
use retouch_store::{Deletion, Error, ExpiredUpload, Upload, UploadLimits};

use crate::place::{HOUR_MS, Place, START, member};

const LIMITS: UploadLimits = UploadLimits { count_max: 3, bytes_max: 1_000 };

pub(crate) fn upload(place: &Place, bytes: u64) -> Upload {
    let id = place.ids.upload();
    Upload {
        blob: format!("{}.upload", id.as_str().replace('_', "-")),
        id,
        media_type: "image/png".into(),
        width: 40,
        height: 30,
        bytes,
        expires_at: START.plus_ms(24 * HOUR_MS),
    }
}

fn expired(account: &AccountId, upload: &Upload) -> ExpiredUpload {
    ExpiredUpload { account: account.clone(), id: upload.id.clone(), blob: upload.blob.clone() }
}

#[tokio::test]
async fn an_upload_is_its_owners_for_a_day_and_listed_until_its_file_is_gone() {
    let place = Place::new();
    let store = place.open().await;
    let (ada, bob) = (member(&store, "a@example.com").await, member(&store, "b@example.com").await);
    let image = upload(&place, 100);
    store.create_upload(&ada, image.clone(), LIMITS).await.unwrap();
    assert_eq!(store.find_upload(&ada, &image.id).await, Ok(Some(image.clone())));
    assert_eq!(store.find_upload(&bob, &image.id).await, Ok(None));
    store.remove_upload(&bob, &image.id).await.unwrap();
    assert_eq!(store.claimed_blobs(vec![image.blob.clone()]).await.unwrap().len(), 1);
    assert_eq!(store.list_expired_uploads(0).await.unwrap(), []);
    place.clock.advance_ms(24 * HOUR_MS);
    assert_eq!(store.find_upload(&ada, &image.id).await, Ok(None));
    assert_eq!(store.list_expired_uploads(0).await.unwrap(), [expired(&ada, &image)]);
    assert_eq!(store.list_expired_uploads(1).await.unwrap(), []);
    assert_eq!(store.claimed_blobs(vec![image.blob.clone()]).await.unwrap().len(), 1);
    store.remove_upload(&ada, &image.id).await.unwrap();
    assert_eq!(store.list_expired_uploads(0).await.unwrap(), []);
    assert_eq!(store.claimed_blobs(vec![image.blob]).await.unwrap().len(), 0);
}

#[tokio::test]
async fn an_account_has_so_many_uploads_of_so_many_bytes_and_they_go_with_it() {
    let place = Place::new();
    let store = place.open().await;
    let (ada, bob) = (member(&store, "a@example.com").await, member(&store, "b@example.com").await);
    let create = |account: &AccountId, bytes| {
        let (account, image, store) = (account.clone(), upload(&place, bytes), store.clone());
        async move { store.create_upload(&account, image, LIMITS).await }
    };
    assert_eq!(create(&ada, 600).await, Ok(()));
    assert_eq!(create(&ada, 401).await, Err(Error::UploadsFull { bytes_max: 1_000 }));
    assert_eq!(create(&ada, 399).await, Ok(()));
    assert_eq!(create(&ada, 1).await, Ok(()));
    assert_eq!(create(&ada, 0).await, Err(Error::TooMany { what: "uploads", most: 3 }));
    assert_eq!(create(&bob, 600).await, Ok(()));
    assert_eq!(store.delete_account(&ada).await, Ok(Deletion::Gone));
    let gone = store.list_expired_uploads(0).await.unwrap();
    assert!(gone.len() == 3 && gone.iter().all(|one| one.account == ada), "{gone:?}");
    assert_eq!(create(&ada, 1).await, Err(Error::AccountUnknown));
}
