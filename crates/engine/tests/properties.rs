//! What holds for every instruction and every plan.

mod drawn;
mod parts;

use drawn::{edge_gradient, grid};
use parts::within;
use proptest::prelude::*;
use retouch_engine::operations::Mode;
use retouch_engine::{Context, Picture, Plan, RefusalKind, execute};
use retouch_language::read;
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
        "center",
        "right",
        "bottom_left",
        "bottom",
        "bottom_right",
    ])
    .prop_map(Value::from)
}

fn color() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<[u8; 3]>().prop_map(|[r, g, b]| json!(format!("#{r:02x}{g:02x}{b:02x}"))),
        prop::sample::select(vec!["white", "darkblue", "skyblue", "tomato", "lightgray"])
            .prop_map(Value::from),
    ]
}

fn number(range: std::ops::Range<i32>) -> impl Strategy<Value = f64> {
    range.prop_map(|hundredths| f64::from(hundredths) / 100.0)
}

fn adjustment() -> impl Strategy<Value = Value> {
    let change = prop_oneof![number(-10_000..0), number(1..10_000)];
    let operations = vec![
        "brightness",
        "contrast",
        "saturation",
        "warmth",
        "vibrance",
        "shadows",
        "midtones",
        "highlights",
        "whites",
        "blacks",
    ];
    (prop::sample::select(operations), change)
        .prop_map(|(operation, percent)| json!({"operation": operation, "percent": percent}))
}

/// Changes of tones and colors that are no plain more or less.
fn tone() -> impl Strategy<Value = Value> {
    prop_oneof![
        number(-1000..1000).prop_map(|stops| json!({"operation": "exposure", "stops": stops})),
        (prop::sample::select(vec!["red", "orange", "green", "purple"]), prop::sample::select(vec!["saturation", "brightness"]), number(-10_000..40_000)).prop_map(
            |(color, property, percent)| json!({"operation": "color_tones", "color": color, "property": property, "percent": percent})
        ),
        number(10..1000).prop_map(|gamma| json!({"operation": "gamma", "gamma": gamma})),
        (number(0..12_000), number(13_000..25_500))
            .prop_map(|(black, white)| json!({"operation": "levels", "black": black, "white": white})),
        prop::sample::select(vec!["levels", "contrast", "color"]).prop_map(|what| json!({"operation": "auto", "what": what})),
        number(170_000..2_500_000).prop_map(|kelvin| json!({"operation": "white_balance", "kelvin": kelvin})),
        (prop::sample::select(vec!["red", "green", "blue", "cyan", "magenta", "yellow"]), number(-10_000..40_000))
            .prop_map(|(color, percent)| json!({"operation": "channel", "color": color, "percent": percent})),
        (prop::sample::select(vec!["red", "green", "blue"]), any::<bool>())
            .prop_map(|(channel, gray)| json!({"operation": "single_channel", "channel": channel, "gray": gray})),
        prop::sample::select(vec!["red_blue", "red_green", "green_blue"])
            .prop_map(|channels| json!({"operation": "swap_channels", "channels": channels})),
        (prop::sample::select(vec!["shadows", "midtones", "highlights"]), color(), number(0..10_000)).prop_map(
            |(tones, color, percent)| json!({"operation": "split_tone", "tones": tones, "color": color, "percent": percent})
        ),
        (color(), color()).prop_map(|(dark, light)| json!({"operation": "duotone", "dark": dark, "light": light})),
        (2_u32..256).prop_map(|levels| json!({"operation": "posterize", "levels": levels})),
        (2_u32..257, any::<bool>())
            .prop_map(|(colors, dither)| json!({"operation": "reduce_colors", "colors": colors, "dither": dither})),
        (prop::sample::select(vec!["threshold", "solarize", "fade", "s_curve"]), number(0..10_000))
            .prop_map(|(operation, percent)| json!({"operation": operation, "percent": percent})),
        (color(), color(), number(0..10_000)).prop_map(|(from, to, tolerance)| {
            json!({"operation": "replace_color", "from": from, "to": to, "tolerance_percent": tolerance})
        }),
        (color(), number(100..12_000)).prop_map(
            |(color, tolerance)| json!({"operation": "keep_color", "color": color, "tolerance_degrees": tolerance})
        ),
        (color(), number(0..10_000)).prop_map(
            |(color, percent)| json!({"operation": "colorize", "color": color, "percent": percent})
        ),
    ]
}

fn effect() -> impl Strategy<Value = Value> {
    prop_oneof![
        (
            prop::sample::select(vec![
                "grayscale",
                "equalize",
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
        filter(),
        number(-36_000..36_000).prop_map(|degrees| json!({"operation": "hue", "degrees": degrees})),
        (color(), number(0..10_000)).prop_map(
            |(color, percent)| json!({"operation": "tint", "color": color, "percent": percent})
        ),
        color().prop_map(|color| json!({"operation": "background", "color": color})),
    ]
}

fn filter() -> impl Strategy<Value = Value> {
    let shares =
        vec!["vignette", "dehaze", "denoise", "grain", "glow", "soft_focus", "emboss", "clarity"];
    prop_oneof![
        (prop::sample::select(shares), number(100..10_000))
            .prop_map(|(operation, percent)| json!({"operation": operation, "percent": percent})),
        (number(1..10_000), prop_oneof![Just(json!("transparent")), color()])
            .prop_map(|(percent, color)| json!({"operation": "vignette", "percent": percent, "color": color})),
        number(-10_000..-1).prop_map(|percent| json!({"operation": "clarity", "percent": percent})),
        (number(1..50_000), number(10..10_000), number(0..25_500)).prop_map(
            |(percent, radius_px, threshold_levels)| json!({"operation": "sharpen", "percent": percent, "radius_px": radius_px, "threshold_levels": threshold_levels})
        ),
        (1_u32..128).prop_map(|radius_px| json!({"operation": "box_blur", "radius_px": radius_px})),
        (1_u32..20).prop_map(|radius_px| json!({"operation": "median", "radius_px": radius_px})),
        (number(100..50_000), number(-36_000..36_000)).prop_map(
            |(length_px, degrees)| json!({"operation": "motion_blur", "length_px": length_px, "degrees": degrees})
        ),
        length().prop_map(|block| json!({"operation": "pixelate", "block": block})),
        prop::sample::select(vec!["edges", "sketch"]).prop_map(|operation| json!({"operation": operation})),
        (2_u32..64, any::<bool>()).prop_map(|(levels, gray)| json!({"operation": "dither", "levels": levels, "gray": gray})),
        (prop_oneof![number(0..100_000).prop_map(|px| format!("{px}px")), number(0..2500).prop_map(|p| format!("{p}%"))], prop::sample::select(vec!["horizontal", "vertical"]))
            .prop_map(|(shift, axis)| json!({"operation": "chromatic_aberration", "shift": shift, "axis": axis})),
        (number(0..10_000), prop_oneof![number(200..100_000).prop_map(|px| format!("{px}px")), number(5..5000).prop_map(|p| format!("{p}%"))])
            .prop_map(|(percent, distance)| json!({"operation": "scan_lines", "percent": percent, "distance": distance})),
        number(200..20_000).prop_map(|cell_px| json!({"operation": "halftone", "cell_px": cell_px})),
    ]
}

fn length() -> impl Strategy<Value = String> {
    prop_oneof![
        number(400..90_000).prop_map(|px| format!("{px}px")),
        number(50..5000).prop_map(|p| format!("{p}%"))
    ]
}

fn text() -> impl Strategy<Value = String> {
    "[a-zA-Z,.!?'%& 0-9éü\n-]{1,30}".prop_map(|text| format!("x{text}"))
}

/// Everything about a text that need not be said.
fn look() -> impl Strategy<Value = serde_json::Map<String, Value>> {
    let parts = prop_oneof![
        any::<bool>().prop_map(|italic| json!({"italic": italic})),
        number(0..10_000).prop_map(|percent| json!({"opacity_percent": percent})),
        number(-36_000..36_000).prop_map(|degrees| json!({"degrees": degrees})),
        number(0..4000).prop_map(|percent| json!({"margin": format!("{percent}%")})),
        prop::sample::select(vec!["left", "middle", "right"])
            .prop_map(|lines| json!({"lines": lines})),
        (color(), number(10..5000)).prop_map(
            |(color, width)| json!({"outline": {"color": color, "width": format!("{width}%")}})
        ),
        color().prop_map(|shadow| json!({"shadow": shadow})),
        color().prop_map(|ground| json!({"ground": ground})),
        point().prop_map(|at| json!({"at": at, "place": "top_left"})),
    ];
    prop::collection::vec(parts, 0..5).prop_map(|parts| {
        parts
            .iter()
            .filter_map(Value::as_object)
            .flatten()
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect()
    })
}

fn point() -> impl Strategy<Value = Value> {
    let one = || {
        prop_oneof![
            number(0..1_600_000).prop_map(|px| format!("{px}px")),
            number(0..10_000).prop_map(|percent| format!("{percent}%"))
        ]
    };
    (one(), one()).prop_map(|(x, y)| json!({"x": x, "y": y}))
}

fn mark() -> impl Strategy<Value = Value> {
    let ends = (prop::sample::select(vec!["line", "arrow", "box", "ellipse"]), point(), point())
        .prop_map(|(mark, from, to)| json!({"mark": mark, "from": from, "to": to}));
    let round = (point(), length())
        .prop_map(|(center, radius)| json!({"mark": "circle", "center": center, "radius": radius}));
    let width = prop::option::of(number(50..5000).prop_map(|px| format!("{px}px")));
    (prop_oneof![ends, round], width, color(), number(0..10_001)).prop_map(
        |(mut mark, width, color, opacity)| {
            mark["operation"] = json!("mark");
            mark["color"] = color;
            mark["opacity_percent"] = json!(opacity);
            if let Some(width) = width {
                mark["line"] = json!(width);
            }
            mark
        },
    )
}

fn geometry() -> impl Strategy<Value = Value> {
    let side = || 1_u32..4000;
    prop_oneof![
        (number(-36_000..36_000), backdrop_color())
            .prop_map(|(degrees, background)| json!({"operation": "rotate", "degrees": degrees, "background": background})),
        (number(-36_000..36_000), color(), prop::sample::select(vec!["keep", "cut"]))
            .prop_map(|(degrees, background, corners)| json!({"operation": "rotate", "degrees": degrees, "background": background, "corners": corners})),
        (number(-8000..8000), prop::sample::select(vec!["horizontal", "vertical"]), backdrop_color())
            .prop_map(|(degrees, axis, background)| json!({"operation": "skew", "axis": axis, "degrees": degrees, "background": background})),
        prop::sample::select(vec!["left_right", "top_bottom", "transpose", "transverse"]).prop_map(|sides| json!({"operation": "flip", "sides": sides})),
        (side(), side(), place()).prop_map(|(w, h, place)| json!({"operation": "crop", "to": "size", "width": w, "height": h, "place": place})),
        (number(100..9000), number(100..9000), place())
            .prop_map(|(w, h, place)| json!({"operation": "crop", "to": "ratio", "width": w, "height": h, "place": place})),
        (number(1..10_000), number(1..10_000), place())
            .prop_map(|(w, h, place)| json!({"operation": "crop", "to": "share", "width_percent": w, "height_percent": h, "place": place})),
        (number(0..5000), number(0..5000))
            .prop_map(|(a, b)| json!({"operation": "crop", "to": "sides", "left": format!("{a}px"), "top": format!("{b}%"), "right": "0px", "bottom": format!("{a}%")})),
        (0_u32..4000, 0_u32..4000, side(), side())
            .prop_map(|(x, y, w, h)| json!({"operation": "crop", "to": "box", "left_px": x, "top_px": y, "width": w, "height": h})),
        (prop::sample::select(vec!["exact", "fit", "fill"]), side(), side())
            .prop_map(|(to, w, h)| json!({"operation": "resize", "to": to, "width": w, "height": h})),
        side().prop_map(|width| json!({"operation": "resize", "to": "width", "width": width})),
        side().prop_map(|height| json!({"operation": "resize", "to": "height", "height": height})),
        (side(), limit()).prop_map(|(width, limit)| json!({"operation": "resize", "to": "width", "width": width, "limit": limit})),
        (side(), limit()).prop_map(|(height, limit)| json!({"operation": "resize", "to": "height", "height": height, "limit": limit})),
        (side(), limit()).prop_map(|(px, limit)| json!({"operation": "resize", "to": "shortest", "px": px, "limit": limit})),
        (number(1..5000), limit()).prop_map(|(megapixels, limit)| json!({"operation": "resize", "to": "megapixels", "megapixels": megapixels, "limit": limit})),
        (prop::sample::select(vec!["wider", "taller"]), -4000_i32..4000).prop_map(|(to, px)| json!({"operation": "resize", "to": to, "by_px": px})),
        (side(), side()).prop_map(|(w, h)| json!({"operation": "resize", "to": "fit", "width": w, "height": h, "limit": "at_most"})),
        (number(10..30_000), number(10..30_000)).prop_map(|(w, h)| json!({"operation": "resize", "to": "stretch", "width_percent": w, "height_percent": h})),
        number(10..100_000).prop_map(|percent| json!({"operation": "resize", "to": "percent", "percent": percent})),
        (number(10_000..100_000), place()).prop_map(|(percent, place)| json!({"operation": "zoom", "percent": percent, "place": place})),
        (number(0..5000), number(0..5000), backing())
            .prop_map(|(a, b, color)| json!({"operation": "pad", "to": "sides", "left": format!("{a}px"), "top": format!("{b}%"), "right": "0px", "bottom": format!("{a}%"), "color": color})),
        (side(), side(), backing(), place())
            .prop_map(|(w, h, color, place)| json!({"operation": "pad", "to": "size", "width": w, "height": h, "color": color, "place": place})),
        (number(100..9000), number(100..9000), backing(), place())
            .prop_map(|(w, h, color, place)| json!({"operation": "pad", "to": "ratio", "width": w, "height": h, "color": color, "place": place})),
        (side(), backing()).prop_map(|(px, color)| json!({"operation": "pad", "to": "by", "px": px, "color": color})),
    ]
}

fn backdrop_color() -> impl Strategy<Value = Value> {
    prop_oneof![Just(json!("transparent")), color()]
}

fn limit() -> impl Strategy<Value = Value> {
    prop::sample::select(vec!["exactly", "at_most", "at_least"]).prop_map(Value::from)
}

fn backing() -> impl Strategy<Value = Value> {
    let other = prop::sample::select(vec!["transparent", "blurred", "edges", "mirrored"]);
    prop_oneof![color(), other.prop_map(Value::from)]
}

fn some_of(names: [&'static str; 4]) -> impl Strategy<Value = Vec<&'static str>> {
    prop::sample::subsequence(names.to_vec(), 0..4)
}

fn frame() -> impl Strategy<Value = Value> {
    let sides = some_of(["left", "top", "right", "bottom"]);
    let corners = some_of(["top_left", "top_right", "bottom_left", "bottom_right"]);
    let shadow = (color(), number(100..10_000), number(10..1000), length(), place());
    prop_oneof![
        (length(), color(), sides).prop_map(|(width, color, sides)| json!({"operation": "border", "width": width, "color": color, "sides": sides})),
        (length(), color(), length(), color()).prop_map(|(width, color, second, outer)| {
            json!({"operation": "border", "width": width, "color": color, "outer": {"width": second, "color": outer}})
        }),
        (length(), corners).prop_map(|(radius, corners)| json!({"operation": "round_corners", "radius": radius, "corners": corners})),
        (place(), backing()).prop_map(|(place, background)| json!({"operation": "cutout", "shape": "circle", "place": place, "background": background})),
        backing().prop_map(|background| json!({"operation": "cutout", "shape": "ellipse", "place": "center", "background": background})),
        shadow.prop_map(|(color, percent, blur, distance, towards)| {
            json!({"operation": "shadow", "color": color, "percent": percent, "blur": format!("{blur}%"), "distance": distance, "towards": towards})
        }),
        color().prop_map(|color| json!({"operation": "polaroid", "color": color})),
        (text(), place(), color(), length(), any::<bool>()).prop_map(|(text, place, color, size, bold)| {
            json!({"operation": "text", "text": text, "place": place, "color": color, "size": size, "bold": bold})
        }),
        (text(), look()).prop_map(|(text, look)| {
            let mut step = json!({"operation": "text", "text": text, "place": "left", "color": "red", "size": "12%", "bold": false});
            for (name, value) in look {
                step[name] = value;
            }
            step
        }),
        (text(), color(), length(), any::<bool>(), number(0..10_000), number(-36_000..36_000)).prop_map(
            |(text, color, size, bold, opacity, degrees)| json!({"operation": "watermark", "text": text, "color": color, "size": size, "bold": bold, "opacity_percent": opacity, "degrees": degrees})
        ),
        mark(),
        grid(),
        edge_gradient(),
        (length(), prop_oneof![Just(json!("transparent")), color()]).prop_map(|(width, color)| json!({"operation": "soft_edges", "width": width, "color": color})),
        (prop::sample::select(vec!["circle", "ellipse", "square", "rectangle", "triangle", "diamond", "star", "ring", "heart"]), color(), place(), length())
            .prop_map(|(shape, color, place, size)| json!({"operation": "shape", "shape": shape, "color": color, "place": place, "size": size})),
        (text(), place(), length()).prop_map(|(text, place, size)| json!({"operation": "qr_code", "text": text, "place": place, "size": size})),
    ]
}

/// Steps that find what they change in the pixels, and may refuse them.
fn finding() -> impl Strategy<Value = Value> {
    let said = || prop::option::of(color());
    let to = prop_oneof![color(), Just(json!("transparent"))];
    prop_oneof![
        (said(), to, prop::option::of(number(0..4000))).prop_map(|(from, to, tolerance)| {
            json!({"operation": "backdrop", "from": from, "to": to, "tolerance_percent": tolerance})
        }),
        (color(), number(0..5000)).prop_map(|(color, tolerance)| json!({"operation": "color_key", "color": color, "tolerance_percent": tolerance})),
        (said(), number(0..5000)).prop_map(|(color, tolerance)| json!({"operation": "trim", "color": color, "tolerance_percent": tolerance})),
    ]
}

/// Steps that need the second input.
fn joining() -> impl Strategy<Value = Value> {
    let layout = prop_oneof![
        prop::sample::select(vec!["side_by_side", "stacked"]).prop_map(Value::from),
        (1_u32..16, 0_u32..16)
            .prop_map(|(columns, rows)| json!({"grid": {"columns": columns, "rows": rows}})),
        Just(json!({"grid": {"columns": 0, "rows": 0}})),
    ];
    let modes: Vec<&str> = Mode::ALL.into_iter().map(Mode::word).collect();
    prop_oneof![
        (layout, prop::option::of(length()), color(), any::<bool>()).prop_map(|(layout, gap, color, kept)| {
            let kept = kept && !layout.is_object();
            json!({"operation": "join", "layout": layout, "gap": gap.unwrap_or_else(|| "0px".to_owned()), "color": color, "keep_sizes": kept})
        }),
        (place(), prop::option::of(length()), number(0..5000), number(0..10_000)).prop_map(|(place, width, margin, percent)| {
            json!({"operation": "overlay", "picture": 2, "place": place, "width": width, "margin": format!("{margin}%"), "percent": percent})
        }),
        (length(), length(), prop::option::of(length()), number(0..10_000)).prop_map(|(x, y, width, percent)| {
            json!({"operation": "overlay", "picture": 2, "place": "top_left", "at": {"x": x, "y": y}, "width": width, "margin": "0px", "percent": percent})
        }),
        (prop::sample::select(modes), number(0..10_000)).prop_map(|(mode, percent)| json!({"operation": "blend", "picture": 2, "mode": mode, "percent": percent})),
        (1_u32..=20, 1_u32..=20, any::<bool>()).prop_map(|(across, down, mirrored)| {
            json!({"operation": "tile", "across": across, "down": down, "mirrored": mirrored})
        }),
        (prop::sample::select(vec!["luminance", "alpha"]), any::<bool>()).prop_map(|(by, inverted)| json!({"operation": "mask", "picture": 2, "by": by, "inverted": inverted})),
    ]
}

fn plan() -> impl Strategy<Value = Plan> {
    let step = prop_oneof![
        adjustment(),
        tone(),
        effect(),
        geometry(),
        frame(),
        finding(),
        joining(),
        within()
    ];
    let steps = prop::collection::vec(step, 1..5);
    (steps, output()).prop_filter_map("images are joined once", |(steps, output)| {
        let joins = steps.iter().filter(|step| step["operation"] == "join").count();
        let plan = json!({"version": 1, "steps": steps, "output": output});
        serde_json::from_value(plan).ok().filter(|_| joins < 2)
    })
}

/// How the result is saved, if a plan says so.
fn output() -> impl Strategy<Value = Value> {
    let lossless =
        vec![json!(null), json!({}), json!({"format": "png"}), json!({"format": "webp"})];
    prop_oneof![
        prop::sample::select(lossless),
        prop::option::of(1..101).prop_map(|quality| json!({"format": "jpeg", "quality": quality})),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn reading_the_words_of_a_plan_gives_the_plan(plan in plan()) {
        prop_assume!(plan.check().is_ok() && plan.render().chars().count() <= 800);
        let words = plan.render();
        let again = read(&words, &context());
        prop_assert!(again.is_ok(), "{words}: {again:?}");
        let again = again.unwrap();
        prop_assert_eq!((again.steps, again.output), (plan.steps, plan.output), "{}", words);
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
            let finds = |name: &str| plan.steps.iter().any(|step| step.capability().name == name);
            match execute(&plan, pictures) {
                Ok(_) if finds("trim") => {}
                Ok(edited) => prop_assert_eq!(edited.picture.size(), plan.result_size(&sizes).unwrap()),
                Err(refused) => prop_assert!(finds("trim") || finds("backdrop"), "{refused}"),
            }
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
