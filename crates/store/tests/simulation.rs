//! A seeded simulation: random actions, each followed by a crash. Everything that was acknowledged
//! must be in the copy of the files that the crash leaves, and equal the model in memory.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use retouch_core::credits::{
    Book, BucketKind, Command, Entry, Grant, HoldState, NewHold, Refused, decide,
};
use retouch_core::{
    AccountId, Clock, Credits, EditId, Entropy, Ids, SeededEntropy, TestClock, Timestamp,
};
use retouch_store::{Context, Error, NewAccount, Settings, Store};
use rusqlite::Connection;
use tempfile::TempDir;

const ACCOUNTS: usize = 3;
const STEPS: usize = 80;
const START: Timestamp = Timestamp(1_795_132_800_000);
const HOUR_MS: i64 = 3_600_000;

/// The state of one run, which its seed determines completely.
struct World {
    dice: SeededEntropy,
    clock: Arc<TestClock>,
    ids: Ids,
    folder: TempDir,
    accounts: Vec<AccountId>,
    /// What the store must contain.
    model: Vec<Book>,
    holds: Vec<(usize, EditId)>,
    /// The balances after every acknowledged command.
    history: Vec<Vec<Vec<i64>>>,
}

impl World {
    fn new(seed: u64) -> Self {
        let clock = Arc::new(TestClock::new(START));
        let ids = Ids::new(clock.clone(), Arc::new(SeededEntropy::new(seed + 1_000)));
        Self {
            dice: SeededEntropy::new(seed),
            clock,
            ids,
            folder: TempDir::new().unwrap(),
            accounts: Vec::new(),
            model: Vec::new(),
            holds: Vec::new(),
            history: Vec::new(),
        }
    }

    fn roll(&self, sides: u32) -> u32 {
        let mut bytes = [0; 4];
        self.dice.fill(&mut bytes);
        u32::from_le_bytes(bytes) % sides
    }

    fn context(&self) -> Context {
        Context { clock: self.clock.clone(), entropy: Arc::new(SeededEntropy::new(77)) }
    }

    async fn open(&self, folder: &Path) -> Store {
        let settings = Settings::new(folder.join("rows.db"), folder.join("blobs"));
        Store::open(&settings, self.context()).await.unwrap()
    }

    async fn begin(&mut self, store: &Store) {
        for number in 0..ACCOUNTS {
            let new = NewAccount {
                email: format!("{number}@example.com").parse().unwrap(),
                password_hash: None,
                sign_up_credits: Credits::ZERO,
                invitation: None,
            };
            self.accounts.push(store.create_account(new).await.unwrap().id);
            self.model.push(Book::default());
        }
    }

    /// A random command and its account. The hold that it names may have ended, or belong to
    /// another account.
    fn command(&mut self) -> (usize, Command) {
        let anybody = self.roll(u32::try_from(ACCOUNTS).unwrap()) as usize;
        let named = self.roll(u32::try_from(self.holds.len().max(1)).unwrap()) as usize;
        let named = self.holds.get(named).copied();
        let credits = Credits::from(self.roll(20));
        match (self.roll(20), named) {
            (0..4, _) => (anybody, Command::Grant(self.grant(anybody))),
            (10..14, Some((owner, hold))) => (owner, Command::Capture { hold, credits }),
            (14..17, Some((owner, hold))) => (owner, Command::Release { hold }),
            (17, Some((_, hold))) => (anybody, Command::Release { hold }),
            (18, Some((_, id))) => (
                anybody,
                Command::Hold(NewHold { id, credits, key: None, description: "x".into() }),
            ),
            _ => {
                let id = self.ids.edit();
                self.holds.push((anybody, id));
                (
                    anybody,
                    Command::Hold(NewHold { id, credits, key: None, description: "x".into() }),
                )
            }
        }
    }

    fn grant(&self, account: usize) -> Grant {
        let hours = i64::from(self.roll(4));
        Grant {
            kind: BucketKind::ALL[self.roll(5) as usize],
            credits: Credits::from(self.roll(60)),
            source_key: format!("source-{account}-{}", self.roll(40)),
            expires_at: (hours > 0).then(|| self.clock.now().plus_ms(hours * HOUR_MS)),
            priority: None,
            description: String::new(),
        }
    }

    /// Runs one command on the store and on the model. Both must return the same.
    async fn step(&mut self, store: &Store) {
        let forward = i64::from(self.roll(90)) * 60_000;
        let step = if self.roll(8) == 0 { -forward } else { forward };
        self.clock.advance_ms(step);
        let (account, command) = self.command();
        let expected = self.expected(account, &command);
        let answer = store.ledger(&self.accounts[account], command.clone()).await;
        let book = &mut self.model[account];
        match expected {
            Ok(entries) => {
                entries.iter().for_each(|entry| book.apply(entry).unwrap());
                assert_eq!(answer, Ok(book.balance));
                self.history.push(self.balances());
            }
            Err(refused) => assert_eq!(answer, Err(Error::Refused(refused))),
        }
    }

    /// The result that the model predicts: the pure function, with hold IDs that are unique among
    /// all accounts.
    fn expected(&self, account: usize, command: &Command) -> Result<Vec<Entry>, Refused> {
        let mut others = self.model.iter().enumerate().filter(|(number, _)| *number != account);
        if let Command::Hold(NewHold { id, .. }) = command
            && others.any(|(_, book)| book.holds.contains_key(id))
        {
            return Err(Refused::HoldIdTaken);
        }
        decide(&self.model[account], command, self.clock.now())
    }

    fn balances(&self) -> Vec<Vec<i64>> {
        self.model
            .iter()
            .map(|book| {
                let it = book.balance;
                let parts = [
                    it.granted,
                    it.available,
                    it.held,
                    it.spent,
                    it.expired,
                    it.taken_back,
                    it.debt,
                ];
                parts.map(Credits::get).into_iter().chain([it.seq]).collect()
            })
            .collect()
    }

    /// A copy of the files as a crash would leave them, with the log truncated to `keep` of its
    /// length.
    fn crash(&self, from: &Path, keep: impl Fn(usize) -> usize) -> PathBuf {
        let number = fs::read_dir(self.folder.path()).unwrap().count();
        let to = self.folder.path().join(format!("crash-{number}"));
        fs::create_dir_all(&to).unwrap();
        fs::copy(from.join("rows.db"), to.join("rows.db")).unwrap();
        let log = fs::read(from.join("rows.db-wal")).unwrap_or_default();
        fs::write(to.join("rows.db-wal"), &log[..keep(log.len())]).unwrap();
        to
    }

    /// The balances in the database in this folder.
    fn stored(&self, folder: &Path) -> Vec<Vec<i64>> {
        let rows = Connection::open(folder.join("rows.db")).unwrap();
        let sql = "SELECT granted, available, held, spent, expired, taken_back, debt, seq
                   FROM balance WHERE account_id = ?1";
        let read = |account: &AccountId| {
            rows.query_row(sql, [account.as_str()], |row| (0..8).map(|at| row.get(at)).collect())
        };
        self.accounts.iter().map(|account| read(account).unwrap()).collect()
    }
}

async fn assert_proved(store: &Store) {
    let report = store.verify().await.unwrap();
    assert_eq!(report.found, 0, "{:?}", report.disagreements);
}

async fn run(seed: u64) {
    let mut world = World::new(seed);
    let mut folder = world.folder.path().join("start");
    let mut store = world.open(&folder).await;
    world.begin(&store).await;
    for _ in 0..STEPS {
        world.step(&store).await;
        let left = world.crash(&folder, |bytes| bytes);
        drop(store);
        store = world.open(&left).await;
        assert_eq!(world.stored(&left), world.balances(), "seed {seed}");
        assert_proved(&store).await;
        folder = left;
    }
    let ended = |hold: &(usize, EditId)| {
        world.model[hold.0].holds.get(&hold.1).is_some_and(|it| it.state != HoldState::Held)
    };
    assert!(world.holds.iter().any(ended), "seed {seed} tries something");
}

#[tokio::test]
async fn what_was_acknowledged_survives_a_crash_after_every_step() {
    for seed in 0..3 {
        run(seed).await;
    }
}

#[tokio::test]
async fn a_log_that_was_cut_off_anywhere_leaves_the_books_of_some_moment() {
    let mut world = World::new(99);
    let folder = world.folder.path().join("start");
    let store = world.open(&folder).await;
    world.begin(&store).await;
    store.close().await.unwrap();
    drop(store);
    let store = world.open(&folder).await;
    world.history.push(world.balances());
    for _ in 0..STEPS {
        world.step(&store).await;
    }
    for _ in 0..40 {
        let cut = world.roll(u32::MAX) as usize;
        let left = world.crash(&folder, |bytes| cut % (bytes + 1));
        let found = world.open(&left).await;
        assert_proved(&found).await;
        let stored = world.stored(&left);
        assert!(world.history.contains(&stored), "no moment had these balances: {stored:?}");
    }
}
