//! stable-diffusion.cpp's native protocol: a job is submitted once and then polled.

use retouch_engine::codec;
use retouch_providers::Provider;
use retouch_providers::openai::SdCpp;
use retouch_providers::upstream::Ticket;
use retouch_providers::{ProviderError, Task};
use serde_json::json;

use crate::stand::{Stand, job, png};

#[tokio::test]
async fn a_job_is_waited_for_and_its_picture_comes_back() {
    let stand = Stand::new("sdcpp", SdCpp);
    let pictures = [png((120, 60), [200, 0, 0, 255]), png((64, 64), [0, 0, 200, 255])];
    let fields = json!({ "instruction": "a fox", "negative_prompt": "dogs" });
    let output = stand.perform(&job("any", fields, &pictures)).await.unwrap();
    let header = codec::probe(&output.file, &codec::Limits::default()).unwrap();
    assert_eq!(header.size(), (128, 64));
    let asked = &stand.asked("/img_gen").await["body"]["json"];
    assert_eq!(asked["negative_prompt"], "dogs");
    assert_eq!(asked["ref_images"].as_array().unwrap().len(), 2);
    let cropped: Vec<_> = output.warnings.iter().filter_map(|it| it.param.as_deref()).collect();
    assert_eq!(cropped, ["imageUrls[1]"]);
    assert_eq!(stand.submissions("a fox").await, (1, 1));
}

#[tokio::test]
async fn its_probe_names_the_model() {
    let stand = Stand::new("sdcpp", SdCpp);
    assert_eq!(stand.upstream.probe().await.as_deref(), Ok("serves sim.gguf"));
}

#[tokio::test]
async fn a_job_of_before_a_restart_of_the_server_is_lost() {
    let stand = Stand::new("sdcpp", SdCpp);
    let task = Task {
        kind: retouch_core::Kind::ImageEdit,
        provider: "sdcpp".into(),
        model: "any".into(),
        ticket: Some(Ticket(json!({ "id": "job_gone", "cropped": [] }))),
        warnings: Vec::new(),
        cost: None,
    };
    let lost = stand.upstream.resume(&task).await;
    assert!(matches!(lost, Err(ProviderError::Unknown(_))), "{lost:?}");
}
