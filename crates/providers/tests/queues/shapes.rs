//! Whatever aspect ratio is requested, the models get one that they accept.

use proptest::prelude::*;
use retouch_core::image::AspectRatio;
use retouch_providers::queue::{Bfl, Fal, Replicate};
use retouch_providers::upstream::Dialect;
use serde_json::Value;

use super::support::Sample;

fn whole(value: &Value) -> u64 {
    value.as_u64().expect("a whole number")
}

proptest! {
    #[test]
    fn seedream_at_fal_gets_an_area_that_it_takes(width in 64u32..=4096, height in 64u32..=4096) {
        let sample = Sample::edit("fal-ai/bytedance/seedream/v4.5/edit");
        let sent = sample.size(&format!("{width}x{height}")).sent(&Fal);
        let size = &sent["image_size"];
        let area = whole(&size["width"]) * whole(&size["height"]);
        prop_assert!((3_686_400..=16_777_216).contains(&area), "{size}");
    }

    #[test]
    fn flux_2_gets_multiples_of_16_within_four_megapixels(
        width in 64u32..=4096,
        height in 64u32..=4096,
    ) {
        let sent = Sample::edit("flux-2-pro").size(&format!("{width}x{height}")).sent(&Bfl);
        let (wide, high) = (whole(&sent["width"]), whole(&sent["height"]));
        prop_assert!(wide % 16 == 0 && high % 16 == 0 && wide * high <= 4_000_000);
    }

    #[test]
    fn a_shape_that_is_not_kept_is_always_told(width in 1u32..=60, height in 1u32..=60) {
        for (dialect, model) in [
            (&Fal as &dyn Dialect, "fal-ai/nano-banana/edit"),
            (&Replicate, "google/nano-banana"),
            (&Bfl, "flux-3-image"),
        ] {
            let sample = Sample::edit(model);
            let sample = sample.with(|edit| edit.aspect_ratio = AspectRatio::Ratio(width, height));
            let sent = sample.sent(dialect);
            let input = sent.get("input").unwrap_or(&sent);
            let said = input["aspect_ratio"].as_str().expect("a text").to_owned();
            let (wide, high) = said.split_once(':').expect("a ratio");
            let made = wide.parse::<f64>().expect("digits") / high.parse::<f64>().expect("digits");
            let is_near = (made * f64::from(height) / f64::from(width)).ln().abs() <= 0.02;
            prop_assert_eq!(sample.warnings(dialect).is_empty(), is_near, "{} for {}", model, said);
        }
    }
}
