//! What only a folder has to do.

use retouch_store::Blobs;

use crate::place::{NAME, Place};

#[tokio::test]
async fn what_a_dead_process_left_half_written_is_swept_away() {
    let place = Place::folder();
    let unfinished = place.place.folder().unwrap().join("unfinished");
    let left = unfinished.join("77");
    std::fs::create_dir_all(&left).unwrap();
    std::fs::write(left.join("0"), b"half").unwrap();
    std::fs::write(unfinished.join("77.lock"), b"").unwrap();
    let alive = Blobs::open(&place.place).unwrap();
    assert!(!left.exists(), "its process is dead");
    let another = Blobs::open(&place.place).unwrap();
    alive.put(NAME, b"whole").await.unwrap();
    assert!(another.confirm(NAME).await.unwrap());
}

#[tokio::test]
async fn what_a_dead_process_left_without_its_lock_is_in_nobodys_way() {
    let place = Place::folder();
    // The place's own process has the number 0.
    let left = place.place.folder().unwrap().join("unfinished/1");
    std::fs::create_dir_all(&left).unwrap();
    std::fs::write(left.join("0"), b"half").unwrap();
    let blobs = Blobs::open(&place.place).unwrap();
    blobs.put(NAME, b"whole").await.unwrap();
    assert!(blobs.confirm(NAME).await.unwrap());
}
