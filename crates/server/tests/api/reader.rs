//! A language model that reads what the built-in editor refuses: what it may change, and what not.

#[path = "reader/failures.rs"]
mod failures;
#[path = "reader/lies.rs"]
mod lies;

use retouch_server::api;
use serde_json::{Value, json};

use crate::support::language_model::{LanguageModel, sentences, settings};
use crate::support::persona::Persona;
use crate::support::pictures;

/// "make it brighter and crop it to 16:9, please"
const SPANISH: &str = "hazla más brillante y recórtala a 16:9, por favor";

/// A good answer about [`SPANISH`].
fn spanish() -> String {
    sentences(
        "make it brighter and crop it to 16:9, please",
        &[("hazla más brillante", "increase the brightness"), ("recórtala a 16:9", "crop to 16:9")],
        &["y", "por favor"],
    )
}

/// What the built-in editor itself says to an instruction.
async fn strictly(caller: &Persona, instruction: &str) -> Value {
    let body = json!({ "instruction": instruction, "instruction_reader": "strict" });
    caller.post("/api/plan", &body).await.ok()
}

#[tokio::test]
async fn a_language_model_rewords_what_is_not_understood() {
    let model = LanguageModel::new().await;
    let ada = model.app.caller("ada@example.com").await;
    model.says(&[spanish()]).await;
    let done = ada.edit_with(&json!({ "instruction": SPANISH })).await.ok();
    let plan = &done["generation"]["plan"];
    let words = json!(["increase the brightness by 20%", "crop to the ratio 16:9 at the center"]);
    assert_eq!(plan["words"], words, "{done}");
    let reader = json!({
        "model": "test-8b",
        "instruction": "increase the brightness, then crop to 16:9",
        "ignored": ["y", "por favor"],
    });
    assert_eq!(plan["reader"], reader);
    let understood = json!([
        { "span": [0, 19], "words": "hazla más brillante", "step": 0 },
        { "span": [22, 38], "words": "recórtala a 16:9", "step": 1 },
    ]);
    assert_eq!(plan["understood"], understood);
    assert_eq!(done["generation"]["instruction"], SPANISH);
    let warning = &done["warnings"][0];
    assert_eq!(warning["code"], "instruction_reworded", "{done}");
    assert_eq!(ada.available().await, 9);
    let requests = model.requests().await;
    assert_eq!(requests.len(), 1);
    let sent = requests[0]["body"].to_string();
    assert!(sent.contains("recórtala") && !sent.contains(&pictures::base64(4, 3)), "{sent}");
    model.app.check().await;
}

#[tokio::test]
async fn it_is_asked_only_about_refusals_that_it_could_change() {
    let model = LanguageModel::new().await;
    let ada = model.app.rich_caller("ada@example.com").await;
    ada.edit_with(&json!({ "instruction": "make it brighter" })).await.ok();
    for certain in ["do not rotate it", "blur by 90000px", "make it brighter and darker"] {
        let refused = ada.edit_with(&json!({ "instruction": certain })).await;
        refused.is_error(400, "instruction_not_supported", Some("instruction"));
    }
    // Another provider reads the words in its own way.
    ada.edit(SPANISH).await.ok();
    let strict = json!({ "instruction": SPANISH, "instruction_reader": "strict" });
    let refused = ada.edit_with(&strict).await;
    refused.is_error(400, "instruction_not_supported", Some("instruction"));
    let wrong = json!({ "instruction": SPANISH, "instruction_reader": "loose" });
    let wrong = ada.edit_with(&wrong).await;
    wrong.is_error(400, "invalid_value", Some("instruction_reader"));
    assert_eq!(model.requests().await, [] as [Value; 0]);
    model.app.check().await;
}

#[tokio::test]
async fn the_same_words_cost_one_call_and_previews_and_visitors_none() {
    let model = LanguageModel::new().await;
    let ada = model.app.caller("ada@example.com").await;
    let visitor = model.app.anon();
    let words = json!({ "instruction": SPANISH });
    let preview = json!({ "instruction": SPANISH, "imageBase64": pictures::base64(40, 30) });
    ada.post("/api/preview", &preview).await.is_error(
        400,
        "instruction_not_supported",
        Some("instruction"),
    );
    assert_eq!(visitor.post("/api/plan", &words).await.ok()["plan"], Value::Null);
    assert_eq!(model.requests().await.len(), 0);
    model.says(&[spanish()]).await;
    let plan = ada.post("/api/plan", &words).await.ok()["plan"].clone();
    assert_eq!(plan["reader"]["model"], "test-8b", "{plan}");
    assert_eq!(visitor.post("/api/plan", &words).await.ok()["plan"], plan);
    assert_eq!(ada.post("/api/preview", &preview).await.ok()["plan"], plan);
    assert_eq!(ada.post("/api/estimate", &preview).await.ok()["plan"], plan);
    assert_eq!(ada.edit_with(&words).await.ok()["generation"]["plan"], plan);
    assert_eq!(model.requests().await.len(), 1);
    model.app.check().await;
}

#[tokio::test]
async fn all_protocols_have_it() {
    let model = LanguageModel::new().await;
    let ada = model.app.rich_caller("ada@example.com").await;
    let made = "un degradado de rojo a azul";
    let english = "a gradient from red to blue";
    model.says(&[sentences(english, &[(made, english)], &[]), spanish()]).await;
    let body = json!({ "prompt": made, "model": "alpha-image-2-free", "n": 2 });
    let images = ada.post("/v1/images/generations", &body).await.ok();
    assert_eq!(images["data"].as_array().unwrap().len(), 2, "{images}");
    let arguments = json!({ "instruction": SPANISH });
    let params = json!({ "name": "plan_edit", "arguments": arguments });
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let planned = ada.post("/mcp", &call).await.ok();
    let plan = &planned["result"]["structuredContent"]["plan"];
    assert_eq!(plan["reader"]["model"], "test-8b", "{planned}");
    assert_eq!(model.requests().await.len(), 2);
    model.app.check().await;
}

#[tokio::test]
async fn a_repeated_call_finds_its_result_whatever_the_model_says_now() {
    let model = LanguageModel::new().await;
    let ada = model.app.caller("ada@example.com").await.with_header("idempotency-key", "first");
    model.says(&[spanish()]).await;
    let first = ada.edit_with(&json!({ "instruction": SPANISH })).await.ok();
    // A new process has forgotten the answer, and the server is gone.
    let app = model.app.second_with(&settings("http://127.0.0.1:9/v1")).await;
    let ada = ada.at(api::router(app));
    let again = ada.edit_with(&json!({ "instruction": SPANISH })).await;
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(again.ok(), first);
    assert_eq!(ada.available().await, 9);
    model.app.check().await;
}

#[tokio::test]
async fn work_in_the_background_is_read_once() {
    let model = LanguageModel::new().await;
    let ada = model.app.caller("ada@example.com").await.with_header("prefer", "respond-async");
    model.says(&[spanish()]).await;
    let accepted = ada.edit_with(&json!({ "instruction": SPANISH })).await;
    assert_eq!(accepted.status, 202);
    model.app.settled().await;
    let done = ada.look(&accepted).await;
    assert_eq!(done["status"], "succeeded", "{done}");
    assert_eq!(done["plan"]["reader"]["model"], "test-8b");
    assert_eq!(model.requests().await.len(), 1);
    model.app.check().await;
}

#[tokio::test]
async fn it_may_ask_a_question_or_say_that_a_generative_model_is_needed() {
    let model = LanguageModel::new().await;
    let ada = model.app.caller("ada@example.com").await;
    let answer = |outcome: &str, question: &str| {
        json!({
            "english": "…", "outcome": outcome, "steps": [], "ignored": [], "question": question,
        })
        .to_string()
    };
    let question = "¿Cuántos grados?";
    model.says(&[answer("question", question), answer("needs_model", "")]).await;
    let asked = ada.edit_with(&json!({ "instruction": "gírala un poquito" })).await;
    let message = asked.is_error(400, "instruction_not_supported", Some("instruction"));
    assert_eq!(message, question);
    let plan = ada.post("/api/plan", &json!({ "instruction": "gírala un poquito" })).await.ok();
    assert_eq!(plan["refusal"]["kind"], "missing_detail", "{plan}");
    let plan = ada.post("/api/plan", &json!({ "instruction": "ponle un sombrero" })).await.ok();
    assert_eq!(plan["refusal"]["kind"], "needs_generative_model", "{plan}");
    // About what the built-in editor is certain of, nothing but a plan could change its mind.
    model.says(&[answer("question", "Which half should I crop?")]).await;
    let words = "remove the person";
    let plan = ada.post("/api/plan", &json!({ "instruction": words })).await.ok();
    assert_eq!(plan, strictly(&ada, words).await);
    assert_eq!(model.requests().await.len(), 3);
    model.app.check().await;
}

#[tokio::test]
async fn an_answer_that_is_wrong_may_be_fixed_once() {
    let model = LanguageModel::new().await;
    let ada = model.app.caller("ada@example.com").await;
    let wrong = [
        // The editor doesn't know this sentence.
        sentences(SPANISH, &[(SPANISH, "let there be light")], &[]),
        // It quotes other words.
        sentences(SPANISH, &[("hazla brillante", "increase the brightness")], &[]),
        // It leaves words out.
        sentences(SPANISH, &[("hazla más brillante", "increase the brightness")], &["por favor"]),
    ];
    let faults = [
        "\"let there be light\" wasn't understood",
        "not copied exactly",
        "neither in words nor in ignored: y, recórtala",
    ];
    for (number, (wrong, fault)) in wrong.into_iter().zip(faults).enumerate() {
        let words = json!({ "instruction": format!("{SPANISH}{}", " ".repeat(number)) });
        model.says(&[wrong, spanish()]).await;
        let plan = ada.post("/api/plan", &words).await.ok();
        assert_eq!(plan["plan"]["reader"]["ignored"], json!(["y", "por favor"]), "{plan}");
        let requests = model.requests().await;
        assert_eq!(requests.len(), 2 * number + 2);
        let messages = requests.last().unwrap()["body"]["json"]["messages"].as_array().unwrap();
        let roles: Vec<_> = messages.iter().map(|message| message["role"].clone()).collect();
        assert_eq!(roles, ["system", "user", "assistant", "user"]);
        let said = messages[3]["content"].to_string();
        assert!(said.replace("\\\"", "\"").contains(fault), "{said}");
        // Neither of the two answers is asked for again.
        let visitor = model.app.anon();
        assert_eq!(visitor.post("/api/plan", &words).await.ok(), plan);
        assert_eq!(ada.post("/api/plan", &words).await.ok(), plan);
        assert_eq!(model.requests().await.len(), requests.len());
    }
    model.app.check().await;
}

#[tokio::test]
async fn what_is_ignored_may_mention_things() {
    let model = LanguageModel::new().await;
    let ada = model.app.caller("ada@example.com").await;
    let words = "our church choir sang in the village hall, so cronchify it to 16:9";
    let ignored = ["our church choir sang in the village hall,", "so"];
    model.says(&[sentences(words, &[("cronchify it to 16:9", "crop to 16:9")], &ignored)]).await;
    let plan = ada.post("/api/plan", &json!({ "instruction": words })).await.ok();
    assert_eq!(plan["plan"]["words"], json!(["crop to the ratio 16:9 at the center"]), "{plan}");
    model.app.check().await;
}

#[tokio::test]
async fn numbers_and_colors_that_the_model_adds_are_assumptions() {
    let model = LanguageModel::new().await;
    let ada = model.app.caller("ada@example.com").await;
    let words = "resize to the size of a postcard and cronchify it in terracotta";
    let steps = [
        ("resize to the size of a postcard", "resize to 1748x1240"),
        ("cronchify it in terracotta", "tint it sienna"),
    ];
    model.says(&[sentences(words, &steps, &[])]).await;
    let plan = ada.post("/api/plan", &json!({ "instruction": words })).await.ok();
    let assumed = plan["plan"]["assumed"].to_string();
    assert!(assumed.contains("the language model chose 1240, 1748 in"), "{plan}");
    assert!(assumed.contains("the language model chose sienna in"), "{plan}");
    model.app.check().await;
}

#[tokio::test]
async fn an_answer_counts_with_anything_around_it() {
    let model = LanguageModel::new().await;
    let ada = model.app.caller("ada@example.com").await;
    let around = [
        format!("<think>{{brighter?}}</think>\n{}", spanish()),
        format!("Sure! Here it is:\n```json\n{}\n```\nAnything else?", spanish()),
    ];
    for (number, text) in around.into_iter().enumerate() {
        model.says(&[text]).await;
        // Other white space is another wording.
        let words = format!("{SPANISH}{}", " ".repeat(number));
        let plan = ada.post("/api/plan", &json!({ "instruction": words })).await.ok();
        assert_eq!(plan["plan"]["reader"]["model"], "test-8b", "{plan}");
    }
    model.app.check().await;
}

#[tokio::test]
async fn servers_that_know_fewer_parameters_are_asked_with_fewer() {
    for (name, calls) in [("reasoning-1", 2), ("basic-1", 3)] {
        let model = LanguageModel::with(&[("RETOUCH_READER__MODEL", name)]).await;
        let ada = model.app.caller("ada@example.com").await;
        model.says(&[spanish(), spanish()]).await;
        for (more, all) in [("", calls), (" ", calls + 1)] {
            let words = json!({ "instruction": format!("{SPANISH}{more}") });
            let plan = ada.post("/api/plan", &words).await.ok();
            assert_eq!(plan["plan"]["reader"]["model"], name, "{plan}");
            assert_eq!(model.requests().await.len(), all);
        }
        model.app.check().await;
    }
}
