//! Pictures on their way to ComfyUI.

use serde::Deserialize;

use super::answers;
use crate::upstream::{Answer, Body, Call, Fault, Order, Part, Picture};

/// Where a picture lies on the server.
#[derive(Deserialize)]
struct Stored {
    name: String,
    #[serde(default)]
    subfolder: String,
}

/// One upload for each picture. Their names are made of the edit's, so that an attempt that is
/// made again writes over its own pictures and no one else's.
pub(super) fn calls(order: &Order<'_>) -> Vec<Call> {
    let call = |(number, picture): (usize, &Picture)| {
        let media_type = picture.format.media_type();
        let extension = media_type.rsplit('/').next().unwrap_or_default();
        let name = format!("retouch-{}-{number}.{extension}", order.id);
        let form = vec![
            Part::file("image", name, (media_type, picture.bytes.clone())),
            Part::text("type", "input"),
            Part::text("overwrite", "true"),
        ];
        Call::post("/upload/image", Body::Form(form))
    };
    (1..).zip(order.pictures).map(call).collect()
}

/// What the server calls an uploaded picture.
pub(super) fn name(answer: &Answer) -> Result<String, Fault> {
    if !answer.status.is_success() {
        return Err(answers::at_the_door(answer));
    }
    // An upload without a name is no work done.
    let stored: Stored = answer.json().map_err(|_| Fault::busy(answer.shown(), None))?;
    let Stored { name, subfolder } = stored;
    Ok(if subfolder.is_empty() { name } else { format!("{subfolder}/{name}") })
}
