//! Tasks, which are submitted once and polled until they are done.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use crate::delivery::Wanted;
use crate::fault::{Fault, FaultName};

/// Maximum number of tasks. The oldest ones are removed.
const TASKS_MAX: usize = 10_000;

/// A task.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// The provider.
    pub(crate) provider: &'static str,
    /// The provider's name for the task.
    pub(crate) id: String,
    /// What the task makes.
    pub(crate) wanted: Wanted,
    /// Anything else that the provider needs for its responses, in a format of its choice.
    pub(crate) order: Value,
    /// How many more times the task must be polled until it is done.
    pub(crate) rounds_left: u32,
    /// How many times the task has been polled.
    pub(crate) rounds_done: u32,
    /// Whether the task was canceled before it was done.
    pub(crate) is_cancelled: bool,
}

/// The status of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// Not started: polled for the first time.
    Queued,
    /// Started.
    Running,
    /// Done.
    Ready,
    /// Failed.
    Failed,
    /// Failed because the content was refused.
    Refused,
    /// Canceled.
    Cancelled,
    /// Unknown.
    Lost,
    /// The task's result has expired.
    Expired,
}

/// The tasks of all providers.
#[derive(Debug, Default)]
pub(crate) struct Tasks(Mutex<VecDeque<Task>>);

impl Tasks {
    /// Adds a task.
    pub(crate) fn begin(&self, task: Task) {
        let mut tasks = self.lock();
        if tasks.len() >= TASKS_MAX {
            tasks.pop_front();
        }
        tasks.push_back(task);
    }

    /// Finds a task. This does not count as polling it.
    pub(crate) fn find(&self, provider: &str, id: &str) -> Option<Task> {
        let tasks = self.lock();
        tasks.iter().rev().find(|task| task.provider == provider && task.id == id).cloned()
    }

    /// Polls a task: returns its status, unless `fault` changes it.
    pub(crate) fn ask(&self, provider: &str, id: &str, fault: Option<Fault>) -> Progress {
        let mut tasks = self.lock();
        let found = tasks.iter_mut().rev().find(|task| task.provider == provider && task.id == id);
        match (fault.map(|fault| fault.name), found) {
            (_, None) | (Some(FaultName::TaskLost), _) => Progress::Lost,
            (Some(FaultName::TaskExpired), _) => Progress::Expired,
            (_, Some(task)) if task.is_cancelled => Progress::Cancelled,
            (Some(FaultName::TaskFailed), _) => Progress::Failed,
            (Some(FaultName::TaskFailedContent | FaultName::RefuseContentOutput), _) => {
                Progress::Refused
            }
            (Some(FaultName::TaskNeverEnds), Some(task)) => {
                task.rounds_done += 1;
                if task.rounds_done == 1 { Progress::Queued } else { Progress::Running }
            }
            (_, Some(task)) => task.ask(),
        }
    }

    /// Cancels a task. Returns its previous status, or `Lost` if it is unknown.
    pub(crate) fn cancel(&self, provider: &str, id: &str) -> Progress {
        let mut tasks = self.lock();
        match tasks.iter_mut().rev().find(|task| task.provider == provider && task.id == id) {
            None => Progress::Lost,
            Some(task) if task.is_cancelled => Progress::Cancelled,
            Some(task) if task.rounds_left == 0 => Progress::Ready,
            Some(task) => {
                task.is_cancelled = true;
                Progress::Running
            }
        }
    }

    /// Finishes a task: the next time it is polled, it is done, with the outcome in `order`.
    pub(crate) fn end(&self, provider: &str, id: &str, order: Value) {
        let mut tasks = self.lock();
        let found = tasks.iter_mut().rev().find(|task| task.provider == provider && task.id == id);
        if let Some(task) = found {
            task.rounds_left = 0;
            task.order = order;
        }
    }

    /// A provider's unfinished tasks, oldest first.
    pub(crate) fn unfinished(&self, provider: &str) -> Vec<Task> {
        let is_open =
            |task: &&Task| task.provider == provider && task.rounds_left > 0 && !task.is_cancelled;
        self.lock().iter().filter(is_open).cloned().collect()
    }

    /// Forgets all tasks, like a provider that lost its memory.
    pub(crate) fn clear(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, VecDeque<Task>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Task {
    fn ask(&mut self) -> Progress {
        let first = self.rounds_done == 0;
        self.rounds_done += 1;
        if self.rounds_left == 0 {
            return Progress::Ready;
        }
        self.rounds_left -= 1;
        if first { Progress::Queued } else { Progress::Running }
    }
}
