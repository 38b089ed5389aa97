//! Tests listing all files.

use std::collections::BTreeSet;

use futures_util::{StreamExt, stream};
use retouch_core::{Clock, SystemClock, Timestamp};
use retouch_store::Blobs;

use crate::place::Place;

async fn all(blobs: &Blobs, before: Timestamp) -> Vec<String> {
    let mut walk = blobs.walk(before).await.unwrap();
    let mut names = Vec::new();
    loop {
        let more = walk.next().await.unwrap();
        if more.is_empty() {
            return names;
        }
        assert!(more.len() <= 1_000, "{} at a time", more.len());
        names.extend(more);
    }
}

#[tokio::test]
async fn a_walk_meets_each_file_once_and_none_that_is_younger() {
    for Place { what, blobs, .. } in &Place::all() {
        assert_eq!(all(blobs, Timestamp(i64::MAX)).await, [""; 0], "{what}");
        // More names than one batch has.
        let names: BTreeSet<String> =
            (0..1_050).map(|at| format!("0123456789abcdef-{at}")).collect();
        let put = async |name: &String| blobs.put(name, *b"x").await.unwrap();
        stream::iter(&names).for_each_concurrent(16, put).await;
        let met = all(blobs, SystemClock.now().plus_ms(60_000)).await;
        assert_eq!(met.len(), names.len(), "{what}");
        assert_eq!(met.into_iter().collect::<BTreeSet<_>>(), names, "{what}");
        let old = all(blobs, SystemClock.now().plus_ms(-3_600_000)).await;
        assert_eq!(old, [""; 0], "{what}");
    }
}
