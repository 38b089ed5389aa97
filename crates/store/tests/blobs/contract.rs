//! Tests stored files: they are complete or absent, and durable once acknowledged.

use std::ops::Range;

use futures_util::TryStreamExt;
use retouch_store::{Blobs, Error};
use tokio::task::JoinSet;

use crate::place::{NAME, Place, content};

/// More than is uploaded in one part, and not a whole number of parts.
const LARGE_BYTES: usize = (20 << 20) + 4_321;

/// Bytes of which no two sections are equal.
pub(crate) fn large() -> Vec<u8> {
    let words = (0..LARGE_BYTES.div_ceil(8) as u64).map(|word| word.wrapping_mul(0x9E37_79B9_97F4));
    let mut bytes: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
    bytes.truncate(LARGE_BYTES);
    bytes
}

async fn part(blobs: &Blobs, part: Range<u64>) -> Vec<u8> {
    let blob = blobs.read(NAME).await.unwrap().unwrap();
    let pieces = blob.into_pieces(part).await.unwrap();
    pieces.map_ok(|piece| piece.to_vec()).try_concat().await.unwrap()
}

#[tokio::test]
async fn a_file_is_there_after_it_was_put_and_until_it_is_deleted() {
    for Place { what, place, blobs, .. } in &Place::all() {
        blobs.ready().await.unwrap();
        assert_eq!(content(blobs, NAME).await, None, "{what}");
        assert!(!blobs.confirm(NAME).await.unwrap(), "{what}");
        blobs.put(NAME, b"first".to_vec()).await.unwrap();
        let another = Blobs::open(place).unwrap();
        let next = if *what == "memory" { blobs } else { &another };
        assert!(next.confirm(NAME).await.unwrap(), "{what}");
        assert_eq!(content(next, NAME).await.unwrap(), b"first", "{what}");
        next.delete(NAME).await.unwrap();
        next.delete(NAME).await.unwrap();
        assert!(!next.confirm(NAME).await.unwrap(), "{what}");
        assert_eq!(content(blobs, NAME).await, None, "{what}");
    }
}

#[tokio::test]
async fn a_file_that_is_put_again_is_the_later_one() {
    for Place { what, blobs, .. } in &Place::all() {
        blobs.put(NAME, b"the first").await.unwrap();
        blobs.put(NAME, b"second").await.unwrap();
        assert_eq!(content(blobs, NAME).await.unwrap(), b"second", "{what}");
    }
}

#[tokio::test]
async fn files_are_read_whole_and_in_part_whatever_their_length() {
    let large = large();
    for Place { what, blobs, .. } in &Place::all() {
        for whole in [&large[..0], &large[..1], &large[..8 << 20], &large[..(8 << 20) + 1], &large]
        {
            blobs.put(NAME, whole.to_vec()).await.unwrap();
            assert!(content(blobs, NAME).await.unwrap() == whole, "{what}: {}", whole.len());
            let end = whole.len();
            for asked in [0..end, 0..end.min(7), end / 3..end / 2, end.saturating_sub(5)..end] {
                let read = part(blobs, asked.start as u64..asked.end as u64).await;
                assert!(read == whole[asked.clone()], "{what}: {asked:?} of {end}");
            }
        }
    }
}

#[tokio::test]
async fn a_file_that_is_deleted_before_it_is_read_is_gone_or_still_whole() {
    for Place { what, blobs, .. } in &Place::all() {
        let found = async || {
            blobs.put(NAME, b"a picture").await.unwrap();
            let found = blobs.read(NAME).await.unwrap().unwrap();
            blobs.delete(NAME).await.unwrap();
            found
        };
        let (whole, part) =
            (found().await.into_bytes().await, found().await.into_pieces(2..9).await);
        if *what == "folder" {
            assert_eq!(whole.unwrap(), "a picture");
            let part: Vec<_> = part.unwrap().try_collect().await.unwrap();
            assert_eq!(part.concat(), b"picture");
        } else {
            assert_eq!(whole, Err(Error::FileGone), "{what}");
            assert_eq!(part.map(drop), Err(Error::FileGone), "{what}");
        }
    }
}

#[tokio::test]
async fn many_files_at_the_same_time_are_all_there() {
    for Place { what, blobs, .. } in &Place::all() {
        let mut tasks = JoinSet::new();
        for number in 0..64_u32 {
            let blobs = blobs.clone();
            tasks.spawn(async move {
                let name = format!("0123456789abcdef-{number}");
                blobs.put(&name, number.to_le_bytes()).await.unwrap();
                content(&blobs, &name).await.unwrap() == number.to_le_bytes()
            });
        }
        assert!(tasks.join_all().await.into_iter().all(|same| same), "{what}");
    }
}

#[tokio::test]
async fn a_name_cannot_leave_its_place() {
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
    for Place { what, blobs, .. } in &Place::all() {
        for name in names {
            assert_eq!(blobs.put(name, b"x").await, Err(Error::BadBlobName), "{what}: {name}");
            assert_eq!(blobs.delete(name).await, Err(Error::BadBlobName), "{what}: {name}");
            assert!(blobs.read(name).await.unwrap().is_none(), "{what}: {name}");
        }
    }
}
