//! A page in memory, rendered again when the state that it shows has changed.

use std::sync::{Arc, Mutex, PoisonError};

use crate::site::{Page, PageError};

/// The newest rendering of a page, with the state `K` that it shows.
pub(super) struct CachedPage<K>(Mutex<Option<(K, Arc<Page>)>>);

impl<K> Default for CachedPage<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: PartialEq> CachedPage<K> {
    /// The page about `state`; `write` renders it if the cached one shows another.
    pub(super) fn get(
        &self,
        state: K,
        write: impl FnOnce() -> Result<Page, PageError>,
    ) -> Result<Arc<Page>, PageError> {
        // The lock is held meanwhile, so that concurrent requests render the page once.
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((shown, page)) = &*cached
            && *shown == state
        {
            return Ok(Arc::clone(page));
        }
        let page = Arc::new(write()?);
        *cached = Some((state, Arc::clone(&page)));
        Ok(page)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::policy;

    #[test]
    fn a_page_is_written_once_for_each_state() {
        let page = CachedPage::default();
        let mut written = 0;
        for state in [1, 1, 1, 2, 2] {
            let write = || {
                written += 1;
                Ok(Page::html(policy::PAGE, state.to_string()))
            };
            page.get(state, write).unwrap();
        }
        assert_eq!(written, 2);
    }
}
