//! What only a folder has to do.

use std::process::Command;
use std::time::Duration;

use futures_util::future::join_all;
use futures_util::{StreamExt, TryStreamExt};
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

#[tokio::test]
async fn a_file_that_was_cut_short_is_not_sent_as_if_it_were_whole() {
    let place = Place::folder();
    let path = place.place.folder().unwrap().join("files").join(NAME);
    place.blobs.put(NAME, vec![7; 200_000]).await.unwrap();
    let blob = place.blobs.read(NAME).await.unwrap().unwrap();
    let mut pieces = blob.into_pieces(0..200_000).await.unwrap();
    assert!(pieces.next().await.unwrap().is_ok());
    std::fs::OpenOptions::new().write(true).open(path).unwrap().set_len(100_000).unwrap();
    assert!(pieces.try_collect::<Vec<_>>().await.is_err());
}

#[test]
fn those_who_wait_for_the_disk_leave_threads_to_others() {
    const THREADS: usize = 64;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .max_blocking_threads(THREADS)
        .enable_time()
        .build()
        .unwrap();
    let place = Place::folder();
    // To open one of these waits until somebody writes, as a disk may that has gone silent.
    let files = place.place.folder().unwrap().join("files");
    let names: Vec<_> = (0..2 * THREADS).map(|at| format!("0123456789abcdef-{at}")).collect();
    let paths: Vec<_> = names.iter().map(|name| files.join(name)).collect();
    assert!(Command::new("mkfifo").args(&paths).status().unwrap().success());
    runtime.block_on(async {
        let reading = join_all(names.iter().map(|name| place.blobs.read(name)));
        let another = async { tokio::task::spawn_blocking(|| ()).await.unwrap() };
        tokio::pin!(reading);
        let patience = tokio::time::sleep(Duration::from_secs(30));
        let done = tokio::select! {
            biased;
            _ = &mut reading => panic!("nobody has written"),
            () = another => true,
            () = patience => false,
        };
        // Whoever opens one for both reading and writing waits for nobody, and lets all others in.
        let both = |path| std::fs::OpenOptions::new().read(true).write(true).open(path).unwrap();
        let _open: Vec<_> = paths.iter().map(both).collect();
        assert!(done, "another thread was not to be had");
        assert!(reading.await.iter().all(Result::is_ok));
    });
}
