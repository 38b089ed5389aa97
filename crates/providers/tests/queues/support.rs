//! What the tests of the queue platforms add to an order, and how they distinguish responses.

use bytes::Bytes;
use retouch_core::image::AspectRatio;
use retouch_core::{Kind, Warning};
use retouch_providers::upstream::{
    Answer, Artefact, Call, CallUrl, Dialect, Fault, Meaning, Step, Ticket,
};
use retouch_providers::{Refused, RefusedKind};

pub(crate) use super::order::{ID, Sample, answer, json_of};

impl Sample {
    /// An edit of one image of 1200 x 800 pixels.
    pub(crate) fn edit(model: &str) -> Self {
        Self::new(Kind::ImageEdit, model, &[(1200, 800)])
    }

    /// This sample with an aspect ratio.
    pub(crate) fn ratio(self, width: u32, height: u32) -> Self {
        self.with(|edit| edit.aspect_ratio = AspectRatio::Ratio(width, height))
    }

    /// This sample with a size, such as `1024x768`.
    pub(crate) fn size(self, size: &str) -> Self {
        self.with(|edit| edit.size = Some(size.parse().expect("a size")))
    }

    /// This sample with an image of that many bytes at index `number`.
    pub(crate) fn heavy(mut self, number: usize, bytes: usize) -> Self {
        self.pictures[number].bytes = Bytes::from(vec![7; bytes]);
        self
    }

    /// The warnings before the call, each as `CODE PARAM`.
    pub(crate) fn warnings(&self, dialect: &dyn Dialect) -> Vec<String> {
        let warnings =
            dialect.read(&self.edit, &self.model).expect("the model supports the request");
        let shown = |it: Warning| format!("{} {}", it.code, it.param.unwrap_or_default());
        warnings.into_iter().map(shown).collect()
    }
}

/// The same response with one more header.
pub(crate) fn with_header(mut answer: Answer, name: &'static str, value: &'static str) -> Answer {
    answer.headers.insert(name, value.parse().expect("a header"));
    answer
}

/// `METHOD PATH`, or the method and URL.
pub(crate) fn line_of(call: &Call) -> String {
    let place = match &call.url {
        CallUrl::Path(path) => path.clone(),
        CallUrl::Absolute(url) => url.to_string(),
    };
    format!("{} {place}", call.method)
}

/// The ticket in a response.
pub(crate) fn ticket_of(meaning: Meaning) -> Ticket {
    match meaning {
        Ok(Step::Submitted(ticket)) => ticket,
        other => panic!("no ticket: {other:?}"),
    }
}

/// The URLs of the results.
pub(crate) fn addresses_of(meaning: Meaning) -> Vec<String> {
    let Ok(Step::Done(harvest)) = meaning else { panic!("not done: {meaning:?}") };
    let address = |artefact| match artefact {
        Artefact::Address(address) => address,
        Artefact::Call(call) => line_of(&call),
        Artefact::Bytes(_) => panic!("bytes"),
    };
    harvest.artefacts.into_iter().map(address).collect()
}

/// The outcome of an attempt in a word, with the milliseconds to wait if they are known.
#[expect(clippy::needless_pass_by_value, reason = "makes the calling tests more readable")]
pub(crate) fn outcome(meaning: Meaning) -> String {
    match meaning {
        Ok(Step::Done(_)) => "done".into(),
        Ok(Step::Submitted(_)) => "submitted".into(),
        Ok(Step::Working { .. }) => "working".into(),
        Err(Fault::Refused(Refused { kind: RefusedKind::Content, .. })) => "content".into(),
        Err(Fault::Refused(_)) => "parameters".into(),
        Err(Fault::NotAccepted { is_lasting: true, .. }) => "barred".into(),
        Err(Fault::NotAccepted { wait_ms: Some(ms), .. }) => format!("busy {ms}"),
        Err(Fault::NotAccepted { .. }) => "busy".into(),
        Err(Fault::Failed(_)) => "failed".into(),
        Err(Fault::Lost(_)) => "lost".into(),
    }
}
