//! The operator's color and logo: `/site.css` and `/site/logo`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::error::{ApiError, ApiResult};

/// The minimum contrast of text (WCAG 2.2, 1.4.3), with a margin for rounding.
const CONTRAST_MIN: f64 = 4.6;
/// The backgrounds of the light theme, darkest first, and of the dark theme, lightest first.
const LIGHT: [u8; 3] = [0xe7, 0xe7, 0xe7];
const DARK: [u8; 3] = [0x2a, 0x2a, 0x2a];
const WHITE: [u8; 3] = [0xff; 3];
const BLACK: [u8; 3] = [0; 3];
/// How many steps there are from a color to white or black.
const STEPS: u16 = 50;
/// The address has the number of the latest change, so that its content never changes.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const POLICY: HeaderValue = HeaderValue::from_static("default-src 'none'; sandbox");

/// A shade of the main color that is readable in a theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shade {
    /// The shade.
    color: [u8; 3],
    /// The color of text on it.
    text: [u8; 3],
}

impl Shade {
    /// The shade, as `#05617f`.
    pub(super) fn hex(&self) -> String {
        hex(self.color)
    }
}

/// The shades of `color` for the light and the dark theme: the color itself, or as much darker or
/// lighter as it must be to be readable.
pub(super) fn shades(color: [u8; 3]) -> [Shade; 2] {
    [(LIGHT, BLACK), (DARK, WHITE)].map(|(background, towards)| {
        let mixed = (0..=STEPS).map(|step| mix(color, towards, step));
        let mut readable = mixed.filter(|it| contrast(*it, background) >= CONTRAST_MIN);
        let color = readable.next().unwrap_or(towards);
        let is_white_better = contrast(color, WHITE) >= contrast(color, BLACK);
        Shade { color, text: if is_white_better { WHITE } else { BLACK } }
    })
}

/// The style sheet with the operator's color.
pub(super) async fn style(State(app): State<Arc<App>>) -> ApiResult<Response> {
    let color = app.live().site().color.ok_or_else(|| ApiError::not_found("style sheet"))?;
    let [light, dark] = shades(color.0);
    let both = |light: [u8; 3], dark| format!("light-dark({}, {})", hex(light), hex(dark));
    let text = format!(
        ":root {{ --pencil: {}; --on-pencil: {}; --wash: {}; }}\n",
        both(light.color, dark.color),
        both(light.text, dark.text),
        both(mix(light.color, WHITE, STEPS * 9 / 10), mix(dark.color, [0x20; 3], STEPS * 9 / 10)),
    );
    let kind = HeaderValue::from_static("text/css; charset=utf-8");
    Ok(([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, FOR_EVER)], text).into_response())
}

/// The operator's logo.
pub(super) async fn logo(State(app): State<Arc<App>>) -> ApiResult<Response> {
    let live = app.live();
    let logo = live.logo.as_ref().ok_or_else(|| ApiError::not_found("logo"))?;
    let kind = HeaderValue::from_str(&logo.media).map_err(ApiError::internal)?;
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, FOR_EVER),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    Ok((headers, logo.bytes.clone()).into_response())
}

fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// `step` of [`STEPS`] steps from `from` to `to`.
fn mix(from: [u8; 3], to: [u8; 3], step: u16) -> [u8; 3] {
    let channel = |from: u8, to: u8| {
        let mixed = (u16::from(from) * (STEPS - step) + u16::from(to) * step) / STEPS;
        u8::try_from(mixed).unwrap_or(u8::MAX)
    };
    let ([r, g, b], [r2, g2, b2]) = (from, to);
    [channel(r, r2), channel(g, g2), channel(b, b2)]
}

/// The contrast of two colors (WCAG 2.2), 1 to 21.
fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// The relative luminance of an sRGB color (WCAG 2.2), 0 to 1.
fn luminance(color: [u8; 3]) -> f64 {
    let [red, green, blue] = color.map(|channel| {
        let part = f64::from(channel) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    });
    0.0722f64.mul_add(blue, 0.2126f64.mul_add(red, 0.7152 * green))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_color_becomes_readable_in_both_themes() {
        let channels = [0, 64, 128, 192, 255];
        for (red, green, blue) in channels.into_iter().flat_map(|red| {
            channels.into_iter().flat_map(move |green| channels.map(|blue| (red, green, blue)))
        }) {
            let [light, dark] = shades([red, green, blue]);
            for (shade, background) in [(light, LIGHT), (light, WHITE), (dark, DARK), (dark, BLACK)]
            {
                assert!(contrast(shade.color, background) >= 4.5, "{shade:?} on {background:?}");
                assert!(contrast(shade.color, shade.text) >= 4.5, "{shade:?}");
            }
        }
    }

    #[test]
    fn a_readable_color_stays_as_it_is() {
        let [light, dark] = shades([0x05, 0x61, 0x7f]);
        assert_eq!(light.hex(), "#05617f");
        assert_ne!(dark.hex(), "#05617f");
        assert_eq!(light.text, WHITE);
    }
}
