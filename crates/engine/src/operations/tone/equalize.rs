//! Equalize: spreads the tones so that each range of luma has about as many pixels as any other of
//! its width.

use super::measure::{Histograms, Levels};
use crate::kernels::Point;
use crate::kernels::point::by_level;
use crate::operation::{Capability, Control, Described, Operation, Parameter, applied};
use crate::{Picture, Sample};
use serde::{Deserialize, Serialize};

/// Equalizes the histogram.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Equalize {
    /// Amount of the effect in percent; 100 is the full effect.
    pub percent: f64,
}

const SHARE: Parameter =
    Parameter::new("the amount of histogram equalization", "%", (0.0, 100.0)).usually(100.0);

/// The new luma, from 0 to 1, of each whole level of luma.
type Tones = [f32; 256];

impl Described for Equalize {
    const CAPABILITY: Capability = Capability {
        name: "equalize",
        parameters: &[SHARE],
        controls: &[Control::number("percent", "Amount", SHARE)],
        summary: "Equalizes the histogram: spreads the tones over the whole range.",
        definition: "Measured over all pixels that are not fully transparent, in whole levels of the \
                     Rec. 709 luma of the channels' whole levels. The luma Y becomes Y' = Y + a * (E - Y), E = (up - low) / (all - \
                     low), a = percent / 100. `up` counts the pixels at the same level or a \
                     lower one, and `low` those of the darkest level. Each channel c becomes Y' + \
                     s(c - Y), s = Y' / Y or, if that is more than 1, its square root, and at most \
                     what keeps the channels in range, so that hues do not change. For a part of the \
                     image, the whole image is measured.",
        examples: &["equalize the histogram", "50% histogram equalization"],
    };
}

impl Operation for Equalize {
    fn words(&self) -> String {
        applied("histogram equalization", self.percent)
    }

    fn check(&self) -> Result<(), String> {
        SHARE.check(self.percent)
    }

    fn measures(&self) -> bool {
        true
    }

    fn measured<S: Sample>(&self, picture: &Picture<S>, warnings: &mut Vec<String>) -> Vec<Point> {
        let Some(tones) = equalized(&Histograms::of(picture).luma) else {
            let words = self.words();
            warnings.push(format!("{words} changed nothing: the image has only one tone"));
            return Vec::new();
        };
        vec![by_level(&tones, (self.percent / 100.0) as f32)]
    }
}

/// The new tones. None if there is only one.
#[expect(clippy::cast_precision_loss, reason = "at most 50 million pixels")]
fn equalized(levels: &Levels) -> Option<Tones> {
    let low = levels.iter().copied().find(|count| *count > 0)?;
    let all: u64 = levels.iter().sum();
    let mut below = 0;
    (all > low).then(|| {
        levels.map(|count| {
            below += count;
            (below.saturating_sub(low) as f64 / (all - low) as f64) as f32
        })
    })
}
