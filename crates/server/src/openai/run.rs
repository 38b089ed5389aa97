//! Makes the images of a call. Each of its `n` images is an edit of its own, which is held, made,
//! stored and captured by itself.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use retouch_core::Credits;
use tokio::time::Instant;

use super::request::Ask;
use super::retries::Repeats;
use crate::app::App;
use crate::auth::Caller;
use crate::edits::{self, Answer, ReadOnce, Submission};
use crate::error::{ApiError, ApiResult, Code};
use crate::http::bodies::Whose;
use crate::http::receipt::Receipt;
use crate::http::request_id::carry;

/// How long a repeated call waits before it looks again whether the first one has ended.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// A call on its way.
#[derive(Clone)]
pub(super) struct Run {
    pub(super) app: Arc<App>,
    pub(super) caller: Caller,
    pub(super) ask: Arc<Ask>,
    pub(super) repeats: Option<Repeats>,
    pub(super) read_once: ReadOnce,
}

/// The images of a call: those that were made, in their order, and why others were not.
pub(super) struct Made {
    pub(super) answers: Vec<Answer>,
    pub(super) failures: Vec<ApiError>,
}

impl Made {
    /// What the images cost together, and what is left.
    pub(super) fn receipt(&self) -> Receipt {
        let receipts = || self.answers.iter().map(|answer| answer.finished.receipt());
        let cost = receipts()
            .filter_map(|receipt| receipt.cost)
            .try_fold(Credits::ZERO, Credits::checked_add);
        // The images end in any order, so of several, none tells what is left at the end.
        let is_alone = self.answers.len() == 1 && self.failures.is_empty();
        Receipt {
            cost,
            balance: receipts().find_map(|receipt| receipt.balance).filter(|_| is_alone),
        }
    }
}

impl Run {
    /// Makes all images.
    ///
    /// # Errors
    /// The first error if no image was made.
    pub(super) async fn make(self) -> ApiResult<Made> {
        let mut made = Made { answers: Vec::new(), failures: Vec::new() };
        let mut results = self.results();
        while let Some(result) = results.next().await {
            match result {
                Ok(answer) => made.answers.push(answer),
                Err(error) => made.failures.push(error),
            }
        }
        match made.failures.first() {
            Some(first) if made.answers.is_empty() => Err(first.clone()),
            _ => Ok(made),
        }
    }

    /// The images in their order, each as soon as it and those before it are finished.
    pub(super) fn results(self) -> BoxStream<'static, ApiResult<Answer>> {
        let limits = self.app.limits(&self.caller.account.id, self.caller.plan.as_deref());
        let numbers = stream::iter(0..self.ask.n);
        let work = numbers.map(move |number| carry(self.clone().make_one(number)));
        work.buffered(limits.edits_at_once_max.max(1)).boxed()
    }

    async fn make_one(self, number: u32) -> ApiResult<Answer> {
        let Self { app, caller, repeats, .. } = &self;
        let wait_max = Duration::from_millis(app.settings.edits.provider_ms_max);
        let until = Instant::now() + wait_max;
        loop {
            let made = edits::submit(app, caller, self.submission(number)?).await;
            let is_running = matches!(&made, Err(it) if it.code == Code::IdempotencyInProgress);
            let waits = repeats.as_ref().is_some_and(|repeats| repeats.waits);
            if !is_running || !waits || Instant::now() >= until {
                return made;
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
    }

    /// The submission of the image with this number.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub(super) fn submission(&self, number: u32) -> ApiResult<Submission> {
        let ask = &self.ask;
        Ok(Submission {
            kind: ask.kind,
            body: ask.body.clone(),
            supplement: ask.supplement.clone(),
            idempotency_key: self.repeats.as_ref().map(|repeats| repeats.key_of(number)),
            read_once: self.read_once.clone(),
            memory: self.app.bodies.begin(Whose::Account(self.caller.account.id.clone()))?,
        })
    }
}
