//! Videos of providers: whole, or refused with the reason.

#![expect(clippy::expect_used, reason = "a test that cannot go on says why")]

use proptest::prelude::*;
use retouch_engine::codec::{Mp4Error, verify_mp4};
use std::path::PathBuf;

fn fixture(name: &str) -> Vec<u8> {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "videos"].iter().collect();
    std::fs::read(folder.join(name)).expect(name)
}

const VIDEOS: [&str; 3] = ["sound.mp4", "index_behind.mp4", "fragments.mp4"];

#[test]
fn whole_videos_say_what_they_are() {
    for name in VIDEOS {
        let info = verify_mp4(&fixture(name)).expect(name);
        assert_eq!((info.width, info.height, info.frames), (64, 48, 10), "{name}");
        assert_eq!((info.duration_ms, info.codec.as_str()), (1000, "avc1"), "{name}");
        assert_eq!(info.has_sound, name == "sound.mp4", "{name}");
    }
}

#[test]
fn a_cut_video_is_refused_at_any_byte() {
    for name in ["sound.mp4", "index_behind.mp4"] {
        let bytes = fixture(name);
        for length in 0..bytes.len() {
            let cut = verify_mp4(&bytes[..length]);
            // A cut between the boxes behind the data takes nothing away from the video.
            assert!(cut.is_err(), "{name} cut to {length} bytes");
        }
    }
}

#[test]
fn data_that_the_index_names_must_be_there() {
    let mut bytes = fixture("sound.mp4");
    let data = bytes.windows(4).position(|kind| kind == b"mdat").expect("it has data");
    let shorter = u32::try_from(bytes.len() - data + 4 - 100).expect("it is short");
    bytes[data - 4..data].copy_from_slice(&shorter.to_be_bytes());
    bytes.truncate(bytes.len() - 100);
    assert_eq!(verify_mp4(&bytes), Err(Mp4Error::Truncated { part: "data".into() }));
}

#[test]
fn other_things_are_refused() {
    assert_eq!(verify_mp4(b""), Err(Mp4Error::NotMp4));
    assert_eq!(verify_mp4(b"<html>no such video</html>"), Err(Mp4Error::NotMp4));
    assert_eq!(verify_mp4(&fixture("only_sound.mp4")), Err(Mp4Error::NoPictures));
    let head = &fixture("sound.mp4")[..32];
    assert!(matches!(verify_mp4(head), Err(Mp4Error::Truncated { .. })));
}

proptest! {
    #[test]
    fn changed_bytes_never_panic(
        name in 0..VIDEOS.len(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = fixture(VIDEOS[name]);
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        let _ = verify_mp4(&bytes);
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = verify_mp4(&[b"\0\0\0\x08ftyp".as_slice(), &bytes].concat());
    }
}
