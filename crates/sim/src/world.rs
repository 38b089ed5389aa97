//! What all protocols share, and how calls are handled.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use serde_json::Value;

use crate::arrived::Arrived;
use crate::counts::Counts;
use crate::delivery::Wanted;
use crate::fault::{Call, Fault, FaultName, Moment};
use crate::faults::Faults;
use crate::files::Files;
use crate::network_faults;
use crate::options::Options;
use crate::picture::{Drawn, Pictures};
use crate::protocols::Protocol;
use crate::record::Records;
use crate::tasks::{Progress, Task, Tasks};

/// A playable video of one second, 64 by 64 pixels, made with ffmpeg's testsrc and H.264.
const VIDEO: &[u8] = include_bytes!("../assets/one-second.mp4");

/// The fixed start of time, in seconds since 1970. Without a clock, the same calls get the same
/// responses.
const BEGINNING_S: u64 = 1_795_200_000;

/// What all protocols share.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) options: Options,
    pub(crate) faults: Faults,
    pub(crate) records: Records,
    pub(crate) counts: Counts,
    pub(crate) tasks: Tasks,
    pub(crate) files: Files,
    pub(crate) pictures: Pictures,
    /// The image that the operator chose for all results.
    pub(crate) picture: Option<Arc<Drawn>>,
    pub(crate) video: Arc<Drawn>,
    next: AtomicU64,
}

/// A valid call that is about to be answered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn<'a> {
    /// The provider.
    pub(crate) provider: &'static str,
    /// The purpose of the call.
    pub(crate) call: Call,
    /// The prompt. Empty if there is none.
    pub(crate) prompt: &'a str,
}

impl World {
    pub(crate) fn new(options: Options) -> Self {
        let picture = options.picture.clone().map(|bytes| Arc::new(Drawn::of(bytes)));
        Self {
            options,
            faults: Faults::default(),
            records: Records::default(),
            counts: Counts::default(),
            tasks: Tasks::default(),
            files: Files::default(),
            pictures: Pictures::default(),
            picture,
            video: Arc::new(Drawn::of(Bytes::from_static(VIDEO))),
            next: AtomicU64::new(1),
        }
    }

    /// Whether a client's key is valid.
    pub(crate) fn knows_key(&self, key: &str) -> bool {
        match &self.options.key {
            Some(known) => known == key,
            None => !key.is_empty(),
        }
    }

    /// A unique number for IDs, starting at 1.
    pub(crate) fn number(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    /// The simulated time, in seconds since 1970.
    pub(crate) fn now_s(&self) -> u64 {
        BEGINNING_S + self.next.load(Ordering::Relaxed)
    }

    /// Answers a valid call. `respond` creates the provider's response, including those for faults
    /// that the provider reports itself. Faults of the network are applied to that response
    /// afterward.
    ///
    /// Call this only after checking the key and the fields, so that only calls that could have
    /// worked are counted and use up faults.
    pub(crate) async fn answer(
        &self,
        turn: Turn<'_>,
        respond: impl FnOnce(Option<Fault>) -> Response + Send,
    ) -> Response {
        let fault = self.faults.take(turn.provider, Moment::Call(turn.call), turn.prompt);
        if turn.call == Call::Submit {
            let worked = !fault.is_some_and(|fault| fault.name.is_before_work());
            self.counts.add(turn.provider, turn.prompt, worked);
        }
        match fault {
            Some(fault) if fault.name == FaultName::Slow => {
                tokio::time::sleep(std::time::Duration::from_millis(fault.ms)).await;
                respond(None)
            }
            Some(fault) if fault.name == FaultName::RedirectElsewhere => {
                network_faults::elsewhere()
            }
            Some(fault) if fault.name.is_on_the_way() => {
                network_faults::apply(respond(None), fault.name).await
            }
            fault => respond(fault),
        }
    }

    /// Creates a task, which is polled as often as the options say until it is done.
    pub(crate) fn begin_task(&self, id: String, wanted: Wanted, order: Value) -> Task {
        let task = Task {
            provider: wanted.provider,
            id,
            wanted,
            order,
            rounds_left: self.options.poll_rounds,
            rounds_done: 0,
            is_cancelled: false,
        };
        self.tasks.begin(task.clone());
        task
    }

    /// Answers a valid poll of a task with its progress. A fault that is not the outcome of a task
    /// is an error of the call, `E`.
    pub(crate) async fn answer_task<E: From<Fault> + IntoResponse>(
        &self,
        task: &Task,
        respond: impl FnOnce(Progress) -> Response + Send,
    ) -> Response {
        let turn = Turn { provider: task.provider, call: Call::Poll, prompt: &task.wanted.prompt };
        let respond = |fault: Option<Fault>| match fault {
            Some(fault) if !fault.name.is_of_a_task() => E::from(fault).into_response(),
            fault => respond(self.tasks.ask(task.provider, &task.id, fault)),
        };
        self.answer(turn, respond).await
    }
}

/// The routes of a protocol. Requests are read and recorded before the routes see them.
pub(crate) fn routes(protocol: &Protocol, world: &Arc<World>) -> Router {
    let at = At { world: Arc::clone(world), provider: protocol.name };
    (protocol.router)(Arc::clone(world)).layer(middleware::from_fn_with_state(at, arrive))
}

#[derive(Clone)]
struct At {
    world: Arc<World>,
    provider: &'static str,
}

/// Reads and records a request, and stores it for the handler.
async fn arrive(State(at): State<At>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let arrived = match Arrived::read(&parts, body).await {
        Ok(arrived) => arrived,
        Err(status) => return status.into_response(),
    };
    at.world.records.keep(at.provider, &arrived, at.world.options.records_max);
    parts.extensions.insert(arrived);
    next.run(Request::from_parts(parts, Body::empty())).await
}
