//! Edges: the strength of the Sobel gradient of luma, as grays on black.

use crate::kernels::Size;
use crate::kernels::point::luma;
use crate::kernels::premultiplied::row_around;
use crate::operation::{Capability, Described, Effect};
use crate::{Picture, Sample};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Shows only the edges.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Edges {}

impl Described for Edges {
    const CAPABILITY: Capability = Capability {
        name: "edges",
        parameters: &[],
        controls: &[],
        summary: "Shows only the edges, in grays on black.",
        definition: "sqrt(gx^2 + gy^2) / 4 of the 3x3 Sobel gradients of premultiplied Rec. 709 \
                     luma, with edges repeated. A step from black to white along an axis becomes \
                     white; alpha does not change.",
        examples: &["find the edges", "apply edge detection"],
    };
}

impl Effect for Edges {
    fn words(&self) -> String {
        "find the edges".to_owned()
    }

    fn scratch_bytes(&self, input: Size, _: u64) -> u64 {
        const ROWS_BYTES: u64 = 64 * 12;
        (u64::from(input.0) + 2) * (u64::from(input.1) * 4 + ROWS_BYTES)
    }

    fn render<S: Sample>(&self, picture: &mut Picture<S>) {
        let width = picture.width() as usize;
        let light = |[red, green, blue, alpha]: &[S; 4]| {
            luma([*red, *green, *blue].map(S::level)) * alpha.level() / 255.0
        };
        let lights: Vec<f32> = picture.pixels().as_chunks::<4>().0.par_iter().map(light).collect();
        picture.each_row(|y, row| {
            let line = |y: isize| row_around(&lights, width, y, 1);
            let y = y.cast_signed();
            let (above, here, below) = (line(y - 1), line(y), line(y + 1));
            let windows = above.windows(3).zip(here.windows(3)).zip(below.windows(3));
            for (pixel, window) in row.as_chunks_mut::<4>().0.iter_mut().zip(windows) {
                let gray = gradient(window);
                *pixel = [gray, gray, gray, pixel[3]];
            }
        });
    }
}

fn gradient<S: Sample>(window: ((&[f32], &[f32]), &[f32])) -> S {
    let ((above, here), below) = window;
    let ([a, b, c], [d, _, f], [g, h, i]) = (above, here, below) else { return S::default() };
    let across = (c - a) + 2.0 * (f - d) + (i - g);
    let down = (g - a) + 2.0 * (h - b) + (i - c);
    S::rounded((across * across + down * down).sqrt() / 4.0)
}
