//! What blurs, and what is made of blurred pictures.

use super::support::{at, close, edit, gaussian, light, luma, noise, places, steps, straight};
use retouch_engine::Picture;

#[test]
fn a_blur_of_any_size_is_the_gaussian_within_one_level() {
    let pictures = [noise(61, 47, None), steps(90, 70), noise(3, 70, Some(255)), noise(1, 1, None)];
    for picture in &pictures {
        for sigma in [0.4, 1.0, 2.9, 3.0, 3.7, 5.9, 6.0, 11.0, 23.0] {
            let result = edit(&format!("blur by {sigma}px"), picture);
            for place in places(picture) {
                let wanted = gaussian(picture, sigma, place);
                close(&result, place, wanted, &format!("sigma {sigma}"));
            }
        }
    }
}

#[test]
fn a_large_picture_shows_no_seams_where_the_work_is_cut() {
    let picture = noise(530, 270, None);
    let near = |cuts: [i64; 2]| cuts.into_iter().flat_map(|cut| [-9, -1, 0, 8].map(|by| cut + by));
    for sigma in [0.7, 2.4, 4.0] {
        let result = edit(&format!("blur by {sigma}px"), &picture);
        for place in near([256, 512]).flat_map(|x| near([128, 256]).map(move |y| (x, y))) {
            close(&result, place, gaussian(&picture, sigma, place), &format!("sigma {sigma}"));
        }
    }
}

#[test]
fn the_largest_blur_is_the_gaussian_within_one_level() {
    let picture = steps(40, 30);
    let result = edit("blur by 100px", &picture);
    for place in [(0, 0), (20, 15), (39, 29)] {
        close(&result, place, gaussian(&picture, 100.0, place), "sigma 100");
    }
}

#[test]
fn a_flat_picture_stays_flat_whatever_blurs_it() {
    let flat = Picture::from_rgba(33, 21, [77, 130, 9, 200].repeat(33 * 21)).unwrap();
    for instruction in [
        "blur by 1px",
        "blur by 3px",
        "blur by 40px",
        "box blur by 7px",
        "motion blur of 30px at 77 degrees",
        "reduce the noise",
        "apply a median filter of 3px",
        "pixelate with blocks of 4px",
        "sharpen",
        "soft focus",
        "increase the clarity by 100%",
        "dehaze by 0%",
    ] {
        assert_eq!(edit(instruction, &flat), flat, "{instruction}");
    }
}

#[test]
fn a_box_blur_is_the_mean_of_the_square() {
    for picture in [noise(31, 200, None), steps(30, 20)] {
        for radius in [1_i64, 4, 40] {
            let result = edit(&format!("box blur by {radius}px"), &picture);
            for (x, y) in places(&picture) {
                let (mut sum, mut total) = ([0.0; 4], 0.0);
                for dy in -radius..=radius {
                    for dx in -radius..=radius {
                        let light = light(&picture, x + dx, y + dy);
                        sum.iter_mut().zip(light).for_each(|(sum, light)| *sum += light);
                        total += 1.0;
                    }
                }
                close(&result, (x, y), straight(sum, total), &format!("radius {radius}"));
            }
        }
    }
}

#[test]
fn a_motion_blur_is_the_mean_along_the_line() {
    let picture = noise(40, 30, None);
    for (length, degrees) in [(7.0_f64, 0.0_f64), (9.0, 90.0), (12.5, 33.0), (20.0, -45.0)] {
        let result = edit(&format!("motion blur of {length}px at {degrees} degrees"), &picture);
        let count = length.ceil();
        let angle = degrees.to_radians();
        for (x, y) in places(&picture) {
            let mut sum = [0.0; 4];
            for part in 0..count as u32 {
                let along = ((f64::from(part) + 0.5) / count - 0.5) * length;
                let (right, below) =
                    (x as f64 + along * angle.cos(), y as f64 + along * angle.sin());
                let read = bilinear(&picture, right, below);
                sum.iter_mut().zip(read).for_each(|(sum, light)| *sum += light);
            }
            close(&result, (x, y), straight(sum, count), &format!("{length}px at {degrees}"));
        }
    }
    assert_eq!(edit("motion blur of 1px at 0 degrees", &picture), cleared(&picture));
}

fn bilinear(picture: &Picture, x: f64, y: f64) -> [f64; 4] {
    let (left, top) = (x.floor(), y.floor());
    let (right, below) = (x - left, y - top);
    let mut sum = [0.0; 4];
    for (dx, dy, share) in [
        (0, 0, (1.0 - right) * (1.0 - below)),
        (1, 0, right * (1.0 - below)),
        (0, 1, (1.0 - right) * below),
        (1, 1, right * below),
    ] {
        let light = light(picture, left as i64 + dx, top as i64 + dy);
        sum.iter_mut().zip(light).for_each(|(sum, light)| *sum += share * light);
    }
    sum
}

/// The same picture without colors under what is wholly see-through.
fn cleared(picture: &Picture) -> Picture {
    let mut cleared = picture.clone();
    for pixel in cleared.pixels_mut().chunks_exact_mut(4).filter(|pixel| pixel[3] == 0) {
        pixel.fill(0);
    }
    cleared
}

#[test]
fn sharpening_takes_a_radius_and_a_threshold() {
    let picture = noise(30, 22, None);
    let result = edit("sharpen by 150% with a radius of 2px and a threshold of 40", &picture);
    for place in places(&picture) {
        let (old, soft) = (at(&picture, place.0, place.1), gaussian(&picture, 2.0, place));
        let sharper = |channel: usize| {
            let apart: f64 = old[channel] - soft[channel];
            if apart.abs() <= 40.0 { old[channel] } else { old[channel] + 1.5 * apart }
        };
        let near =
            (0..3).any(|channel| (f64::abs(old[channel] - soft[channel]) - 40.0).abs() < 0.1);
        if !near {
            close(&result, place, [sharper(0), sharper(1), sharper(2), old[3]], "sharpen");
        }
    }
}

#[test]
fn clarity_glow_soft_focus_and_sketch_follow_their_formulas() {
    // 2% of 200 is 4 pixels, 1.5% is 3 and 1% is 2.
    let picture = noise(200, 201, Some(255));
    let clear = edit("increase the clarity by 60%", &picture);
    let flat = edit("reduce the clarity by 50%", &picture);
    let glow = edit("add a glow of 40%", &picture);
    let soft = edit("soft focus of 30%", &picture);
    let sketch = edit("turn it into a pencil sketch", &picture);
    for place in [(0, 0), (100, 77), (199, 200), (3, 150)] {
        let old = at(&picture, place.0, place.1);
        let around = gaussian(&picture, 4.0, place);
        let tone = luma(old) / 127.5 - 1.0;
        let change = (1.0 - tone * tone) * (luma(old) - luma(around));
        let by = |share: f64| old.map(|c| c + share * change);
        let keep = |[r, g, b, _]: [f64; 4]| [r, g, b, 255.0];
        close(&clear, place, keep(by(0.6)), "clarity");
        close(&flat, place, keep(by(-0.5)), "less clarity");
        let light = |c: usize| around[c] * around[c] / 255.0;
        let screened = |c: usize| old[c] + 0.4 * light(c) * (255.0 - old[c]) / 255.0;
        close(&glow, place, [screened(0), screened(1), screened(2), 255.0], "glow");
        let veil = gaussian(&picture, 3.0, place);
        let mixed = |c: usize| old[c] + 0.3 * (veil[c] - old[c]);
        close(&soft, place, [mixed(0), mixed(1), mixed(2), 255.0], "soft focus");
        let gray = (luma(old) / luma(gaussian(&picture, 2.0, place))).min(1.0) * 255.0;
        close(&sketch, place, [gray, gray, gray, 255.0], "sketch");
    }
}
