//! A network of places where work queues, and the walks through it: a discrete-event simulation
//! with its own clock, which repeats with the same seed.

use std::collections::{HashMap, VecDeque};

use super::calendar::Calendar;
use super::chance::{Chance, Time, nanoseconds};
use super::lane::{Command, Lane, Next};
use super::place::{Locks, Log, Pool, Station, Walk};
use super::seen::Seen;
use super::transaction::{self, LaneCosts};

/// One step of a walk.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// Works at a station.
    Work(usize, Time),
    /// Waits for a network or a provider, without using anything.
    Wait(Time),
    /// Takes a token of a pool.
    Take(usize),
    /// Returns the token.
    Give(usize),
    /// Waits until a database's log is on disk.
    Sync(usize),
    /// Locks an account of a database.
    Lock(usize, u32),
    /// Releases the lock.
    Unlock(usize, u32),
    /// Has a writer perform a credit command of an account, which opens a hold or ends one.
    Command {
        /// The writer.
        lane: usize,
        /// The account.
        account: u32,
        /// Whether it opens a hold.
        opens: bool,
    },
    /// A writer's transaction has its locks and reads the accounts.
    Look(usize),
    /// A writer's transaction is on disk.
    Committed(usize),
    /// The commit has reached the writer, which answers its callers.
    Answer(usize),
}

/// The callers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Calls {
    /// That many callers, each with one running call.
    Closed(usize),
    /// Independent callers, that many per second.
    Open(f64),
}

/// The steps of the next call, given the caller's number (in an open load, the call's number) and
/// how many calls that caller has made before.
pub(crate) type Route = Box<dyn FnMut((usize, u64), &mut Chance) -> Vec<Step>>;

/// The state of a database that affects the cost of a transaction.
#[derive(Debug, Default)]
pub(crate) struct Database {
    /// The station of its processes.
    pub(crate) station: usize,
    /// The time of a sync of its log.
    pub(crate) sync_us: f64,
    /// Its log.
    pub(crate) log: Log,
    /// Its locks.
    pub(crate) locks: Locks,
    /// For each account, how often it has been changed, and how many holds are open.
    pub(crate) accounts: HashMap<u32, (u64, u32)>,
}

#[derive(Clone, Copy, Debug)]
enum Event {
    Arrive,
    Go(Walk),
    Left(usize, Walk),
    Synced(usize),
    Gathered(usize, u64),
}

/// The owner of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// A caller, with the number of its next call.
    Caller(usize, u64),
    Lane,
}

#[derive(Debug)]
struct Walking {
    steps: VecDeque<Step>,
    owner: Owner,
    began_ns: u64,
}

pub(crate) struct Network {
    /// Where work queues.
    pub(crate) stations: Vec<Station>,
    /// Tokens that are taken and returned.
    pub(crate) pools: Vec<Pool>,
    /// The databases.
    pub(crate) databases: Vec<Database>,
    /// The costs of a writer's transaction.
    pub(crate) costs: LaneCosts,
    lanes: Vec<Lane>,
    calls: Calls,
    route: Route,
    chance: Chance,
    calendar: Calendar<Event>,
    walks: Vec<Walking>,
    free: Vec<Walk>,
    /// Calls of an open load so far.
    arrived: usize,
    seen: Seen,
}

impl Network {
    /// An empty network.
    pub(crate) fn new(seed: u64, calls: Calls, route: Route) -> Self {
        Self {
            stations: Vec::new(),
            pools: Vec::new(),
            databases: Vec::new(),
            costs: LaneCosts::default(),
            lanes: Vec::new(),
            calls,
            route,
            chance: Chance::new(seed),
            calendar: Calendar::new(),
            walks: Vec::new(),
            free: Vec::new(),
            arrived: 0,
            seen: Seen::default(),
        }
    }

    /// Adds a station with that many servers, and returns its number.
    pub(crate) fn station(&mut self, servers: usize) -> usize {
        self.stations.push(Station::new(servers));
        self.stations.len() - 1
    }

    /// Adds a writer whose thread works at station `node`.
    pub(crate) fn lane(&mut self, node: usize, database: usize) {
        let walk = self.begin(Owner::Lane);
        self.lanes.push(Lane::new((self.lanes.len(), walk), node, database));
    }

    /// Runs for that many seconds, after a tenth of that as a warm-up.
    pub(crate) fn run(self, seconds: f64) -> Seen {
        self.run_after(seconds / 10.0, seconds)
    }

    /// Runs for that many seconds, after a warm-up.
    pub(crate) fn run_after(mut self, warm_s: f64, seconds: f64) -> Seen {
        let warm_ns = nanoseconds(warm_s * 1e6);
        let end_ns = warm_ns + nanoseconds(seconds * 1e6);
        match self.calls {
            Calls::Closed(callers) => (0..callers).for_each(|caller| self.call(caller)),
            Calls::Open(_) => self.calendar.enter(0, Event::Arrive),
        }
        self.until(warm_ns);
        self.seen = Seen::begin(warm_ns, &self.stations, &self.databases);
        self.seen.under_way = self.under_way();
        self.until(end_ns);
        self.seen.end(end_ns, &self.stations, &self.databases)
    }

    fn until(&mut self, end_ns: u64) {
        while let Some(event) = self.calendar.next_before(end_ns) {
            self.happen(event);
        }
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Arrive => self.arrive(),
            Event::Go(walk) => self.go(walk),
            Event::Left(station, walk) => {
                if let Some((next, work_ns)) = self.stations[station].leave() {
                    self.calendar.enter(work_ns, Event::Left(station, next));
                }
                self.go(walk);
            }
            Event::Synced(database) => self.synced(database),
            Event::Gathered(lane, turn) => {
                let next = self.lanes[lane].gathered(turn, self.calendar.now_ns());
                self.lane_does(lane, next);
            }
        }
    }

    /// A call of an open load arrives.
    fn arrive(&mut self) {
        let Calls::Open(per_s) = self.calls else { return };
        let next_ns = self.chance.time_ns(Time::Exponential(1e6 / per_s));
        self.calendar.enter(next_ns, Event::Arrive);
        self.arrived += 1;
        self.call(self.arrived);
    }

    fn call(&mut self, caller: usize) {
        self.seen.changes(self.calendar.now_ns(), 1);
        let walk = self.begin(Owner::Caller(caller, 0));
        self.next_call(walk);
    }

    fn begin(&mut self, owner: Owner) -> Walk {
        let walking = Walking { steps: VecDeque::new(), owner, began_ns: self.calendar.now_ns() };
        if let Some(walk) = self.free.pop() {
            self.walks[walk] = walking;
            return walk;
        }
        self.walks.push(walking);
        self.walks.len() - 1
    }

    fn next_call(&mut self, walk: Walk) {
        let Owner::Caller(caller, turn) = self.walks[walk].owner else { return };
        let steps = (self.route)((caller, turn), &mut self.chance);
        let began_ns = self.calendar.now_ns();
        let owner = Owner::Caller(caller, turn + 1);
        self.walks[walk] = Walking { steps: steps.into(), owner, began_ns };
        self.calendar.enter(0, Event::Go(walk));
    }

    /// Runs the steps of a walk until it has to wait.
    fn go(&mut self, walk: Walk) {
        while let Some(step) = self.walks[walk].steps.pop_front() {
            if !self.step(walk, step) {
                return;
            }
        }
        if self.walks[walk].owner == Owner::Lane {
            return;
        }
        let now_ns = self.calendar.now_ns();
        self.seen.waits.push(now_ns - self.walks[walk].began_ns);
        match self.calls {
            Calls::Closed(_) => self.next_call(walk),
            Calls::Open(_) => {
                self.seen.changes(now_ns, -1);
                self.free.push(walk);
            }
        }
    }

    /// Runs one step. Returns whether the walk continues immediately.
    fn step(&mut self, walk: Walk, step: Step) -> bool {
        match step {
            Step::Work(station, time) => self.work(walk, station, time),
            Step::Wait(time) => {
                let wait_ns = self.chance.time_ns(time);
                if wait_ns == 0 {
                    return true;
                }
                self.calendar.enter(wait_ns, Event::Go(walk));
                false
            }
            Step::Take(pool) => self.pools[pool].take(walk),
            Step::Give(pool) => {
                let next = self.pools[pool].give();
                self.wake(next)
            }
            Step::Sync(database) => self.sync(walk, database),
            Step::Lock(database, account) => self.databases[database].locks.take(account, walk),
            Step::Unlock(database, account) => {
                let next = self.databases[database].locks.give(account);
                self.wake(next)
            }
            Step::Command { lane, account, opens } => {
                let command = Command { walk, account, opens };
                let next = self.lanes[lane].come(command, self.calendar.now_ns());
                self.lane_does(lane, next);
                false
            }
            Step::Look(lane) => {
                let lane = &mut self.lanes[lane];
                let steps = transaction::look(&self.costs, lane, &self.databases[lane.database]);
                self.walks[walk].steps.extend(steps);
                true
            }
            Step::Committed(lane) => {
                let lane = &mut self.lanes[lane];
                transaction::committed(lane, &mut self.databases[lane.database]);
                true
            }
            Step::Answer(lane) => self.answer(lane),
        }
    }

    fn work(&mut self, walk: Walk, station: usize, time: Time) -> bool {
        let work_ns = self.chance.time_ns(time);
        if work_ns == 0 {
            return true;
        }
        if self.stations[station].enter(walk, work_ns) {
            self.calendar.enter(work_ns, Event::Left(station, walk));
        }
        false
    }

    /// Schedules another walk to continue. Always returns true, because the current one continues
    /// too.
    fn wake(&mut self, walk: Option<Walk>) -> bool {
        if let Some(walk) = walk {
            self.calendar.enter(0, Event::Go(walk));
        }
        true
    }

    fn sync(&mut self, walk: Walk, database: usize) -> bool {
        if self.databases[database].log.enter(walk) {
            self.begin_sync(database);
        }
        false
    }

    fn begin_sync(&mut self, database: usize) {
        let time = Time::Usual(self.databases[database].sync_us);
        let sync_ns = self.chance.time_ns(time);
        self.calendar.enter(sync_ns, Event::Synced(database));
    }

    fn synced(&mut self, database: usize) {
        let (done, begins) = self.databases[database].log.synced();
        if begins {
            self.begin_sync(database);
        }
        done.into_iter().for_each(|walk| self.go(walk));
    }

    fn lane_does(&mut self, number: usize, next: Next) {
        let lane = &self.lanes[number];
        match next {
            Next::Nothing => {}
            Next::Gather(wait_ns) => {
                self.calendar.enter(wait_ns, Event::Gathered(number, lane.turn));
            }
            Next::Begin => {
                let station = self.databases[lane.database].station;
                let walk = lane.walk;
                self.seen.transactions += 1;
                let steps = transaction::begin(&self.costs, lane, station);
                self.walks[walk].steps.extend(steps);
                self.calendar.enter(0, Event::Go(walk));
            }
        }
    }

    /// Ends a writer's transaction: its callers and the writer continue. Returns false, because the
    /// transaction's walk ends.
    fn answer(&mut self, lane: usize) -> bool {
        let (done, next) = self.lanes[lane].ended(self.calendar.now_ns());
        self.seen.commands += done.len();
        for command in done {
            self.calendar.enter(0, Event::Go(command.walk));
        }
        self.lane_does(lane, next);
        false
    }

    /// The number of running calls.
    fn under_way(&self) -> i64 {
        let calls = self.walks.len() - self.free.len() - self.lanes.len();
        i64::try_from(calls).unwrap_or(i64::MAX)
    }
}
