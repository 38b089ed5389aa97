//! Renders a plan as a video file.

use super::camera::{Camera, Path};
use super::frame::Planes;
use super::h264::Coder;
use super::{VideoError, VideoPlan, mux};
use crate::kernels::resample::lanczos;
use crate::{Picture, execute};

/// Renders a plan for the given image, edited as the plan says, or for the one that it creates, as an MP4 file (H.264,
/// no sound, index first). The bytes are the same on any number of threads. Only one frame is in
/// memory at a time.
///
/// # Errors
/// [`VideoError`] if the plan is out of range, there is no image or encoding fails.
pub fn render_video(plan: &VideoPlan, picture: Option<Picture>) -> Result<Vec<u8>, VideoError> {
    plan.check()?;
    let picture = match (&plan.still, picture) {
        (Some(still), picture) if still.makes() == picture.is_none() => {
            execute(still, picture.into_iter().collect())?.picture
        }
        (None, Some(picture)) => picture,
        _ => return Err(VideoError::NoPicture),
    };
    let size = plan.frame.size(picture.size());
    let path = Path::new(&plan.phases);
    let stage = stage(picture, &path, size)?;
    let camera = Camera::new(&path, stage.size(), size);
    let (mut planes, mut coder) = (Planes::new(size), Coder::new(size, plan.frames_per_second)?);
    let frames = plan.frames();
    for number in 0..frames {
        let share = f64::from(number) / f64::from(frames.saturating_sub(1).max(1));
        planes.film(&stage, camera.view(share), strength(plan, number));
        coder.code(&planes)?;
    }
    let track = mux::Track { size, frames_per_second: plan.frames_per_second };
    Ok(mux::file(&coder.finish(), track))
}

/// Flattens the image and scales it down to the resolution that the closest view needs. More detail
/// would never be visible.
fn stage(mut picture: Picture, path: &Path, frame: (u32, u32)) -> Result<Picture, VideoError> {
    for pixel in picture.pixels_mut().as_chunks_mut::<4>().0 {
        let alpha = u32::from(pixel[3]);
        let over = |level: u8| (u32::from(level) * alpha + 255 * (255 - alpha) + 127) / 255;
        *pixel = pixel.map(|level| u8::try_from(over(level)).unwrap_or(255));
        pixel[3] = 255;
    }
    let camera = Camera::new(path, picture.size(), frame);
    let closest = camera.view_step() / path.closest();
    if closest <= 1.0 {
        return Ok(picture);
    }
    let side = |side: u32| ((f64::from(side) / closest).ceil() as u32).max(1);
    let size = (side(picture.width()), side(picture.height()));
    Ok(lanczos(&picture, size)?)
}

/// The brightness of a frame, from 0 to 256. The first frame of a fade in and the last of a fade
/// out are black.
fn strength(plan: &VideoPlan, number: u32) -> u32 {
    let rate = u64::from(plan.frames_per_second);
    let share = |frame: u32, fade_ms: u32| {
        let fade = u64::from(fade_ms) * rate / 1000;
        (u64::from(frame) * 256).checked_div(fade).map_or(256, |share| share.min(256))
    };
    let left = plan.frames().saturating_sub(number + 1);
    let strength = share(number, plan.fade_in_ms).min(share(left, plan.fade_out_ms));
    u32::try_from(strength).unwrap_or(256)
}
