//! The smallest protocol that shows what the driver does at every point where one can break.

use retouch_core::Warning;
use retouch_core::edit::Edit;
use retouch_providers::Refused;
use retouch_providers::upstream::{
    Answer, Artefact, Auth, Body, Call, Dialect, Fault, Harvest, Meaning, Order, PictureRules,
    Step, Submission, Ticket, text,
};
use serde_json::{Value, json};

/// A protocol whose responses say in JSON what they mean.
#[derive(Clone, Copy, Default)]
pub struct Toy {
    /// Whether the client chooses the names of tasks.
    pub names_tasks: bool,
    /// Whether images are uploaded before the work is submitted.
    pub uploads: bool,
}

impl Dialect for Toy {
    fn auth(&self) -> Auth {
        Auth::Header("x-toy-key")
    }

    fn read(&self, _: &Edit, _: &str) -> Result<Vec<Warning>, Refused> {
        Ok(Vec::new())
    }

    fn picture_rules(&self, _: &str) -> PictureRules {
        PictureRules { count_max: 2, ..PictureRules::GENEROUS }
    }

    fn uploads(&self, order: &Order<'_>) -> Vec<Call> {
        let pictures = order.pictures.iter().filter(|_| self.uploads);
        pictures.map(|picture| Call::post("/upload", Body::Json(picture.bytes.clone()))).collect()
    }

    fn submit(&self, order: &Order<'_>, _: &[Answer]) -> Result<Submission, Fault> {
        let body = json!({ "prompt": order.edit.instruction, "pictures": order.pictures.len() });
        let ticket = self.names_tasks.then(|| Ticket(json!({ "id": order.id.to_string() })));
        Ok(Submission { call: Call::post("/submit", Body::json(&body)), ticket })
    }

    fn submitted(&self, _: &Order<'_>, answer: &Answer) -> Meaning {
        meaning(answer)
    }

    fn poll(&self, ticket: &Ticket) -> Call {
        Call::get(format!("/task/{}", ticket.0["id"].as_str().unwrap_or_default()))
    }

    fn polled(&self, _: &Ticket, answer: &Answer) -> Meaning {
        meaning(answer)
    }

    fn is_at_result(&self, ticket: &Ticket) -> bool {
        ticket.0["ended"].is_boolean()
    }

    fn poll_wait_ms(&self, _: u32) -> u64 {
        50
    }

    fn probe(&self) -> Call {
        Call::get("/probe")
    }

    fn probed(&self, answer: &Answer) -> Result<String, String> {
        if answer.status.is_success() { Ok("alive".into()) } else { Err(answer.shown()) }
    }
}

fn meaning(answer: &Answer) -> Meaning {
    match answer.status.as_u16() {
        200 => {}
        400 => return Err(Fault::content(&answer.shown())),
        401 => return Err(Fault::barred(answer.shown())),
        404 => return Err(Fault::Lost(answer.shown())),
        429 => return Err(Fault::busy(answer.shown(), answer.retry_after_ms())),
        _ => return Err(Fault::Failed(answer.shown())),
    }
    let said: Value = answer.json()?;
    if let Some(id) = said["task"].as_str() {
        return Ok(Step::Submitted(Ticket(json!({ "id": id }))));
    }
    if let Some(id) = said["ended"].as_str() {
        return Ok(Step::Submitted(Ticket(json!({ "id": id, "ended": true }))));
    }
    if said["working"].is_number() {
        return Ok(Step::Working { wait_ms: said["working"].as_u64() });
    }
    let inline = said["png"].as_str().map(text::decode_base64).transpose()?;
    let mut artefacts: Vec<Artefact> = inline.into_iter().map(Artefact::Bytes).collect();
    artefacts.extend(said["url"].as_str().map(|url| Artefact::Address(url.into())));
    artefacts.extend(said["path"].as_str().map(|path| Artefact::Call(Call::get(path))));
    Ok(Step::Done(Harvest { artefacts, ..Harvest::default() }))
}
