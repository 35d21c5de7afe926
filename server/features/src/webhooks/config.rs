//! The settings of webhooks.

use std::path::PathBuf;

use ipnet::IpNet;

use super::TargetRules;
use super::lifecycle::WebhookSetup;
use super::secret::{SecretKeys, SecretKeysError};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WebhookConfig {
    /// The keys that encrypt secrets.
    pub keys: WebhookKeys,
    /// The networks that webhooks may lead to besides the public internet.
    pub networks: Vec<IpNet>,
}

/// The keys that encrypt the secrets of webhooks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum WebhookKeys {
    /// There are none, and so no webhooks.
    #[default]
    None,
    /// Those of a file.
    File(PathBuf),
    /// One that is gone with the process, for a demo.
    Random,
}

impl WebhookConfig {
    /// The keys and rules of these settings. Reads the file of the keys.
    ///
    /// # Errors
    /// When there are no keys in the file.
    pub fn open(&self, is_demo: bool) -> Result<WebhookSetup, SecretKeysError> {
        Ok(WebhookSetup {
            keys: match &self.keys {
                WebhookKeys::None => None,
                WebhookKeys::File(path) => Some(SecretKeys::read(path)?),
                WebhookKeys::Random => Some(SecretKeys::random()?),
            },
            rules: TargetRules {
                networks: self.networks.clone(),
                is_demo,
            },
        })
    }
}
