//! Tests that only apply to folders.

use std::fs::OpenOptions;
use std::pin::pin;
use std::process::Command;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::join_all;
use futures_util::{StreamExt, TryStreamExt};
use retouch_store::Blobs;
use tokio::runtime::Runtime;

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
    // The storage that `place` has already opened uses the number 0, so the next one uses 1.
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
    OpenOptions::new().write(true).open(path).unwrap().set_len(100_000).unwrap();
    assert!(pieces.try_collect::<Vec<_>>().await.is_err());
}

/// The number of files that are being written and have no name yet.
fn unnamed(place: &Place) -> usize {
    let unfinished = place.place.folder().unwrap().join("unfinished");
    let folders = std::fs::read_dir(unfinished).unwrap().map(|entry| entry.unwrap().path());
    folders.filter(|path| path.is_dir()).map(|path| path.read_dir().unwrap().count()).sum()
}

#[test]
fn a_file_that_was_begun_is_stored_only_if_it_gets_a_name() {
    let (place, large) = (Place::folder(), Bytes::from(vec![7; 200_000]));
    let runtime = runtime();
    runtime.block_on(async {
        let begun = place.blobs.begin(&large).unwrap();
        assert!(begun.is(&large));
        assert!(!begun.is(&Bytes::from(vec![7; 200_000])), "it has the same bytes elsewhere");
        place.blobs.put_begun(NAME, begun).await.unwrap();
        let blob = place.blobs.read(NAME).await.unwrap().unwrap();
        assert_eq!(blob.into_bytes().await.unwrap(), large);

        let begun = place.blobs.begin(&large).unwrap();
        assert!(place.blobs.put_begun("../elsewhere", begun).await.is_err());
        drop(place.blobs.begin(&large).unwrap());
        assert!(place.blobs.begin(&large.slice(..1_000)).is_none(), "it gains nothing");
    });
    // This waits for the threads that are still writing.
    drop(runtime);
    assert_eq!(unnamed(&place), 0);
    assert_eq!(std::fs::read_dir(place.place.folder().unwrap().join("files")).unwrap().count(), 1);
}

#[tokio::test]
async fn a_file_that_cannot_be_written_is_not_stored() {
    let (place, large) = (Place::folder(), Bytes::from(vec![7; 200_000]));
    std::fs::remove_dir_all(place.place.folder().unwrap().join("unfinished")).unwrap();
    let begun = place.blobs.begin(&large).unwrap();
    assert!(place.blobs.put_begun(NAME, begun).await.is_err());
    assert!(!place.blobs.confirm(NAME).await.unwrap());
}

/// The number of threads for blocking calls. The storage has fewer permits than this.
const THREADS: usize = 64;

fn runtime() -> Runtime {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.max_blocking_threads(THREADS).enable_time().build().unwrap()
}

fn names() -> Vec<String> {
    (0..2 * THREADS).map(|at| format!("0123456789abcdef-{at}")).collect()
}

/// Whether `others` finishes while `waiting` is blocked.
async fn can_go_on(waiting: &mut (impl Future + Unpin), others: impl Future<Output = ()>) -> bool {
    let patience = Duration::from_secs(30);
    tokio::select! {
        biased;
        _ = waiting => panic!("nobody has let them go on"),
        done = tokio::time::timeout(patience, others) => done.is_ok(),
    }
}

/// Content that blocks until it is released, like a disk that has stopped responding.
struct Stuck(Arc<OnceLock<()>>);

impl AsRef<[u8]> for Stuck {
    fn as_ref(&self) -> &[u8] {
        self.0.wait();
        b"late"
    }
}

#[test]
fn those_who_wait_until_files_are_durable_leave_threads_to_others() {
    let (place, names, gate) = (Place::folder(), names(), Arc::default());
    runtime().block_on(async {
        place.blobs.put(NAME, b"early").await.unwrap();
        let content = || Stuck(Arc::clone(&gate));
        let putting = names.iter().map(|name| place.blobs.put(name, content()));
        let mut writing = pin!(join_all(putting));
        let others = async {
            let blob = place.blobs.read(NAME).await.unwrap().unwrap();
            assert_eq!(blob.into_bytes().await.unwrap().as_ref(), b"early");
            place.blobs.ready().await.unwrap();
        };
        let done = can_go_on(&mut writing, others).await;
        gate.set(()).unwrap();
        assert!(writing.await.iter().all(Result::is_ok));
        assert!(done, "they had to wait too");
    });
}

#[test]
fn those_who_wait_for_what_they_read_leave_threads_to_others() {
    let (place, names) = (Place::folder(), names());
    // Opening one of these for reading blocks until it is opened for writing.
    let files = place.place.folder().unwrap().join("files");
    let paths: Vec<_> = names.iter().map(|name| files.join(name)).collect();
    assert!(Command::new("mkfifo").args(&paths).status().unwrap().success());
    runtime().block_on(async {
        let mut reading = pin!(join_all(names.iter().map(|name| place.blobs.read(name))));
        let others = async { place.blobs.put(NAME, b"meanwhile").await.unwrap() };
        let done = can_go_on(&mut reading, others).await;
        // Opening one for both reading and writing never blocks, and releases all others.
        let both = |path| OpenOptions::new().read(true).write(true).open(path).unwrap();
        let _open: Vec<_> = paths.iter().map(both).collect();
        assert!(reading.await.iter().all(Result::is_ok));
        assert!(done, "they had to wait too");
    });
}
