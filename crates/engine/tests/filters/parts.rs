//! Edits of a part of the picture with soft edges.

use super::support::{at, close, edit, light, noise, straight};
use retouch_engine::Picture;

/// Rises from 0 to 1 across an edge; the picture's own edges are none.
fn beyond(at: i64, edge: f64, (side, width): (u32, f64)) -> f64 {
    if edge <= 0.0 || edge >= f64::from(side) {
        return if edge <= 0.0 { 1.0 } else { 0.0 };
    }
    let t = ((at as f64 + 0.5 - edge) / width + 0.5).clamp(0.0, 1.0);
    3.0 * t * t - 2.0 * t.powi(3)
}

/// The mix of two pictures by a weight for each place.
fn mixes(result: &Picture, pictures: [&Picture; 2], weight: impl Fn(i64, i64) -> f64) {
    for y in 0..i64::from(result.height()) {
        for x in 0..i64::from(result.width()) {
            let weight = weight(x, y);
            let [old, new] = pictures.map(|picture| light(picture, x, y));
            let sum = [0, 1, 2, 3].map(|at| old[at] * (1.0 - weight) + new[at] * weight);
            let wanted = match weight {
                0.0 => at(pictures[0], x, y),
                1.0 => at(pictures[1], x, y),
                // What is hardly there has a color that no 8 bits can hold.
                _ if sum[3] < 0.01 => at(result, x, y),
                _ => straight(sum, 1.0),
            };
            close(result, (x, y), wanted, &format!("a share of {weight}"));
        }
    }
}

#[test]
fn a_feather_fades_an_edit_across_the_edges_of_its_part() {
    let (width, height) = (60, 40);
    for picture in [noise(width, height, Some(255)), noise(width, height, None)] {
        let gray = edit("make it black and white", &picture);
        let soft = |words: &str| edit(&format!("make it black and white in {words}"), &picture);
        let across = |x, edge, by| beyond(x, edge, (width, by));
        let down = |y, edge, by| beyond(y, edge, (height, by));
        mixes(&soft("the left half with a feather of 10px"), [&picture, &gray], |x, _| {
            1.0 - across(x, 30.0, 10.0)
        });
        // 10% of the shorter side is 4 pixels.
        mixes(&soft("the bottom half with a soft edge"), [&picture, &gray], |_, y| {
            down(y, 20.0, 4.0)
        });
        let boxed = |x, y| {
            (across(x, 10.0, 6.0) - across(x, 30.0, 6.0)) * (down(y, 5.0, 6.0) - down(y, 15.0, 6.0))
        };
        mixes(&soft("the 20x10 box at 10,5 with a feather of 6px"), [&picture, &gray], boxed);
        mixes(&soft("the edges of 8px with a feather of 4px"), [&picture, &gray], |x, y| {
            let inside = |at, side: u32| {
                let edge = |edge| beyond(at, edge, (side, 4.0));
                edge(8.0) - edge(f64::from(side) - 8.0)
            };
            1.0 - inside(x, width) * inside(y, height)
        });
    }
}

#[test]
fn without_a_feather_edges_are_hard() {
    let picture = noise(60, 40, None);
    let gray = edit("make it black and white", &picture);
    let result = edit("make the left half black and white", &picture);
    mixes(&result, [&picture, &gray], |x, _| if x < 30 { 1.0 } else { 0.0 });
}

/// How much of an ellipse there is at a pixel, by its distance to the first order.
fn round(at: (i64, i64), center: (f64, f64), half: (f64, f64), width: f64) -> f64 {
    let (x, y) = (at.0 as f64 + 0.5 - center.0, at.1 as f64 + 0.5 - center.1);
    let f = (x / half.0).hypot(y / half.1);
    let g = (x / half.0.powi(2)).hypot(y / half.1.powi(2));
    let distance = if g == 0.0 { -half.0.min(half.1) } else { f * (f - 1.0) / g };
    let t = (0.5 - distance / width).clamp(0.0, 1.0);
    3.0 * t * t - 2.0 * t.powi(3)
}

#[test]
fn circles_and_ovals_are_parts_and_everything_else_is_outside() {
    for picture in [noise(60, 40, Some(255)), noise(60, 40, None)] {
        let gray = edit("make it black and white", &picture);
        let result = |part: &str| edit(&format!("make it black and white {part}"), &picture);
        mixes(&result("in the circle of 50% at the center"), [&picture, &gray], |x, y| {
            round((x, y), (30.0, 20.0), (10.0, 10.0), 1.5)
        });
        mixes(
            &result("in the circle of 50% of the width at the left"),
            [&picture, &gray],
            |x, y| round((x, y), (15.0, 20.0), (15.0, 15.0), 1.5),
        );
        let soft = "outside the circle around 50,5 with a radius of 12px with a feather of 6px";
        mixes(&result(soft), [&picture, &gray], |x, y| {
            1.0 - round((x, y), (50.0, 5.0), (12.0, 12.0), 6.0)
        });
        mixes(&result("in the 50% by 25% oval at the bottom right"), [&picture, &gray], |x, y| {
            round((x, y), (45.0, 35.0), (15.0, 5.0), 1.5)
        });
        mixes(&result("outside the 20x10 box at 10,5"), [&picture, &gray], |x, y| {
            if (10..30).contains(&x) && (5..15).contains(&y) { 0.0 } else { 1.0 }
        });
    }
}
