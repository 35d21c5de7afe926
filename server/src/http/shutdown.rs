//! The one signal that the server is to stop.

use std::io;

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

/// A request to stop, shared by all that must hear it. Clones stand for the same request.
#[derive(Debug, Clone)]
pub struct Shutdown(watch::Sender<bool>);

impl Default for Shutdown {
    fn default() -> Self {
        Self(watch::Sender::new(false))
    }
}

impl Shutdown {
    /// Asks everybody to stop.
    pub fn request(&self) {
        self.0.send_replace(true);
    }

    /// Whether somebody asked.
    pub fn is_requested(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until somebody asks.
    pub async fn requested(&self) {
        // The sender cannot be gone, `self` holds it.
        let _ = self.0.subscribe().wait_for(|requested| *requested).await;
    }

    /// Requests a shutdown at the first SIGINT or SIGTERM, and returns at the second, when whoever
    /// sent them wants the process gone at once.
    ///
    /// # Errors
    /// When the signals cannot be listened to.
    pub async fn on_signals(&self) -> io::Result<()> {
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        for _ in 0..2 {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            self.request();
        }
        Ok(())
    }
}
