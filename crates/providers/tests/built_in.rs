//! The built-in editor as a provider of edits, images from text, and videos.

#![expect(clippy::expect_used, reason = "a failed precondition fails the test")]

#[cfg(test)]
#[path = "orders/edit.rs"]
mod edit;

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use retouch_core::Kind;
use retouch_core::edit::Edit;
use retouch_engine::{Picture, codec};
use retouch_providers::built_in::BuiltIn;
use retouch_providers::inputs::Source;
use retouch_providers::workshop::{Workshop, WorkshopLimits};
use retouch_providers::{Job, Journal, Media, Output, Provider, ProviderError, Task};

/// The built-in editor records nothing.
struct NoJournal;

#[async_trait]
impl Journal for NoJournal {
    async fn record(&self, _: &Task) -> Result<(), String> {
        Err("it has no tasks".into())
    }
}

fn built_in() -> BuiltIn {
    let limits = WorkshopLimits { workers_max: 2, memory_bytes_max: 1 << 30, queue_max: 4 };
    BuiltIn::new(Workshop::new(limits).expect("threads"))
}

fn edit(kind: Kind, instruction: &str, pictures: usize) -> Edit {
    let edit = edit::edit(kind, instruction, pictures);
    Edit { duration_seconds: edit.duration_seconds.map(|_| 2), ..edit }
}

async fn performed(edit: Edit) -> Output {
    performed_by(&built_in(), edit).await.expect("the edit is possible")
}

async fn performed_by(built_in: &BuiltIn, edit: Edit) -> Result<Output, ProviderError> {
    let reading = built_in.read(&edit, "").expect("the instruction is understood");
    let picture = Picture::from_rgba(64, 48, [200, 30, 30, 255].repeat(64 * 48)).expect("lawful");
    let bytes = Bytes::from(codec::encode_png(&picture).expect("the image can be encoded"));
    let header = codec::probe(&bytes, &codec::Limits::default()).expect("the image is complete");
    let source = |number| Source {
        param: format!("imageUrls[{number}]"),
        bytes: bytes.clone(),
        header,
        limits: codec::Limits::default(),
    };
    let job = Job {
        id: "019aa000-0000-7000-8000-000000000001".parse().expect("an id"),
        account: "acct_0000000000000000000000000a".parse().expect("an account"),
        sources: (0..edit.pictures.len()).map(source).collect(),
        edit: Arc::new(edit),
        model: String::new(),
        reading: Arc::new(reading),
        end_user: None,
        is_background: false,
    };
    built_in.perform(&job, &NoJournal).await
}

fn shown(output: &Output) -> Picture {
    assert_eq!(output.media, Media::Png);
    codec::decode(&output.file, &codec::Limits::default()).expect("the image is complete")
}

#[tokio::test]
async fn a_picture_is_edited() {
    let picture = shown(&performed(edit(Kind::ImageEdit, "rotate 90 degrees left", 1)).await);
    assert_eq!(picture.size(), (48, 64));
}

#[tokio::test]
async fn a_picture_is_made_of_words() {
    let wanted = edit(Kind::TextToImage, "a plain blue picture of 32x16 pixels", 0);
    let picture = shown(&performed(wanted).await);
    assert_eq!((picture.size(), picture.pixel(3, 3)), ((32, 16), Some([0, 0, 255, 255])));
}

#[tokio::test]
async fn a_picture_is_filmed() {
    for (instruction, pictures, size) in [
        ("zoom in slowly, then fade out", 1, (64, 48)),
        ("zoom in on a plain red picture of 80x40 pixels", 0, (80, 40)),
    ] {
        let output = performed(edit(Kind::Video, instruction, pictures)).await;
        assert_eq!(output.media, Media::Mp4);
        let info = codec::verify_mp4(&output.file).expect("the video is complete");
        assert_eq!(((info.width, info.height), info.duration_ms), (size, 2000), "{instruction}");
    }
}

#[tokio::test]
async fn a_video_waits_for_memory_where_a_picture_is_turned_away() {
    let limits = WorkshopLimits { workers_max: 2, memory_bytes_max: 1 << 30, queue_max: 0 };
    let workshop = Workshop::new(limits).expect("threads");
    let built_in = BuiltIn::new(workshop.clone());
    let taken =
        workshop.admit_patiently(limits.memory_bytes_max).await.expect("the memory is free");
    let turned_away = performed_by(&built_in, edit(Kind::ImageEdit, "rotate 90 degrees", 1)).await;
    assert!(matches!(turned_away, Err(ProviderError::Busy)), "{turned_away:?}");
    let waiting = performed_by(&built_in, edit(Kind::Video, "zoom in slowly", 1));
    let mut waiting = std::pin::pin!(waiting);
    assert!(futures_util::future::poll_immediate(waiting.as_mut()).await.is_none());
    drop(taken);
    assert!(waiting.await.is_ok());
}

#[tokio::test]
async fn a_small_edit_waits_neither_for_threads_nor_for_memory_of_large_ones() {
    let limits = WorkshopLimits { workers_max: 2, memory_bytes_max: 1 << 30, queue_max: 4 };
    let workshop = Workshop::new(limits).expect("threads");
    let built_in = BuiltIn::new(workshop.clone());
    let large = limits.memory_bytes_max / 8 * 7;
    let (release, held) = std::sync::mpsc::channel::<()>();
    let held = Arc::new(std::sync::Mutex::new(held));
    let permit = workshop.admit(large).await.expect("the memory is free");
    let mut working = Vec::new();
    for _ in 0..limits.workers_max {
        let (permit, held) = (Arc::clone(&permit), Arc::clone(&held));
        let work = async move { permit.run(move || held.lock().unwrap().recv()).await };
        working.push(Box::pin(work));
    }
    for work in &mut working {
        assert!(futures_util::future::poll_immediate(work.as_mut()).await.is_none());
    }
    let next = workshop.admit(large);
    let mut next = std::pin::pin!(next);
    assert!(futures_util::future::poll_immediate(next.as_mut()).await.is_none());
    let small = performed_by(&built_in, edit(Kind::ImageEdit, "rotate 90 degrees", 1)).await;
    assert!(small.is_ok(), "{small:?}");
    drop((release, permit));
    for work in working {
        assert!(work.await.is_ok());
    }
    assert!(next.await.is_ok());
}

#[tokio::test]
async fn one_edit_may_take_all_the_memory_and_gives_all_of_it_back() {
    let limits = WorkshopLimits { workers_max: 2, memory_bytes_max: 1 << 30, queue_max: 4 };
    let workshop = Workshop::new(limits).expect("threads");
    let all = workshop.admit(limits.memory_bytes_max).await.expect("the memory is free");
    assert_eq!(workshop.memory_bytes_used(), limits.memory_bytes_max);
    assert!(workshop.admit(limits.memory_bytes_max + 1).await.is_err());
    drop(all);
    assert_eq!(workshop.memory_bytes_used(), 0);
}

#[test]
fn what_needs_a_model_is_refused_and_unused_pictures_are_named() {
    let built_in = built_in();
    for (kind, instruction, pictures) in [
        (Kind::ImageEdit, "add a hat", 1),
        (Kind::TextToImage, "a cat on a sofa", 0),
        (Kind::Video, "make the dog run", 1),
    ] {
        assert!(built_in.read(&edit(kind, instruction, pictures), "").is_err(), "{instruction}");
    }
    let reading =
        built_in.read(&edit(Kind::Video, "zoom in", 2), "").expect("the instruction is understood");
    let codes: Vec<&str> = reading.warnings.iter().map(|warning| warning.code.as_ref()).collect();
    assert_eq!(codes, ["input_not_used"]);
}
