//! Backdrop: replaces a plain background, measured along the edges, with another color or
//! transparency.
//!
//! "Remove the background" alone is refused. The user has to say that the background is plain;
//! otherwise, the request may need a model that can see the subject.

mod backdrop_words;
mod matte;

use crate::kernels::Size;
use crate::kernels::outermost::{Edges, is_called, levels, share_percent};
use crate::operation::{Capability, Control, Described, Operation, Parameter, only};
use crate::{Color, ExecuteError, Picture, Refusal, RefusalKind, Sample};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Replaces a plain background.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Backdrop {
    /// The color of the background according to the instruction; `None` for any color.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Color>,
    /// The new background.
    pub to: Color,
    /// How far a channel may differ from the background's color, in percent of the full range. By
    /// default, it depends on how much the background itself varies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance_percent: Option<f64>,
}

/// The default for how far the pixels along the edges may differ from their median. It is wide
/// enough for JPEG noise.
const TOLERANCE_PERCENT: f64 = 8.0;
/// The share of the edge that must have one color, in percent. A person who is cut off by the lower
/// edge leaves about three quarters of it.
const PLAIN_PERCENT: f64 = 75.0;
/// The largest share of the image that can be background, in percent. With more, there is no
/// subject.
const MOST_PERCENT: f64 = 99.9;

const TOLERANCE: Parameter =
    Parameter::new("the tolerance", "%", (0.0, 40.0)).usually(TOLERANCE_PERCENT);

impl Described for Backdrop {
    const CAPABILITY: Capability = Capability {
        name: "backdrop",
        parameters: &[TOLERANCE],
        controls: &[
            Control::color("from", "From"),
            Control::clear_color("to", "To"),
            Control::number("tolerance_percent", "Tolerance", TOLERANCE),
        ],
        summary: "Makes a plain background transparent or another color. Refused if the \
                  background is not plain.",
        definition: "The background color B is the median of the outermost pixels. At least 75% \
                     of them must be within the tolerance of B (8% unless given; the largest \
                     difference of any channel counts). Pixels connected to the edge are \
                     background if they are within the given tolerance or, if none is given, \
                     within 2 levels plus 3 times the difference that 75% of the outermost pixels \
                     stay within, at most 8%. A pixel C up to 2 pixels away from the background \
                     is treated as a mix a F + (1 - a) B, where F is the color farthest from B \
                     within 2 pixels and a is rounded to 255ths; B is then removed from it.",
        examples: &[
            "remove the plain background",
            "make the white background transparent",
            "replace the white background with light blue",
        ],
    };
}

impl Operation for Backdrop {
    fn words(&self) -> String {
        backdrop_words::words_of(self)
    }

    fn check(&self) -> Result<(), String> {
        if !self.to.is_opaque() && self.to != Color::TRANSPARENT {
            return Err("the new background must be an opaque color or transparent".to_owned());
        }
        if self.from.is_some_and(|from| !from.is_opaque()) {
            return Err("the background to replace must be an opaque color".to_owned());
        }
        TOLERANCE.check(self.tolerance_percent.unwrap_or(0.0))
    }

    fn in_place(&self) -> bool {
        true
    }

    /// The matte, one byte per pixel, and the queue of the search for connected pixels, four bytes
    /// per entry.
    fn scratch_bytes(&self, input: Size, _: Size, _: u64) -> u64 {
        u64::from(input.0) * u64::from(input.1) * 5
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        warnings: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        let mut picture = only(pictures)?;
        let most = levels(self.tolerance_percent.unwrap_or(TOLERANCE_PERCENT));
        let edges = Edges::measured(&picture, most);
        self.is_plain(&edges)?;
        let [red, green, blue, _] = edges.color.rgba;
        let own = edges.spread.saturating_mul(3).saturating_add(2).min(most);
        let tolerance = if self.tolerance_percent.is_some() { most } else { own };
        let matte = matte::of(&picture, [red, green, blue], tolerance);
        let background = matte.iter().filter(|share| **share == 0).count();
        let percent = share_percent(background, matte.len());
        if percent > MOST_PERCENT {
            return Err(refused(format!(
                "the whole image is background: {percent:.1}% of it is within {tolerance} of 255 \
                 levels of {}",
                edges.color
            ))
            .into());
        }
        self.replace(&mut picture, (&matte, [red, green, blue]));
        warnings.push(format!(
            "the background is {}; {percent:.0}% of the image became {}",
            edges.color, self.to
        ));
        Ok(picture)
    }
}

impl Backdrop {
    fn is_plain(&self, edges: &Edges) -> Result<(), Refusal> {
        if edges.percent < PLAIN_PERCENT {
            return Err(refused(format!(
                "the background is not plain: {:.0}% of the pixels along the edges are within {}% \
                 of {}, but at least {PLAIN_PERCENT}% must be; separating a subject from it needs \
                 a generative model",
                edges.percent,
                self.tolerance_percent.unwrap_or(TOLERANCE_PERCENT),
                edges.color
            )));
        }
        if edges.color.rgba[3] < 255 {
            return Err(refused("the background is already transparent".to_owned()));
        }
        match self.from {
            Some(said) if !is_called(edges.color, said) => Err(refused(format!(
                "the instruction says that the background is {said}, but it is {}",
                edges.color
            ))),
            _ => Ok(()),
        }
    }

    fn replace<S: Sample>(&self, picture: &mut Picture<S>, (matte, from): (&[u8], [u8; 3])) {
        let (width, row_samples) = (picture.width() as usize, picture.row_samples());
        let rows = picture.pixels_mut().par_chunks_mut(row_samples);
        rows.zip(matte.par_chunks(width)).for_each(|(row, shares)| {
            for (pixel, share) in row.as_chunks_mut::<4>().0.iter_mut().zip(shares) {
                if *share < 255 {
                    *pixel = matte::without(*pixel, (from, *share), self.to);
                }
            }
        });
    }
}

fn refused(message: String) -> Refusal {
    Refusal::new(RefusalKind::NeedsGenerativeModel, message)
}
