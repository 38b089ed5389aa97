//! Stored files: complete or absent, and durable when acknowledged.

use retouch_store::{Blob, Error};
use tokio::io::AsyncReadExt;

use crate::place::{Place, together};

const NAME: &str = "0123456789abcdef-picture.png";

async fn read(blob: Blob) -> Vec<u8> {
    let (mut file, mut bytes) = (blob.file, Vec::new());
    file.read_to_end(&mut bytes).await.unwrap();
    assert_eq!(bytes.len() as u64, blob.bytes);
    bytes
}

#[tokio::test]
async fn a_blob_is_there_after_it_was_put_and_until_it_is_deleted() {
    let place = Place::new();
    let store = place.open().await;
    let blobs = store.blobs();
    assert!(blobs.read(NAME).await.unwrap().is_none());
    assert!(!blobs.confirm(NAME).await.unwrap());
    blobs.put(NAME, b"first".to_vec()).await.unwrap();
    drop(store);
    let store = place.open().await;
    let blobs = store.blobs();
    assert!(blobs.confirm(NAME).await.unwrap());
    assert_eq!(read(blobs.read(NAME).await.unwrap().unwrap()).await, b"first");
    assert!(blobs.delete(NAME).await.unwrap());
    assert!(!blobs.delete(NAME).await.unwrap());
    assert!(!blobs.confirm(NAME).await.unwrap());
}

#[tokio::test]
async fn many_blobs_at_the_same_time_are_all_there() {
    let place = Place::new();
    let store = place.open().await;
    let puts = (0..64_u32).map(|number| {
        let store = store.clone();
        async move {
            let name = format!("0123456789abcdef-{number}");
            store.blobs().put(&name, number.to_le_bytes()).await.unwrap();
            read(store.blobs().read(&name).await.unwrap().unwrap()).await == number.to_le_bytes()
        }
    });
    assert!(together(puts).await.into_iter().all(|same| same));
}

#[tokio::test]
async fn a_name_cannot_leave_the_folder() {
    let place = Place::new();
    let store = place.open().await;
    let long = "a".repeat(129);
    let names = [
        "",
        "short",
        "../../../../etc/passwd",
        "0123456789abcdef/x",
        "..0123456789abcdef",
        "0123456789ABCDEF",
        "0123456789abcdef\0",
        "0123456789abcdef\\x",
        "0123456789abcdef.",
        &long,
    ];
    for name in names {
        assert_eq!(store.blobs().put(name, b"x").await, Err(Error::BadBlobName), "{name}");
        assert!(store.blobs().read(name).await.unwrap().is_none(), "{name}");
    }
}

#[tokio::test]
async fn what_a_dead_process_left_half_written_is_swept_away() {
    let place = Place::new();
    drop(place.open().await);
    let unfinished = place.folder.path().join("blobs").join("unfinished");
    let left = unfinished.join("77");
    std::fs::create_dir_all(&left).unwrap();
    std::fs::write(left.join("0"), b"half").unwrap();
    std::fs::write(unfinished.join("77.lock"), b"").unwrap();
    let alive = place.open().await;
    assert!(!left.exists(), "its process is dead");
    let another = place.open().await;
    alive.blobs().put(NAME, b"whole").await.unwrap();
    assert!(another.blobs().confirm(NAME).await.unwrap());
}
