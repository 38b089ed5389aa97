//! The limits of the Wan models that make videos, as data. They come from the provider's
//! documentation and SDK as of November 2026; docs/providers/dashscope.md summarizes them.

use super::models::rules;
use crate::upstream::PictureRules;

/// The provider's default length, in seconds.
pub(super) const USUAL_SECONDS: u32 = 5;

/// The aspect ratios of models that have a ratio parameter.
pub(super) const RATIOS: [(u32, u32); 5] = [(16, 9), (9, 16), (1, 1), (4, 3), (3, 4)];

/// A generation of models that make videos.
#[derive(Debug, PartialEq)]
pub(super) struct Generation {
    /// The beginning of its IDs.
    prefix: &'static str,
    /// The lengths that it makes, in seconds, ascending.
    pub(super) seconds: &'static [u32],
    /// The resolutions that it makes, by their short side in pixels, ascending.
    pub(super) resolutions: &'static [u32],
    /// Minimum and maximum side of an input image, in pixels.
    input_side_px: (u32, u32),
    /// The parameters for images and shapes.
    pub(super) style: Style,
}

/// The parameters for images and shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// `img_url` for one image, `size` for the shape.
    Size,
    /// A list `media` of up to two frames, `ratio` for the shape.
    Ratio,
}

/// Whether a model starts from an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// From text only, `t2v`.
    Words,
    /// From an image, `i2v`.
    Picture,
    /// From either.
    Either,
    /// Something that Retouch cannot request, such as `r2v` and `videoedit`.
    Other,
}

const SECONDS_TO_15: &[u32] = &[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// Version 2.7, and any later one that is not listed below.
static NEWEST: Generation = Generation {
    prefix: "wan",
    seconds: SECONDS_TO_15,
    resolutions: &[720, 1080],
    input_side_px: (360, 4096),
    style: Style::Ratio,
};

static OTHERS: [Generation; 3] = [
    Generation {
        prefix: "wan2.5",
        seconds: &[5, 10],
        resolutions: &[480, 720, 1080],
        input_side_px: (360, 2000),
        style: Style::Size,
    },
    Generation {
        prefix: "wan2.6",
        seconds: SECONDS_TO_15,
        resolutions: &[720, 1080],
        input_side_px: (360, 4096),
        style: Style::Size,
    },
    Generation {
        prefix: "wan3.0",
        seconds: SECONDS_TO_15,
        resolutions: &[480, 720, 1080],
        input_side_px: (360, 4096),
        style: Style::Ratio,
    },
];

/// The limits of the model with this ID, if it makes videos.
pub(super) fn model(id: &str) -> Option<&'static Generation> {
    let makes_videos = id.contains("2v") || id.contains("video") || is_bare(id);
    let is_video_model = id.starts_with(NEWEST.prefix) && makes_videos;
    is_video_model.then(|| {
        let mut others = OTHERS.iter();
        others.find(|generation| id.starts_with(generation.prefix)).unwrap_or(&NEWEST)
    })
}

/// The limits for a model with an unknown name.
pub(super) fn newest() -> &'static Generation {
    &NEWEST
}

/// What the model with this ID starts from.
pub(super) fn mode(id: &str) -> Mode {
    if id.contains("-t2v") {
        Mode::Words
    } else if id.contains("-i2v") {
        Mode::Picture
    } else if is_bare(id) || id.ends_with("-video") || id.contains("-video-") {
        Mode::Either
    } else {
        Mode::Other
    }
}

/// The complete ID. A bare generation such as `wan2.6` means its two models; the call uses the one
/// that matches its images.
pub(super) fn whole_id(id: &str, has_picture: bool) -> String {
    if !is_bare(id) {
        return id.to_owned();
    }
    let mode = if has_picture { "i2v" } else { "t2v" };
    let suffix = if id == "wan2.5" { "-preview" } else { "" };
    format!("{id}-{mode}{suffix}")
}

/// Whether the ID is `wan` and a version number.
fn is_bare(id: &str) -> bool {
    id.strip_prefix("wan").is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    })
}

/// The sizes that a model with [`Style::Size`] makes at this resolution.
pub(super) fn sizes(resolution: u32) -> &'static [(u32, u32)] {
    match resolution {
        480 => &[(832, 480), (480, 832), (624, 624)],
        1080 => &[(1920, 1080), (1080, 1920), (1440, 1440), (1632, 1248), (1248, 1632)],
        _ => &[(1280, 720), (720, 1280), (960, 960), (1088, 832), (832, 1088)],
    }
}

/// The limits on input images.
pub(super) fn picture_rules(generation: &Generation) -> PictureRules {
    let count_max = match generation.style {
        Style::Size => 1,
        Style::Ratio => 2,
    };
    rules(generation.input_side_px, count_max)
}
