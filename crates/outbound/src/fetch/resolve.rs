//! Resolves host names to addresses.

use async_trait::async_trait;
use std::io;
use std::net::{IpAddr, Ipv4Addr, ToSocketAddrs};
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Maximum number of concurrent lookups by the operating system. A lookup cannot be canceled: if a
/// name's servers never answer, it occupies a thread for up to half a minute, long after its caller
/// has gone. Files and passwords need the same threads (tokio has 512), so lookups only get some of
/// them. Further lookups wait, within their callers' time limits.
const LOOKUPS_MAX: usize = 64;

/// Resolves a host name to all of its addresses.
#[async_trait]
pub trait Resolve: Send + Sync {
    /// All addresses of a name.
    ///
    /// # Errors
    /// When it has none, or they cannot be looked up.
    async fn addresses(&self, name: &str) -> io::Result<Vec<IpAddr>>;
}

/// The operating system's resolver. Clones share its limit.
#[derive(Clone, Debug)]
pub struct SystemResolver {
    turns: Arc<Semaphore>,
    ask: fn(&str) -> io::Result<Vec<IpAddr>>,
}

impl Default for SystemResolver {
    fn default() -> Self {
        Self { turns: Arc::new(Semaphore::new(LOOKUPS_MAX)), ask: ask_system }
    }
}

#[async_trait]
impl Resolve for SystemResolver {
    async fn addresses(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        // These names always mean loopback and need no lookup (RFC 6761, section 6.3).
        let bare = name.trim_end_matches('.');
        if bare == "localhost" || bare.ends_with(".localhost") {
            return Ok(vec![Ipv4Addr::LOCALHOST.into()]);
        }
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(io::Error::other)?;
        let (name, ask) = (name.to_owned(), self.ask);
        let asked = tokio::task::spawn_blocking(move || {
            let found = ask(&name);
            // The turn ends only now, even if the caller has long gone.
            drop(turn);
            found
        });
        asked.await.map_err(io::Error::other)?
    }
}

fn ask_system(name: &str) -> io::Result<Vec<IpAddr>> {
    Ok((name, 0).to_socket_addrs()?.map(|socket| socket.ip()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::future::join_all;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Condvar, Mutex};
    use std::time::Duration;

    static ASKED: AtomicUsize = AtomicUsize::new(0);
    static ANSWERS: (Mutex<bool>, Condvar) = (Mutex::new(false), Condvar::new());

    /// A server that does not answer until the test tells it to.
    fn ask_the_silent(_: &str) -> io::Result<Vec<IpAddr>> {
        ASKED.fetch_add(1, Ordering::SeqCst);
        let (answers, told) = &ANSWERS;
        drop(told.wait_while(answers.lock().unwrap(), |answers| !*answers).unwrap());
        Ok(vec![Ipv4Addr::LOCALHOST.into()])
    }

    #[tokio::test]
    async fn names_whose_servers_are_silent_hold_no_more_threads_than_their_share() {
        let resolver = SystemResolver { ask: ask_the_silent, ..SystemResolver::default() };
        let lookups = (0..3 * LOOKUPS_MAX)
            .map(|_| tokio::time::timeout(Duration::ZERO, resolver.addresses("silent.test")));
        let left = join_all(lookups).await;
        assert!(left.iter().all(Result::is_err), "every caller has gone");
        assert_eq!(resolver.turns.available_permits(), 0, "their turns are still taken");
        let other = tokio::task::spawn_blocking(|| 1).await.unwrap();
        assert_eq!(other, 1, "other work has threads");
        *ANSWERS.0.lock().unwrap() = true;
        ANSWERS.1.notify_all();
        assert_eq!(resolver.addresses("answers.test").await.unwrap().len(), 1);
        // Lookups that were still waiting for a turn when their caller gave up never started.
        assert!(ASKED.load(Ordering::SeqCst) <= LOOKUPS_MAX + 1);
    }
}
