//! Results at a URL of another server: images have the same limits as callers' images, and videos
//! have their own.

use std::net::SocketAddr;

use bytes::Bytes;
use futures_util::future::poll_immediate;
use retouch_core::Kind;
use retouch_engine::codec;
use retouch_engine::video::{VideoContext, render_video};
use retouch_language::read_video;
use retouch_outbound::fetch::FetchSettings;
use retouch_outbound::stock::Stock;
use retouch_providers::upstream::Shared;
use retouch_providers::workshop::{Workshop, WorkshopLimits};
use retouch_providers::{Output, Provider, ProviderError};
use serde_json::json;

use crate::server::{Reply, ScriptedProvider, json as answer};
use crate::support::{FETCH, Memory, WORKSHOP, job_of, png, shared, shared_with, sharing};
use crate::toy::Toy;

/// The default limit of the service for what it fetches from a caller's URL.
const PICTURE_BYTES_MAX: usize = 20 << 20;

/// Memory for one result at a time.
const ROOM_BYTES: u64 = 97 << 20;

/// A complete video that is larger than a caller's image may be.
fn film() -> Bytes {
    let context = VideoContext {
        inputs: 0,
        aspect: None,
        size: None,
        duration_seconds: Some(1),
        durations_seconds: Vec::new(),
    };
    let words = "zoom in on a plain red picture of 64x64 pixels";
    let mut file = render_video(&read_video(words, &context).unwrap(), None).unwrap();
    // A box without meaning (ISO/IEC 14496-12, 8.1.2).
    file.extend_from_slice(&u32::try_from(PICTURE_BYTES_MAX).unwrap().to_be_bytes());
    file.extend_from_slice(b"free");
    file.extend(vec![0; PICTURE_BYTES_MAX - 8]);
    file.into()
}

/// Settings that allow fetching a result from this machine.
fn fetch() -> FetchSettings {
    FetchSettings {
        allowed_networks: vec!["127.0.0.0/8".parse().unwrap()],
        bytes_max: PICTURE_BYTES_MAX,
        total_ms_max: 30_000,
        ..FETCH
    }
}

/// The outcome of an edit whose result is `file`, on another server than the provider's.
async fn fetched(kind: Kind, file: Bytes, shared: &Shared) -> Result<Output, ProviderError> {
    let stranger = ScriptedProvider::new((0..4).map(|_| Reply::File(file.clone()))).await;
    let address = format!("http://{}/result", stranger.address);
    let provider = ScriptedProvider::new([answer(200, &json!({ "url": address }))]).await;
    made(kind, provider.address, shared).await
}

async fn made(kind: Kind, at: SocketAddr, shared: &Shared) -> Result<Output, ProviderError> {
    sharing(at, Toy::default(), shared).perform(&job_of(kind), &Memory::default()).await
}

#[tokio::test]
async fn a_video_may_be_larger_than_a_callers_picture_and_a_picture_may_not() {
    let (film, shared) = (film(), shared_with(fetch()));
    assert!(film.len() > PICTURE_BYTES_MAX);
    let done = fetched(Kind::Video, film.clone(), &shared).await.unwrap();
    assert!(done.file == film, "the video arrives unchanged");
    let whole = png();
    let large = [whole.clone(), vec![0; PICTURE_BYTES_MAX]].concat();
    let error = fetched(Kind::ImageEdit, large.into(), &shared).await.unwrap_err();
    let ProviderError::Failed(reason) = error else { panic!("{error}") };
    assert!(reason.contains(&PICTURE_BYTES_MAX.to_string()), "{reason}");
    assert_eq!(fetched(Kind::ImageEdit, whole.clone().into(), &shared).await.unwrap().file, whole);
}

#[tokio::test]
async fn a_video_larger_than_a_result_may_be_is_not_fetched() {
    let mut shared = shared_with(fetch());
    shared.results.bytes_max = PICTURE_BYTES_MAX;
    let error = fetched(Kind::Video, film(), &shared).await.unwrap_err();
    let ProviderError::Failed(reason) = error else { panic!("{error}") };
    assert!(reason.contains(&PICTURE_BYTES_MAX.to_string()), "{reason}");
}

#[tokio::test]
async fn a_video_may_take_longer_than_a_callers_picture() {
    // No server can send a result within zero milliseconds.
    let shared = shared_with(FetchSettings { total_ms_max: 0, ..fetch() });
    let done = fetched(Kind::Video, film(), &shared).await.unwrap();
    assert!(codec::verify_mp4(&done.file).is_ok());
    let large = [png(), vec![0; PICTURE_BYTES_MAX - 1024]].concat();
    let error = fetched(Kind::ImageEdit, large.into(), &shared).await.unwrap_err();
    let ProviderError::Failed(reason) = error else { panic!("{error}") };
    assert!(reason.contains("within 0 ms"), "{reason}");
}

#[tokio::test]
async fn the_rules_for_addresses_are_the_same_for_a_video() {
    let error = fetched(Kind::Video, film(), &shared()).await.unwrap_err();
    let ProviderError::Failed(reason) = error else { panic!("{error}") };
    assert!(reason.contains("public internet address"), "{reason}");
}

#[tokio::test]
async fn a_video_waits_for_memory_where_a_picture_is_turned_away() {
    let workshop = Workshop::new(WorkshopLimits { queue_max: 0, ..WORKSHOP }).unwrap();
    let shared = Shared { workshop: workshop.clone(), ..shared_with(fetch()) };
    let taken = workshop.admit_patiently(WORKSHOP.memory_bytes_max).await.unwrap();
    let provider = ScriptedProvider::new([]).await;
    let busy = made(Kind::ImageEdit, provider.address, &shared).await.unwrap_err();
    assert!(matches!(busy, ProviderError::Busy), "{busy}");
    let mut waiting = Box::pin(fetched(Kind::Video, film(), &shared));
    assert!(poll_immediate(waiting.as_mut()).await.is_none());
    drop(taken);
    assert!(waiting.await.is_ok());
}

#[tokio::test]
async fn large_results_keep_memory_while_in_use_and_wait_for_it() {
    let shared = Shared { answers: Stock::new(ROOM_BYTES), ..shared_with(fetch()) };
    let made = fetched(Kind::Video, film(), &shared).await.unwrap();
    let bytes = made.file.len() as u64;
    assert!((bytes..bytes + 8_192).contains(&shared.answers.used_bytes()));
    let mut next = Box::pin(fetched(Kind::Video, film(), &shared));
    // The same call with memory of its own ends first, which shows that `next` is waiting.
    let apart = shared_with(fetch());
    let meanwhile = fetched(Kind::Video, film(), &apart);
    tokio::select! {
        biased;
        _ = &mut next => panic!("the result was read into memory that was taken"),
        other = meanwhile => drop(other.unwrap()),
    }
    drop(made);
    drop(next.await.unwrap());
    assert_eq!(shared.answers.used_bytes(), 0);
}
