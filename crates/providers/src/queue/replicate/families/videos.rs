//! Replicate's models that make videos.

use super::{Family, Frame, Pictures, RATIOS, RULES, Ratios, Taken, Unasked};
use crate::queue::family::{Makes, Seconds, SecondsForm};
use crate::upstream::PictureRules;

const VIDEO: Family = Family {
    makes: Makes::Videos,
    pictures: Pictures::One("image"),
    rules: PictureRules { count_max: 1, side_px_min: 300, ..RULES },
    ..Family::PLAIN
};

/// `ByteDance` Seedance.
pub(super) const SEEDANCE: Family = Family {
    names: &["bytedance/seedance-*"],
    frame: Frame::Ratio(Ratios {
        taken: Taken::Listed(&[(16, 9), (4, 3), (1, 1), (3, 4), (9, 16), (21, 9), (9, 21)]),
        unasked: Unasked::Omitted,
        ..RATIOS
    }),
    seconds: Some(Seconds {
        field: "duration",
        form: SecondsForm::Number,
        choices: &[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    }),
    ..VIDEO
};

/// Google Veo.
pub(super) const VEO: Family = Family {
    names: &["google/veo-3*"],
    frame: Frame::Ratio(Ratios {
        taken: Taken::Listed(&[(16, 9), (9, 16)]),
        unasked: Unasked::OfFirst,
        ..RATIOS
    }),
    negative: Some("negative_prompt"),
    seconds: Some(Seconds { field: "duration", form: SecondsForm::Number, choices: &[4, 6, 8] }),
    ..VIDEO
};

/// Kling, which keeps the shape of the image if there is one.
pub(super) const KLING: Family = Family {
    names: &["kwaivgi/kling-*"],
    pictures: Pictures::One("start_image"),
    frame: Frame::Ratio(Ratios {
        taken: Taken::Listed(&[(16, 9), (1, 1), (9, 16)]),
        unasked: Unasked::Omitted,
        ..RATIOS
    }),
    negative: Some("negative_prompt"),
    seconds: Some(Seconds { field: "duration", form: SecondsForm::Number, choices: &[5, 10] }),
    ..VIDEO
};
