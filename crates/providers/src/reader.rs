//! A language model that reads instructions which the built-in editor refuses. It rewords them as
//! sentences of the editor, which then reads those as strictly as any others.
//!
//! Nothing depends on the model's good will: `verify` decides what of its answer counts, and
//! without a usable answer, the refusal stays as it is (docs/reader.md).

mod answer;
mod common_words;
mod prompt;
mod text;
mod verify;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use http::StatusCode;
use retouch_core::edit::Rewording;
use retouch_core::{AccountId, Entropy};
use retouch_engine::{Context, Plan, Refusal, RefusalKind, Understood};
use retouch_outbound::client::{Auth, Body, Call, Client, ClientError, ClientLimits, Endpoint};
use tokio::time::timeout;

use self::answer::Outcome;
use self::prompt::{Form, Request};
use crate::recent::Recent;
use crate::upstream::{Advice, Gate, GateLimits};

pub use self::answer::Answer;
pub use self::verify::Distrust;

/// Largest response of the chat server, in bytes. A model that thinks aloud needs most of it.
const ANSWER_BYTES_MAX: usize = 256 * 1024;
/// The longest answer that the model may fix, in bytes: about 700 tokens.
const FAULTY_BYTES_MAX: usize = 3_000;
/// How many calls may wait for each one that runs.
const WAITING_PER_CALL: usize = 4;
/// How long to leave a server alone that has too many requests and does not say how long, in
/// milliseconds.
const THROTTLED_MS: u64 = 5_000;

/// What a reader is built from.
pub struct ReaderParts {
    /// Where the chat server is.
    pub endpoint: Endpoint,
    /// The name of the model.
    pub model: String,
    /// Time limit for an answer, including waiting for a turn, in milliseconds.
    pub answer_ms_max: u64,
    /// Maximum number of concurrent calls.
    pub concurrent_max: usize,
    /// How many answers to keep.
    pub cached_max: usize,
    /// Randomizes pauses after failures.
    pub entropy: Arc<dyn Entropy>,
}

/// A language model behind a chat server.
pub struct LanguageReader {
    client: Client,
    model: String,
    time_max: Duration,
    gate: Gate,
    answers: Recent<Wording, Arc<Answer>>,
    /// The number of the form of requests that the server accepts.
    form: AtomicUsize,
}

/// All that a model sees of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Wording {
    instruction: String,
    inputs: usize,
    /// What was wrong with the first answer, if it is asked a second time.
    fault: Option<String>,
}

/// An answer that the model may fix.
#[derive(Clone, Debug)]
pub struct Faulty {
    answer: Arc<Answer>,
    fault: String,
}

/// An instruction that the built-in editor refuses, and that a language model may read.
#[derive(Clone, Debug)]
pub struct Asked {
    instruction: String,
    context: Context,
    refusal: Refusal,
}

impl Asked {
    /// What to ask about `instruction`. `None` if the editor accepts it, or if its refusal is
    /// certain: it understood the instruction and can't do it.
    pub fn about(instruction: &str, context: Context) -> Option<Self> {
        let refusal = retouch_language::read(instruction, &context).err()?;
        let instruction = instruction.to_owned();
        Self::is_open(refusal.kind).then_some(Self { instruction, context, refusal })
    }

    /// Whether a language model may be asked about a refusal of this kind.
    fn is_open(kind: RefusalKind) -> bool {
        match kind {
            RefusalKind::NotUnderstood
            | RefusalKind::OtherLanguage
            | RefusalKind::MissingDetail
            | RefusalKind::NeedsGenerativeModel => true,
            RefusalKind::OutOfRange | RefusalKind::AsksForNothing | RefusalKind::Contradiction => {
                false
            }
        }
    }
}

/// Why a language model changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unread {
    /// The server is paused after failures, or too many calls are waiting.
    #[error("the language model is busy or paused")]
    Busy,
    /// No usable answer came in time. The text is for the operator's log.
    #[error("no answer of the language model: {0}")]
    Failed(String),
    /// Its answer was verified and does not count.
    #[error("the answer of the language model does not count: {0}")]
    Distrusted(#[from] Distrust),
    /// It has no answer that helps.
    #[error("the language model could not read it")]
    NoHelp,
}

impl Unread {
    /// The stable name, used in metrics.
    pub fn outcome(&self) -> &'static str {
        match self {
            Self::Busy => "busy",
            Self::Failed(_) => "failed",
            Self::Distrusted(_) => "distrusted",
            Self::NoHelp => "no_help",
        }
    }
}

/// What a language model made of an instruction: other words, or a refusal that says more.
pub type Read = Result<Rewording, Refusal>;

impl LanguageReader {
    /// A reader that asks the chat server at an endpoint.
    ///
    /// # Errors
    /// [`ClientError`].
    pub fn new(parts: ReaderParts) -> Result<Self, ClientError> {
        let ReaderParts { endpoint, model, answer_ms_max, concurrent_max, cached_max, entropy } =
            parts;
        let limits = ClientLimits {
            connect_ms_max: answer_ms_max,
            answer_ms_max,
            idle_ms_max: answer_ms_max,
            answer_bytes_max: ANSWER_BYTES_MAX,
        };
        let gate = GateLimits {
            concurrent_max,
            queue_max: concurrent_max.saturating_mul(WAITING_PER_CALL),
            wait_ms_max: answer_ms_max,
        };
        Ok(Self {
            client: Client::new(endpoint, Auth::Bearer, limits)?,
            model,
            time_max: Duration::from_millis(answer_ms_max),
            gate: Gate::new(gate, entropy),
            answers: Recent::new(cached_max),
            form: AtomicUsize::new(0),
        })
    }

    /// The model's answer about the instruction: that to the same words before, or from a call.
    /// `account` is whose turn it is. `faulty` is its first answer, if this is the second.
    ///
    /// # Errors
    /// If there is none, so that the refusal stays as it is.
    pub async fn ask(
        &self,
        account: &AccountId,
        asked: &Asked,
        faulty: Option<&Faulty>,
    ) -> Result<Arc<Answer>, Unread> {
        let wording = Wording::of(asked, faulty);
        let cell = self.answers.cell(wording.clone());
        let asking = cell.get_or_try_init(|| async {
            let answered = timeout(self.time_max, self.answer(account, &wording, faulty)).await;
            answered.unwrap_or_else(|_elapsed| {
                self.gate.troubled();
                Err(Unread::Failed("timed out".to_owned()))
            })
        });
        asking.await.cloned()
    }

    /// What the model made of the same words before, without a call. `None` if it was not asked, or
    /// its answer changes nothing.
    pub fn recall(&self, asked: &Asked) -> Option<Read> {
        let answer = self.answers.find(&Wording::of(asked, None))?;
        match self.judge(asked, &answer) {
            Err(unread) => {
                let faulty = Faulty::of(&answer, &unread)?;
                let fixed = self.answers.find(&Wording::of(asked, Some(&faulty)))?;
                self.judge(asked, &fixed).ok()
            }
            read => read.ok(),
        }
    }

    /// What of an answer counts. This reads the instruction many times.
    ///
    /// # Errors
    /// If nothing does, so that the refusal stays as it is.
    pub fn judge(&self, asked: &Asked, answer: &Answer) -> Result<Read, Unread> {
        // The strict reader is certain, and only a plan could show otherwise.
        let is_certain = asked.refusal.kind == RefusalKind::NeedsGenerativeModel;
        let refusal = |kind, message| Refusal { kind, message, ..asked.refusal.clone() };
        match answer.outcome {
            Outcome::Edit => Ok(Ok(verify::verify(asked, answer, &self.model)?)),
            Outcome::NeedsModel if !is_certain => {
                let message = format!(
                    "\"{}\" needs a generative model, according to the language model that read \
                     it; the built-in editor makes exact edits only",
                    asked.refusal.words
                );
                Ok(Err(refusal(RefusalKind::NeedsGenerativeModel, message)))
            }
            Outcome::Question if !is_certain => {
                let question = answer.question().ok_or(Unread::NoHelp)?;
                Ok(Err(refusal(RefusalKind::MissingDetail, question)))
            }
            Outcome::NeedsModel | Outcome::Question => Err(Unread::NoHelp),
        }
    }

    async fn answer(
        &self,
        account: &AccountId,
        wording: &Wording,
        faulty: Option<&Faulty>,
    ) -> Result<Arc<Answer>, Unread> {
        let _turn = self.gate.enter(account).await.map_err(|_| Unread::Busy)?;
        if let Advice::Wait(_) = self.gate.advice() {
            return Err(Unread::Busy);
        }
        let response = self.call(wording, faulty).await;
        match &response {
            Ok(_) => self.gate.worked(),
            Err(_) => drop(self.gate.troubled()),
        }
        let answer = response.map_err(Unread::Failed)?;
        // A model that can't read one instruction may well read the next.
        answer.map(Arc::new).ok_or_else(|| Unread::Failed("not the JSON of the prompt".to_owned()))
    }

    /// Asks the server. Servers differ in the parameters that they know, so one that refuses a
    /// request gets it again with fewer. `None` if it answers something else than an [`Answer`].
    ///
    /// # Errors
    /// What failed, without anything that the caller or the server has written.
    async fn call(
        &self,
        wording: &Wording,
        faulty: Option<&Faulty>,
    ) -> Result<Option<Answer>, String> {
        let again = faulty.map(|faulty| (&*faulty.answer, faulty.fault.as_str()));
        loop {
            let number = self.form.load(Ordering::Relaxed);
            let form = Form::ALL.get(number).copied().unwrap_or(Form::Plain);
            let about = (wording.instruction.as_str(), wording.inputs);
            let body = Request::new(&self.model, about, again, form);
            let call = Call::post("/chat/completions", Body::json(&body));
            let response = self.client.send(&call, true).await.map_err(|it| it.to_string())?;
            match response.status {
                StatusCode::OK => return Ok(Answer::read(&response.body)),
                // A second request may also be too long, which says nothing about its form.
                StatusCode::BAD_REQUEST if form != Form::Plain && faulty.is_none() => {
                    // Another call may have found out the same in the meantime.
                    self.form.fetch_max(number + 1, Ordering::Relaxed);
                }
                StatusCode::TOO_MANY_REQUESTS => {
                    self.gate.throttled(response.retry_after_ms().unwrap_or(THROTTLED_MS));
                    return Err("status 429".to_owned());
                }
                status => return Err(format!("status {}", status.as_u16())),
            }
        }
    }
}

impl Faulty {
    /// The answer and what is wrong with it, if the model can fix that and both fit into its context.
    pub fn of(answer: &Arc<Answer>, unread: &Unread) -> Option<Self> {
        let Unread::Distrusted(distrust) = unread else { return None };
        if answer.to_json().len() > FAULTY_BYTES_MAX {
            return None;
        }
        Some(Self { answer: Arc::clone(answer), fault: distrust.fault()? })
    }
}

impl Wording {
    fn of(asked: &Asked, faulty: Option<&Faulty>) -> Self {
        let fault = faulty.map(|faulty| faulty.fault.clone());
        Self { instruction: asked.instruction.clone(), inputs: asked.context.inputs, fault }
    }
}

/// The plan for `instruction`, which `rewording` says in other words. What was understood are the
/// words of the instruction.
///
/// # Errors
/// The refusal of the sentences.
pub fn plan(instruction: &str, rewording: &Rewording, context: &Context) -> Result<Plan, Refusal> {
    let mut plan = retouch_language::read(&rewording.instruction(), context)?;
    let words = |[start, end]: [usize; 2]| -> String {
        instruction.chars().skip(start).take(end.saturating_sub(start)).collect()
    };
    let mut ends = Vec::new();
    let mut end = 0;
    for sentence in &rewording.sentences {
        end += sentence.sentence.chars().count() + Rewording::SEPARATOR.chars().count();
        ends.push((end, sentence.span));
    }
    let found = plan.understood.iter().filter_map(|found| {
        let (_, span) = *ends.iter().find(|(end, _)| found.span[0] < *end)?;
        Some(Understood { span, words: words(span), step: found.step })
    });
    plan.understood = found.collect();
    plan.assumed.extend(rewording.assumed.iter().cloned());
    Ok(plan)
}
