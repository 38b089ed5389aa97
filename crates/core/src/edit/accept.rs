//! Turns a request body into an edit that can be performed.

use super::body::Body;
use super::draft::{Task, task};
use super::json::short;
use super::rejected::{Reason, Rejected};
use super::{Edit, RequestLimits, fields, output, pictures, unknown};
use crate::catalogue::{Catalogue, Model, Quality};
use crate::image::Encoding;
use crate::{Kind, Warning};
use std::sync::Arc;

impl Catalogue {
    /// Accepts a request for `kind`, or reports the first thing that is wrong with it.
    pub fn accept(
        &self,
        kind: Kind,
        body: &Body<'_>,
        limits: RequestLimits,
    ) -> Result<Edit, Rejected> {
        let task = match kind {
            Kind::Video => Task::Words(fields::instruction(body)?),
            Kind::ImageEdit | Kind::TextToImage => task(body)?,
        };
        let (instruction, plan) = match task {
            Task::Words(words) => (words, None),
            Task::Plan(plan) => (String::new(), Some(plan)),
        };
        let model = self.model(kind, body)?;
        let pictures = pictures::accept(body, (kind, model), limits)?;
        let mut warnings = Vec::new();
        if fields::asks_for_several(body)? {
            let (id, what) = (&model.id, if kind == Kind::Video { "video" } else { "image" });
            let message = format!("{id} returns 1 {what} per call, so `n` was set to 1.");
            warnings.push(Warning::about("n_clamped", "n", message));
        }
        let output = output::accept(body, model)?;
        warnings.extend(output.warnings);
        let encoding = match kind {
            Kind::Video => Encoding::default(),
            Kind::ImageEdit | Kind::TextToImage => output::encoding(body, &mut warnings)?,
        };
        let duration_seconds = match kind {
            Kind::Video => Some(fields::duration_seconds(body, model)?),
            Kind::ImageEdit | Kind::TextToImage => None,
        };
        let quality = output.quality.unwrap_or(Quality::Medium);
        let tier = model.tier(quality, output.size, duration_seconds);
        let background = match kind {
            Kind::Video => None,
            Kind::ImageEdit | Kind::TextToImage => output::background(body, encoding.format)?,
        };
        let supplement = body.supplement();
        warnings.extend(supplement.map(|it| it.warnings.clone()).unwrap_or_default());
        let edit = Edit {
            kind,
            instruction,
            plan,
            is_read_strictly: kind == Kind::Video || fields::is_read_strictly(body)?,
            rewording: None,
            input_name: fields::input_name(body)?.filter(|_| !pictures.is_empty()),
            pictures,
            mask: supplement.and_then(|it| it.mask.clone()),
            aspect_ratio: output.aspect_ratio,
            size: output.size,
            quality: output.quality,
            watermark: fields::boolean(body, "watermark")?,
            negative_prompt: fields::negative_prompt(body)?,
            prompt_extend: fields::boolean(body, "prompt_extend")?,
            background,
            encoding,
            is_format_asked: body.get("output_format").is_some(),
            duration_seconds,
            is_duration_asked: kind == Kind::Video && body.get("duration_seconds").is_some(),
            tier,
            price: model.price(tier).unwrap_or(model.credits),
            model: Arc::clone(model),
            warnings,
        };
        Ok(with_unknown_fields(edit, body))
    }

    fn model(&self, kind: Kind, body: &Body<'_>) -> Result<&Arc<Model>, Rejected> {
        let known = || self.model_names(kind);
        let rejected =
            |message: String| Err(Rejected::field(Reason::UnknownModel, "model", message));
        let named = fields::word(body, "model")?;
        let Some(name) = named.or_else(|| self.default_for(kind).map(Into::into)) else {
            return rejected("This server has no model for this call.".into());
        };
        let shown = short(&name);
        match self.find_model(&name) {
            Some(model) if model.does(kind) => Ok(model),
            Some(_) => {
                let (what, known) = (made(kind), known());
                rejected(format!("{shown:?} can't {what}. Models that can: {known}."))
            }
            None => {
                let known = known();
                rejected(format!("Unknown model {shown:?}. Available models: {known}."))
            }
        }
    }
}

/// What a model for `kind` can do, as a phrase for messages.
fn made(kind: Kind) -> &'static str {
    match kind {
        Kind::ImageEdit => "edit images",
        Kind::TextToImage => "create images from text",
        Kind::Video => "make videos",
    }
}

fn with_unknown_fields(mut edit: Edit, body: &Body<'_>) -> Edit {
    edit.warnings.extend(unknown::warnings(edit.kind, body));
    edit
}
