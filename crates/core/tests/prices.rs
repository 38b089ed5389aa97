//! Tests what calls cost the operator and what they bring in: no shipped model sells below cost.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::prelude::*;
use retouch_core::catalogue::{Catalogue, EMBEDDED, MicroDollars, Resolution, SizeClass};
use retouch_core::edit::{Body, Edit, Reason, Rejected, RequestLimits};
use retouch_core::image::Size;
use retouch_core::{Credits, Kind, Timestamp};
use serde_json::{Value, json};

fn shipped() -> Catalogue {
    Catalogue::parse(EMBEDDED).unwrap()
}

fn credits(number: i64) -> Credits {
    Credits::new(number).unwrap()
}

fn accept(kind: Kind, body: &Value) -> Result<Edit, Rejected> {
    let text = body.to_string();
    shipped().accept(kind, &Body::parse(text.as_bytes())?, RequestLimits { image_bytes_max: 1000 })
}

#[test]
fn no_shipped_entry_sells_below_cost_under_the_cheapest_plan() {
    let catalogue = shipped();
    assert_eq!(catalogue.losses(), []);
    for model in &catalogue.models {
        for (tier, price) in model.offers() {
            for route in &model.routes {
                let cost = route.cost(model, tier, model.max_input_images);
                let (id, provider) = (&model.id, &route.provider);
                let cost = cost.unwrap_or_else(|| panic!("{id}: {tier} at {provider}: no cost"));
                let worth = catalogue.worth(price).unwrap();
                assert!(
                    cost <= worth,
                    "{id}: {tier} costs {cost} at {provider}, and brings {worth}"
                );
            }
        }
    }
}

#[test]
fn a_price_or_cost_that_loses_money_is_named() {
    // Each change raises the cost of a call above the revenue from its price.
    let changes = [
        ("cost_usd = \"0.0336\"", "cost_usd = \"0.0863\"", "alpha-image-2-free"),
        ("input_usd = \"0.00168\"", "input_usd = \"0.02\"", "alpha-image-2-free"),
        (
            "{ quality = \"high\", cost_usd = \"0.0527\" }",
            "{ quality = \"high\", cost_usd = \"0.5\" }",
            "beta-image-1-5",
        ),
        (
            "{ quality = \"high\", credits = 22 }",
            "{ quality = \"high\", credits = 4 }",
            "beta-image-1-5",
        ),
        ("{ size = \"2K\", credits = 12 }", "{ size = \"2K\", credits = 6 }", "gamma-2"),
        ("{ seconds = 10, credits = 42 }", "{ seconds = 10, credits = 21 }", "alpha-video-1"),
        ("{ seconds = 8, credits = 42 }", "{ seconds = 8, credits = 21 }", "beta-video-1"),
        ("credits_per_month = 2100", "credits_per_month = 9000", "alpha-video-1"),
    ];
    for (old, new, model) in changes {
        let changed = EMBEDDED.replacen(old, new, 1);
        assert_ne!(changed, EMBEDDED, "{old}");
        let losses = Catalogue::parse(&changed).unwrap().losses();
        assert!(losses.iter().any(|loss| loss.model == model), "{new}: {losses:?}");
        assert!(losses[0].to_string().contains("is sold below cost"), "{}", losses[0]);
    }
}

#[test]
fn a_default_call_costs_6_credits_or_21_for_a_video() {
    for model in &shipped().models {
        let expected = if model.does(Kind::Video) { 21 } else { 6 };
        assert_eq!(model.credits, credits(expected), "{}", model.id);
    }
    let high = json!({ "prompt": "x", "model": "beta-image-1-5", "quality": "high" });
    assert_eq!(accept(Kind::TextToImage, &high).unwrap().provider_price(), Ok(credits(22)));
    let auto = json!({ "prompt": "x", "model": "beta-image-1-5", "quality": "auto" });
    let auto = accept(Kind::TextToImage, &auto).unwrap();
    assert_eq!((auto.quality, auto.provider_price()), (None, Ok(credits(6))), "sent as medium");
}

#[test]
fn a_tier_without_a_price_is_refused_with_those_that_there_are() {
    let large = json!({ "prompt": "x", "model": "beta-video-1", "size": "3840x2160" });
    let rejected = accept(Kind::Video, &large).unwrap().provider_price().unwrap_err();
    assert_eq!((rejected.reason, rejected.param.as_deref()), (Reason::InvalidValue, Some("size")));
    for told in ["3840x2160", "4 seconds, resolution 720p (21 credits)", "8 seconds"] {
        assert!(rejected.message.contains(told), "{told}: {}", rejected.message);
    }
    let priced = json!({ "prompt": "x", "model": "gamma-2", "size": "2048x2048" });
    assert_eq!(accept(Kind::TextToImage, &priced).unwrap().provider_price(), Ok(credits(12)));
    let larger = json!({ "prompt": "x", "model": "gamma-2", "size": "4096x4096" });
    assert!(accept(Kind::TextToImage, &larger).unwrap().provider_price().is_err());
    let unpriced = json!({ "prompt": "x", "model": "gamma-2", "quality": "high" });
    let rejected = accept(Kind::TextToImage, &unpriced).unwrap_err();
    assert_eq!(
        (rejected.reason, rejected.param.as_deref()),
        (Reason::InvalidValue, Some("quality"))
    );
    assert!(rejected.message.contains("size 2K (12 credits)"), "{}", rejected.message);
}

#[test]
fn longer_videos_cost_more() {
    let price = |seconds: u32| {
        let body = json!({ "prompt": "x", "model": "gamma-video-1", "duration_seconds": seconds });
        accept(Kind::Video, &body).unwrap().provider_price().unwrap()
    };
    assert_eq!((price(4), price(8), price(12)), (credits(21), credits(42), credits(63)));
}

#[test]
fn a_route_ends_at_the_start_of_its_day_in_utc() {
    let catalogue = shipped();
    let model = catalogue.find_model("beta-image-2").unwrap();
    let route = model.find_route("azure", "gpt-image-2").unwrap();
    let at = |text: &str| Timestamp::parse(text).unwrap();
    assert!(!route.has_ended(at("2027-10-20T23:59:59Z")));
    assert!(route.has_ended(at("2027-10-21T00:00:00Z")));
    let day = route.ends.unwrap();
    assert_eq!(day.days_left(at("2027-10-07T00:00:00Z")), 14);
    assert_eq!(day.days_left(at("2027-10-20T12:00:00Z")), 1);
    assert_eq!(
        (day.days_left(at("2028-01-01T00:00:00Z")), day.to_string().as_str()),
        (0, "2027-10-21")
    );
}

proptest! {
    #![proptest_config(ProptestConfig {
        rng_seed: proptest::test_runner::RngSeed::Fixed(17),
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_call_never_costs_more_than_it_brings_in(
        width in 64_u32..=4096, height in 64_u32..=4096, which in 0_usize..9, inputs in 0_usize..=4,
    ) {
        let catalogue = shipped();
        let model = &catalogue.models[which % catalogue.models.len()];
        let size: Size = format!("{width}x{height}").parse().unwrap();
        for (offered, _) in model.offers() {
            let tier = model.tier(offered.quality, Some(size), offered.seconds);
            let pixels = u64::from(width) * u64::from(height);
            prop_assert!(tier.size.is_none_or(|class| class >= SizeClass::of_pixels(pixels)));
            prop_assert!(tier.resolution.is_none_or(|it| it >= Resolution::of_pixels(pixels)));
            let Some(price) = model.price(tier) else { continue };
            let worth = catalogue.worth(price).unwrap();
            for route in &model.routes {
                let cost = route.cost(model, tier, inputs.min(model.max_input_images));
                prop_assert!(cost.unwrap_or(MicroDollars(u64::MAX)) <= worth);
            }
        }
    }
}
