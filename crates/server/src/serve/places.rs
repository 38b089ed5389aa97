//! Limits the number of connections per client address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ipnet::IpNet;

use crate::auth::throttle::{AddressKey, address_key};
use crate::config::ServerSettings;

/// Counts connections per client address; clones share the counts.
#[derive(Clone, Debug)]
pub(super) struct Places {
    per_address_max: usize,
    trusted_proxies: Vec<IpNet>,
    taken: Arc<Mutex<HashMap<AddressKey, usize>>>,
}

/// A counted connection. Dropping it frees its place.
#[derive(Debug)]
pub(super) struct Place {
    /// `None` if the address has no limit.
    counted: Option<(Places, AddressKey)>,
}

impl Places {
    /// The operator's limits.
    pub(super) fn of(settings: &ServerSettings) -> Self {
        Self {
            per_address_max: settings.connections.per_address_max,
            trusted_proxies: settings.trusted_proxies.clone(),
            taken: Arc::default(),
        }
    }

    /// A place for a connection from `address`; `None` if the address has reached its limit. Trusted
    /// proxies have no limit because they serve many clients.
    pub(super) fn take(&self, address: IpAddr) -> Option<Place> {
        let address = address.to_canonical();
        let is_trusted = self.trusted_proxies.iter().any(|network| network.contains(&address));
        if is_trusted || self.per_address_max == 0 {
            return Some(Place { counted: None });
        }
        let key = address_key(Some(address));
        let mut taken = self.taken();
        let count = taken.entry(key).or_default();
        if *count >= self.per_address_max {
            return None;
        }
        *count += 1;
        Some(Place { counted: Some((self.clone(), key)) })
    }

    fn taken(&self) -> MutexGuard<'_, HashMap<AddressKey, usize>> {
        // A panic elsewhere cannot leave a count inconsistent.
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let Some((places, key)) = &self.counted else { return };
        let mut taken = places.taken();
        if let Some(count) = taken.get_mut(key) {
            *count -= 1;
            if *count == 0 {
                taken.remove(key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(per_address_max: usize) -> Places {
        let trusted_proxies = vec!["192.0.2.0/24".parse().unwrap()];
        Places { per_address_max, trusted_proxies, taken: Arc::default() }
    }

    fn take(places: &Places, address: &str) -> Option<Place> {
        places.take(address.parse().unwrap())
    }

    #[test]
    fn an_address_has_its_share_and_leaves_nothing_behind() {
        let places = places(2);
        let held = [take(&places, "198.51.100.1"), take(&places, "::ffff:198.51.100.1")];
        assert!(held.iter().all(Option::is_some));
        assert!(take(&places, "198.51.100.1").is_none(), "both forms are one address");
        let other = take(&places, "198.51.100.2");
        assert!(other.is_some(), "another address has a share of its own");
        drop(held);
        assert!(take(&places, "198.51.100.1").is_some());
        drop(other);
        assert!(places.taken().is_empty());
    }

    #[test]
    fn a_network_of_ipv6_is_one_client() {
        let places = places(1);
        let held = take(&places, "2001:db8:1:2::1");
        assert!(held.is_some());
        assert!(take(&places, "2001:db8:1:2:ffff::2").is_none());
        assert!(take(&places, "2001:db8:1:3::1").is_some());
    }

    #[test]
    fn trusted_proxies_have_no_share() {
        let places = places(1);
        let held: Vec<_> = (0..10).map(|_| take(&places, "192.0.2.7")).collect();
        assert!(held.iter().all(Option::is_some));
        assert!(places.taken().is_empty());
    }
}
