//! The limits of the Seedance models, as data. They come from the provider's documentation and SDK
//! as of November 2026; docs/providers/ark.md summarizes them.

use retouch_engine::codec::Format;

use super::models::without_region;
use crate::upstream::PictureRules;

/// The provider's default length, in seconds.
pub(super) const USUAL_SECONDS: u32 = 5;

/// The aspect ratios that every model makes.
pub(super) const RATIOS: [(u32, u32); 6] = [(16, 9), (4, 3), (1, 1), (3, 4), (9, 16), (21, 9)];

/// A family of models that make videos.
#[derive(Debug, PartialEq)]
pub(super) struct Model {
    /// The beginning of its IDs, after the region's prefix.
    prefix: &'static str,
    /// Shortest and longest video, in seconds.
    pub(super) seconds: (u32, u32),
    /// The resolutions that it makes, by their short side in pixels, ascending.
    pub(super) resolutions: &'static [u32],
    /// How many frames can be given: the first, and the last.
    pub(super) frames_max: usize,
    /// How many reference images can be given, which show what appears in the video.
    pub(super) references_max: usize,
    /// Whether it needs an image.
    pub(super) needs_picture: bool,
    /// Where it reads its parameters.
    pub(super) manner: Manner,
}

/// Where a model reads its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// In the text, as `--ratio 16:9`.
    Flags,
    /// In fields.
    Fields,
    /// In fields, including one that turns sound on or off.
    FieldsWithSound,
}

/// The two resolutions that every model makes.
const TO_720: &[u32] = &[480, 720];
const TO_1080: &[u32] = &[480, 720, 1080];

const fn of_1(prefix: &'static str, frames_max: usize, needs_picture: bool) -> Model {
    Model {
        prefix,
        seconds: (2, 12),
        resolutions: TO_1080,
        frames_max,
        references_max: if needs_picture { 4 } else { 0 },
        needs_picture,
        manner: Manner::Flags,
    }
}

const fn of_2(prefix: &'static str, resolutions: &'static [u32]) -> Model {
    Model {
        prefix,
        seconds: (4, 15),
        resolutions,
        frames_max: 2,
        references_max: 9,
        needs_picture: false,
        manner: Manner::FieldsWithSound,
    }
}

static MODELS: [Model; 9] = [
    of_1("seedance-1-0-pro", 2, false),
    of_1("seedance-1-0-pro-fast", 1, false),
    of_1("seedance-1-0-lite-t2v", 0, false),
    of_1("seedance-1-0-lite-i2v", 2, true),
    Model { seconds: (4, 12), references_max: 0, ..of_2("seedance-1-5-pro", TO_1080) },
    of_2("seedance-2-0", TO_1080),
    of_2("seedance-2-0-fast", TO_720),
    of_2("seedance-2-0-mini", TO_720),
    Model { seconds: (4, 30), references_max: 30, ..of_2("seedance-2-5", TO_720) },
];

/// A model whose name does not reveal what it is, such as an endpoint `ep-…`. These limits fit
/// every model since 1.5.
pub(super) static UNKNOWN: Model = Model {
    prefix: "",
    seconds: (4, 12),
    resolutions: TO_720,
    frames_max: 2,
    references_max: 0,
    needs_picture: false,
    manner: Manner::Fields,
};

/// The limits of the model with this ID, if it makes videos.
pub(super) fn model(id: &str) -> Option<&'static Model> {
    let name = without_region(id);
    let known = MODELS.iter().filter(|model| name.starts_with(model.prefix));
    let longest = known.max_by_key(|model| model.prefix.len());
    longest.or_else(|| name.starts_with("seedance").then_some(&UNKNOWN))
}

/// The limits on input images of `model`.
pub(super) fn picture_rules(model: &Model) -> PictureRules {
    PictureRules {
        formats: &[Format::Png, Format::Jpeg],
        bytes_max: 30_000_000,
        // A request may have 64 MB, and base64 makes four bytes out of three.
        total_bytes_max: 44_000_000,
        side_px_min: 300,
        side_px_max: 6000,
        pixels_max: 36_000_000,
        count_max: model.frames_max.max(model.references_max),
    }
}
