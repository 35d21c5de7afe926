//! A small cache of the pages that were requested most recently.

use std::array;
use std::hash::{BuildHasher, Hash};
use std::sync::{Mutex, MutexGuard, PoisonError};

use foldhash::quality::RandomState;

use super::Tagged;

/// The number of cached pages, which bounds their memory for any requests.
const SLOTS: usize = 32;

/// A cache of encoded pages of one state of the catalogue. The hash of a query determines its slot,
/// in which a new page replaces an older one.
pub(crate) struct Pages<K, T> {
    slots: [Slot<K, T>; SLOTS],
    hasher: RandomState,
}

/// A query and the page that answers it.
type Content<K, T> = Option<(K, Tagged<T>)>;

type Slot<K, T> = Mutex<Content<K, T>>;

impl<K: Hash + Eq, T: Clone> Pages<K, T> {
    pub(crate) fn new() -> Self {
        Self {
            slots: array::from_fn(|_| Mutex::default()),
            hasher: RandomState::default(),
        }
    }

    /// The page that answers `query`; `make` makes it if it is not cached.
    pub(crate) fn get(&self, query: K, make: impl FnOnce(&K) -> Tagged<T>) -> Tagged<T> {
        self.find(&query).unwrap_or_else(|| {
            let page = make(&query);
            self.insert(query, page.clone());
            page
        })
    }

    /// The page that answers `query`, if it is cached.
    pub(crate) fn find(&self, query: &K) -> Option<Tagged<T>> {
        match &*self.slot(query)? {
            Some((cached, page)) if cached == query => Some(page.clone()),
            _ => None,
        }
    }

    /// Caches the page that answers `query`.
    pub(crate) fn insert(&self, query: K, page: Tagged<T>) {
        if let Some(mut slot) = self.slot(&query) {
            *slot = Some((query, page));
        }
    }

    fn slot(&self, query: &K) -> Option<MutexGuard<'_, Content<K, T>>> {
        let slot = self.hasher.hash_one(query) as usize % SLOTS;
        // A slot is consistent between any two statements, so a poisoned lock is harmless.
        let slot = self.slots.get(slot)?;
        Some(slot.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<K: Hash + Eq, T: Clone> Default for Pages<K, T> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_cached_until_another_takes_its_slot() {
        let pages = Pages::<usize, String>::new();
        let made = Mutex::new(0);
        let get = |query: usize| {
            let page = pages.get(query, |query| {
                *made.lock().unwrap() += 1;
                Tagged::new(query.to_string().into())
            });
            assert_eq!(page.body.decode().unwrap(), query.to_string());
        };
        (0..3).for_each(|_| get(7));
        assert_eq!(*made.lock().unwrap(), 1);
        (0..1000).for_each(get);
        (0..1000).for_each(get);
        assert!(*made.lock().unwrap() > 1900);
    }
}
