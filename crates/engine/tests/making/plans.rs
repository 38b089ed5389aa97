//! Plans of made pictures as data: words and JSON both ways, checks.

use super::nothing;
use proptest::prelude::*;
use retouch_engine::operations::{Fill, Make, Measure, Outline, Run, Shape};
use retouch_engine::{Color, Length, Picture, Place, Plan, Step, execute};
use retouch_language::read;

fn color() -> impl Strategy<Value = Color> {
    any::<[u8; 4]>().prop_map(|rgba| Color { rgba })
}

fn colors() -> impl Strategy<Value = Vec<Color>> {
    prop::collection::vec(color(), 2..=4)
}

fn measure() -> impl Strategy<Value = Measure> {
    prop_oneof![(1_u32..100).prop_map(Measure::Count), (1_u32..500).prop_map(Measure::Px)]
}

fn fill() -> impl Strategy<Value = Fill> {
    let run = prop::sample::select(vec![Run::Vertical, Run::Horizontal, Run::Diagonal]);
    prop_oneof![
        color().prop_map(|color| Fill::Plain { color }),
        (colors(), 0_u32..360)
            .prop_map(|(colors, degrees)| Fill::Linear { colors, degrees: f64::from(degrees) }),
        colors().prop_map(|colors| Fill::Radial { colors }),
        (colors(), run, measure()).prop_map(|(colors, run, measure)| Fill::Stripes {
            colors,
            run,
            measure
        }),
        (color(), color(), measure())
            .prop_map(|(one, other, measure)| Fill::Checkerboard { colors: [one, other], measure }),
        (color(), color(), measure()).prop_map(|(color, ground, measure)| Fill::Dots {
            color,
            ground,
            measure
        }),
        (color(), color(), measure()).prop_map(|(color, ground, measure)| Fill::Grid {
            color,
            ground,
            measure
        }),
        any::<bool>().prop_map(|colored| Fill::Noise { colored }),
    ]
}

fn shape() -> impl Strategy<Value = Shape> {
    let outline = prop::sample::select(Outline::ALL.to_vec());
    let place = prop::sample::select(Place::ALL.to_vec());
    (outline, color(), place, 1_u32..150).prop_map(|(shape, color, place, percent)| Shape {
        shape,
        color,
        place,
        size: Length::Percent(f64::from(percent)),
    })
}

fn plan() -> impl Strategy<Value = Plan> {
    let make = ((1_u32..120, 1_u32..120), fill()).prop_map(|((width, height), fill)| Make {
        width,
        height,
        fill,
    });
    (make, prop::collection::vec(shape(), 0..3)).prop_map(|(make, shapes)| {
        let steps: Vec<Step> =
            std::iter::once(make.into()).chain(shapes.into_iter().map(Step::from)).collect();
        Plan::new(steps)
    })
}

proptest! {
    #[test]
    fn reading_the_words_of_a_plan_gives_the_plan(plan in plan()) {
        let words = plan.render();
        let again = read(&words, &nothing());
        prop_assert!(again.is_ok(), "{words}: {again:?}");
        prop_assert_eq!(again.unwrap().steps, plan.steps, "{}", words);
    }

    #[test]
    fn a_plan_is_done_in_the_size_it_said_and_survives_json(plan in plan()) {
        let text = serde_json::to_string(&plan).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Plan>(&text).unwrap(), &plan);
        let size = plan.result_size(&[]).unwrap();
        prop_assert!(plan.working_bytes(&[]).unwrap() >= u64::from(size.0) * u64::from(size.1) * 4);
        prop_assert_eq!(execute(&plan, Vec::new()).unwrap().picture.size(), size);
    }

    #[test]
    fn no_order_of_known_words_makes_the_reader_panic(
        words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..40)
    ) {
        let text = words.join(" ");
        if let Err(refusal) = read(&text, &nothing()) {
            let [from, to] = refusal.span;
            let quoted: String = text.chars().skip(from).take(to - from).collect();
            prop_assert_eq!(quoted, refusal.words);
            prop_assert!(!refusal.message.is_empty());
        }
    }
}

const WORDS: &[&str] = &[
    "a",
    "gradient",
    "from",
    "red",
    "to",
    "blue",
    "and",
    "with",
    "stripes",
    "checkerboard",
    "8",
    "512x512",
    "dots",
    "on",
    "white",
    "background",
    "grid",
    "noise",
    "circle",
    "square",
    ",",
    "then",
    "the",
    "text",
    "\"hi\"",
    "plain",
    "picture",
    "of",
    "20px",
    "wide",
    "left",
    "top",
    "radial",
    "degrees",
    "45",
    "border",
    "saying",
    "cat",
    "16:9",
    "orange",
    "small",
    "in",
];

#[test]
fn a_picture_is_made_only_at_the_start() {
    let make = read("a plain blue picture of 8x8 pixels", &nothing()).unwrap().steps;
    let twice = Plan::new([make.clone(), make.clone()].concat());
    assert!(twice.check().is_err());
    let plan = Plan::new(make);
    let sent = Picture::new(3, 3).unwrap();
    assert_eq!(execute(&plan, vec![sent]).unwrap().picture.size(), (8, 8));
    assert!(execute(&Plan::new(Vec::new()), Vec::new()).is_err());
}
