//! A small cache of the pages that were requested most recently.

use std::array;
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::{Mutex, PoisonError};

use super::Tagged;

/// The number of pages that are kept. It bounds their memory, whatever clients request.
const PLACES: usize = 32;

/// A cache of encoded pages of one state of the catalogue, by query. A query belongs to one place by
/// its hash, and a new page replaces the one in its place.
pub(crate) struct Pages<K, T> {
    places: [Place<K, T>; PLACES],
    hasher: RandomState,
}

/// A query and the page that answers it.
type Place<K, T> = Mutex<Option<(K, Tagged<T>)>>;

impl<K: Hash + Eq, T: Clone> Pages<K, T> {
    /// No pages yet.
    pub(crate) fn new() -> Self {
        Self {
            places: array::from_fn(|_| Mutex::default()),
            hasher: RandomState::new(),
        }
    }

    /// The page that answers `query`; `make` makes it if it is not kept.
    pub(crate) fn get(&self, query: K, make: impl FnOnce(&K) -> Tagged<T>) -> Tagged<T> {
        let place = self.hasher.hash_one(&query) as usize % PLACES;
        let Some(place) = self.places.get(place) else {
            return make(&query);
        };
        // A place is consistent between any two statements, so a poisoned lock is harmless.
        let lock = || place.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((kept, page)) = &*lock()
            && *kept == query
        {
            return page.clone();
        }
        let page = make(&query);
        *lock() = Some((query, page.clone()));
        page
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_a_page_until_another_takes_its_place() {
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
