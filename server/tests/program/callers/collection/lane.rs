//! A demo with a relay before it and newman to ask it.

use std::sync::Arc;

use super::newman::Newman;
use super::relay::Relay;
use super::{DEMO, serve};
use crate::document::Document;
use crate::folder::Folder;
use crate::mutations::Proxy;
use crate::serving::Serving;

/// A lane runs requests against a server of its own, so that several lanes work at once.
pub(super) struct Lane {
    relay: Relay,
    newman: Newman,
    _serving: Serving,
    _folder: Folder,
}

impl Lane {
    pub(super) fn open(document: &Arc<Document>) -> Self {
        let folder = Folder::new();
        let serving = serve(&folder, &DEMO);
        Self {
            relay: Relay::before(serving.api, Arc::clone(document)),
            newman: Newman::start(),
            _serving: serving,
            _folder: folder,
        }
    }

    /// Runs requests through each of the proxies; whether a check failed, for each.
    pub(super) fn run(&mut self, proxies: Vec<Arc<Proxy>>, items: &[String]) -> Vec<bool> {
        let bases = self.relay.pass_through(proxies);
        let failed = self.newman.run(&bases, items);
        (0..bases.len()).map(|n| failed.contains(&n)).collect()
    }
}
