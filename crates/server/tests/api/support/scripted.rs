//! A provider that does what the instruction says: `fail`, `panic`, `refuse`, `wait`, or anything
//! else for a small picture.

use async_trait::async_trait;
use bytes::Bytes;
use retouch_core::Warning;
use retouch_core::catalogue::EMBEDDED;
use retouch_core::edit::Edit;
use retouch_engine::{Picture, codec};
use retouch_providers::{
    Job, Journal, Media, Output, Provider, ProviderError, Reading, Refused, RefusedKind, Task,
    Usage,
};
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::Semaphore;

/// The provider.
pub struct Scripted {
    /// Edits that were begun.
    pub begun: AtomicUsize,
    /// `wait` ends when a permit is added here.
    pub gate: Semaphore,
    /// A permit is added here whenever a `wait` begins.
    pub waiting: Semaphore,
}

impl Default for Scripted {
    fn default() -> Self {
        Self { begun: AtomicUsize::new(0), gate: Semaphore::new(0), waiting: Semaphore::new(0) }
    }
}

/// The catalogue of the repository, with this provider as the first route of gamma-2.
pub fn catalogue() -> String {
    let (before, gamma) = EMBEDDED.split_once("id = \"gamma-2\"").unwrap();
    let routed = "routes = [\n  { provider = \"scripted\", model = \"script-1\", \
                  cost_usd = \"0.039\" },";
    let catalogue = format!("{before}id = \"gamma-2\"{}", gamma.replacen("routes = [", routed, 1));
    assert!(catalogue.contains("script-1"));
    catalogue
}

/// The picture that it makes.
pub fn png() -> Vec<u8> {
    codec::encode_png(&Picture::from_rgba(2, 1, vec![255, 0, 0, 255, 0, 0, 255, 255]).unwrap())
        .unwrap()
}

#[async_trait]
impl Provider for Scripted {
    fn name(&self) -> &str {
        "scripted"
    }

    fn read(&self, edit: &Edit, _: &str) -> Result<Reading, Refused> {
        if edit.instruction == "refuse at once" {
            return Err(refused());
        }
        Ok(Reading::default())
    }

    async fn resume(&self, _: &Task) -> Result<Output, ProviderError> {
        Ok(output(png().into()))
    }

    async fn perform(&self, job: &Job, _: &dyn Journal) -> Result<Output, ProviderError> {
        self.begun.fetch_add(1, Ordering::SeqCst);
        match job.edit.instruction.as_str() {
            "fail" => return Err(ProviderError::Failed("a secret of the vendor".into())),
            "refuse" => return Err(refused().into()),
            "panic" => panic!("the script says so"),
            "nonsense" => return Ok(output(b"not a picture".as_slice().into())),
            "wait" => {
                self.waiting.add_permits(1);
                self.gate.acquire().await.unwrap().forget();
            }
            "hang" => std::future::pending().await,
            _ => {}
        }
        Ok(output(png().into()))
    }
}

fn output(file: Bytes) -> Output {
    let warning = Warning::about("test_warning", "instruction", "a warning of the provider");
    let usage = Usage { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
    Output { file, media: Media::Png, usage, warnings: vec![warning] }
}

fn refused() -> Refused {
    Refused { kind: RefusedKind::Content, message: "Not such a picture.".into(), param: None }
}
