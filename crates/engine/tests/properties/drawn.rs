//! Grids and gradients over the image.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{color, length, number};

/// A grid of lines.
pub(super) fn grid() -> impl Strategy<Value = Value> {
    let cells = (1_u32..200, 1_u32..200)
        .prop_map(|(columns, rows)| json!({"by": "cells", "columns": columns, "rows": rows}));
    let apart = length().prop_map(|distance| json!({"by": "distance", "distance": distance}));
    let line = prop_oneof![
        number(50..5000).prop_map(|px| format!("{px}px")),
        number(5..5000).prop_map(|percent| format!("{percent}%"))
    ];
    (prop_oneof![cells, apart], color(), line, number(0..10_001)).prop_map(
        |(mut grid, color, line, opacity)| {
            grid["operation"] = json!("grid_lines");
            grid["color"] = color;
            grid["line"] = json!(line);
            grid["opacity_percent"] = json!(opacity);
            grid
        },
    )
}

/// A gradient at one edge.
pub(super) fn edge_gradient() -> impl Strategy<Value = Value> {
    let side = prop::sample::select(vec!["left", "top", "right", "bottom"]);
    let size = prop_oneof![
        number(100..900_000).prop_map(|px| format!("{px}px")),
        number(10..10_001).prop_map(|percent| format!("{percent}%"))
    ];
    let color = prop_oneof![Just(json!("transparent")), color()];
    (side, size, color, number(0..10_001)).prop_map(|(side, size, color, percent)| {
        json!({"operation": "edge_gradient", "side": side, "size": size, "color": color, "percent": percent})
    })
}
