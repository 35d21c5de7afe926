//! Fair shares of the webhooks that a server sends to at the same time.

use url::Url;
use uuid::Uuid;

/// The webhooks that a server sends to at the same time.
const AT_A_TIME: usize = 64;

/// The part of the places for the webhooks of one owner, for those at one host, and for all that are slow: a quarter.
const SHARE: usize = 4;

/// What a webhook has a share by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sharer {
    /// The first owner of its project; a project without owners is its own.
    pub owner: Uuid,
    pub host: String,
    /// Whether a request of its last delivery run was slow.
    pub is_slow: bool,
}

/// The places of a server, and the webhooks that have them.
#[derive(Debug, Clone)]
pub struct Places {
    count: usize,
    taken: Vec<Sharer>,
}

impl Default for Places {
    fn default() -> Self {
        Self::new(AT_A_TIME)
    }
}

impl Places {
    /// So many places, which are free.
    pub fn new(count: usize) -> Self {
        Self {
            count,
            taken: Vec::new(),
        }
    }

    pub(super) fn are_taken(&self) -> bool {
        self.taken.len() >= self.count
    }

    /// The most that one owner, one host, or the slow webhooks have.
    pub(super) fn share(&self) -> usize {
        self.count.div_ceil(SHARE)
    }

    /// Takes a place, if one is free and the shares of the webhook are not used up.
    pub fn take(&mut self, sharer: Sharer) -> bool {
        let count = |has: &dyn Fn(&Sharer) -> bool| self.taken.iter().filter(|it| has(it)).count();
        let share = self.share();
        let is_free = !self.are_taken()
            && count(&|it| it.owner == sharer.owner) < share
            && count(&|it| it.host == sharer.host) < share
            && (!sharer.is_slow || count(&|it| it.is_slow) < share);
        if is_free {
            self.taken.push(sharer);
        }
        is_free
    }

    /// Frees a place.
    pub(super) fn free(&mut self, sharer: &Sharer) {
        if let Some(place) = self.taken.iter().position(|it| it == sharer) {
            self.taken.swap_remove(place);
        }
    }
}

/// The host of the URL of a webhook.
pub(super) fn host(url: &str) -> String {
    let url = Url::parse(url).ok();
    let host = url.as_ref().and_then(Url::host_str);
    host.unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(sharers: impl IntoIterator<Item = (u128, &'static str, bool)>) -> usize {
        let mut places = Places::default();
        let sharers = sharers.into_iter().map(|(owner, host, is_slow)| Sharer {
            owner: Uuid::from_u128(owner),
            host: host.to_owned(),
            is_slow,
        });
        sharers.filter(|it| places.take(it.clone())).count()
    }

    #[test]
    fn owners_hosts_and_slow_webhooks_have_a_quarter_each() {
        let hosts = ["a", "b", "c", "d", "e", "f"];
        assert_eq!(taken((0..99).map(|n| (1, hosts[n % 6], false))), 16);
        assert_eq!(taken((0..99).map(|n| (n, "a", false))), 16);
        assert_eq!(taken((0..99).map(|n| (n, hosts[n as usize % 6], true))), 16);
        assert_eq!(
            taken((0..99).map(|n| (n, hosts[n as usize % 6], false))),
            64
        );
    }

    #[test]
    fn a_place_that_is_freed_is_taken_again() {
        let mut places = Places::new(1);
        let sharer = Sharer {
            owner: Uuid::nil(),
            host: host("https://partner.example:8443/hooks"),
            is_slow: true,
        };
        assert_eq!(sharer.host, "partner.example");
        assert!(places.take(sharer.clone()) && !places.take(sharer.clone()));
        places.free(&sharer);
        assert!(places.take(sharer));
    }
}
