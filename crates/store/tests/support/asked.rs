//! The edit that the tests request.

use retouch_core::{Credits, EditId, Kind, Timestamp};
use retouch_store::OpenEdit;

/// An edit that costs 6 credits, requested without an API key and performed by `process-1`, with
/// this lease.
pub(crate) fn asked(id: EditId, lease_until: Timestamp) -> OpenEdit {
    OpenEdit {
        id,
        kind: Kind::ImageEdit,
        model: "alpha-image-1".into(),
        provider: "built-in".into(),
        instruction: "make it grey".into(),
        price: Credits::from(6),
        key: None,
        idempotency: None,
        blob: format!("{id}.png"),
        request: None,
        input_blob: None,
        input_name: None,
        plan: None,
        warnings: "[]".into(),
        owner: "process-1".into(),
        lease_until,
        is_background: false,
        is_kept: false,
        at_once_max: 1_000,
        is_paid: true,
    }
}
