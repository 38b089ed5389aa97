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
