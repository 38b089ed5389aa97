//! Access to the images that an operation gets.

use crate::{ExecuteError, Picture, Sample};
use std::any::Any;

/// The two images of an operation that combines two.
pub(crate) fn both<S: Sample>(
    pictures: Vec<Picture<S>>,
) -> Result<(Picture<S>, Picture<S>), ExecuteError> {
    let [first, second] =
        <[Picture<S>; 2]>::try_from(pictures).map_err(|_| ExecuteError::NoPicture)?;
    Ok((first, second))
}

/// The image of an operation on a single image.
pub(crate) fn only<S: Sample>(pictures: Vec<Picture<S>>) -> Result<Picture<S>, ExecuteError> {
    pictures.into_iter().next().ok_or(ExecuteError::NoPicture)
}

/// Runs an operation that is defined on whole levels. An image with more depth is rounded to them
/// first.
pub(crate) fn on_levels<S: Sample>(
    mut picture: Picture<S>,
    work: impl FnOnce(&mut Picture),
) -> Picture<S> {
    if let Some(levels) = (&mut picture as &mut dyn Any).downcast_mut() {
        work(levels);
        return picture;
    }
    let mut levels = picture.narrowed();
    drop(picture);
    work(&mut levels);
    levels.widened()
}
