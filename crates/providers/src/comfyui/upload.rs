//! Uploads images to ComfyUI.

use serde::Deserialize;

use super::answers;
use crate::upstream::{Answer, Body, Call, Fault, Order, Part, Picture};

/// The location of an image on the server.
#[derive(Deserialize)]
struct Stored {
    name: String,
    #[serde(default)]
    subfolder: String,
}

/// One upload for each image. The names contain the edit's ID, so if an edit is tried again, it
/// overwrites its own images only.
pub(super) fn calls(order: &Order<'_>) -> Vec<Call> {
    let call = |(number, picture): (usize, &Picture)| {
        let media_type = picture.format.media_type();
        let extension = media_type.rsplit('/').next().unwrap_or_default();
        let name = format!("retouch-{}-{number}.{extension}", order.id);
        let form = vec![
            Part::file("image", name, media_type, picture.bytes.clone()),
            Part::text("type", "input"),
            Part::text("overwrite", "true"),
        ];
        Call::post("/upload/image", Body::Form(form))
    };
    (1..).zip(order.pictures).map(call).collect()
}

/// The server's name for an uploaded image.
pub(super) fn name(answer: &Answer) -> Result<String, Fault> {
    if !answer.status.is_success() {
        return Err(answers::at_the_door(answer));
    }
    // Without a name, the upload failed, and no work was done.
    let stored: Stored = answer.json().map_err(|_| Fault::busy(answer.shown(), None))?;
    let Stored { name, subfolder } = stored;
    Ok(if subfolder.is_empty() { name } else { format!("{subfolder}/{name}") })
}
