//! Converts the stored colors of an image to sRGB.

use super::limits::PROFILE_BYTES_MAX;
use super::raster::{Model, Raster, widen_rgb};
use crate::Sample;
use moxcms::{CmsError, ColorProfile, DataColorSpace, Layout, TransformExecutor, TransformOptions};
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Converts a raster's pixels to RGBA in sRGB, in place. Without a usable profile, the samples are
/// taken as sRGB, or as ink on white paper for CMYK. A broken profile is ignored, not fatal.
pub(super) fn to_srgb<S: Convertible>(raster: &mut Raster<S>) {
    let profile = raster.profile.take();
    let conversion = profile.and_then(|profile| Conversion::<S>::new(&profile, raster.model));
    let row_samples = raster.width as usize * 4;
    match (conversion, raster.model) {
        (Some(conversion), _) => raster.pixels.par_chunks_mut(row_samples).for_each_init(
            || vec![S::default(); row_samples],
            |from, row| conversion.apply(row, from),
        ),
        (None, Model::Cmyk) => raster.pixels.par_chunks_mut(row_samples).for_each(inks_to_rgb),
        (None, Model::Rgb | Model::Gray) => {}
    }
    raster.model = Model::Rgb;
}

/// Whether [`to_srgb`] would change pixels because of this profile.
pub(super) fn is_converted(profile: &[u8], model: Model) -> bool {
    Conversion::<u8>::new(profile, model).is_some()
}

/// A sample depth that profiles can be applied to.
pub(super) trait Convertible: Sample {
    /// The transform from one profile to another, with the layouts of both sides.
    fn transform(
        from: (&ColorProfile, Layout),
        to: (&ColorProfile, Layout),
    ) -> Result<Transform<Self>, CmsError>;
}

type Transform<S> = Arc<dyn TransformExecutor<S> + Send + Sync>;

impl Convertible for u8 {
    fn transform(
        from: (&ColorProfile, Layout),
        to: (&ColorProfile, Layout),
    ) -> Result<Transform<Self>, CmsError> {
        from.0.create_transform_8bit(from.1, to.0, to.1, TransformOptions::default())
    }
}

impl Convertible for u16 {
    fn transform(
        from: (&ColorProfile, Layout),
        to: (&ColorProfile, Layout),
    ) -> Result<Transform<Self>, CmsError> {
        from.0.create_transform_16bit(from.1, to.0, to.1, TransformOptions::default())
    }
}

/// A transform from a profile to sRGB, created once per image.
struct Conversion<S> {
    transform: Transform<S>,
    space: DataColorSpace,
}

impl<S: Convertible> Conversion<S> {
    /// Returns `None` when the profile is broken or too large, when it is for a different kind of
    /// pixels, or when it is so close to sRGB that converting would only add rounding errors.
    fn new(profile: &[u8], model: Model) -> Option<Self> {
        if profile.len() > PROFILE_BYTES_MAX {
            return None;
        }
        let made = catch_unwind(AssertUnwindSafe(|| Self::parse(profile, model)));
        made.ok().flatten().filter(|conversion| !conversion.is_identity())
    }

    fn parse(profile: &[u8], model: Model) -> Option<Self> {
        let source = ColorProfile::new_from_slice(profile).ok()?;
        let space = source.color_space;
        let from = match (space, model) {
            (DataColorSpace::Rgb, Model::Rgb | Model::Gray) => Layout::Rgba,
            (DataColorSpace::Gray, Model::Gray) => Layout::GrayAlpha,
            (DataColorSpace::Cmyk, Model::Cmyk) => Layout::Rgba,
            _ => return None,
        };
        let to = if model == Model::Cmyk { Layout::Rgb } else { Layout::Rgba };
        let transform = S::transform((&source, from), (&ColorProfile::new_srgb(), to)).ok()?;
        Some(Self { transform, space })
    }

    /// Converts one row in place. `from` is a buffer for a copy of the row before the conversion.
    fn apply(&self, row: &mut [S], from: &mut [S]) {
        let done = match self.space {
            DataColorSpace::Gray => {
                let gray_alpha = pack_gray(row, from);
                self.transform.transform(gray_alpha, row)
            }
            DataColorSpace::Cmyk => {
                from.copy_from_slice(row);
                let length = row.len() / 4 * 3;
                let (rgb, _) = row.split_at_mut(length);
                let done = self.transform.transform(from, rgb);
                spread(row);
                done
            }
            _ => {
                from.copy_from_slice(row);
                self.transform.transform(from, row)
            }
        };
        debug_assert!(done.is_ok(), "rows and layouts fit by construction");
    }

    fn is_identity(&self) -> bool {
        if self.space == DataColorSpace::Cmyk {
            return false;
        }
        let levels = || (0..=255_u8).step_by(17);
        let samples: Vec<u8> = match self.space {
            DataColorSpace::Gray => levels().flat_map(|level| [level, level, level, 255]).collect(),
            _ => levels()
                .flat_map(|red| levels().map(move |green| (red, green)))
                .flat_map(|(red, green)| levels().flat_map(move |blue| [red, green, blue, 255]))
                .collect(),
        };
        let samples: Vec<S> = samples.into_iter().map(S::of).collect();
        let mut converted = samples.clone();
        self.apply(&mut converted, &mut samples.clone());
        let pairs = samples.iter().zip(&converted);
        pairs.map(|(before, after)| before.level() - after.level()).all(|apart| apart.abs() <= 1.0)
    }
}

/// Packs the gray pixels of a row as gray and alpha into the front of `room`.
fn pack_gray<'a, S: Sample>(row: &[S], room: &'a mut [S]) -> &'a [S] {
    let (packed, _) = room.split_at_mut(row.len() / 2);
    for (pair, pixel) in packed.as_chunks_mut::<2>().0.iter_mut().zip(row.as_chunks::<4>().0) {
        *pair = [pixel[0], pixel[3]];
    }
    packed
}

/// Expands the three-byte pixels at the front of a row to opaque four-byte pixels. It starts at the
/// end, so that no pixel is overwritten before it is read.
pub(super) fn spread_rgb(row: &mut [u8]) {
    let mut block = [0; SPREAD_PIXELS * 3];
    for first in (0..row.len() / 4).step_by(SPREAD_PIXELS).rev() {
        let end = (first + SPREAD_PIXELS).min(row.len() / 4);
        let (packed, _) = block.split_at_mut((end - first) * 3);
        packed.copy_from_slice(row.get(first * 3..end * 3).unwrap_or_default());
        widen_rgb(packed, row.get_mut(first * 4..end * 4).unwrap_or_default());
    }
}

/// How many pixels [`spread_rgb`] copies to its buffer at a time.
const SPREAD_PIXELS: usize = 256;

/// Does the same as [`spread_rgb`] for any depth, one pixel at a time.
fn spread<S: Sample>(row: &mut [S]) {
    for at in (0..row.len() / 4).rev() {
        let packed = row.get(at * 3..at * 3 + 3).and_then(|packed| <[S; 3]>::try_from(packed).ok());
        if let (Some([red, green, blue]), Some(pixel)) = (packed, row.get_mut(at * 4..at * 4 + 4)) {
            pixel.copy_from_slice(&[red, green, blue, S::FULL]);
        }
    }
}

/// Converts CMYK without a profile to RGB as ink on white paper: each color is the light that its
/// own ink and the black let through.
fn inks_to_rgb<S: Sample>(row: &mut [S]) {
    let full = S::FULL.whole();
    let paper = |ink: S| full - ink.whole();
    for pixel in row.as_chunks_mut::<4>().0 {
        let [cyan, magenta, yellow, black] = *pixel;
        let through = |ink: S| S::of_whole((paper(ink) * paper(black) + full / 2) / full);
        *pixel = [through(cyan), through(magenta), through(yellow), S::FULL];
    }
}
