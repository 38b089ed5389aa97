//! fal's models that make videos.

use super::{Family, Frame, KONTEXT, NANO_BANANA, Pictures, RULES, Ratios, Taken, Unasked};
use crate::queue::family::{Makes, Seconds, SecondsForm};
use crate::upstream::PictureRules;

const FROM_PICTURE: Family = Family {
    makes: Makes::Videos,
    pictures: Pictures::One("image_url"),
    needs_picture: true,
    rules: PictureRules { count_max: 1, side_px_min: 300, ..RULES },
    frame: Frame::Own,
    rewriting: None,
    fixed: &[],
    ..KONTEXT
};

const SEEDANCE_RATIOS: Ratios = Ratios {
    taken: Taken::Listed(&[(21, 9), (16, 9), (4, 3), (1, 1), (3, 4), (9, 16)]),
    ..NANO_BANANA
};

/// `ByteDance` Seedance, from an image.
pub(super) const SEEDANCE: Family = Family {
    names: &["*/seedance/*/image-to-video"],
    frame: Frame::Ratio(SEEDANCE_RATIOS),
    seconds: Some(Seconds {
        field: "duration",
        form: SecondsForm::Text,
        choices: &[3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    }),
    ..FROM_PICTURE
};

/// `ByteDance` Seedance, from text.
pub(super) const SEEDANCE_FROM_WORDS: Family =
    super::from_words(SEEDANCE, &["*/seedance/*/text-to-video"]);

/// Google Veo, from an image.
pub(super) const VEO: Family = Family {
    names: &["fal-ai/veo3*/image-to-video"],
    frame: Frame::Ratio(Ratios {
        taken: Taken::Listed(&[(16, 9), (9, 16)]),
        unasked: Unasked::Word("auto"),
        ..NANO_BANANA
    }),
    seconds: Some(Seconds {
        field: "duration",
        form: SecondsForm::TextWithUnit,
        choices: &[4, 6, 8],
    }),
    ..FROM_PICTURE
};

/// Google Veo, from text.
pub(super) const VEO_FROM_WORDS: Family = super::from_words(VEO, &["fal-ai/veo3*"]);

/// Kling, from an image, whose shape it keeps.
pub(super) const KLING: Family = Family {
    names: &["fal-ai/kling-video/*/image-to-video"],
    negative: Some("negative_prompt"),
    seconds: Some(Seconds { field: "duration", form: SecondsForm::Text, choices: &[5, 10] }),
    ..FROM_PICTURE
};

/// Kling, from text.
pub(super) const KLING_FROM_WORDS: Family = Family {
    frame: Frame::Ratio(Ratios {
        taken: Taken::Listed(&[(16, 9), (1, 1), (9, 16)]),
        ..NANO_BANANA
    }),
    ..super::from_words(KLING, &["fal-ai/kling-video/*/text-to-video"])
};
