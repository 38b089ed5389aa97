//! Grain, blocks, dots and fading.

use super::support::{at, close, edit, light, noise, places, straight};
use retouch_engine::Picture;

fn flat(side: u32, pixel: [u8; 4]) -> Picture {
    Picture::from_rgba(side, side, pixel.repeat((side * side) as usize)).unwrap()
}

#[test]
fn grain_is_gray_the_same_every_time_and_as_strong_as_said() {
    let gray = flat(200, [128, 100, 150, 77]);
    let grainy = edit("add film grain of 20%", &gray);
    assert_eq!(grainy, edit("add film grain of 20%", &gray));
    let changes: Vec<f64> = grainy
        .rows()
        .flat_map(|row| row.chunks(4))
        .map(|pixel| {
            let change = f64::from(pixel[0]) - 128.0;
            assert_eq!(f64::from(pixel[1]) - 100.0, change);
            assert_eq!(f64::from(pixel[2]) - 150.0, change);
            assert_eq!(pixel[3], 77);
            change
        })
        .collect();
    let mean = changes.iter().sum::<f64>() / changes.len() as f64;
    let variance = changes.iter().map(|c| (c - mean).powi(2)).sum::<f64>() / changes.len() as f64;
    assert!(mean.abs() < 0.3, "{mean}");
    assert!((variance.sqrt() - 12.8).abs() < 0.4, "{}", variance.sqrt());
}

#[test]
fn grain_is_the_documented_hash() {
    let grainy = edit("add film grain of 50%", &flat(9, [128, 128, 128, 255]));
    for (x, y) in [(0_u64, 0_u64), (1, 0), (0, 1), (8, 5)] {
        let mut bits = (y << 32 | x).wrapping_add(0x9E37_79B9_7F4A_7C15);
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let sum: u32 = (bits ^ (bits >> 31)).to_be_bytes().map(u32::from).iter().sum();
        let value = 128.0 + 32.0 * (f64::from(sum) - 1020.0) / (8.0_f64 * 65535.0 / 12.0).sqrt();
        close(&grainy, (x as i64, y as i64), [value, value, value, 255.0], "grain");
    }
}

#[test]
fn a_block_is_its_own_mean() {
    let picture = noise(25, 17, None);
    let result = edit("pixelate with blocks of 4px", &picture);
    for (x, y) in places(&picture) {
        let (left, top) = (x / 4 * 4, y / 4 * 4);
        let (mut sum, mut total) = ([0.0; 4], 0.0);
        for y in top..(top + 4).min(17) {
            for x in left..(left + 4).min(25) {
                let light = light(&picture, x, y);
                sum.iter_mut().zip(light).for_each(|(sum, light)| *sum += light);
                total += 1.0;
            }
        }
        close(&result, (x, y), straight(sum, total), "blocks");
        assert_eq!(at(&result, x, y), at(&result, left, top));
    }
}

#[test]
fn dithering_keeps_the_mean_and_has_only_so_many_levels() {
    for value in [0_u8, 1, 50, 128, 200, 254, 255] {
        for (words, levels) in [("dither it", 2), ("dither to 4 levels", 4)] {
            let result = edit(words, &flat(64, [value, value, value, 255]));
            let step = 255 / (levels - 1);
            let sum: f64 = result
                .pixels()
                .chunks(4)
                .map(|pixel| {
                    assert_eq!(u32::from(pixel[0]) % step, 0);
                    f64::from(pixel[0])
                })
                .sum();
            assert!((sum / 4096.0 - f64::from(value)).abs() <= 2.1, "{value}: {}", sum / 4096.0);
        }
    }
    let colors = edit("dither it in black and white", &noise(20, 20, Some(255)));
    let plain =
        |pixel: &[u8]| [0, 255].contains(&pixel[0]) && pixel[0] == pixel[1] && pixel[1] == pixel[2];
    assert!(colors.pixels().chunks(4).all(plain));
}

#[test]
fn a_halftone_is_as_dark_as_the_picture() {
    for value in [0_u8, 40, 100, 128, 180, 230, 255] {
        let result = edit("halftone of 8px", &flat(160, [value, value, value, 255]));
        let sum: f64 = result.pixels().chunks(4).map(|pixel| f64::from(pixel[0])).sum();
        let mean = sum / (160.0 * 160.0);
        assert!((mean - f64::from(value)).abs() <= 2.0, "{value}: {mean}");
    }
}

#[test]
fn a_vignette_fades_to_any_color_or_to_nothing() {
    let picture = noise(31, 21, None);
    let white = edit("fade the edges to white", &picture);
    let clear = edit("add a transparent vignette of 80%", &picture);
    for (x, y) in places(&picture) {
        let across = (x as f64 + 0.5) / 31.0 * 2.0 - 1.0;
        let down = (y as f64 + 0.5) / 21.0 * 2.0 - 1.0;
        let d = (across.hypot(down)) / 2.0_f64.sqrt();
        let t = ((d - 0.3) / 0.7).clamp(0.0, 1.0);
        let s = t * t * (3.0 - 2.0 * t);
        let [red, green, blue, alpha] = at(&picture, x, y);
        let faded = |c: f64| c + s * (255.0 - c);
        close(&white, (x, y), [faded(red), faded(green), faded(blue), alpha], "white");
        close(&clear, (x, y), [red, green, blue, alpha * (1.0 - 0.8 * s)], "transparent");
    }
}

#[test]
fn the_same_bytes_come_out_on_any_number_of_threads() {
    let picture = noise(143, 301, None);
    let work = "blur by 1.5px, then blur by 9px, then box blur by 3px, then motion blur of 9px at 20 degrees, \
                then increase the clarity by 50%, then reduce the noise, then apply a median filter of 2px, \
                then add a glow, then emboss it, then pixelate with blocks of 3px, then add film grain";
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| edit(work, &picture))
    };
    assert!(on(1) == on(4));
    let marks = "draw a 7px red circle around 70,100 with a radius of 50, then add the text \"x\" with a black shadow, \
                 then find the edges, then dither it";
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| edit(marks, &picture))
    };
    assert!(on(1) == on(3));
}
