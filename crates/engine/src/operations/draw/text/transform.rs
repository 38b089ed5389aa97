//! Transforms that follow each other, and that are undone.

use zeno::Transform;

/// Returns one transform followed by another. (`Transform::then` of zeno 0.3.3 is wrong if the
/// second one rotates.)
pub(crate) fn then(first: &Transform, next: &Transform) -> Transform {
    Transform::new(
        first.xx * next.xx + first.xy * next.yx,
        first.xx * next.xy + first.xy * next.yy,
        first.yx * next.xx + first.yy * next.yx,
        first.yx * next.xy + first.yy * next.yy,
        first.x * next.xx + first.y * next.yx + next.x,
        first.x * next.xy + first.y * next.yy + next.y,
    )
}

/// Returns the inverse of a transform. (`Transform::invert` of zeno 0.3.3 is wrong for rotations.)
pub(super) fn inverse(place: &Transform) -> Option<Transform> {
    let Transform { xx, xy, yx, yy, x, y } = *place;
    let area = xx * yy - xy * yx;
    let back = |value: f32| value / area;
    area.is_normal().then(|| {
        let (left, top) = (back(yx * y - yy * x), back(xy * x - xx * y));
        Transform::new(back(yy), back(-xy), back(-yx), back(xx), left, top)
    })
}
