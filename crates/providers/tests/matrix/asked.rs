//! What a provider is sent for a request, and what is reported to the caller.

use std::fmt;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use retouch_core::catalogue::Catalogue;
use retouch_core::edit::{Body, Edit, RequestLimits};
use retouch_core::{Kind, Warning};
use retouch_engine::codec::Format;
use retouch_providers::upstream::{Answer, Dialect, Order, Picture};
use serde_json::Value;

use crate::cases::Case;
use crate::text;

/// Width, height and format of the images, in their order. The first has the aspect ratio 4:3.
const PICTURES: [((u32, u32), Format); 4] = [
    ((1600, 1200), Format::Jpeg),
    ((640, 640), Format::Png),
    ((300, 400), Format::Jpeg),
    ((800, 450), Format::Jpeg),
];

/// Exactly what is sent, and what is reported to the caller.
pub(crate) struct Asked {
    /// The calls, with a line for each field.
    pub(crate) lines: Vec<String>,
    /// Warnings, or the reason for a refusal.
    pub(crate) remarks: Vec<String>,
}

/// A request of a kind.
pub(crate) struct Request<'a> {
    pub(crate) catalogue: &'a Catalogue,
    pub(crate) case: &'a Case,
    pub(crate) kind: Kind,
}

impl Asked {
    /// The outcome of `request` at a provider that calls the model `model`.
    pub(crate) fn of(request: &Request<'_>, dialect: &dyn Dialect, model: &str) -> Self {
        let Request { catalogue, case, kind } = *request;
        let edit = match accepted(catalogue, case, kind) {
            Ok(edit) => edit,
            Err(reason) => return Self::refused(&reason),
        };
        let warnings = match dialect.read(&edit, model) {
            Ok(warnings) => warnings,
            Err(refused) => return Self::refused(&refused.message),
        };
        let pictures: Vec<_> = (0..case.pictures).map(picture).collect();
        let id = "019aa000-0000-7000-8000-000000000001".parse().unwrap();
        let order =
            Order { id, edit: &edit, model, pictures: &pictures, mask: None, end_user: None };
        let uploads = dialect.uploads(&order);
        let uploaded: Vec<_> = uploads.iter().map(|_| uploaded()).collect();
        let submission = dialect.submit(&order, &uploaded).unwrap();
        let calls = uploads.iter().chain([&submission.call]);
        let remarks = edit.warnings.iter().chain(&warnings).map(shown).collect();
        Self { lines: calls.flat_map(text::lines).collect(), remarks }
    }

    fn refused(reason: &str) -> Self {
        Self { lines: Vec::new(), remarks: vec![format!("refused: {reason}")] }
    }

    /// The differences from the plainest request.
    pub(crate) fn beside(&self, plain: &Self) -> String {
        let mut text = String::new();
        if !self.lines.is_empty() {
            for line in without(&plain.lines, &self.lines) {
                text += &format!("- {line}\n");
            }
            for line in without(&self.lines, &plain.lines) {
                text += &format!("+ {line}\n");
            }
        }
        for remark in without(&self.remarks, &plain.remarks) {
            text += &format!("! {remark}\n");
        }
        if text.is_empty() { "as the plainest\n".into() } else { text }
    }
}

impl fmt::Display for Asked {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        self.remarks.iter().try_for_each(|remark| writeln!(out, "! {remark}"))
    }
}

/// The lines of `these` that `those` does not have.
fn without<'a>(these: &'a [String], those: &'a [String]) -> impl Iterator<Item = &'a String> {
    these.iter().filter(|line| !those.contains(line))
}

fn accepted(catalogue: &Catalogue, case: &Case, kind: Kind) -> Result<Edit, String> {
    let mut fields = case.fields.clone();
    fields["model"] = case.model.clone().into();
    fields["instruction"] = "make it night".into();
    if case.pictures > 0 {
        let addresses = (0..case.pictures).map(|index| format!("https://there.example/{index}"));
        fields["imageUrls"] = addresses.map(Value::from).collect();
    }
    let text = fields.to_string();
    let body = Body::parse(text.as_bytes()).unwrap();
    let limits = RequestLimits { image_bytes_max: 1 << 20 };
    let edit = catalogue.accept(kind, &body, limits).map_err(|rejected| rejected.to_string())?;
    // A request that the price does not cover never reaches a provider.
    edit.provider_price().map_err(|rejected| rejected.to_string())?;
    Ok(edit)
}

fn picture(index: usize) -> Picture {
    let ((width, height), format) = PICTURES[index];
    Picture { bytes: Bytes::from(format!("picture {index}")), format, width, height }
}

/// A response to an upload that every provider's adapter can read.
fn uploaded() -> Answer {
    let body = r#"{"urls":{"get":"https://vendor.example/upload"},"name":"upload.png"}"#;
    Answer { status: StatusCode::OK, headers: HeaderMap::new(), body: body.into() }
}

fn shown(warning: &Warning) -> String {
    format!("{}: {}", warning.code, warning.message)
}
