//! The images that an operation is given.

use crate::{ExecuteError, Picture, Sample};
use std::any::Any;

/// The two images that an operation gets that lays one on the other.
pub(crate) fn both<S: Sample>(
    pictures: Vec<Picture<S>>,
) -> Result<(Picture<S>, Picture<S>), ExecuteError> {
    let [first, second] =
        <[Picture<S>; 2]>::try_from(pictures).map_err(|_| ExecuteError::NoPicture)?;
    Ok((first, second))
}

/// The one image that an operation on a single image gets.
pub(crate) fn only<S: Sample>(pictures: Vec<Picture<S>>) -> Result<Picture<S>, ExecuteError> {
    pictures.into_iter().next().ok_or(ExecuteError::NoPicture)
}

/// Does what is defined on whole levels: a deeper image is rounded to them first.
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
