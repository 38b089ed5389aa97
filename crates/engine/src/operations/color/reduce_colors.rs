//! Reduce colors: a palette of a few colors that suits the image, and each pixel in the nearest of
//! them.

mod cells;
mod palette;

use crate::kernels::Size;
use crate::kernels::bayer::bayer;
use crate::operation::{Capability, Control, Described, Effect, Parameter};
use crate::{Picture, Sample};
use cells::Cells;
use serde::{Deserialize, Serialize};

/// Reduces the image to a number of colors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReduceColors {
    /// The number of colors.
    pub colors: u32,
    /// Whether a pattern of dots imitates the colors in between.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dither: bool,
}

const COLORS: Parameter = Parameter::new("the number of colors", "", (2.0, 256.0));

impl Described for ReduceColors {
    const CAPABILITY: Capability = Capability {
        name: "reduce_colors",
        parameters: &[COLORS],
        controls: &[
            Control::whole("colors", "Colors", COLORS),
            Control::switch("dither", "Dithering"),
        ],
        summary: "Reduces the image to a number of colors, chosen from the image.",
        definition: "All pixels that are not fully transparent are counted in cubes of 1, 2, 4 or 8 \
                     sRGB levels, the smallest for which at most 65,536 have pixels. A cube stands \
                     for the mean of its pixels, weighted by their number. All cubes start as one \
                     group. Until there are as many groups as colors, the one with the largest sum of \
                     squared distances from its mean is split at the mean of its most varied \
                     channel. Then, 4 times, each cube joins the group with the nearest mean, and the \
                     means are computed again. Each pixel becomes the color a nearest to the mean m \
                     of its cube. With dithering, it becomes b if t > (2k + 1) / 128, where k is 0 to \
                     63 from the 8x8 Bayer matrix, t = (m - a)(b - a) / |b - a|^2, and b the color \
                     with the largest |b - a|^2 * t * (t - (1 - t) / 8) of those with t > 0. An image \
                     that has no more colors than asked for does not change. Alpha does not change. \
                     For a part of the image, the whole image is counted.",
        examples: &[
            "reduce to 12 colors",
            "a 16-color palette",
            "quantize to 8 colors with dithering",
        ],
    };
}

impl Effect for ReduceColors {
    fn words(&self) -> String {
        let dither = if self.dither { " with dithering" } else { "" };
        format!("reduce to {} colors{dither}", self.colors)
    }

    fn check(&self) -> Result<(), String> {
        COLORS.check(f64::from(self.colors))
    }

    fn scratch_bytes(&self, input: Size, _: u64) -> u64 {
        cells::bytes(u64::from(input.0) * u64::from(input.1))
    }

    fn render<S: Sample>(&self, picture: &mut Picture<S>) {
        let count = self.colors as usize;
        let cells = Cells::of(picture);
        if cells.has_at_most(picture, count) {
            return;
        }
        let counted = cells.counted(picture);
        let palette = palette::palette(&counted, count);
        let mixtures = palette::mixtures(&counted, &palette, self.dither);
        let colors: Vec<[S; 3]> = palette.iter().map(|color| color.map(S::rounded)).collect();
        picture.each_row(|y, row| {
            for (x, pixel) in row.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                let [red, green, blue, alpha] = *pixel;
                if alpha == S::default() {
                    continue;
                }
                let Some(mixture) = mixtures.get(cells.at([red, green, blue])) else { continue };
                let at = if mixture.share > (2 * bayer(x, y) + 1) as f32 / 128.0 {
                    mixture.other
                } else {
                    mixture.nearest
                };
                if let Some([red, green, blue]) = colors.get(usize::from(at)) {
                    *pixel = [*red, *green, *blue, alpha];
                }
            }
        });
    }
}
