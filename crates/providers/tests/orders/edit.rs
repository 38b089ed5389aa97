//! The smallest possible edits, to test protocols with.

use std::sync::Arc;

use bytes::Bytes;
use retouch_core::catalogue::{Catalogue, EMBEDDED, Quality, Resolution, SizeClass, Tier};
use retouch_core::edit::{Edit, Origin, PictureSource};
use retouch_core::image::{AspectRatio, Encoding, Size};
use retouch_core::{Credits, Kind};

/// The tier that covers `size`, at any price.
pub(crate) fn tier(kind: Kind, size: Option<Size>) -> Tier {
    let pixels = size.map_or(0, |size| u64::from(size.width()) * u64::from(size.height()));
    let is_video = kind == Kind::Video;
    let resolution = size.map_or(Resolution::P720, |_| Resolution::of_pixels(pixels));
    Tier {
        quality: Quality::Medium,
        size: (!is_video).then(|| size.map_or(SizeClass::TwoK, |_| SizeClass::of_pixels(pixels))),
        resolution: is_video.then_some(resolution),
        seconds: is_video.then_some(5),
    }
}

/// An instruction for that many images, with the default for everything else. Videos take five
/// seconds.
pub(crate) fn edit(kind: Kind, instruction: &str, pictures: usize) -> Edit {
    let catalogue = Catalogue::parse(EMBEDDED).unwrap();
    let source = |number| PictureSource {
        param: format!("imageUrls[{number}]"),
        origin: Origin::Inline(Bytes::from_static(b"pixels")),
    };
    Edit {
        kind,
        model: Arc::clone(catalogue.find_model("gamma-2").unwrap()),
        instruction: instruction.into(),
        plan: None,
        is_read_strictly: false,
        rewording: None,
        pictures: (0..pictures).map(source).collect(),
        mask: None,
        background: None,
        aspect_ratio: AspectRatio::Auto,
        size: None,
        quality: None,
        watermark: None,
        negative_prompt: None,
        prompt_extend: None,
        input_name: None,
        encoding: Encoding::default(),
        is_format_asked: false,
        duration_seconds: (kind == Kind::Video).then_some(5),
        is_duration_asked: kind == Kind::Video,
        tier: tier(kind, None),
        price: Credits::ZERO,
        warnings: Vec::new(),
    }
}
