//! The body of any call that charges, whose kind follows from its fields.

use super::body::Body;
use super::preview::has_images;
use super::rejected::Rejected;
use super::{Edit, RequestLimits, draft, fields};
use crate::Kind;
use crate::catalogue::Catalogue;

/// The field that says the kind, which the calls themselves do not have.
const KIND: &str = "kind";

impl Catalogue {
    /// Accepts the body of any call that charges, or reports the first thing that is wrong with it.
    /// Its `kind` says which call is meant. Without one, `duration_seconds` or a video model means a
    /// video, images mean an edit, and anything else means an image from text.
    ///
    /// # Errors
    /// The first mistake, as for that call.
    pub fn accept_estimate(
        &self,
        body: &Body<'_>,
        limits: RequestLimits,
    ) -> Result<Edit, Rejected> {
        let kind = match draft::kind(body)? {
            Some(kind) => kind,
            None if self.is_of_video(body)? => Kind::Video,
            None if has_images(body) => Kind::ImageEdit,
            None => Kind::TextToImage,
        };
        let mut edit = self.accept(kind, body, limits)?;
        edit.warnings.retain(|warning| warning.param.as_deref() != Some(KIND));
        Ok(edit)
    }

    fn is_of_video(&self, body: &Body<'_>) -> Result<bool, Rejected> {
        let model = fields::word(body, "model")?;
        let model = model.as_deref().and_then(|name| self.find_model(name));
        let makes_videos = model.is_some_and(|model| model.does(Kind::Video));
        Ok(makes_videos || body.get("duration_seconds").is_some())
    }
}
