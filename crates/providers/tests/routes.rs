//! Which route performs a request: the first one that accepts it, and no other one if that route
//! may have done the work.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use bytes::Bytes;
use retouch_core::catalogue::{Catalogue, EMBEDDED, MicroDollars, Route};
use retouch_core::edit::{Body, Edit, RequestLimits};
use retouch_core::{Ids, Kind, SeededEntropy, TestClock, Timestamp, Warning};
use retouch_providers::routes::{self, AttemptContext};
use retouch_providers::{
    Job, Journal, Media, Output, Provider, ProviderError, Reading, Refused, RefusedKind, Serving,
    Task, Usage,
};

type Outcome = fn() -> Result<Output, ProviderError>;

/// A provider that ends every attempt in the same way.
struct Fixed {
    name: &'static str,
    outcome: Outcome,
    attempts: Mutex<usize>,
    cannot: bool,
}

impl Fixed {
    fn new(name: &'static str, outcome: Outcome) -> Arc<Self> {
        Arc::new(Self { name, outcome, attempts: Mutex::new(0), cannot: false })
    }

    fn attempts(&self) -> usize {
        *self.attempts.lock().unwrap()
    }
}

#[async_trait]
impl Provider for Fixed {
    fn name(&self) -> &str {
        self.name
    }

    fn read(&self, _: &Edit, _: &str) -> Result<Reading, Refused> {
        if self.cannot {
            return Err(no());
        }
        let warning = Warning::about("parameter_not_honored", "size", self.name);
        Ok(Reading { plan: None, warnings: vec![warning] })
    }

    async fn perform(&self, _: &Job, _: &dyn Journal) -> Result<Output, ProviderError> {
        *self.attempts.lock().unwrap() += 1;
        (self.outcome)()
    }

    async fn resume(&self, _: &Task) -> Result<Output, ProviderError> {
        (self.outcome)()
    }
}

fn no() -> Refused {
    Refused { kind: RefusedKind::Content, message: "no".into(), param: None }
}

fn done() -> Result<Output, ProviderError> {
    let (file, usage) = (Bytes::from_static(b"png"), Usage::default());
    Ok(Output { file, media: Media::Png, usage, warnings: Vec::new() })
}

fn barred() -> Result<Output, ProviderError> {
    Err(ProviderError::NotAccepted { reason: "a wrong key".into(), retry_ms: None })
}

fn throttled() -> Result<Output, ProviderError> {
    Err(ProviderError::NotAccepted { reason: "too many".into(), retry_ms: Some(2_000) })
}

fn unknown() -> Result<Output, ProviderError> {
    Err(ProviderError::Unknown("no answer".into()))
}

fn failed() -> Result<Output, ProviderError> {
    Err(ProviderError::Failed("500".into()))
}

fn refused() -> Result<Output, ProviderError> {
    Err(no().into())
}

#[derive(Default)]
struct Memory(Mutex<Vec<Task>>);

#[async_trait]
impl Journal for Memory {
    async fn record(&self, task: &Task) -> Result<(), String> {
        self.0.lock().unwrap().push(task.clone());
        Ok(())
    }
}

struct Ended {
    done: Result<Output, ProviderError>,
    /// The providers that were recorded.
    noted: Vec<String>,
    /// The warnings that were recorded with each provider.
    told: Vec<Vec<String>>,
    /// The costs that were recorded with each provider.
    costs: Vec<Option<MicroDollars>>,
    /// The cost of every attempt.
    observed_costs: Vec<Option<MicroDollars>>,
    /// The provider and outcome of every attempt.
    observed: Vec<(String, &'static str)>,
}

async fn perform(providers: &[&Arc<Fixed>]) -> Ended {
    let routes: Vec<Serving> = providers
        .iter()
        .map(|provider| Serving { provider: Arc::clone(provider) as _, model: "m".into() })
        .collect();
    let clock = Arc::new(TestClock::new(Timestamp(1_795_176_000_000)));
    let mut edit = edit();
    Arc::make_mut(&mut edit.model).routes.push(priced("second"));
    let job = Job {
        id: Ids::new(clock, Arc::new(SeededEntropy::new(7))).edit(),
        account: "acct_0000000000000000000000000a".parse().unwrap(),
        reading: Arc::new(routes[0].provider.read(&edit, "m").unwrap()),
        edit: Arc::new(edit),
        model: "m".into(),
        sources: Arc::new([]),
        end_user: None,
        is_background: false,
    };
    let (journal, observed) = (Memory::default(), Mutex::new(Vec::new()));
    let costs = Mutex::new(Vec::new());
    let context = AttemptContext {
        journal: &journal,
        observe: &|attempt| {
            observed.lock().unwrap().push((attempt.provider.to_owned(), attempt.outcome));
            costs.lock().unwrap().push(attempt.cost);
        },
        entropy: &SeededEntropy::new(5),
        budget: None,
    };
    let done = routes::perform(&routes, &job, &context).await;
    let tasks = journal.0.into_inner().unwrap();
    let messages = |task: &Task| task.warnings.iter().map(|it| it.message.clone()).collect();
    Ended {
        done,
        noted: tasks.iter().map(|task| task.provider.clone()).collect(),
        told: tasks.iter().map(messages).collect(),
        costs: tasks.iter().map(|task| task.cost).collect(),
        observed_costs: costs.into_inner().unwrap(),
        observed: observed.into_inner().unwrap(),
    }
}

/// A route of `provider` that charges $0.0132 for a result and $0.008 for each input image.
fn priced(provider: &str) -> Route {
    Route {
        provider: provider.into(),
        model: "m".into(),
        kinds: Vec::new(),
        cost_usd: Some(MicroDollars(13_200)),
        input_usd: MicroDollars(8_000),
        tiers: Vec::new(),
        ends: None,
    }
}

fn edit() -> Edit {
    let text = r#"{"instruction":"make it new","imageUrl":"https://example.org/a.png"}"#;
    let limits = RequestLimits { image_bytes_max: 1 << 20 };
    let catalogue = Catalogue::parse(EMBEDDED).unwrap();
    catalogue.accept(Kind::ImageEdit, &Body::parse(text.as_bytes()).unwrap(), limits).unwrap()
}

#[tokio::test]
async fn the_second_route_is_asked_only_when_the_first_did_not_take_the_work_on() {
    for (outcome, name) in
        [(unknown as Outcome, "unknown"), (failed, "failed"), (refused, "refused")]
    {
        let (first, second) = (Fixed::new("first", outcome), Fixed::new("second", done));
        let ended = perform(&[&first, &second]).await;
        assert_eq!(ended.done.unwrap_err().outcome(), name);
        assert_eq!((first.attempts(), second.attempts()), (1, 0), "{name}");
    }
    let (first, second) = (Fixed::new("first", barred), Fixed::new("second", done));
    let ended = perform(&[&first, &second]).await;
    assert_eq!((first.attempts(), second.attempts()), (1, 1));
    assert_eq!(ended.noted, ["second"], "the record names who is at it now");
    assert_eq!(ended.told, [["second"]], "and what that one does otherwise than asked");
    let cost = Some(MicroDollars(21_200));
    assert_eq!(ended.costs, [cost], "and what that one charges, with the input image");
    assert_eq!(ended.observed_costs, [None, cost], "the cost of the first is not known");
    let observed = [("first".to_owned(), "not_accepted"), ("second".to_owned(), "done")];
    assert_eq!(ended.observed, observed);
    let warnings = ended.done.unwrap().warnings;
    assert_eq!(warnings.len(), 1, "the second route's own warnings come with its result");
    assert_eq!(warnings[0].message, "second");
}

#[tokio::test]
async fn a_route_that_cannot_do_it_is_passed_over() {
    let (first, third) = (Fixed::new("first", barred), Fixed::new("third", done));
    let second =
        Arc::new(Fixed { name: "second", outcome: done, attempts: Mutex::new(0), cannot: true });
    assert!(perform(&[&first, &second, &third]).await.done.is_ok());
    assert_eq!((second.attempts(), third.attempts()), (0, 1));
}

#[tokio::test(start_paused = true)]
async fn when_every_route_is_throttled_there_are_two_more_rounds_after_pauses() {
    let (first, second) = (Fixed::new("first", throttled), Fixed::new("second", barred));
    let began = tokio::time::Instant::now();
    let ended = perform(&[&first, &second]).await;
    let Err(ProviderError::NotAccepted { retry_ms, .. }) = ended.done else {
        panic!("the outcome is another")
    };
    assert_eq!(retry_ms, Some(2_000));
    assert_eq!(ended.noted, ["second", "first", "second", "first", "second"]);
    let told: Vec<usize> = ended.told.iter().map(Vec::len).collect();
    assert_eq!(told, [1, 0, 1, 0, 1], "of the first it was said when the edit was opened");
    assert_eq!((first.attempts(), second.attempts()), (3, 3));
    let waited_ms = began.elapsed().as_millis();
    assert!((3_000..=4_000).contains(&waited_ms), "two pauses of 1.5 to 2 s: {waited_ms}");
}

#[tokio::test(start_paused = true)]
async fn an_error_that_waiting_cannot_fix_is_returned_immediately() {
    let first = Fixed::new("first", barred);
    let began = tokio::time::Instant::now();
    assert!(perform(&[&first]).await.done.is_err());
    assert_eq!(first.attempts(), 1);
    assert_eq!(began.elapsed().as_millis(), 0);
}
