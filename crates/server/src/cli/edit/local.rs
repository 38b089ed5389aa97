//! Edits the images of a list by the built-in editor, within the memory of the machine.

use std::time::Instant;

use retouch_core::image::Encoding;
use retouch_engine::{Plan, codec, execute_any};
use retouch_providers::built_in::plan;

use super::budget::Budget;
use super::output;
use super::workers::{Done, Editor, NotEdited, Order};
use super::{bytes_of, decode};
use crate::config::machine;

/// The built-in editor with the plan for all images.
pub(super) struct Local {
    plan: Plan,
    budget: Budget,
}

impl Local {
    pub(super) fn new(plan: Plan) -> Self {
        Self { plan, budget: Budget::of_machine() }
    }

    fn encoding(&self, order: &Order) -> Encoding {
        let compression = self.plan.output.and_then(|output| output.quality);
        Encoding { format: order.format, compression }
    }

    /// The memory for decoding, for the steps or for encoding the result, whichever needs the most.
    fn needed_bytes(&self, bytes: &[u8], order: &Order) -> Result<u64, String> {
        let header = codec::probe(bytes, &codec::Limits::default()).map_err(|it| it.to_string())?;
        let steps = self.plan.working_bytes_any(&[(header.size(), header.depth)]);
        let result = self.plan.result_size(&[header.size()]).map_err(|it| it.to_string())?;
        let steps = steps.map_err(|it| it.to_string())?;
        let encoding = output::of_codec(self.encoding(order));
        let encoding = codec::encode_within_bytes(result, encoding, plan::file_rules(&self.plan));
        Ok(steps.max(header.decode_bytes).max(encoding))
    }
}

impl Editor for Local {
    fn threads(&self) -> usize {
        machine::cores()
    }

    fn edit(&self, order: &Order) -> Result<(Vec<u8>, Done), NotEdited> {
        let began = Instant::now();
        let bytes = bytes_of(&order.input)?;
        let reserved = self.budget.reserve(self.needed_bytes(&bytes, order)?);
        let picture = decode(&bytes)?;
        drop(bytes);
        let edited = execute_any(&self.plan, vec![picture]).map_err(|error| error.to_string())?;
        let encoded = output::encode(&edited.picture, self.encoding(order), &self.plan)?;
        let size = encoded.reduced_to.unwrap_or_else(|| edited.picture.size());
        drop((edited.picture, reserved));
        let seconds = began.elapsed().as_secs_f64();
        let mut warnings = edited.warnings;
        warnings.extend(output::lost(&encoded));
        Ok((encoded.bytes, Done { order: order.clone(), size, seconds, cost: 0, warnings }))
    }
}
