//! The Gemini protocol: which requests are refused, both spellings of fields, and how a video is
//! made.

use retouch_sim::Sim;
use serde_json::{Value, json};

use super::client::{Seen, call, counted, get, sim};

const PRO: &str = "gemini-3-pro-image";
const VEO: &str = "veo-3.1-generate-preview";
/// The smallest PNG, one pixel.
const PIXEL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

fn ask(sim: &Sim, (model, method): (&str, &str), body: &Value) -> Seen {
    call(sim, "POST", &format!("/gemini/v1beta/models/{model}:{method}?key=any"), body)
}

fn draw(sim: &Sim, prompt: &str, config: &Value) -> Seen {
    let contents = json!([{ "parts": [{ "text": prompt }] }]);
    let body = json!({ "contents": contents, "generationConfig": config });
    ask(sim, (PRO, "generateContent"), &body)
}

fn film(sim: &Sim, prompt: &str, parameters: &Value) -> Seen {
    let body = json!({ "instances": [{ "prompt": prompt }], "parameters": parameters });
    ask(sim, (VEO, "predictLongRunning"), &body)
}

/// The operation that `prompt` started, polled until it is done.
fn filmed(sim: &Sim, prompt: &str) -> Value {
    let name = film(sim, prompt, &json!({})).json()["name"].as_str().expect("a name").to_owned();
    let mut operations = (0..9).map(|_| get(sim, &format!("/gemini/v1beta/{name}?key=any")).json());
    operations.find(|operation| operation["done"] == true).expect("the operation ends")
}

fn address_of(operation: &Value) -> String {
    let video = &operation["response"]["generateVideoResponse"]["generatedSamples"][0]["video"];
    video["uri"].as_str().expect("a URL").to_owned()
}

/// The path of a URL whose host is the one that these tests send as `Host`.
fn path_of(address: &str) -> &str {
    address.strip_prefix("http://sim").expect("a URL of the simulator")
}

#[test]
fn fields_are_read_in_both_spellings() {
    let sim = sim();
    let camel = json!({
        "contents": [{ "parts": [{ "inlineData": { "mimeType": "image/png", "data": PIXEL } }] }],
        "generationConfig": { "imageConfig": { "aspectRatio": "3:2" } },
    });
    let snake = json!({
        "contents": [{ "parts": [{ "inline_data": { "mime_type": "image/png", "data": PIXEL } }] }],
        "generation_config": { "image_config": { "aspect_ratio": "3:2" } },
    });
    let drawn = [camel, snake].map(|body| {
        let json = ask(&sim, (PRO, "generateContent"), &body).json();
        json["candidates"][0]["content"]["parts"].clone()
    });
    assert!(drawn[0][1]["inlineData"]["data"].is_string(), "{:?}", drawn[0]);
    assert_eq!(drawn[0], drawn[1]);
}

#[test]
fn what_is_wrong_is_said_in_googles_words() {
    let sim = sim();
    let cases = [
        (json!({ "imageConfig": { "imageSize": "2k" } }), "image_config.image_size"),
        (json!({ "imageConfig": { "aspectRatio": "5:3" } }), "image_config.aspect_ratio"),
        (json!({ "imageConfig": { "outputMimeType": "image/png" } }), "\"output_mime_type\""),
        (json!({ "candidateCount": 2 }), "Multiple candidates"),
        (json!({ "seed": "7" }), "generation_config.seed"),
        (json!({ "negativePrompt": "people" }), "\"negative_prompt\" at 'generation_config'"),
    ];
    for (config, words) in cases {
        let seen = draw(&sim, "wrong", &config);
        let error = &seen.json()["error"];
        assert_eq!((seen.status, &error["status"]), (400, &json!("INVALID_ARGUMENT")), "{config}");
        assert_eq!(error["code"], 400);
        let message = error["message"].as_str().expect("words");
        assert!(message.contains(words), "{message}");
    }
    assert_eq!(counted(&sim, "gemini", "wrong"), (0, 0));
}

#[test]
fn nobody_gets_in_without_a_key_or_by_another_version() {
    let sim = sim();
    let path = format!("/gemini/v1beta/models/{PRO}");
    let status = |path: &str| get(&sim, path).status;
    assert_eq!((status(&path), status(&format!("{path}?key=any"))), (403, 200));
    assert_eq!(status(&format!("/gemini/v2/models/{PRO}?key=any")), 404);
    assert_eq!(status(&format!("/gemini/v1/models/{PRO}?key=any")), 200);
    assert_eq!(status("/gemini/v1beta/models/nobody?key=any"), 404);
}

#[test]
fn a_film_is_at_an_address_that_wants_the_key_and_leads_elsewhere() {
    let sim = sim();
    let address = address_of(&filmed(&sim, "a film"));
    let path = path_of(&address);
    assert_eq!(get(&sim, path).status, 403);
    let seen = get(&sim, &format!("{path}&key=any"));
    assert_eq!(seen.status, 302);
    let file = get(&sim, path_of(seen.header("location").expect("a redirect")));
    assert_eq!((file.status, &file.body[4..8]), (200, &b"ftyp"[..]));
}

#[test]
fn films_end_badly_in_the_providers_shape() {
    let sim = sim();
    assert_eq!(filmed(&sim, "[sim:task_failed]")["error"]["code"], 13);
    for prompt in ["[sim:task_failed_content]", "[sim:refuse_content_output]"] {
        let videos = &filmed(&sim, prompt)["response"]["generateVideoResponse"];
        assert_eq!(videos["raiMediaFilteredCount"], 1, "{prompt}");
    }
    for (prompt, status) in [("[sim:task_expired]", 403), ("[sim:address_404]", 302)] {
        let address = address_of(&filmed(&sim, prompt));
        let seen = get(&sim, &format!("{}&key=any", path_of(&address)));
        assert_eq!(seen.status, status, "{prompt}");
        let elsewhere = seen.header("location").map(|to| get(&sim, path_of(to)).status);
        assert_eq!(elsewhere, (status == 302).then_some(404), "{prompt}");
    }
    assert!(address_of(&filmed(&sim, "[sim:address_private]")).starts_with("http://10."));
}

#[test]
fn films_that_are_not_made_are_refused_at_once() {
    let sim = sim();
    let cases = [
        json!({ "durationSeconds": 5 }),
        json!({ "aspectRatio": "1:1" }),
        json!({ "resolution": "1080p", "durationSeconds": 4 }),
        json!({ "sampleCount": 2 }),
        json!({ "generateAudio": true }),
    ];
    for parameters in cases {
        assert_eq!(film(&sim, "wrong", &parameters).status, 400, "{parameters}");
    }
    let refused = film(&sim, "[sim:refuse_content_input]", &json!({}));
    assert_eq!(refused.status, 400);
    assert_eq!(ask(&sim, (VEO, "generateContent"), &json!({})).status, 404);
}
