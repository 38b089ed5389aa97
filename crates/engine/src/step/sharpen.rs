//! Sharpen: an unsharp mask, `c + k * (c - blurred)`, with a Gaussian of 1 pixel, on straight
//! colours; alpha stays. k = percent / 100.

use super::{Capability, Operation, Size, Spoken, gaussian, only, within};
use crate::instruction::{Clause, Direction, Unit};
use crate::{ExecuteError, Picture, Refusal};
use serde::{Deserialize, Serialize};

/// Makes edges crisper.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sharpen {
    /// How strong it is, in percent.
    pub percent: f64,
}

const SCALE_PERCENT: [f64; 5] = [25.0, 50.0, 100.0, 200.0, 300.0];
/// Standard deviation of the mask, in pixels.
const SIGMA_PX: f64 = 1.0;

impl Spoken for Sharpen {
    const CAPABILITY: Capability = Capability {
        name: "sharpen",
        summary: "Makes edges crisper.",
        definition: "Unsharp mask c + k * (c - Gaussian of 1px), k = percent / 100; alpha stays.",
        heads: &[
            "sharpen",
            "sharpened",
            "sharper",
            "sharpening",
            "sharpness",
            "sharp",
            "crisper",
            "crisp",
            "unsharp mask",
        ],
        details: &["strength"],
        examples: &["sharpen it a little", "increase the sharpness by 80%"],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        let Some(head) = clause.head(Self::CAPABILITY.heads) else { return Ok(None) };
        let missing = || Refusal::missing("say how to sharpen: \"sharpen by 80%\"");
        let direction = clause.direction();
        let noun_alone = head == 4 && direction != Some(Direction::Up);
        if noun_alone || matches!(direction, Some(Direction::Down | Direction::Set)) {
            return Err(missing());
        }
        let percent = match clause.quantity() {
            Some(amount) if amount.unit == Unit::Percent && !amount.to => amount.value,
            Some(_) => return Err(missing()),
            None => {
                let degree = clause.degree().unwrap_or(2);
                let percent = SCALE_PERCENT.get(degree).copied().unwrap_or(100.0);
                clause.assumed.push(format!("the strength of sharpening is {percent}%"));
                percent
            }
        };
        Ok(Some(Self { percent }))
    }
}

impl Operation for Sharpen {
    fn words(&self) -> String {
        format!("sharpen by {}%", self.percent)
    }

    fn check(&self) -> Result<(), String> {
        within("the strength of sharpening", self.percent, (0.0, 500.0), "%")
    }

    fn in_place(&self) -> bool {
        true
    }

    fn regional(&self) -> bool {
        true
    }

    fn scratch_bytes(&self, input: Size, _: Size) -> u64 {
        gaussian::scratch_bytes(input)
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "limited to 0..=255"
    )]
    fn apply(&self, pictures: Vec<Picture>, _: &mut Vec<String>) -> Result<Picture, ExecuteError> {
        let mut picture = only(pictures)?;
        let strength = super::point::factor(self.percent - 100.0);
        gaussian::blur(&mut picture, SIGMA_PX, |old, [red, green, blue, alpha]| {
            if old[3] == 0 {
                return old;
            }
            let sharper = |old: u8, blurred: f32| {
                let (old, blurred) = (f32::from(old), blurred / alpha * 255.0);
                (old + strength * (old - blurred) + 0.5).clamp(0.0, 255.0) as u8
            };
            [sharper(old[0], red), sharper(old[1], green), sharper(old[2], blue), old[3]]
        });
        Ok(picture)
    }
}
