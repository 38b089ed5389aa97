//! A provider that does what the instruction says: `fail`, `refuse`, `refuse at once` (before
//! credits are held), `panic`, `nonsense` (returns a file that is not an image), `wait` (at the
//! gate) or `hang`. The instruction `name the work TICKET` records the ticket and never ends,
//! except that it waits at the gate if the ticket is `late`. Resumed work waits at the gate if its
//! ticket is `wait`, fails if it is `expire`, and otherwise succeeds immediately. Any other
//! instruction returns an image or video. An instruction that ends in `odd` gets a warning.

use async_trait::async_trait;
use retouch_core::catalogue::EMBEDDED;
use retouch_core::edit::Edit;
use retouch_core::{Kind, Warning};
use retouch_engine::{Picture, codec};
use retouch_providers::upstream::Ticket;
use retouch_providers::{
    Job, Journal, Media, Output, Provider, ProviderError, Reading, Refused, RefusedKind, Task,
    Usage,
};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tokio::sync::Semaphore;

pub struct Scripted {
    /// Requests that were read.
    pub read: AtomicUsize,
    /// Edits that were started.
    pub begun: AtomicUsize,
    /// Edits that were resumed.
    pub resumed: AtomicUsize,
    /// A `wait` ends when a permit is added here.
    pub gate: Semaphore,
    /// A permit is added here whenever a `wait` begins.
    pub waiting: Semaphore,
    /// Whether results are stored as files, because they are too large for the database.
    pub makes_files: AtomicBool,
}

impl Default for Scripted {
    fn default() -> Self {
        Self {
            read: AtomicUsize::new(0),
            begun: AtomicUsize::new(0),
            resumed: AtomicUsize::new(0),
            gate: Semaphore::new(0),
            waiting: Semaphore::new(0),
            makes_files: AtomicBool::new(false),
        }
    }
}

impl Scripted {
    /// From now on, results are too large for the database.
    pub fn make_files(&self) {
        self.makes_files.store(true, Ordering::SeqCst);
    }

    fn output(&self, kind: Kind) -> Output {
        let output = output(kind);
        if !self.makes_files.load(Ordering::SeqCst) {
            return output;
        }
        let file = match output.media {
            Media::Mp4 => [&mp4()[..], &[7; 100_000]].concat(),
            _ => super::pictures::noise(160),
        };
        Output { file: file.into(), ..output }
    }
}

/// The catalogue of the repository, with this provider as the first route of gamma-2 and
/// alpha-video-1. For gamma-video-1 it comes second, after a provider that accepts nothing.
pub fn catalogue() -> String {
    let scripted = "{ provider = \"scripted\", model = \"script-1\", cost_usd = \"0.039\" }";
    let unwilling = "{ provider = \"unwilling\", model = \"no-1\" }";
    let catalogue = routed(EMBEDDED, "gamma-2", scripted);
    let catalogue = routed(&catalogue, "alpha-video-1", scripted);
    routed(&catalogue, "gamma-video-1", &format!("{unwilling}, {scripted}"))
}

/// `catalogue` with `routes` before those that `model` has.
fn routed(catalogue: &str, model: &str, routes: &str) -> String {
    let id = format!("id = \"{model}\"");
    let (before, rest) = catalogue.split_once(&id).unwrap();
    let (own, others) = rest.split_at(rest.find("\n[[").unwrap());
    let own = match own.contains("routes = [") {
        true => own.replacen("routes = [", &format!("routes = [{routes}, "), 1),
        false => format!("\nroutes = [{routes}]{own}"),
    };
    format!("{before}{id}{own}{others}")
}

/// The image that the provider returns.
pub fn png() -> Vec<u8> {
    codec::encode_png(&Picture::from_rgba(2, 1, vec![255, 0, 0, 255, 0, 0, 255, 255]).unwrap())
        .unwrap()
}

/// The video that the provider returns, with only the parts that are checked.
pub fn mp4() -> Vec<u8> {
    [b"\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isommp41".as_slice(), &[7; 1000]].concat()
}

#[async_trait]
impl Provider for Scripted {
    fn name(&self) -> &str {
        "scripted"
    }

    fn read(&self, edit: &Edit, _: &str) -> Result<Reading, Refused> {
        self.read.fetch_add(1, Ordering::SeqCst);
        if edit.instruction == "refuse at once" {
            return Err(refused());
        }
        let odd = edit.instruction.ends_with("odd");
        let warning = Warning::about("parameter_not_honored", "size", "an odd size");
        Ok(Reading { plan: None, warnings: odd.then_some(warning).into_iter().collect() })
    }

    fn instruction_chars_max(&self, _: &str) -> usize {
        32_000
    }

    async fn resume(&self, task: &Task) -> Result<Output, ProviderError> {
        self.resumed.fetch_add(1, Ordering::SeqCst);
        match task.ticket.as_ref().and_then(|ticket| ticket.0.as_str()) {
            Some("wait") => {
                self.waiting.add_permits(1);
                self.gate.acquire().await.unwrap().forget();
            }
            Some("expire") => return Err(ProviderError::Failed("the task has expired".into())),
            _ => {}
        }
        Ok(self.output(task.kind))
    }

    async fn perform(&self, job: &Job, journal: &dyn Journal) -> Result<Output, ProviderError> {
        self.begun.fetch_add(1, Ordering::SeqCst);
        let (kind, model) = (job.edit.kind, job.model.clone());
        let mut task = Task {
            kind,
            provider: "scripted".into(),
            model,
            ticket: None,
            warnings: Vec::new(),
            cost: None,
        };
        if job.is_background {
            journal.record(&task).await.map_err(ProviderError::Failed)?;
        }
        match job.edit.instruction.as_str() {
            "fail" => return Err(ProviderError::Failed("a secret of the vendor".into())),
            "refuse" => return Err(refused().into()),
            "panic" => panic!("the script says so"),
            "change" => {
                journal.arrived(&super::pictures::noise(170).into());
                return Ok(self.output(kind));
            }
            "spoil" => {
                journal.arrived(&self.output(kind).file);
                return Err(ProviderError::Failed("its second half is missing".into()));
            }
            "nonsense" => {
                return Ok(Output { file: "not a picture".into(), ..output(kind) });
            }
            "wait" => {
                self.waiting.add_permits(1);
                self.gate.acquire().await.unwrap().forget();
            }
            "hang" => std::future::pending().await,
            words => {
                if let Some(ticket) = words.strip_prefix("name the work ") {
                    task.ticket = Some(Ticket(ticket.into()));
                    journal.record(&task).await.map_err(ProviderError::Failed)?;
                    self.waiting.add_permits(1);
                    if ticket != "late" {
                        std::future::pending::<()>().await;
                    }
                    self.gate.acquire().await.unwrap().forget();
                }
            }
        }
        let output = self.output(kind);
        journal.arrived(&output.file);
        Ok(output)
    }
}

/// A provider that accepts nothing.
pub struct Unwilling;

#[async_trait]
impl Provider for Unwilling {
    fn name(&self) -> &str {
        "unwilling"
    }

    fn read(&self, _: &Edit, _: &str) -> Result<Reading, Refused> {
        Ok(Reading::default())
    }

    async fn resume(&self, _: &Task) -> Result<Output, ProviderError> {
        Err(ProviderError::Failed("it never took anything on".into()))
    }

    async fn perform(&self, _: &Job, _: &dyn Journal) -> Result<Output, ProviderError> {
        Err(ProviderError::NotAccepted { reason: "not today".into(), retry_ms: None })
    }
}

fn output(kind: Kind) -> Output {
    let warning = Warning::about("test_warning", "instruction", "a warning of the provider");
    let usage = Usage { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
    let media = Media::of(kind);
    let file = match media {
        Media::Mp4 => mp4(),
        _ => png(),
    };
    Output { file: file.into(), media, usage, warnings: vec![warning] }
}

fn refused() -> Refused {
    Refused { kind: RefusedKind::Content, message: "Not such a picture.".into(), param: None }
}
