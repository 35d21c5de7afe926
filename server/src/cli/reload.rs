//! Reading the configuration file again while the server serves.

use std::path::PathBuf;

use jiff::Timestamp;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::config::{Config, ConfigError, Reloaded, Settings};
use crate::startup::LiveConfig;

/// The settings that a server was started with, and the signal (SIGHUP) to read its file again.
pub(super) struct Reloading {
    file: Option<PathBuf>,
    /// Flags and environment, which take precedence over the file.
    flags: Settings,
    /// The current settings.
    running: Settings,
    hangups: Signal,
}

impl Reloading {
    /// Listens from now on: the signal no longer ends the process. `running` are the settings of
    /// `flags` and `file`.
    pub(super) fn listen(
        file: Option<PathBuf>,
        flags: Settings,
        running: Settings,
    ) -> std::io::Result<Self> {
        Ok(Self {
            file,
            flags,
            running,
            hangups: signal(SignalKind::hangup())?,
        })
    }

    /// Reloads the file after each SIGHUP, without end.
    pub(super) async fn follow(mut self, live: LiveConfig) {
        while self.hangups.recv().await.is_some() {
            match self.read_again().await {
                Ok(None) => tracing::warn!("there is no --config file to reload"),
                Ok(Some(reloaded)) => self.take(reloaded, &live),
                Err(error) => {
                    tracing::error!(%error, "the configuration was not reloaded");
                    live.refuse(error.to_string());
                }
            }
        }
    }

    /// The settings of the file now, all of them checked.
    async fn read_again(&self) -> Result<Option<Reloaded>, ConfigError> {
        let Some(file) = self.file.clone() else {
            return Ok(None);
        };
        // It may be on a disk that hangs.
        let reading = tokio::task::spawn_blocking(move || Settings::from_file(&file)).await;
        // It fails only by a panic, which is logged.
        let Ok(settings) = reading else {
            return Ok(None);
        };
        let new = self.flags.clone().or(settings?);
        Ok(Some(self.running.reloaded(&new)))
    }

    fn take(&mut self, reloaded: Reloaded, live: &LiveConfig) {
        let Reloaded {
            settings,
            changed,
            pending,
        } = reloaded;
        self.running = settings.clone();
        live.apply(&Config::of(settings), pending.len(), Timestamp::now());
        tracing::info!(
            changed = changed.join(", "),
            "the configuration was reloaded"
        );
        if !pending.is_empty() {
            let settings = pending.join(", ");
            tracing::warn!(settings, "changed settings take effect at a restart");
        }
    }
}
