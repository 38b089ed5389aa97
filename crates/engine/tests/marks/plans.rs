//! Plans of marks: what is drawn by default is said, and old plans still hold.

use retouch_engine::{Context, Plan};
use retouch_language::read;

fn plan(words: &str) -> Plan {
    read(words, &Context::default()).unwrap_or_else(|refusal| panic!("{words}: {refusal}"))
}

#[test]
fn what_is_not_said_is_assumed_aloud() {
    let assumed = |words: &str| plan(words).assumed.join("; ");
    assert!(assumed("draw a box from 1,2 to 30,40").contains("the mark is red"));
    assert!(assumed("draw a box from 1,2 to 30,40").contains("only its outline"));
    assert!(assumed("add the watermark \"x\"").contains("40%"));
    assert!(assumed("write \"x\" diagonally").contains("45 degrees"));
    assert!(assumed("draw a red circle in the center").contains("filled"));
}

#[test]
fn plans_from_before_these_options_still_hold() {
    let old = r##"{"version":1,"steps":[
        {"operation":"text","text":"Hi","place":"top","color":"white","size":"6%","bold":false},
        {"operation":"sharpen","percent":80.0},
        {"operation":"vignette","percent":50.0}]}"##;
    let old: Plan = serde_json::from_str(old).unwrap();
    let words = "write \"Hi\" at the top, then sharpen by 80%, then add a vignette";
    assert_eq!(old.steps, plan(words).steps);
    let text = serde_json::to_value(&old.steps[0]).unwrap();
    assert_eq!(text.as_object().unwrap().len(), 6, "what is as usual is not written out: {text}");
}
