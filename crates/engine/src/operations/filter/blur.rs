//! Blur: a true Gaussian, premultiplied; the radius in pixels is the standard deviation, as in
//! CSS `blur()`.

use crate::instruction::{Clause, Direction, Unit, phrases};
use crate::kernels::{Size, canvas, gaussian};
use crate::operation::{Capability, Control, Effect, Parameter, Spoken};
use crate::{Picture, Refusal, Sample};
use serde::{Deserialize, Serialize};

/// Blurs the image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Blur {
    /// Standard deviation of the Gaussian in pixels.
    pub sigma_px: f64,
}

const SCALE_PX: [f64; 5] = [1.0, 2.0, 4.0, 10.0, 20.0];

const RADIUS: Parameter =
    Parameter::new("the radius of a blur", "px", (0.1, 100.0)).scaled(SCALE_PX);

const HEADS: &[&str] = &["blur", "blurred", "blurry", "blurring", "blurrier", "gaussian blur"];
const SOFTENS: &[&str] = &["soften", "softened", "softening", "softer"];
/// Objects of "soften" that are not a blur.
const EDGES: &[&str] =
    &["edge", "edges", "corners", "shadow", "shadows", "light", "lighting", "contrast"];

impl Spoken for Blur {
    const CAPABILITY: Capability = Capability {
        name: "blur",
        parameters: &[RADIUS],
        controls: &[Control::number("sigma_px", "Radius", RADIUS)],
        summary: "Blurs the image.",
        definition: "A Gaussian blur, accurate to one level, premultiplied, with edges repeated; \
                     the radius is the standard deviation. The kernel is sampled and cut off at 4 \
                     standard deviations. From 3px, it is three Gaussians whose variances add up, \
                     the middle one on a coarser grid.",
        heads: HEADS,
        details: phrases!(&["gaussian", "radius", "sigma", "soft", "light", "strength"], SOFTENS),
        examples: &["blur it slightly", "blur by 8px", "make it very blurry"],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        let softens = clause.has(SOFTENS) && !clause.has(EDGES);
        if clause.head(HEADS).is_none() && !(softens && clause.head(SOFTENS).is_some()) {
            return Ok(None);
        }
        clause.take(SOFTENS);
        clause.take_all(&["gaussian", "radius", "sigma"]);
        clause.take(&["more"]);
        let sigma_px = match clause.quantity() {
            Some(amount) if matches!(amount.unit, Unit::Pixels | Unit::None) && !amount.signed => {
                amount.value
            }
            Some(_) => {
                return Err(Refusal::missing(
                    "give the radius of the blur in pixels: \"blur by 5px\"",
                ));
            }
            None => {
                let soft = clause.take(&["soft", "light"]).map(|_| 1);
                let degree = clause.degree().or(soft).unwrap_or(2);
                let sigma_px = SCALE_PX.get(degree).copied().unwrap_or(4.0);
                clause.assumed.push(format!("the radius of the blur is {sigma_px}px"));
                sigma_px
            }
        };
        match clause.direction() {
            Some(Direction::Down) => Err(Refusal::missing(
                "for less blur, say \"sharpen\" and how \
                 much",
            )),
            _ => Ok(Some(Self { sigma_px })),
        }
    }
}

impl Effect for Blur {
    fn words(&self) -> String {
        format!("blur by {}px", self.sigma_px)
    }

    fn check(&self) -> Result<(), String> {
        RADIUS.check(self.sigma_px)
    }

    fn scale(&mut self, factor: f64) {
        self.sigma_px = RADIUS.at_scale(self.sigma_px, factor);
    }

    fn scratch_bytes(&self, input: Size, _: u64) -> u64 {
        gaussian::scratch_bytes(input, self.sigma_px)
    }

    fn render<S: Sample>(&self, picture: &mut Picture<S>) {
        gaussian::blur(picture, self.sigma_px, |_, blurred| {
            canvas::straight_levels::<S>(blurred, gaussian::FULL)
        });
    }
}
