//! The rates of one set.

use crate::evaluation::rows::{self, Expected, Row};
use retouch_engine::{Plan, Refusal, Step};
use retouch_language::read;
use std::fmt::{Display, Formatter};
use std::ops::Add;

/// What the shares of a score are called.
const RATES: [&str; 6] = [
    "exactly the plan",
    "another plan",
    "false accepts",
    "refused, right class",
    "refused, quotes the words",
    "refused, offers the nearest",
];

/// How many of how many.
#[derive(Clone, Copy, Default)]
pub(crate) struct Share {
    part: usize,
    all: usize,
}

/// How the instructions of one set, or of all, came out.
#[derive(Clone, Default)]
pub(crate) struct Score {
    /// Of what must be done: exactly the plan that is expected.
    pub(crate) exact: Share,
    /// Of what must be done: another plan, the worst that can happen.
    pub(crate) wrong_plan: Share,
    /// Of what must be refused: a plan all the same, as bad.
    pub(crate) false_accepts: Share,
    /// Of what must be refused: a refusal of the expected class.
    class: Share,
    /// Of what must be refused: a refusal that quotes the words that stand in the way.
    words: Share,
    /// Where something near can be done: a refusal that offers exactly that.
    nearest: Share,
    /// What did not come out as expected, a line each, the worst first.
    pub(crate) misses: Vec<String>,
}

impl Score {
    pub(crate) fn of(set: &str) -> Self {
        let mut score = Self::default();
        for row in rows::read_set(set) {
            let got = read(row.instruction, &row.context);
            match &row.expected {
                Expected::Plan(steps) => score.count_plan(&row, steps, got),
                Expected::Refusal { .. } => score.count_refusal(&row, got),
            }
        }
        score.misses.sort();
        score
    }

    fn count_plan(&mut self, row: &Row<'_>, steps: &[Step], got: Result<Plan, Refusal>) {
        let exact = got.as_ref().is_ok_and(|plan| plan.steps == *steps);
        self.exact.count(exact);
        self.wrong_plan.count(got.is_ok() && !exact);
        match got {
            Ok(plan) if !exact => self.miss("1 another plan", row, &plan.render()),
            Ok(_) => {}
            Err(refusal) => self.miss("3 refused", row, &told(&refusal)),
        }
    }

    fn count_refusal(&mut self, row: &Row<'_>, got: Result<Plan, Refusal>) {
        self.false_accepts.count(got.is_ok());
        let refusal = match got {
            Ok(plan) => return self.miss("2 false accept", row, &plan.render()),
            Err(refusal) => refusal,
        };
        let Expected::Refusal { kind, words, nearest } = &row.expected else { return };
        let class = refusal.kind == *kind;
        let quotes = refusal.words.to_lowercase().contains(&words.to_lowercase());
        let near = nearest.as_ref().map(|steps| offers(row, &refusal, steps));
        self.class.count(class);
        self.words.count(quotes);
        if let Some(near) = near {
            self.nearest.count(near);
        }
        if !class || !quotes || near == Some(false) {
            self.miss("4 refused otherwise", row, &told(&refusal));
        }
    }

    /// In the order of [`RATES`].
    fn shares(&self) -> [Share; 6] {
        [self.exact, self.wrong_plan, self.false_accepts, self.class, self.words, self.nearest]
    }

    fn miss(&mut self, how: &str, row: &Row<'_>, got: &str) {
        self.misses.push(format!("  {how}: {} => {got}", row.instruction));
    }
}

impl Add for Score {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self.misses.extend(other.misses);
        Self {
            exact: self.exact + other.exact,
            wrong_plan: self.wrong_plan + other.wrong_plan,
            false_accepts: self.false_accepts + other.false_accepts,
            class: self.class + other.class,
            words: self.words + other.words,
            nearest: self.nearest + other.nearest,
            misses: self.misses,
        }
    }
}

impl Share {
    #[expect(clippy::cast_precision_loss, reason = "a few hundred rows")]
    pub(crate) fn percent(self) -> f64 {
        self.part as f64 / self.all as f64 * 100.0
    }

    fn count(&mut self, counts: bool) {
        self.all += 1;
        self.part += usize::from(counts);
    }
}

impl Display for Share {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        let counts = format!("({}/{})", self.part, self.all);
        write!(out, "{:>6.1} % {counts:>9}", self.percent())
    }
}

impl Add for Share {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { part: self.part + other.part, all: self.all + other.all }
    }
}

/// The rates of the sets beside each other.
pub(crate) fn table(sets: [(&str, &Score); 4]) -> String {
    let names = sets.map(|(name, _)| format!("{name:>18}")).concat();
    let mut table = format!("{:<28}{names}", "");
    for (number, name) in RATES.iter().enumerate() {
        let shares = sets.map(|(_, score)| score.shares()[number].to_string()).concat();
        table.push_str(&format!("\n{name:<28}{shares}"));
    }
    table
}

/// Whether what a refusal offers instead is these steps.
fn offers(row: &Row<'_>, refusal: &Refusal, steps: &[Step]) -> bool {
    let offered = refusal.nearest.as_ref().map(|words| read(words, &row.context));
    matches!(offered, Some(Ok(plan)) if plan.steps == steps)
}

fn told(refusal: &Refusal) -> String {
    let nearest = refusal.nearest.as_deref().unwrap_or("-");
    format!("{:?} {:?}, nearest {nearest}", refusal.kind, refusal.words)
}
