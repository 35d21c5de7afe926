//! The exports that are being made and read: one at a time for each account.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::accounts::AccountId;

/// The accounts whose export is under way. Clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct Exports(Arc<Mutex<HashSet<AccountId>>>);

/// An export that is under way until this is dropped.
#[derive(Debug)]
pub(super) struct Export {
    exports: Exports,
    account: AccountId,
}

impl Exports {
    /// Begins an account's export, unless another one is under way.
    pub(super) fn begin(&self, account: AccountId) -> Option<Export> {
        self.accounts().insert(account).then(|| Export {
            exports: self.clone(),
            account,
        })
    }

    /// The set is right between any two statements, so a panic elsewhere cannot spoil it.
    fn accounts(&self) -> MutexGuard<'_, HashSet<AccountId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Export {
    fn drop(&mut self) {
        self.exports.accounts().remove(&self.account);
    }
}
