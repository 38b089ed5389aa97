//! The nine places in an image that words can name.

use serde::{Deserialize, Serialize};

/// One of nine anchors. "Top left" means the same for crops, texts and padding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// The top left corner.
    TopLeft,
    /// The middle of the top edge.
    Top,
    /// The top right corner.
    TopRight,
    /// The middle of the left edge.
    Left,
    /// The middle of the image.
    #[serde(alias = "centre")]
    Center,
    /// The middle of the right edge.
    Right,
    /// The bottom left corner.
    BottomLeft,
    /// The middle of the bottom edge.
    Bottom,
    /// The bottom right corner.
    BottomRight,
}

impl Place {
    /// All places, in reading order.
    pub const ALL: [Self; 9] = [
        Self::TopLeft,
        Self::Top,
        Self::TopRight,
        Self::Left,
        Self::Center,
        Self::Right,
        Self::BottomLeft,
        Self::Bottom,
        Self::BottomRight,
    ];

    /// The name of the place in plain words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::TopLeft => "top left",
            Self::Top => "top",
            Self::TopRight => "top right",
            Self::Left => "left",
            Self::Center => "center",
            Self::Right => "right",
            Self::BottomLeft => "bottom left",
            Self::Bottom => "bottom",
            Self::BottomRight => "bottom right",
        }
    }

    /// Builds a place from its column and row (0 = left or top, 1 = middle, 2 = right or bottom).
    #[must_use]
    pub fn at(column: u32, row: u32) -> Self {
        let index = (row.min(2) * 3 + column.min(2)) as usize;
        Self::ALL.get(index).copied().unwrap_or(Self::Center)
    }

    /// Column and row: 0 = left or top, 1 = middle, 2 = right or bottom.
    #[must_use]
    pub const fn column_row(self) -> (u32, u32) {
        let index = self as u32;
        (index % 3, index / 3)
    }

    /// Where something of the size `inner` starts inside `outer`, in pixels. If the free space is
    /// odd, the middle is rounded towards the top left.
    #[must_use]
    pub const fn offset(self, outer: (u32, u32), inner: (u32, u32)) -> (u32, u32) {
        let (column, row) = self.column_row();
        let free = (outer.0.saturating_sub(inner.0), outer.1.saturating_sub(inner.1));
        (share(free.0, column), share(free.1, row))
    }
}

/// How many of the free pixels come before the content: none, half or all of them.
const fn share(free_px: u32, third: u32) -> u32 {
    match third {
        0 => 0,
        1 => free_px / 2,
        _ => free_px,
    }
}
