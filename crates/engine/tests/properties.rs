//! What holds for every instruction and every plan.

use proptest::prelude::*;
use retouch_engine::{Context, Picture, Plan, RefusalKind, execute, read};
use serde_json::{Value, json};

fn context() -> Context {
    Context { inputs: 2, ..Context::default() }
}

fn place() -> impl Strategy<Value = Value> {
    prop::sample::select(vec![
        "top_left",
        "top",
        "top_right",
        "left",
        "centre",
        "right",
        "bottom_left",
        "bottom",
        "bottom_right",
    ])
    .prop_map(Value::from)
}

fn colour() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<[u8; 3]>().prop_map(|[r, g, b]| json!(format!("#{r:02x}{g:02x}{b:02x}"))),
        prop::sample::select(vec!["white", "darkblue", "skyblue", "tomato", "lightgrey"])
            .prop_map(Value::from),
    ]
}

fn number(range: std::ops::Range<i32>) -> impl Strategy<Value = f64> {
    range.prop_map(|hundredths| f64::from(hundredths) / 100.0)
}

fn adjustment() -> impl Strategy<Value = Value> {
    let change = prop_oneof![number(-10_000..0), number(1..10_000)];
    (prop::sample::select(vec!["brightness", "contrast", "saturation", "warmth"]), change)
        .prop_map(|(operation, percent)| json!({"operation": operation, "percent": percent}))
}

fn effect() -> impl Strategy<Value = Value> {
    prop_oneof![
        (
            prop::sample::select(vec![
                "grayscale",
                "sepia",
                "invert",
                "vignette",
                "opacity",
                "sharpen"
            ]),
            number(1..10_000)
        )
            .prop_map(|(operation, percent)| json!({"operation": operation, "percent": percent})),
        number(10..10_000).prop_map(|sigma_px| json!({"operation": "blur", "sigma_px": sigma_px})),
        number(-36_000..36_000).prop_map(|degrees| json!({"operation": "hue", "degrees": degrees})),
        (colour(), number(0..10_000)).prop_map(
            |(colour, percent)| json!({"operation": "tint", "colour": colour, "percent": percent})
        ),
        colour().prop_map(|colour| json!({"operation": "background", "colour": colour})),
    ]
}

fn geometry() -> impl Strategy<Value = Value> {
    let side = || 1_u32..4000;
    prop_oneof![
        (number(-36_000..36_000), prop_oneof![Just(json!("transparent")), colour()])
            .prop_map(|(degrees, background)| json!({"operation": "rotate", "degrees": degrees, "background": background})),
        prop::sample::select(vec!["left_right", "top_bottom"]).prop_map(|sides| json!({"operation": "flip", "sides": sides})),
        (side(), side(), place()).prop_map(|(w, h, place)| json!({"operation": "crop", "to": "size", "width": w, "height": h, "place": place})),
        (number(100..9000), number(100..9000), place())
            .prop_map(|(w, h, place)| json!({"operation": "crop", "to": "ratio", "width": w, "height": h, "place": place})),
        (number(1..10_000), number(1..10_000), place())
            .prop_map(|(w, h, place)| json!({"operation": "crop", "to": "share", "width_percent": w, "height_percent": h, "place": place})),
        (number(0..5000), number(0..5000))
            .prop_map(|(a, b)| json!({"operation": "crop", "to": "sides", "left": format!("{a}px"), "top": format!("{b}%"), "right": "0px", "bottom": format!("{a}%")})),
        (prop::sample::select(vec!["exact", "fit", "fill"]), side(), side())
            .prop_map(|(to, w, h)| json!({"operation": "resize", "to": to, "width": w, "height": h})),
        side().prop_map(|width| json!({"operation": "resize", "to": "width", "width": width})),
        side().prop_map(|height| json!({"operation": "resize", "to": "height", "height": height})),
        number(10..100_000).prop_map(|percent| json!({"operation": "resize", "to": "percent", "percent": percent})),
        (side(), side(), colour(), place())
            .prop_map(|(w, h, colour, place)| json!({"operation": "pad", "to": "size", "width": w, "height": h, "colour": colour, "place": place})),
        (number(100..9000), number(100..9000), colour(), place())
            .prop_map(|(w, h, colour, place)| json!({"operation": "pad", "to": "ratio", "width": w, "height": h, "colour": colour, "place": place})),
        (side(), colour()).prop_map(|(px, colour)| json!({"operation": "pad", "to": "by", "px": px, "colour": colour})),
    ]
}

fn frame() -> impl Strategy<Value = Value> {
    let length = || {
        prop_oneof![
            number(400..90_000).prop_map(|px| format!("{px}px")),
            number(50..5000).prop_map(|p| format!("{p}%"))
        ]
    };
    prop_oneof![
        (length(), colour()).prop_map(|(width, colour)| json!({"operation": "border", "width": width, "colour": colour})),
        length().prop_map(|radius| json!({"operation": "round_corners", "radius": radius})),
        ("[a-zA-Z,.!?'%& 0-9éü-]{1,30}", place(), colour(), length(), any::<bool>()).prop_map(|(text, place, colour, size, bold)| {
            json!({"operation": "text", "text": format!("x{text}"), "place": place, "colour": colour, "size": size, "bold": bold})
        }),
        prop::sample::select(vec!["side_by_side", "stacked"]).prop_map(|layout| json!({"operation": "join", "layout": layout})),
    ]
}

/// An edit in a part of the picture.
fn within() -> impl Strategy<Value = Value> {
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
    ];
    let step = prop_oneof![
        adjustment(),
        number(10..10_000).prop_map(|sigma_px| json!({"operation": "blur", "sigma_px": sigma_px})),
        number(1..10_000).prop_map(|percent| json!({"operation": "grayscale", "percent": percent})),
    ];
    (region, step)
        .prop_map(|(region, step)| json!({"operation": "within", "region": region, "step": step}))
}

fn plan() -> impl Strategy<Value = Plan> {
    let step = prop_oneof![adjustment(), effect(), geometry(), frame(), within()];
    prop::collection::vec(step, 1..5).prop_filter_map("every step is one of ours", |steps| {
        serde_json::from_value(json!({"version": 1, "steps": steps})).ok()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn reading_the_words_of_a_plan_gives_the_plan(plan in plan()) {
        prop_assume!(plan.check().is_ok() && plan.render().chars().count() <= 800);
        let words = plan.render();
        let again = read(&words, &context());
        prop_assert!(again.is_ok(), "{words}: {again:?}");
        prop_assert_eq!(again.unwrap().steps, plan.steps, "{}", words);
    }

    #[test]
    fn a_plan_survives_json(plan in plan()) {
        let text = serde_json::to_string(&plan).unwrap();
        prop_assert_eq!(serde_json::from_str::<Plan>(&text).unwrap(), plan);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,800}") {
        let _ = read(&text, &context());
    }

    #[test]
    fn no_order_of_known_words_makes_the_reader_panic(
        words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..60)
    ) {
        let text = words.join(" ");
        if let Err(refusal) = read(&text, &context()) {
            let quoted: String = text.chars().skip(refusal.span[0]).take(refusal.span[1] - refusal.span[0]).collect();
            prop_assert_eq!(quoted, refusal.words);
            prop_assert!(!refusal.message.is_empty());
            if let Some(nearest) = refusal.nearest {
                prop_assert!(read(&nearest, &context()).is_ok(), "{text}: {nearest}");
            }
        }
    }

    #[test]
    fn a_plan_that_is_admitted_is_done_in_the_size_it_said(plan in plan(), sides in (1_u32..40, 1_u32..40)) {
        let sizes = [sides, (9, 7)];
        if let Ok(bytes) = plan.working_bytes(&sizes) {
            prop_assume!(bytes < 16 << 20);
            let pictures = sizes.iter().map(|(w, h)| Picture::new(*w, *h).unwrap()).collect();
            let edited = execute(&plan, pictures).unwrap();
            prop_assert_eq!(edited.picture.size(), plan.result_size(&sizes).unwrap());
        }
    }
}

const WORDS: &[&str] = &[
    "rotate", "90", "degrees", "left", "and", "then", ",", "crop", "to", "16:9", "half", "the",
    "brighter", "slightly", "by", "20%", "not", "don't", "\"hi\"", "text", "white", "border",
    "10px", "size", "800x600", "top", "off", "from", "without", "or", "-", "#fff", "side", "black",
    "third", "hundred", "keep", "more", "less", "increase", "make", "it", "blur", "pad", "square",
    ".", "5", "light",
];

#[test]
fn the_longest_instructions_are_read_quickly_enough_for_a_test() {
    for unit in [
        "and ",
        "a,",
        "rotate left,",
        "hundred ",
        "no ",
        "\"",
        "black and white and ",
        "brighter and ",
        "increase the brightness, ",
    ] {
        let text: String = unit.repeat(800).chars().take(800).collect();
        let _ = read(&text, &context());
    }
    let refusal = read(&"a".repeat(801), &context()).unwrap_err();
    assert_eq!(refusal.kind, RefusalKind::OutOfRange);
}

#[test]
fn results_over_the_limits_are_refused_before_any_work() {
    let plan = read("resize to 1000%", &context()).unwrap();
    let refusal = plan.working_bytes(&[(4000, 3000)]).unwrap_err();
    assert_eq!(
        (refusal.kind, refusal.words.as_str()),
        (RefusalKind::OutOfRange, "resize to 1000%")
    );
    assert!(refusal.message.contains("40000x30000"), "{}", refusal.message);
    let plan = read("crop to 800x600", &context()).unwrap();
    assert!(plan.working_bytes(&[(640, 480)]).is_err());
    assert_eq!(plan.working_bytes(&[(1000, 1000)]).unwrap(), 4 * (1_000_000 + 480_000));
}

#[test]
fn the_requests_own_fields_become_the_last_steps() {
    let ratio = |width, height| Some(retouch_engine::AspectRatio::Ratio { width, height });
    let cut = Context { aspect: ratio(16, 9), ..Context::default() };
    assert_eq!(
        read("sepia", &cut).unwrap().render(),
        "apply sepia, then crop to the ratio 16:9 at the centre"
    );
    assert_eq!(
        read("pad by 10px with red", &cut).unwrap().render(),
        "pad by 10 pixels with red, then pad to 16:9 with red at the centre"
    );
    let sized = Context { size: Some((640, 480)), ..Context::default() };
    let plan = read("sepia", &sized).unwrap();
    assert_eq!(plan.render(), "apply sepia, then resize to fill 640x480 pixels");
    assert!(plan.assumed.iter().any(|line| line.contains("640x480")));
    let three = Context { inputs: 3, ..Context::default() };
    assert_eq!(read("sepia", &three).unwrap().unused_inputs, [1, 2]);
}
