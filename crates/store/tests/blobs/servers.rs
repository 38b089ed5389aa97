//! Tests servers that misbehave, and unreliable networks.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use futures_util::TryStreamExt;
use retouch_store::{Blobs, BlobsPlace, Error, S3Keys, S3Settings};

use tempfile::TempDir;

use crate::contract::large;
use crate::network::{cut, encrypted, forgetful, silence, slow, stammering};
use crate::place::{NAME, at, bucket, content};

fn open(settings: S3Settings) -> Blobs {
    Blobs::open(&BlobsPlace::S3(Box::new(settings))).unwrap()
}

fn said<T: std::fmt::Debug>(done: Result<T, Error>) -> String {
    let Err(Error::Files { message }) = done else { panic!("it is not a failure: {done:?}") };
    assert!(!message.contains(NAME), "the name of a file is all it takes to read it: {message}");
    message
}

#[tokio::test]
async fn a_server_that_is_not_there_is_said_to_be_so() {
    // A port below 1024, which no test gets that asks for any port.
    let blobs = open(at(&"http://127.0.0.1:1".parse().unwrap()));
    for message in [
        said(blobs.put(NAME, b"x").await),
        said(blobs.confirm(NAME).await),
        said(blobs.read(NAME).await.map(drop)),
        said(blobs.delete(NAME).await),
        said(blobs.ready().await),
    ] {
        assert!(message.contains("onnection refused"), "{message}");
    }
}

#[tokio::test]
async fn a_server_that_says_nothing_is_given_up_in_time() {
    let settings = S3Settings { call_ms_max: 200, ..at(&silence().await) };
    let blobs = open(settings);
    assert_eq!(said(blobs.put(NAME, b"x").await), "no answer within 200 ms");
    assert_eq!(said(blobs.confirm(NAME).await), "no answer within 200 ms");
}

#[tokio::test]
#[ignore = "slow: a link that takes its time"]
async fn an_upload_over_a_slow_link_has_the_time_that_it_takes() {
    let link = slow(64 << 10, Duration::from_millis(20), usize::MAX).await;
    let blobs = open(S3Settings { silence_ms_max: 1_000, call_ms_max: 1_000, ..at(&link) });
    let began = Instant::now();
    blobs.put(NAME, vec![7; 8 << 20]).await.unwrap();
    assert!(began.elapsed() > Duration::from_secs(2), "{:?} is no slow link", began.elapsed());
}

#[tokio::test]
async fn a_server_that_falls_silent_in_the_middle_is_given_up() {
    let link = slow(64 << 10, Duration::from_millis(1), 1 << 20).await;
    let blobs = open(S3Settings { silence_ms_max: 200, call_ms_max: 200, ..at(&link) });
    let message = "the server has been silent for 200 ms";
    assert_eq!(said(blobs.put(NAME, vec![7; 8 << 20]).await), message);
    let settings = at(&stammering().await);
    let blobs = open(S3Settings { silence_ms_max: 200, call_ms_max: 200, ..settings });
    let found = blobs.read(NAME).await.unwrap().unwrap();
    let mut pieces = found.into_pieces(0..9).await.unwrap();
    assert_eq!(pieces.try_next().await.unwrap().unwrap(), "a pi");
    let error = pieces.try_next().await.unwrap_err();
    assert!(error.to_string().contains(message), "{error}");
}

#[tokio::test]
async fn a_key_or_bucket_that_is_wrong_is_said_to_be_so() {
    let Some(settings) = bucket() else { return };
    let keys = settings.keys.clone().unwrap();
    let secret = S3Keys { secret: "another".into(), ..keys.clone() };
    let blobs = open(S3Settings { keys: Some(secret), ..settings.clone() });
    let message = "the secret of the access key is wrong (SignatureDoesNotMatch)";
    assert_eq!(said(blobs.put(NAME, b"x").await), message);
    assert_eq!(said(blobs.ready().await), message);
    let id = S3Keys { id: "another".into(), ..keys };
    let blobs = open(S3Settings { keys: Some(id), ..settings.clone() });
    assert!(said(blobs.put(NAME, b"x").await).contains("access key"));
    let blobs = open(S3Settings { bucket: "another".into(), ..settings });
    assert_eq!(said(blobs.ready().await), "the server has no such bucket");
}

#[tokio::test]
async fn no_file_is_missing_where_the_bucket_is() {
    let (link, listed) = forgetful().await;
    let blobs = open(at(&link));
    let gone = "the server has no such bucket";
    for _ in 0..2 {
        assert_eq!(said(blobs.read(NAME).await.map(drop)), gone);
        assert_eq!(said(blobs.confirm(NAME).await), gone);
        assert_eq!(said(blobs.delete(NAME).await), gone);
    }
    listed.store(true, Ordering::SeqCst);
    assert!(!blobs.confirm(NAME).await.unwrap());
    assert!(blobs.read(NAME).await.unwrap().is_none());
    blobs.delete(NAME).await.unwrap();
    listed.store(false, Ordering::SeqCst);
    // Reads trust for a moment that the bucket was just seen. `confirm` doesn't, because results
    // are given up based on its answer.
    assert!(blobs.read(NAME).await.unwrap().is_none());
    assert_eq!(said(blobs.confirm(NAME).await), gone);
}

#[tokio::test]
async fn no_file_is_missing_where_the_folder_is() {
    let folder = TempDir::new().unwrap();
    let blobs = Blobs::open(&BlobsPlace::Folder(folder.path().to_owned())).unwrap();
    blobs.put(NAME, b"a picture").await.unwrap();
    let (files, elsewhere) = (folder.path().join("files"), folder.path().join("elsewhere"));
    std::fs::rename(&files, &elsewhere).unwrap();
    said(blobs.confirm(NAME).await);
    said(blobs.read(NAME).await.map(drop));
    said(blobs.delete(NAME).await);
    std::fs::rename(&elsewhere, &files).unwrap();
    assert!(blobs.confirm(NAME).await.unwrap());
}

#[tokio::test]
async fn a_way_that_breaks_once_is_taken_again() {
    let Some(settings) = bucket() else { return };
    let way = cut(settings.endpoint.as_ref().unwrap(), 300, 1).await;
    let blobs = open(S3Settings { endpoint: Some(way), ..settings });
    blobs.put(NAME, b"a picture").await.unwrap();
    assert_eq!(content(&blobs, NAME).await.unwrap(), b"a picture");
}

#[tokio::test]
async fn a_file_that_did_not_arrive_whole_is_not_there_at_all() {
    let Some(settings) = bucket() else { return };
    let whole = open(settings.clone());
    let way = cut(settings.endpoint.as_ref().unwrap(), 5 << 20, usize::MAX).await;
    let blobs = open(S3Settings { endpoint: Some(way), ..settings });
    for bytes in [large(), large()[..7 << 20].to_vec()] {
        said(blobs.put(NAME, bytes).await);
        assert!(!whole.confirm(NAME).await.unwrap());
        assert_eq!(content(&whole, NAME).await, None);
    }
}

#[tokio::test]
async fn a_server_that_somebody_trusted_vouches_for_is_spoken_to_and_another_is_not() {
    let Some(settings) = bucket() else { return };
    let folder = PathBuf::from(std::env::var("RETOUCH_TEST_S3_TLS").unwrap());
    let way = encrypted(settings.endpoint.as_ref().unwrap(), &folder).await;
    let stranger = S3Settings { endpoint: Some(way), ..settings };
    let message = said(open(stranger.clone()).put(NAME, b"a picture").await);
    assert!(message.contains("certificate"), "{message}");
    let authority = Some(folder.join("certificate.pem"));
    let blobs = open(S3Settings { authority, ..stranger });
    blobs.put(NAME, b"a picture").await.unwrap();
    assert_eq!(content(&blobs, NAME).await.unwrap(), b"a picture");
}

#[test]
fn a_file_without_certificates_is_said_to_be_so() {
    let settings = at(&"https://s3.example.com".parse().unwrap());
    for (file, reason) in [("/nowhere.pem", "No such file"), ("/dev/null", "no certificate")] {
        let settings = S3Settings { authority: Some(file.into()), ..settings.clone() };
        let message = said(Blobs::open(&BlobsPlace::S3(Box::new(settings))));
        assert!(message.contains(file) && message.contains(reason), "{message}");
    }
}
