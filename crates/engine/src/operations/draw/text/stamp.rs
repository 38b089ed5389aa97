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
