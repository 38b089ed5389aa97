//! Shape, frame, background and several inputs, against values worked out in double precision;
//! where whole pixels move, against the very bytes.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail like tests")]

mod frames;
mod geometry;
mod grounds;
mod inputs;

use retouch_engine::{Context, Edited, ExecuteError, Picture, execute};
use retouch_language::read;

/// What comes of an instruction.
pub(crate) fn attempt(instruction: &str, pictures: &[Picture]) -> Result<Edited, ExecuteError> {
    let context = Context { inputs: pictures.len(), ..Context::default() };
    let plan =
        read(instruction, &context).unwrap_or_else(|refusal| panic!("{instruction}: {refusal}"));
    execute(&plan, pictures.to_vec())
}

/// Why an instruction for so many images is refused.
pub(crate) fn refusal(instruction: &str, inputs: usize) -> String {
    let context = Context { inputs, ..Context::default() };
    read(instruction, &context).unwrap_err().to_string()
}

pub(crate) fn edit_all(instruction: &str, pictures: &[Picture]) -> Picture {
    attempt(instruction, pictures).unwrap_or_else(|error| panic!("{instruction}: {error}")).picture
}

pub(crate) fn edit(instruction: &str, picture: &Picture) -> Picture {
    edit_all(instruction, std::slice::from_ref(picture))
}

/// A picture in which every pixel differs from its neighbors, with every kind of alpha.
pub(crate) fn noise(width: u32, height: u32) -> Picture {
    painted(width, height, |_, _| [0; 4], true)
}

/// The same, opaque.
pub(crate) fn opaque_noise(width: u32, height: u32) -> Picture {
    let mut picture = noise(width, height);
    picture.pixels_mut().chunks_exact_mut(4).for_each(|pixel| pixel[3] = 255);
    picture
}

/// A picture of a function of the position.
pub(crate) fn drawn(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 4]) -> Picture {
    painted(width, height, pixel, false)
}

fn painted(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 4], random: bool) -> Picture {
    let mut state = 0x1234_5678_u32 ^ (width << 8) ^ height;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let bytes = places
        .flat_map(|(x, y)| if random { [next(), next(), next(), next()] } else { pixel(x, y) });
    Picture::from_rgba(width, height, bytes.collect()).unwrap()
}

/// A pixel as numbers; nothing outside the picture.
pub(crate) fn at(picture: &Picture, x: i64, y: i64) -> [f64; 4] {
    let inside = u32::try_from(x).ok().zip(u32::try_from(y).ok());
    let pixel = inside.and_then(|(x, y)| picture.pixel(x, y));
    pixel.unwrap_or([0; 4]).map(f64::from)
}

/// Compares all pixels with a reference; alpha within a level, colors as far as they show.
pub(crate) fn assert_near(got: &Picture, wanted: impl Fn(i64, i64) -> [f64; 4], what: &str) {
    for y in 0..i64::from(got.height()) {
        for x in 0..i64::from(got.width()) {
            let (pixel, wanted) = (at(got, x, y), wanted(x, y));
            assert!(
                (pixel[3] - wanted[3]).abs() <= 1.0,
                "{what} at {x},{y}: {pixel:?} for {wanted:?}"
            );
            for channel in 0..3 {
                let apart = (pixel[channel] - wanted[channel]).abs();
                // Where the alpha is rounded to nothing, there is no color to compare.
                assert!(
                    apart <= 1.0 || pixel[3] == 0.0 || wanted[3] < 1.0,
                    "{what} at {x},{y}: {pixel:?} for {wanted:?}"
                );
            }
        }
    }
}

/// One color over another (Porter-Duff), values from 0 to 255.
pub(crate) fn over(upper: [f64; 4], lower: [f64; 4]) -> [f64; 4] {
    let (above, below) = (upper[3] / 255.0, lower[3] / 255.0);
    let alpha = above + below * (1.0 - above);
    if alpha == 0.0 {
        return [0.0; 4];
    }
    let mut result = [0.0, 0.0, 0.0, alpha * 255.0];
    for channel in 0..3 {
        result[channel] = (upper[channel] * above + lower[channel] * below * (1.0 - above)) / alpha;
    }
    result
}

#[test]
fn the_same_bytes_come_out_on_any_number_of_threads() {
    let pictures = [noise(101, 67), opaque_noise(50, 40)];
    let work = "rotate 12 degrees cropping the corners, then pad to a square with a blurred copy, then overlay \
                picture 2 at the top left at 30%, then blend with picture 2 in multiply mode, then add a drop shadow, \
                then crop to a circle, then transpose, then mask with picture 2";
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| edit_all(work, &pictures))
    };
    assert!(on(1) == on(4));
}
