//! What the Wan models that make videos take, as data. Source: the vendor's documents and SDK as
//! of 2026-11, collected in docs/providers/dashscope.md.

use super::models::rules;
use crate::upstream::PictureRules;

/// How long a video is where nobody says: the vendor's default, in seconds.
pub(super) const USUAL_SECONDS: u32 = 5;

/// The shapes of models that take a ratio.
pub(super) const RATIOS: [(u32, u32); 5] = [(16, 9), (9, 16), (1, 1), (4, 3), (3, 4)];

/// One generation of models that make videos.
#[derive(Debug, PartialEq)]
pub(super) struct Generation {
    /// How its ids begin.
    prefix: &'static str,
    /// The lengths that it makes, in seconds, ascending.
    pub(super) seconds: &'static [u32],
    /// The resolutions that it makes, by their short side in pixels, ascending.
    pub(super) resolutions: &'static [u32],
    /// Pixels of a side of an input picture: fewest and most.
    input_side_px: (u32, u32),
    /// How pictures and shapes are named.
    pub(super) style: Style,
}

/// How pictures and shapes are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// `img_url` for the one picture, `size` for the shape.
    Size,
    /// A list `media` of up to two frames, `ratio` for the shape.
    Ratio,
}

/// Whether a model begins with a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// From words alone, `t2v`.
    Words,
    /// From a picture, `i2v`.
    Picture,
    /// Both, as the call has it.
    Either,
    /// Something that no call here can ask for, such as `r2v` and `videoedit`.
    Other,
}

const SECONDS_TO_15: &[u32] = &[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// 2.7, and what will come.
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

/// What is known of the model with this id, if it is one that makes videos.
pub(super) fn model(id: &str) -> Option<&'static Generation> {
    let makes_videos = id.contains("2v") || id.contains("video") || is_bare(id);
    let is_video_model = id.starts_with(NEWEST.prefix) && makes_videos;
    is_video_model.then(|| {
        let mut others = OTHERS.iter();
        others.find(|generation| id.starts_with(generation.prefix)).unwrap_or(&NEWEST)
    })
}

/// What a name that says nothing is taken for.
pub(super) fn newest() -> &'static Generation {
    &NEWEST
}

/// What the model with this id begins with.
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

/// The whole id: a bare generation such as `wan2.6` stands for its two models, of which the
/// pictures of the call choose one.
pub(super) fn whole_id(id: &str, has_picture: bool) -> String {
    if !is_bare(id) {
        return id.to_owned();
    }
    let mode = if has_picture { "i2v" } else { "t2v" };
    let suffix = if id == "wan2.5" { "-preview" } else { "" };
    format!("{id}-{mode}{suffix}")
}

/// Whether the id is `wan` and a number.
fn is_bare(id: &str) -> bool {
    id.strip_prefix("wan").is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    })
}

/// The sizes that a model of [`Style::Size`] makes at this resolution.
pub(super) fn sizes(resolution: u32) -> &'static [(u32, u32)] {
    match resolution {
        480 => &[(832, 480), (480, 832), (624, 624)],
        1080 => &[(1920, 1080), (1080, 1920), (1440, 1440), (1632, 1248), (1248, 1632)],
        _ => &[(1280, 720), (720, 1280), (960, 960), (1088, 832), (832, 1088)],
    }
}

/// What input pictures must be.
pub(super) fn picture_rules(generation: &Generation) -> PictureRules {
    let count_max = match generation.style {
        Style::Size => 1,
        Style::Ratio => 2,
    };
    rules(generation.input_side_px, count_max)
}
