//! A generation in a list.

use retouch_core::{Kind, Timestamp};
use retouch_providers::{Media, built_in};
use retouch_store::{EditRecord, EditStatus};

use super::thumbnail_path;

/// A generation in a list.
pub(super) struct Tile {
    pub(super) uuid: String,
    /// The kind of result, as a noun.
    pub(super) made: &'static str,
    pub(super) status: &'static str,
    pub(super) instruction: String,
    /// The model, or the built-in editor, which is the same for all models.
    pub(super) by: String,
    pub(super) cost: i64,
    pub(super) at: Timestamp,
    /// The path of the result.
    pub(super) file: Option<String>,
    /// The path of its thumbnail, if it is an image.
    pub(super) thumbnail: Option<String>,
    /// What its owner calls it.
    pub(super) name: Option<String>,
    pub(super) is_starred: bool,
    /// Why it failed.
    pub(super) failure: Option<String>,
}

impl Tile {
    /// The tile of `edit`.
    pub(super) fn of(edit: &EditRecord) -> Self {
        let name = edit.stored.first();
        let is_picture = Media::of(edit.kind).is_image();
        Self {
            uuid: edit.id.to_string(),
            made: match edit.kind {
                Kind::ImageEdit => "Edit",
                Kind::TextToImage => "Image",
                Kind::Video => "Video",
            },
            status: edit.status.as_str(),
            instruction: edit.instruction.clone(),
            by: match edit.provider.as_str() {
                built_in::NAME => "built-in editor".to_owned(),
                _ => edit.model.clone(),
            },
            cost: edit.cost.get(),
            at: edit.created_at,
            file: name.map(|name| format!("/files/{name}")),
            thumbnail: name.filter(|_| is_picture).map(|name| thumbnail_path(name)),
            name: edit.name.clone(),
            is_starred: edit.is_starred,
            failure: edit.failure.as_ref().map(|failure| failure.message.clone()),
        }
    }

    /// Its name, or else what was asked for.
    pub(super) fn title(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.instruction)
    }

    /// Whether it is still in progress.
    pub(super) fn is_running(&self) -> bool {
        self.status == EditStatus::Processing.as_str()
    }
}
