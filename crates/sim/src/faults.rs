//! Decides which fault happens next: planned faults first, then those in the prompt.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::fault::{Call, Fault, FaultName, Moment};

/// Maximum number of planned faults, and of remembered prompts with `times=`.
const PLANS_MAX: usize = 10_000;

/// A planned fault: the body of `POST /_sim/faults`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Plan {
    /// The provider. `None`: all of them.
    pub(crate) provider: Option<String>,
    /// The call. `None`: the fault's default.
    pub(crate) call: Option<Call>,
    /// The fault.
    pub(crate) fault: FaultName,
    /// The number of calls that it affects. 0: all.
    #[serde(default = "once")]
    pub(crate) times: u64,
    /// For [`FaultName::Slow`].
    #[serde(default)]
    pub(crate) ms: u64,
    /// For [`FaultName::Throttle`] and [`FaultName::Overloaded`], in seconds.
    pub(crate) retry_after: Option<u64>,
}

fn once() -> u64 {
    1
}

/// The planned faults.
#[derive(Debug, Default)]
pub(crate) struct Faults(Mutex<Plans>);

#[derive(Debug, Default)]
struct Plans {
    planned: Vec<Plan>,
    /// How many times the fault in a prompt has happened.
    by_words: HashMap<String, u64>,
}

impl Faults {
    /// Plans a fault. Returns `false` if there are too many.
    pub(crate) fn plan(&self, plan: Plan) -> bool {
        let planned = &mut self.lock().planned;
        let room = planned.len() < PLANS_MAX;
        if room {
            planned.push(plan);
        }
        room
    }

    /// The faults that are still planned.
    pub(crate) fn planned(&self) -> Vec<Plan> {
        self.lock().planned.clone()
    }

    /// Forgets all planned faults.
    pub(crate) fn clear(&self) {
        *self.lock() = Plans::default();
    }

    /// The fault that happens now, if any. This uses it up.
    pub(crate) fn take(&self, provider: &str, moment: Moment, prompt: &str) -> Option<Fault> {
        let mut plans = self.lock();
        plans.take_planned(provider, moment).or_else(|| plans.take_from_words(moment, prompt))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Plans> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Plans {
    fn take_planned(&mut self, provider: &str, moment: Moment) -> Option<Fault> {
        let at = self.planned.iter().position(|plan| plan.is_for(provider, moment))?;
        let plan = self.planned.get_mut(at)?;
        let fault = plan.as_fault();
        match plan.times {
            0 => {}
            1 => drop(self.planned.remove(at)),
            _ => plan.times -= 1,
        }
        Some(fault)
    }

    fn take_from_words(&mut self, moment: Moment, prompt: &str) -> Option<Fault> {
        let (words, plan) = in_prompt(prompt)?;
        if !plan.is_for("", moment) {
            return None;
        }
        if plan.times > 0 {
            if self.by_words.len() >= PLANS_MAX {
                self.by_words.clear();
            }
            let used = self.by_words.entry(format!("{words} in {prompt}")).or_default();
            if *used >= plan.times {
                return None;
            }
            *used += 1;
        }
        Some(plan.as_fault())
    }
}

impl Plan {
    fn is_for(&self, provider: &str, moment: Moment) -> bool {
        self.provider.as_deref().is_none_or(|wanted| wanted == provider)
            && self.fault.moment(self.call) == moment
    }

    fn as_fault(&self) -> Fault {
        Fault { name: self.fault, ms: self.ms, retry_after: self.retry_after }
    }
}

/// Parses the fault in a prompt: `[sim:FAULT]`, with a call's name, `times=`, `ms=` and
/// `retry_after=` after it in any order: `[sim:throttle retry_after=1 times=2]`, `[sim:hang poll]`.
/// Without `times=`, it happens to every call.
fn in_prompt(prompt: &str) -> Option<(&str, Plan)> {
    let (_, rest) = prompt.split_once("[sim:")?;
    let (words, _) = rest.split_once(']')?;
    let mut each = words.split_ascii_whitespace();
    let fault = match each.next()? {
        "refuse" => FaultName::RefuseContentInput,
        name => named(name)?,
    };
    let mut plan = Plan { provider: None, call: None, fault, times: 0, ms: 0, retry_after: None };
    for word in each {
        match word.split_once('=') {
            None => plan.call = Some(named(word)?),
            Some(("times", times)) => plan.times = times.parse().ok()?,
            Some(("ms", ms)) => plan.ms = ms.parse().ok()?,
            Some(("retry_after", seconds)) => plan.retry_after = Some(seconds.parse().ok()?),
            Some(_) => return None,
        }
    }
    Some((words, plan))
}

fn named<T: for<'a> Deserialize<'a>>(name: &str) -> Option<T> {
    serde_json::from_value(name.into()).ok()
}
