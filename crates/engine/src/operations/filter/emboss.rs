//! Emboss: light from the top left, from the differences along that diagonal.
//!
//! `c + s * ((-2 a - b - d) + (f + h + 2 i))` over the neighbors a b c / d . f / g h i, on
//! premultiplied values, s = percent / 100.

use crate::kernels::Size;
use crate::kernels::premultiplied::{Lights, padded};
use crate::operation::{Capability, Control, Described, Effect, Parameter};
use crate::{Picture, Sample};
use serde::{Deserialize, Serialize};

/// Makes the image look embossed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Emboss {
    /// Strength in percent.
    pub percent: f64,
}

const SCALE: [f64; 5] = [25.0, 50.0, 100.0, 200.0, 300.0];

const STRENGTH: Parameter =
    Parameter::new("the strength of embossing", "%", (0.0, 500.0)).scaled(SCALE);

impl Described for Emboss {
    const CAPABILITY: Capability = Capability {
        name: "emboss",
        parameters: &[STRENGTH],
        controls: &[Control::number("percent", "Strength", STRENGTH)],
        summary: "Makes the image look embossed, lit from the top left.",
        definition: "c + s * kernel [-2 -1 0; -1 0 1; 0 1 2] for each channel, premultiplied, \
                     edges repeated, s = percent / 100; alpha does not change.",
        examples: &["emboss it", "emboss it slightly", "emboss by 150%"],
    };
}

impl Effect for Emboss {
    fn words(&self) -> String {
        format!("emboss by {}%", self.percent)
    }

    fn check(&self) -> Result<(), String> {
        STRENGTH.check(self.percent)
    }

    fn scratch_bytes(&self, input: Size, _: u64) -> u64 {
        const ROWS_BYTES: u64 = 64 * 24;
        Lights::bytes(input) + (u64::from(input.0) + 2) * ROWS_BYTES
    }

    fn render<S: Sample>(&self, picture: &mut Picture<S>) {
        let strength = (self.percent / 100.0) as f32;
        let lights = Lights::of(picture);
        picture.each_row(|y, row| {
            let line = |y: isize| padded(lights.row(y), 1);
            let y = y.cast_signed();
            let (above, here, below) = (line(y - 1), line(y), line(y + 1));
            let windows = above.windows(3).zip(here.windows(3)).zip(below.windows(3));
            for (pixel, ((above, here), below)) in
                row.as_chunks_mut::<4>().0.iter_mut().zip(windows)
            {
                *pixel = embossed(*pixel, (above, here, below), strength);
            }
        });
    }
}

type Line<'l> = &'l [[u16; 4]];

fn embossed<S: Sample>(
    pixel: [S; 4],
    lines: (Line<'_>, Line<'_>, Line<'_>),
    strength: f32,
) -> [S; 4] {
    let ([a, b, _], [d, _, f], [_, h, i]) = lines else { return pixel };
    let alpha = pixel[3].level();
    if alpha == 0.0 {
        return pixel;
    }
    let relief = |channel: usize| {
        let at = |light: &[u16; 4]| i32::from(light[channel]);
        let change = at(f) + at(h) + 2 * at(i) - 2 * at(a) - at(b) - at(d);
        S::rounded(pixel[channel].level() + strength * change as f32 / alpha)
    };
    [relief(0), relief(1), relief(2), pixel[3]]
}
