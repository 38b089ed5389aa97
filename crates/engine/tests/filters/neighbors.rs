//! What looks at the pixels around: noise reduction, median, edges, relief.

use super::support::{at, close, edit, light, luma, noise, places, steps};
use retouch_engine::Picture;

#[test]
fn noise_reduction_is_non_local_means() {
    let picture = noise(26, 19, Some(255));
    // A quieter picture, so that neighbors count.
    let quiet = edit("reduce the contrast by 85%", &picture);
    for percent in [50.0, 100.0] {
        let h = 0.18 * f64::sqrt(percent) * deviation(&quiet);
        let result = edit(&format!("reduce the noise by {percent}%"), &quiet);
        for place in places(&quiet) {
            close(&result, place, means(&quiet, place, h), &format!("{percent}%"));
        }
    }
}

/// The noise by the definition.
fn deviation(picture: &Picture) -> f64 {
    let (width, height) = (i64::from(picture.width()), i64::from(picture.height()));
    let mut differences = Vec::new();
    for (x, y) in (0..height - 1).flat_map(|y| (0..width - 1).map(move |x| (x, y))) {
        let block = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(i, j)| at(picture, x + i, y + j));
        if block.iter().any(|pixel| *pixel != block[0]) {
            let [a, b, c, d] = block;
            differences.extend((0..3).map(|i| (a[i] - b[i] - c[i] + d[i]).abs()));
        }
    }
    differences.sort_by(f64::total_cmp);
    (differences[(differences.len() - 1) / 2] / 1.349).max(0.5)
}

fn means(picture: &Picture, (x, y): (i64, i64), h: f64) -> [f64; 4] {
    let (mut sum, mut total) = ([0.0; 4], 0.0);
    for dy in -3..=3 {
        for dx in -3..=3 {
            let mut apart = 0.0;
            for j in -1..=1 {
                for i in -1..=1 {
                    let here = at(picture, x + i, y + j);
                    // Beyond the edges the rows and columns repeat after the offset.
                    let there = at(picture, x + i + dx, y + j + dy);
                    apart += (0..3).map(|c| f64::powi(here[c] - there[c], 2)).sum::<f64>();
                }
            }
            let exponent = apart / 27.0 / (2.0 * h * h);
            let weight = if exponent < 8.0 { (-exponent).exp() } else { 0.0 };
            total += weight;
            let other = at(picture, x + dx, y + dy);
            sum.iter_mut().zip(other).for_each(|(sum, value)| *sum += weight * value);
        }
    }
    sum.map(|value| value / total)
}

#[test]
fn noise_reduction_takes_most_of_any_noise_away_and_keeps_a_step() {
    let clean = edit("reduce the contrast by 50%", &steps(60, 50));
    let error = |picture: &Picture| {
        let pairs = picture.pixels().iter().zip(clean.pixels());
        pairs.map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2)).sum::<f64>()
    };
    for grain in [5, 12, 40] {
        let noisy = edit(&format!("add film grain of {grain}%"), &clean);
        let better = edit("reduce the noise", &noisy);
        let [before, after] = [&noisy, &better].map(error);
        assert!(after < before / 4.0, "{grain}%: {after} of {before}");
    }
    assert!(edit("reduce the noise", &clean) == clean, "there is nothing to smooth");
}

#[test]
fn a_median_is_the_middle_of_the_square() {
    let picture = noise(23, 31, Some(255));
    for radius in [1_i64, 2, 6] {
        let result = edit(&format!("apply a median filter of {radius}px"), &picture);
        for (x, y) in places(&picture) {
            let wanted = [0, 1, 2, 3].map(|channel| {
                let around = (-radius..=radius)
                    .flat_map(|dy| (-radius..=radius).map(move |dx| (x + dx, y + dy)));
                let mut values: Vec<f64> =
                    around.map(|(x, y)| at(&picture, x, y)[channel]).collect();
                values.sort_by(f64::total_cmp);
                values[values.len() / 2]
            });
            assert_eq!(at(&result, x, y), wanted, "radius {radius} at {x},{y}");
        }
    }
}

#[test]
fn a_single_wrong_pixel_vanishes_and_an_edge_stays() {
    let mut picture = steps(40, 40);
    let clean = picture.clone();
    picture.pixels_mut()[(20 * 40 + 4) * 4] = 0;
    let result = edit("remove the salt and pepper noise", &picture);
    assert_eq!(result.pixel(4, 20), clean.pixel(4, 20));
    assert_eq!(result.pixel(8, 5), clean.pixel(8, 5));
}

#[test]
fn edges_are_the_sobel_gradient() {
    let picture = noise(20, 14, None);
    let result = edit("find the edges", &picture);
    let y_at = |x: i64, y: i64| luma(light(&picture, x, y));
    for (x, y) in places(&picture) {
        let gx = (y_at(x + 1, y - 1) - y_at(x - 1, y - 1))
            + 2.0 * (y_at(x + 1, y) - y_at(x - 1, y))
            + (y_at(x + 1, y + 1) - y_at(x - 1, y + 1));
        let gy = (y_at(x - 1, y + 1) - y_at(x - 1, y - 1))
            + 2.0 * (y_at(x, y + 1) - y_at(x, y - 1))
            + (y_at(x + 1, y + 1) - y_at(x + 1, y - 1));
        let gray = gx.hypot(gy) / 4.0;
        close(&result, (x, y), [gray, gray, gray, at(&picture, x, y)[3]], "edges");
    }
}

#[test]
fn embossing_is_its_kernel() {
    let picture = noise(20, 14, None);
    let result = edit("emboss by 50%", &picture);
    for (x, y) in places(&picture) {
        let l = |dx: i64, dy: i64| light(&picture, x + dx, y + dy);
        let old = at(&picture, x, y);
        if old[3] == 0.0 {
            continue;
        }
        let relief = |c: usize| {
            let change = l(1, 0)[c] + l(0, 1)[c] + 2.0 * l(1, 1)[c]
                - 2.0 * l(-1, -1)[c]
                - l(0, -1)[c]
                - l(-1, 0)[c];
            old[c] + 0.5 * change / (old[3] / 255.0)
        };
        close(&result, (x, y), [relief(0), relief(1), relief(2), old[3]], "emboss");
    }
}
