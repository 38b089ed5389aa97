//! Edits of parts of the image.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{adjustment, number, place};

/// An edit in a part of the image.
pub(super) fn within() -> impl Strategy<Value = Value> {
    let length = || {
        prop_oneof![
            (1_u32..3000).prop_map(|px| format!("{px}px")),
            number(10..10_000).prop_map(|percent| format!("{percent}%")),
            prop::sample::select(vec!["50%", "25%", "75%", "100%"]).prop_map(str::to_owned),
        ]
    };
    let region = prop_oneof![
        (length(), length(), place()).prop_map(|(width, height, place)| {
            json!({"kind": "part", "width": width, "height": height, "place": place})
        }),
        (0_u32..16_000, 0_u32..16_000, 1_u32..16_000, 1_u32..16_000).prop_map(
            |(x, y, width, height)| {
                json!({"kind": "box", "x": x, "y": y, "width": width, "height": height})
            }
        ),
        length().prop_map(|side| json!({"kind": "corners", "side": side})),
        length().prop_map(|width| json!({"kind": "edges", "width": width})),
        (length(), place()).prop_map(|(diameter, place)| {
            json!({"kind": "circle", "diameter": diameter, "place": place})
        }),
        (number(10..10_000), prop::sample::select(vec!["width", "height"]), place()).prop_map(
            |(percent, of, place)| {
                let diameter = format!("{percent}%");
                json!({"kind": "circle", "diameter": diameter, "of": of, "place": place})
            }
        ),
        (0_u32..16_000, 0_u32..16_000, length()).prop_map(|(x, y, radius)| {
            let center = json!({"x": format!("{x}px"), "y": format!("{y}px")});
            json!({"kind": "circle_at", "center": center, "radius": radius})
        }),
        (length(), length(), place()).prop_map(|(width, height, place)| {
            json!({"kind": "oval", "width": width, "height": height, "place": place})
        }),
    ];
    let step = prop_oneof![
        adjustment(),
        number(10..10_000).prop_map(|sigma_px| json!({"operation": "blur", "sigma_px": sigma_px})),
        number(1..10_000).prop_map(|percent| json!({"operation": "grayscale", "percent": percent})),
    ];
    let feather = prop::option::of(length());
    (region, step, feather, any::<bool>()).prop_map(|(region, step, feather, outside)| {
        // What is outside a strip along a side is another strip, so it is said that way.
        let outside = outside && region["kind"] != "part";
        json!({"operation": "within", "region": region, "step": step, "feather": feather, "outside": outside})
    })
}
