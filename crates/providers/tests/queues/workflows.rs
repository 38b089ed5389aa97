//! Problems with a workflow are reported when it is loaded.

use proptest::prelude::*;
use retouch_providers::comfyui::{Workflow, WorkflowError};
use serde_json::json;

/// The error for a workflow whose one node has these inputs.
fn error(inputs: &serde_json::Value) -> WorkflowError {
    let text = json!({ "3": { "class_type": "KSampler", "inputs": inputs } }).to_string();
    Workflow::parse(&text).expect_err("it cannot be used")
}

#[test]
fn the_editors_own_format_is_recognised() {
    let text = r#"{"last_node_id":9,"nodes":[],"links":[],"version":0.4}"#;
    assert_eq!(Workflow::parse(text), Err(WorkflowError::EditorFormat));
}

#[test]
fn invalid_workflows_are_reported() {
    assert!(matches!(Workflow::parse("[]"), Err(WorkflowError::NotJson(_))));
    assert!(matches!(Workflow::parse("{"), Err(WorkflowError::NotJson(_))));
    assert_eq!(Workflow::parse("{}"), Err(WorkflowError::NoInstruction));
    let node = WorkflowError::NotANode { node: "3".into() };
    assert_eq!(Workflow::parse(r#"{"3":{"inputs":{}}}"#), Err(node));
    let long = " ".repeat((4 << 20) + 1);
    assert!(matches!(Workflow::parse(&long), Err(WorkflowError::TooLong { .. })));
}

#[test]
fn slots_are_checked_where_they_stand() {
    let said = error(&json!({ "text": "{{instruktion}}" })).to_string();
    assert!(said.starts_with(r#"node "3", input "text": unknown slot {{instruktion}}"#), "{said}");
    for inputs in [
        json!({ "text": "{{instruction" }),
        json!({ "text": "{{instruction}}", "seed": "{{seed}} {{seed}}" }),
        json!({ "text": "{{instruction}}", "seed": "number {{seed}}" }),
        json!({ "text": "{{instruction}}", "image": "{{image0}}" }),
        json!({ "text": "{{instruction}}", "image": "{{image17}}" }),
        json!({ "text": "{{instruction}}", "length": "{{frames@0}}" }),
        json!({ "text": "{{instruction}}", "image": "{{image2}}" }),
        json!({ "text": "{{instruction}}", "width": "{{width}}" }),
        json!({ "image": "{{image1}}" }),
    ] {
        let said = error(&inputs).to_string();
        assert!(!said.is_empty(), "{inputs}");
    }
    let missing = error(&json!({ "text": "{{instruction}}", "image": "{{image2}}" }));
    assert_eq!(missing, WorkflowError::ImageMissing { number: 1 });
    let side = error(&json!({ "text": "{{instruction}}", "width": "{{width}}" }));
    assert_eq!(side, WorkflowError::OneSide);
}

#[test]
fn a_workflow_knows_what_it_takes_and_makes() {
    let edit = Workflow::parse(include_str!("../fixtures/comfyui/edit.json"))
        .expect("the file is a workflow");
    assert_eq!((edit.image_count(), edit.makes_videos()), (2, false));
    let film = Workflow::parse(include_str!("../fixtures/comfyui/film.json"))
        .expect("the file is a workflow");
    assert_eq!((film.image_count(), film.makes_videos()), (1, true));
}

proptest! {
    #[test]
    fn no_text_breaks_the_reader(text in r#"[{}\[\]":,a-z0-9@ ]{0,60}"#) {
        let _ = Workflow::parse(&text);
        let inner = json!({ "1": { "class_type": "x", "inputs": { "text": text } } });
        let _ = Workflow::parse(&inner.to_string());
    }
}
