//! Lines, arrows, boxes, ovals and circles against the rule in double precision.

use super::support::{black, edit, ink, inked};
use retouch_engine::Picture;

fn value(picture: &Picture, x: u32, y: u32) -> u8 {
    picture.pixel(x, y).unwrap()[0]
}

/// Every pixel is at most a level from what the rule says.
fn holds(picture: &Picture, rule: impl Fn(f64, f64) -> f64) {
    for y in 0..picture.height() {
        for x in 0..picture.width() {
            let wanted = rule(f64::from(x) + 0.5, f64::from(y) + 0.5) * 255.0;
            let got = f64::from(value(picture, x, y));
            assert!((got - wanted).abs() <= 1.0, "{x},{y}: {got} for {wanted}");
        }
    }
}

fn edge(distance: f64) -> f64 {
    (0.5 - distance).clamp(0.0, 1.0)
}

#[test]
fn a_box_on_whole_pixels_has_no_soft_edge() {
    let filled = edit("draw a filled white box from 3,4 to 10,9", &black(20, 14));
    holds(&filled, |x, y| f64::from((3.0..10.0).contains(&x) && (4.0..9.0).contains(&y)));
    let line = edit("draw a white box of 2px from 10,9 to 3,4", &black(20, 14));
    let inner = |x: f64, y: f64| (5.0..8.0).contains(&x) && (6.0..7.0).contains(&y);
    holds(&line, |x, y| {
        f64::from((3.0..10.0).contains(&x) && (4.0..9.0).contains(&y) && !inner(x, y))
    });
    assert_eq!(
        edit("draw a filled white 7x5 box at 3,4", &black(20, 14)),
        filled,
        "a size and a corner are the same"
    );
}

#[test]
fn a_box_at_a_position_touches_the_sides() {
    let corner = edit("draw a filled white 7x5 box at the bottom right", &black(20, 14));
    holds(&corner, |x, y| f64::from(x >= 13.0 && y >= 9.0));
    let middle = edit("draw a filled white 50% by 50% box at the center", &black(20, 14));
    holds(&middle, |x, y| {
        let rows = if (4.0..10.0).contains(&y) { 1.0 } else { 0.5 };
        rows * f64::from((5.0..15.0).contains(&x) && (3.0..11.0).contains(&y))
    });
    let large = edit("draw a filled white 90x5 box at the top", &black(20, 14));
    holds(&large, |_, y| f64::from(y < 5.0));
}

#[test]
fn a_box_between_pixels_covers_their_share() {
    let filled = edit("draw a filled white box from 2.25,3.5 to 4.5,5", &black(8, 8));
    assert_eq!(value(&filled, 2, 3), 96); // 0.75 * 0.5 * 255 = 95.6
    assert_eq!(value(&filled, 3, 4), 255);
    assert_eq!(value(&filled, 4, 3), 64); // 0.5 * 0.5
    assert!((ink(&filled) - 2.25 * 1.5).abs() < 0.01);
}

#[test]
fn a_circle_is_its_rule_and_its_area() {
    let disc =
        edit("draw a filled white circle around 20,18 with a radius of 9.5px", &black(40, 40));
    holds(&disc, |x, y| edge((x - 20.0).hypot(y - 18.0) - 9.5));
    assert!((ink(&disc) - std::f64::consts::PI * 9.5 * 9.5).abs() < 1.0, "{}", ink(&disc));
    let ring = edit("draw a 3px white circle around 20,18 with a radius of 9.5px", &black(40, 40));
    holds(&ring, |x, y| {
        let away = (x - 20.0).hypot(y - 18.0);
        edge(away - 9.5) - edge(away - 6.5)
    });
}

#[test]
fn an_ellipse_has_its_area_and_touches_its_box() {
    let oval = edit("draw a filled white ellipse from 5,10 to 45,30", &black(50, 40));
    assert!((ink(&oval) - std::f64::consts::PI * 20.0 * 10.0).abs() < 4.0, "{}", ink(&oval));
    assert_eq!(inked(&oval), Some([5, 10, 44, 29]));
}

#[test]
fn a_line_is_its_rule_at_any_angle() {
    for (from, to) in
        [((5.0, 6.0), (33.0, 21.0)), ((30.0, 3.0), (30.0, 20.0)), ((8.0, 8.0), (8.0, 8.0))]
    {
        let words =
            format!("draw a 4px white line from {},{} to {},{}", from.0, from.1, to.0, to.1);
        let line = edit(&words, &black(40, 30));
        holds(&line, |x, y| {
            let (dx, dy) = (to.0 - from.0, to.1 - from.1);
            let length: f64 = dx * dx + dy * dy;
            let along =
                if length == 0.0 { 0.0 } else { ((x - from.0) * dx + (y - from.1) * dy) / length };
            let along = along.clamp(0.0, 1.0);
            edge((x - from.0 - along * dx).hypot(y - from.1 - along * dy) - 2.0)
        });
    }
}

#[test]
fn an_arrow_points_where_it_is_said() {
    let arrow = edit("draw a 3px white arrow from 5,20 to 45,20", &black(50, 40));
    assert_eq!(value(&arrow, 44, 19), value(&arrow, 44, 20));
    let column = |x: u32| (0..40).filter(|y| value(&arrow, x, *y) > 127).count();
    assert_eq!(column(15) % 2, 0, "the shaft is even about its middle");
    assert!(column(34) >= 10 && column(40) < column(34), "the head grows thinner");
    assert!(column(46) == 0);
}

#[test]
fn marks_can_be_see_through_and_lie_over_transparency() {
    let half = edit("draw a filled white box from 0,0 to 4,4 at 50% opacity", &black(4, 4));
    assert_eq!(half.pixel(1, 1), Some([128, 128, 128, 255]));
    let clear = super::support::flat(4, 4, [9, 9, 9, 0]);
    let box_on_nothing = edit("draw a filled red box from 0,0 to 2,2 at 50% opacity", &clear);
    assert_eq!(box_on_nothing.pixel(0, 0), Some([255, 0, 0, 128]));
    assert_eq!(box_on_nothing.pixel(3, 3), Some([9, 9, 9, 0]));
}

#[test]
fn an_area_is_blacked_out_altogether() {
    let white = super::support::flat(30, 20, [255; 4]);
    let hidden = edit("black out the area from 3,4 to 20,11", &white);
    for (x, y, wanted) in [(3, 4, 0), (19, 10, 0), (2, 4, 255), (20, 10, 255), (5, 11, 255)] {
        assert_eq!(value(&hidden, x, y), wanted, "{x},{y}");
    }
}

#[test]
fn a_shape_is_drawn_at_its_place() {
    let star = edit("draw a small white square at the bottom right", &black(100, 100));
    assert_eq!(inked(&star), Some([71, 71, 95, 95]));
}

#[test]
fn a_heart_is_a_square_on_a_corner_with_two_half_circles() {
    let heart = edit("draw a white heart in the center with a size of 100px", &black(120, 120));
    // Its height is 91.4 px: from 14.3 to 105.7.
    assert_eq!(inked(&heart), Some([10, 14, 109, 105]));
    // With half a diagonal d of sqrt(2) - 1, the square has an area of 2 d * d, and the half circles
    // with a radius of d / sqrt(2) have one of pi * d * d / 2 together.
    let half = std::f64::consts::SQRT_2 - 1.0;
    let area = 1e4 * half * half * (2.0 + std::f64::consts::PI / 2.0);
    assert!((ink(&heart) - area).abs() < 30.0, "{} for {area}", ink(&heart));
    // The notch between the half circles, the middle, and beside the tip.
    for (x, y, wanted) in [(60, 16, 0), (35, 16, 255), (60, 60, 255), (60, 103, 255), (45, 103, 0)]
    {
        assert_eq!(value(&heart, x, y), wanted, "{x},{y}");
    }
    for (x, y) in [(12, 40), (30, 20), (45, 90), (59, 104)] {
        assert_eq!(value(&heart, x, y), value(&heart, 119 - x, y), "{x},{y}");
    }
}
