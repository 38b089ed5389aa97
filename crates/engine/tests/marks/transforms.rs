//! Transforms of glyphs.

use crate::marks::transform::{inverse, then};
use zeno::{Point, Transform};

#[test]
fn transforms_follow_each_other_and_lead_back() {
    let turned = Transform::new(0.6, 0.8, -0.8, 0.6, 5.0, 7.0);
    let stretched = Transform::new(3.0, 0.0, 0.0, 2.0, -1.0, 4.0);
    for (first, next) in [(turned, stretched), (stretched, turned), (turned, turned)] {
        let both = then(&first, &next);
        let back = inverse(&both).unwrap();
        for point in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (-3.0, 8.0)] {
            let point = Point::from(point);
            let wanted = next.transform_point(first.transform_point(point));
            let got = both.transform_point(point);
            assert!((wanted - got).length() < 1e-4, "{wanted:?} {got:?}");
            assert!((back.transform_point(got) - point).length() < 1e-4, "{point:?}");
        }
    }
}
