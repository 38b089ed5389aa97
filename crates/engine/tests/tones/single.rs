//! Each operation alone, over a picture of many colors.

use super::reference::{coded, fade, hue, linear, luma, rolled_off, toned};
use super::support::{Color, colors, edit, follows};
use retouch_engine::Picture;

fn each(change: impl Fn(f64) -> f64) -> impl Fn(Color) -> Color {
    move |color| color.map(&change)
}

#[test]
fn exposure_is_counted_in_doublings_of_linear_light() {
    for stops in [-3.0, -0.5, 0.0, 0.263, 1.0, 4.0] {
        let gain = f64::powf(2.0, stops);
        let words = if stops < 0.0 {
            format!("reduce the exposure by {} stops", -stops)
        } else {
            format!("increase the exposure by {stops} stops")
        };
        let brightened = |value| coded(linear(value) * gain);
        follows(&words, each(|value| rolled_off(brightened(value), brightened(1.0))));
    }
}

#[test]
fn brighter_highlights_roll_off_and_only_white_is_white() {
    let every = Picture::from_rgba(256, 1, (0..=255).flat_map(|c| [c, c, c, 255]).collect());
    let every = every.unwrap();
    for words in ["make it a lot brighter", "increase the exposure by 1 stop"] {
        let result = edit(words, &every);
        let levels: Vec<u8> = result.pixels().iter().step_by(4).copied().collect();
        assert!(levels.is_sorted(), "{words}");
        assert!(levels[..240].iter().all(|level| *level < 255), "{words}: {levels:?}");
        assert_eq!(levels[255], 255, "{words}");
    }
    follows("increase the brightness by 150%", each(|value| rolled_off(value * 2.5, 2.5)));
}

#[test]
fn gamma_is_a_power_of_each_channel() {
    for gamma in [0.1, 0.45, 1.0, 2.2, 10.0] {
        follows(&format!("set the gamma to {gamma}"), each(|value| value.powf(1.0 / gamma)));
    }
}

#[test]
fn an_s_curve_keeps_its_ends_and_its_middle() {
    for percent in [0.0, 30.0, 100.0] {
        let curve = |c: f64| c + percent / 100.0 * (3.0 * c * c - 2.0 * c.powi(3) - c);
        follows(&format!("apply an s-curve of {percent}%"), each(curve));
    }
}

#[test]
fn two_channels_change_places_and_the_third_stays() {
    follows("swap the red and blue channels", |[red, green, blue]| [blue, green, red]);
    follows("swap the red and green channels", |[red, green, blue]| [green, red, blue]);
    follows("swap the green and blue channels", |[red, green, blue]| [red, blue, green]);
    let twice = "swap the red and blue channels, then swap the red and blue channels";
    assert_eq!(edit(twice, &colors()), colors());
}

#[test]
fn one_color_becomes_more_saturated_or_lighter_alone() {
    let bands = [("red", 0.0, 15.0), ("yellow", 60.0, 15.0), ("blue", 240.0, 40.0)];
    for (name, center, near) in bands {
        for (verb, t) in [("increase", 0.5), ("reduce", -1.0)] {
            let weight = |color: Color| {
                let apart = (hue(color) - center).abs();
                let [largest, smallest] =
                    [f64::max, f64::min].map(|of| of(of(color[0], color[1]), color[2]));
                let colored =
                    if largest > 0.0 { (largest - smallest) / largest * 4.0 } else { 0.0 };
                fade(apart.min(360.0 - apart), near, near * 1.5) * colored.min(1.0)
            };
            let by = t * if t < 0.0 { -100.0 } else { 100.0 };
            follows(&format!("{verb} the saturation of the {name} tones by {by}%"), |color| {
                let gray = luma(color);
                color.map(|c| gray + (1.0 + weight(color) * t) * (c - gray))
            });
            follows(&format!("{verb} the brightness of the {name}s by {by}%"), |color| {
                color.map(|c| c * (1.0 + weight(color) * t))
            });
        }
    }
}

#[test]
fn parts_of_the_tones_follow_their_curves_and_keep_the_hue() {
    for (word, sign) in [("brighten", 1.0), ("darken", -1.0)] {
        for percent in [10.0, 50.0, 100.0] {
            let t = sign * percent / 100.0;
            let shadow = |y: f64| y * f64::powf(2.0, 2.0 * t * (1.0 - y).powi(3));
            follows(&format!("{word} the shadows by {percent}%"), |color| toned(color, shadow));
            let high = |y: f64| 1.0 - (1.0 - y) * f64::powf(2.0, -2.0 * t * y.powi(3));
            follows(&format!("{word} the highlights by {percent}%"), |color| toned(color, high));
            let middle = |y: f64| y + 3.2 * t * y * y * (1.0 - y) * (1.0 - y);
            follows(&format!("{word} the midtones by {percent}%"), |color| toned(color, middle));
            follows(
                &format!("{word} the whites by {percent}%"),
                each(|c| c + 0.25 * t * c.powi(3)),
            );
            follows(
                &format!("{word} the blacks by {percent}%"),
                each(|c| c + 0.25 * t * (1.0 - c).powi(3)),
            );
        }
    }
}

#[test]
fn levels_become_black_and_white() {
    follows("levels 10-240", each(|value| (value * 255.0 - 10.0) / 230.0));
    follows("set the white point to 90%", each(|value| value / 0.9));
    follows("set the black point to 200", each(|value| (value * 255.0 - 200.0) / 55.0));
}

#[test]
fn vibrance_spares_strong_colors() {
    for t in [-1.0, -0.3, 0.5, 2.0] {
        let (word, percent) =
            if t < 0.0 { ("reduce", -t * 100.0) } else { ("increase", t * 100.0) };
        follows(&format!("{word} the vibrance by {percent}%"), |color| {
            let ends = color.into_iter().fold((1.0, 0.0), |(low, high), channel| {
                (f64::min(low, channel), f64::max(high, channel))
            });
            let factor = 1.0 + t * (1.0 - (ends.1 - ends.0));
            color.map(|channel| luma(color) + factor * (channel - luma(color)))
        });
    }
}

#[test]
fn channels_grow_by_themselves() {
    follows("boost the reds by 10%", |[red, green, blue]| [red * 1.1, green, blue]);
    follows("increase the yellow by 30%", |[red, green, blue]| [red, green, blue * 0.7]);
    follows("reduce the magenta by 50%", |[red, green, blue]| [red, green * 1.5, blue]);
}

#[test]
fn a_color_in_a_part_of_the_tones_keeps_the_luma() {
    let blue: Color = [0.0, 0.0, 1.0];
    let shifted = |color: Color, weight: f64| {
        [0, 1, 2].map(|at| color[at] + 0.2 * weight * (blue[at] - luma(blue)))
    };
    follows("make the shadows bluer", |c| shifted(c, (1.0 - luma(c)).powi(2)));
    follows("make the midtones bluer", |c| shifted(c, 4.0 * luma(c) * (1.0 - luma(c))));
    follows("make the highlights bluer", |c| shifted(c, luma(c).powi(2)));
}

#[test]
fn prints_in_one_and_two_colors_follow_the_luma() {
    follows("duotone of #102030 and #ffe0a0", |color| {
        let (dark, light) = ([16.0, 32.0, 48.0], [255.0, 224.0, 160.0]);
        [0, 1, 2].map(|at| (dark[at] + luma(color) * (light[at] - dark[at])) / 255.0)
    });
    for (percent, share) in [(100.0, 1.0), (40.0, 0.4)] {
        follows(&format!("colorize in #4080c0 at {percent}%"), |color| {
            let tint = [64.0, 128.0, 192.0].map(|level| level / 255.0);
            let (gray, own) = (luma(color), luma(tint));
            [0, 1, 2].map(|at| {
                let shade = if gray <= own {
                    tint[at] * gray / own
                } else {
                    tint[at] + (1.0 - tint[at]) * (gray - own) / (1.0 - own)
                };
                color[at] + share * (shade - color[at])
            })
        });
    }
}

#[test]
fn few_levels_stay_where_they_are() {
    for levels in [2.0, 4.0, 7.0, 255.0_f64] {
        follows(
            &format!("posterize to {levels} levels"),
            each(|value| (value * levels).floor().min(levels - 1.0) / (levels - 1.0)),
        );
    }
    follows("solarize above 60%", each(|value| if value >= 0.6 { 1.0 - value } else { value }));
    let invert = |level: u8| if level >= 128 { 255 - level } else { level };
    let source = colors();
    let solarized = edit("solarize", &source);
    for (old, new) in source.pixels().iter().zip(solarized.pixels()).step_by(4) {
        assert_eq!(*new, invert(*old));
    }
}

#[test]
fn a_threshold_leaves_two_colors_and_takes_the_level_itself_as_white() {
    let source = colors();
    let result = edit("threshold at 128", &source);
    for (old, new) in
        source.pixels().as_chunks::<4>().0.iter().zip(result.pixels().as_chunks::<4>().0)
    {
        let [red, green, blue] = [old[0], old[1], old[2]].map(u32::from);
        let white = 2126 * red + 7152 * green + 722 * blue >= 1_280_000;
        let level = if white { 255 } else { 0 };
        assert_eq!(*new, [level, level, level, old[3]], "{old:?}");
    }
}

#[test]
fn one_color_takes_the_place_of_another_with_a_smooth_edge() {
    follows("replace red with blue, tolerance 20%", |[red, green, blue]| {
        let distance = (((red - 1.0).powi(2) + green * green + blue * blue) / 3.0).sqrt();
        let weight = fade(distance, 0.2, 0.3);
        // How much red is in it: a dark shade becomes a dark blue, not a full one.
        let share = red;
        [red - weight * share, green, blue + weight * share]
    });
    follows("replace white with #ffcc88, tolerance 30%", |color| {
        let distance = (color.iter().map(|c| (c - 1.0).powi(2)).sum::<f64>() / 3.0).sqrt();
        let share = fade(distance, 0.3, 0.45) * color.iter().sum::<f64>() / 3.0;
        let [red, green, blue] = color;
        [red, green - share * 51.0 / 255.0, blue - share * 119.0 / 255.0]
    });
    follows("replace black with navy, tolerance 20%", |[red, green, blue]| {
        let distance = ((red * red + green * green + blue * blue) / 3.0).sqrt();
        [red, green, blue + fade(distance, 0.2, 0.3) * 128.0 / 255.0]
    });
    let two = Picture::from_rgba(2, 1, vec![255, 0, 0, 9, 254, 0, 0, 255]).unwrap();
    let exact = edit("replace red with lime, tolerance 0%", &two);
    assert_eq!(exact.pixels(), [0, 255, 0, 9, 254, 0, 0, 255]);
}

#[test]
fn one_color_stays_and_the_rest_is_gray() {
    follows("keep only orange, tolerance 20 degrees", |color| {
        let apart = (hue(color) - hue([1.0, 165.0 / 255.0, 0.0])).abs();
        let weight = fade(apart.min(360.0 - apart), 20.0, 30.0);
        color.map(|channel| luma(color) + weight * (channel - luma(color)))
    });
}

#[test]
fn a_faded_look_is_weak_and_lifted() {
    follows("fade by 50%", |color| {
        color.map(|channel| {
            let weaker = luma(color) + 0.8 * (channel - luma(color));
            0.075 + 0.9 * weaker.clamp(0.0, 1.0)
        })
    });
}

/// Bradford's matrix, the Planckian locus and both whites by their published numbers.
#[test]
fn a_white_balance_adapts_from_one_light_to_another() {
    // xy of black bodies: 5000 K and 6500 K by the formulas of Kim and others.
    let whites = [(0.344_991_68, 0.351_586_67), (0.313_494_11, 0.323_662_54)];
    let xyz = whites.map(|(x, y): (f64, f64)| [x / y, 1.0, (1.0 - x - y) / y]);
    let cones = [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]];
    let from_cones = [
        [0.986_992_9, -0.147_054_3, 0.159_962_7],
        [0.432_305_3, 0.518_360_3, 0.049_291_2],
        [-0.008_528_7, 0.040_042_8, 0.968_486_7],
    ];
    let to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]];
    let from_xyz = [
        [3.240_625_5, -1.537_208_0, -0.498_628_6],
        [-0.968_930_7, 1.875_756_1, 0.041_517_5],
        [0.055_710_1, -0.204_021_1, 1.056_995_9],
    ];
    let times =
        |matrix: &[[f64; 3]; 3], v: Color| matrix.map(|l| l[0] * v[0] + l[1] * v[1] + l[2] * v[2]);
    let [old, new] = xyz.map(|white| times(&cones, white));
    follows("set the white balance to 5000K", |color| {
        let seen = times(&cones, times(&to_xyz, color.map(linear)));
        let adapted = [0, 1, 2].map(|at| seen[at] * new[at] / old[at]);
        times(&from_xyz, times(&from_cones, adapted)).map(coded)
    });
    follows("set the white balance to 6500K", |color| color);
    let gray = Picture::from_rgba(1, 1, vec![128, 128, 128, 255]).unwrap();
    let [red, _, blue, _] = edit("white balance of 3000K", &gray).pixel(0, 0).unwrap();
    assert!(blue > red + 40, "a low number takes the orange of a lamp away");
    let [red, _, blue, _] = edit("white balance of 9000K", &gray).pixel(0, 0).unwrap();
    assert!(red > blue + 10);
}

#[test]
fn one_channel_stays_alone_or_becomes_the_grays() {
    for (at, name) in ["red", "green", "blue"].into_iter().enumerate() {
        follows(&format!("keep only the {name} channel"), |color| {
            [0, 1, 2].map(|channel| if channel == at { color[at] } else { 0.0 })
        });
        follows(&format!("show the {name} channel as gray"), |color| [color[at]; 3]);
    }
}
