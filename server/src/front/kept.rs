//! A page that is written again when what it shows has changed.

use std::sync::{Arc, Mutex, PoisonError};

use crate::site::{Page, PageError};

/// The newest page, with the state `K` that it shows.
pub(super) struct Kept<K>(Mutex<Option<(K, Arc<Page>)>>);

impl<K> Default for Kept<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: PartialEq> Kept<K> {
    /// The page about `state`; `write` writes it if the one that is kept shows another.
    pub(super) fn get(
        &self,
        state: K,
        write: impl FnOnce() -> Result<Page, PageError>,
    ) -> Result<Arc<Page>, PageError> {
        // The lock is held while the page is written, so that requests at a time write it once.
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((shown, page)) = &*kept
            && *shown == state
        {
            return Ok(Arc::clone(page));
        }
        let page = Arc::new(write()?);
        *kept = Some((state, Arc::clone(&page)));
        Ok(page)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::policy;

    #[test]
    fn a_page_is_written_once_for_each_state() {
        let kept = Kept::default();
        let mut written = 0;
        for state in [1, 1, 1, 2, 2] {
            let write = || {
                written += 1;
                Ok(Page::html(policy::PAGE, state.to_string()))
            };
            kept.get(state, write).unwrap();
        }
        assert_eq!(written, 2);
    }
}
