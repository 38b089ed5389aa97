//! Effects: operations that change the pixels of one image in place and keep its size.

use super::{Operation, only};
use crate::kernels::Size;
use crate::{ExecuteError, Picture, Sample};

/// An operation that changes pixels in place. It can be limited to a part of the image.
pub(crate) trait Effect {
    /// Renders the effect as plain words; see [`Operation::words`].
    fn words(&self) -> String;

    /// Checks the parameters; see [`Operation::check`].
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// Changes lengths in pixels; see [`Operation::scale`].
    fn scale(&mut self, _factor: f64) {}

    /// Bytes needed while it runs, besides the image, for images with this number of bytes per
    /// pixel.
    fn scratch_bytes(&self, _input: Size, _pixel_bytes: u64) -> u64 {
        0
    }

    /// Changes the pixels.
    fn render<S: Sample>(&self, picture: &mut Picture<S>);
}

impl<E: Effect> Operation for E {
    fn words(&self) -> String {
        Effect::words(self)
    }

    fn check(&self) -> Result<(), String> {
        Effect::check(self)
    }

    fn scale(&mut self, factor: f64) {
        Effect::scale(self, factor);
    }

    fn scratch_bytes(&self, input: Size, _: Size, pixel_bytes: u64) -> u64 {
        Effect::scratch_bytes(self, input, pixel_bytes)
    }

    fn regional(&self) -> bool {
        true
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        _: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        let mut picture = only(pictures)?;
        self.render(&mut picture);
        Ok(picture)
    }
}
