//! What a browser reports about the page that used a passkey (Web Authentication, 5.8.1).

use serde::Deserialize;

use super::{Ceremony, Distrust};

/// What a browser reports.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ClientData {
    #[serde(rename = "type")]
    kind: String,
    pub(super) challenge: String,
    origin: String,
    #[serde(default)]
    cross_origin: bool,
    top_origin: Option<String>,
}

impl ClientData {
    pub(super) fn read(json: &[u8]) -> Result<Self, Distrust> {
        // serde would also accept an array of the same values, and invalid UTF-8 in fields that it
        // skips.
        let text = str::from_utf8(json).ok().filter(|text| text.starts_with('{'));
        serde_json::from_str(text.ok_or(Distrust::Malformed)?).map_err(|_| Distrust::Malformed)
    }

    /// Checks that it responds to `asked`, from a page of `origin` that is not embedded elsewhere.
    pub(super) fn check(&self, asked: Ceremony, origin: &str) -> Result<(), Distrust> {
        let kind = match asked {
            Ceremony::Create => "webauthn.create",
            Ceremony::Get => "webauthn.get",
        };
        if self.kind != kind {
            return Err(Distrust::Ceremony);
        }
        let is_ours = self.origin == origin && !self.cross_origin && self.top_origin.is_none();
        if is_ours { Ok(()) } else { Err(Distrust::Origin) }
    }
}
