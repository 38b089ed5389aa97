//! From what was sent to what can be done.

use super::body::Body;
use super::json::short;
use super::rejected::{Reason, Rejected};
use super::{Edit, RequestLimits, fields, output, pictures, unknown};
use crate::catalogue::{Catalogue, Model};
use crate::{Kind, Warning};
use std::sync::Arc;

impl Catalogue {
    /// Accepts a request for an edit, or says what is wrong with it, first thing first.
    pub fn accept(&self, body: &Body<'_>, limits: RequestLimits) -> Result<Edit, Rejected> {
        let instruction = fields::instruction(body)?;
        let model = self.model(body)?;
        let pictures = pictures::accept(body, model, limits)?;
        let mut warnings = Vec::new();
        if fields::asks_for_several(body)? {
            let message = format!("{} returns 1 image a call; `n` was taken as 1.", model.id);
            warnings.push(Warning::about("n_clamped", "n", message));
        }
        let output = output::accept(body, model)?;
        warnings.extend(output.warnings);
        let edit = Edit {
            kind: Kind::ImageEdit,
            instruction,
            pictures,
            aspect_ratio: output.aspect_ratio,
            size: output.size,
            quality: output.quality,
            watermark: fields::boolean(body, "watermark")?,
            negative_prompt: fields::negative_prompt(body)?,
            prompt_extend: fields::boolean(body, "prompt_extend")?,
            duration_seconds: None,
            price: model.price(output.quality),
            model: Arc::clone(model),
            warnings,
        };
        Ok(with_unknown_fields(edit, body))
    }

    fn model(&self, body: &Body<'_>) -> Result<&Arc<Model>, Rejected> {
        let name = fields::text(body, "model")?.unwrap_or(&self.default_model);
        self.find_model(name).ok_or_else(|| {
            let (name, known) = (short(name), self.model_names());
            let message = format!("There is no model {name:?}. The models are: {known}.");
            Rejected::field(Reason::UnknownModel, "model", message)
        })
    }
}

fn with_unknown_fields(mut edit: Edit, body: &Body<'_>) -> Edit {
    edit.warnings.extend(unknown::warnings(body));
    edit
}
