//! A value that can be replaced while it is in use.

use std::fmt;
use std::sync::Arc;

use arc_swap::{ArcSwap, Guard};

/// A value that any clone can replace for all clones. Reading it costs a few nanoseconds and never
/// blocks.
pub struct Reloadable<T>(Arc<ArcSwap<T>>);

impl<T> Reloadable<T> {
    pub fn new(value: T) -> Self {
        Self(Arc::new(ArcSwap::from_pointee(value)))
    }

    /// The current value. To be dropped before an `await`.
    pub fn get(&self) -> Guard<Arc<T>> {
        self.0.load()
    }

    /// Replaces the value, in one step.
    pub fn set(&self, value: T) {
        self.0.store(Arc::new(value));
    }
}

impl<T: Default> Default for Reloadable<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T> Clone for Reloadable<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: fmt::Debug> fmt::Debug for Reloadable<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}
