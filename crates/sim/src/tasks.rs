//! Work that is asked for once and asked after until it is ready.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use crate::delivery::Wanted;
use crate::fault::{Fault, FaultName};

/// How many tasks are remembered; the oldest go first.
const TASKS_MAX: usize = 10_000;

/// A task.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// Whose.
    pub(crate) vendor: &'static str,
    /// What the vendor calls it.
    pub(crate) id: String,
    /// What it makes.
    pub(crate) wanted: Wanted,
    /// What else the vendor needs to answer about it, in a shape of its choice.
    pub(crate) order: Value,
    /// How often it must be asked for until it is ready.
    pub(crate) rounds_left: u32,
    /// How often it was asked for.
    pub(crate) rounds_done: u32,
    /// Whether somebody called it off before it was ready.
    pub(crate) is_cancelled: bool,
}

/// How far a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// Not begun: the first time that it is asked for.
    Queued,
    /// Begun.
    Running,
    /// Done.
    Ready,
    /// Failed.
    Failed,
    /// Failed since the content is refused.
    Refused,
    /// Called off.
    Cancelled,
    /// Nobody knows it.
    Lost,
    /// Its result is gone.
    Expired,
}

/// The tasks of every vendor.
#[derive(Debug, Default)]
pub(crate) struct Tasks(Mutex<VecDeque<Task>>);

impl Tasks {
    /// Begins a task.
    pub(crate) fn begin(&self, task: Task) {
        let mut tasks = self.lock();
        if tasks.len() >= TASKS_MAX {
            tasks.pop_front();
        }
        tasks.push_back(task);
    }

    /// A task, without its being asked for.
    pub(crate) fn find(&self, vendor: &str, id: &str) -> Option<Task> {
        let tasks = self.lock();
        tasks.iter().rev().find(|task| task.vendor == vendor && task.id == id).cloned()
    }

    /// Asks for a task: how far it is, unless `fault` says otherwise.
    pub(crate) fn ask(&self, vendor: &str, id: &str, fault: Option<Fault>) -> Progress {
        let mut tasks = self.lock();
        let found = tasks.iter_mut().rev().find(|task| task.vendor == vendor && task.id == id);
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

    /// Calls a task off; how far it was, `Lost` where nobody knows it.
    pub(crate) fn cancel(&self, vendor: &str, id: &str) -> Progress {
        let mut tasks = self.lock();
        match tasks.iter_mut().rev().find(|task| task.vendor == vendor && task.id == id) {
            None => Progress::Lost,
            Some(task) if task.is_cancelled => Progress::Cancelled,
            Some(task) if task.rounds_left == 0 => Progress::Ready,
            Some(task) => {
                task.is_cancelled = true;
                Progress::Running
            }
        }
    }

    /// Ends a task: its next answer is its last, by what `order` now says.
    pub(crate) fn end(&self, vendor: &str, id: &str, order: Value) {
        let mut tasks = self.lock();
        let found = tasks.iter_mut().rev().find(|task| task.vendor == vendor && task.id == id);
        if let Some(task) = found {
            task.rounds_left = 0;
            task.order = order;
        }
    }

    /// A vendor's tasks that are still waited for, the oldest first.
    pub(crate) fn unfinished(&self, vendor: &str) -> Vec<Task> {
        let is_open =
            |task: &&Task| task.vendor == vendor && task.rounds_left > 0 && !task.is_cancelled;
        self.lock().iter().filter(is_open).cloned().collect()
    }

    /// Forgets every task, as a vendor that lost its memory.
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
