//! Color glyphs, such as emoji: small images in a line of text.

use crate::kernels::Size;
use crate::kernels::resample;
use crate::{ExecuteError, Picture};
use cosmic_text::{
    CacheKey, CacheKeyFlags, Font, FontSystem, LayoutGlyph, SwashCache, SwashContent,
};
use zeno::Transform;

/// The longest side to which a glyph is resampled, in pixels. Larger glyphs are stretched from this
/// size, so that a glyph needs at most 1 MB.
const SIDE_MAX: u32 = 512;

/// A color glyph in a block of text.
pub(crate) struct Stamp {
    /// The glyph at a size that the font has.
    key: CacheKey,
    /// The factor from that size to the size in the text.
    scale: f32,
    /// The origin on the baseline, relative to the top left of the block, in pixels.
    origin: (f32, f32),
}

impl Stamp {
    pub(super) fn new(font: &Font, glyph: &LayoutGlyph, origin: (f32, f32)) -> Self {
        let largest = font.as_swash().color_strikes().map(|strike| strike.ppem()).max();
        let size_px = largest.map_or_else(|| glyph.font_size.min(SIDE_MAX as f32), f32::from);
        let (weight, flags) = (glyph.font_weight, CacheKeyFlags::DISABLE_HINTING);
        let (key, ..) =
            CacheKey::new(glyph.font_id, glyph.glyph_id, size_px, (0.0, 0.0), weight, flags);
        Self { key, scale: glyph.font_size / size_px, origin }
    }

    /// Returns the image and its transform to the block, or `None` if the glyph is blank.
    ///
    /// # Errors
    /// Returns an error when the image can't be resampled.
    pub(crate) fn picture(
        &self,
        fonts: &mut FontSystem,
    ) -> Result<Option<(Picture, Transform)>, ExecuteError> {
        let image = SwashCache::new().get_image_uncached(fonts, self.key);
        let Some(image) = image.filter(|image| image.content == SwashContent::Color) else {
            return Ok(None);
        };
        let (width, height) = (image.placement.width, image.placement.height);
        if width == 0 || height == 0 {
            return Ok(None);
        }
        let picture = Picture::from_rgba(width, height, image.data)?;
        let scaled = |side: u32| (side as f32 * self.scale).round().clamp(1.0, SIDE_MAX as f32);
        let size: Size = (scaled(width) as u32, scaled(height) as u32);
        let picture = resample::lanczos(&picture, size)?;
        // Round to whole pixels, so that upright emoji stay sharp.
        let left = (self.origin.0 + image.placement.left as f32 * self.scale).round();
        let top = (self.origin.1 - image.placement.top as f32 * self.scale).round();
        let stretch = |side: u32, drawn: u32| {
            if drawn < SIDE_MAX { 1.0 } else { side as f32 * self.scale / drawn as f32 }
        };
        let (across, down) = (stretch(width, size.0), stretch(height, size.1));
        Ok(Some((picture, Transform::new(across, 0.0, 0.0, down, left, top))))
    }
}

/// Returns one transform followed by another. (`Transform::then` of zeno 0.3.3 is wrong if the
/// second one rotates.)
pub(crate) fn then(first: &Transform, next: &Transform) -> Transform {
    Transform::new(
        first.xx * next.xx + first.xy * next.yx,
        first.xx * next.xy + first.xy * next.yy,
        first.yx * next.xx + first.yy * next.yx,
        first.yx * next.xy + first.yy * next.yy,
        first.x * next.xx + first.y * next.yx + next.x,
        first.x * next.xy + first.y * next.yy + next.y,
    )
}

/// Returns the inverse of a transform. (`Transform::invert` of zeno 0.3.3 is wrong for rotations.)
pub(super) fn inverse(place: &Transform) -> Option<Transform> {
    let Transform { xx, xy, yx, yy, x, y } = *place;
    let area = xx * yy - xy * yx;
    let back = |value: f32| value / area;
    area.is_normal().then(|| {
        let (left, top) = (back(yx * y - yy * x), back(xy * x - xx * y));
        Transform::new(back(yy), back(-xy), back(-yx), back(xx), left, top)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use zeno::Point;

    #[test]
    fn transforms_follow_each_other_and_lead_back() {
        let turned = Transform::new(0.6, 0.8, -0.8, 0.6, 5.0, 7.0);
        let stretched = Transform::new(3.0, 0.0, 0.0, 2.0, -1.0, 4.0);
        for (first, next) in [(turned, stretched), (stretched, turned), (turned, turned)] {
            let both = then(&first, &next);
            let back = inverse(&both).unwrap();
            for point in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (-3.0, 8.0)] {
                let point = Point::from(point);
                let wanted = next.transform_point(first.transform_point(point));
                let got = both.transform_point(point);
                assert!((wanted - got).length() < 1e-4, "{wanted:?} {got:?}");
                assert!((back.transform_point(got) - point).length() < 1e-4, "{point:?}");
            }
        }
    }
}
