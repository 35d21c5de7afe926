//! All settings by name: how two sources are merged, and which settings a reload changes.

use super::Settings;

/// When a changed setting takes effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// When the file is read again.
    Reload,
    /// With the next process.
    Restart,
}

#[derive(Debug)]
pub struct Setting {
    field: &'static str,
    /// When a change of it takes effect.
    pub effect: Effect,
    differs: fn(&Settings, &Settings) -> bool,
}

/// The result of reading the file again.
#[derive(Debug, Clone, PartialEq)]
pub struct Reloaded {
    /// The settings that hold from now on.
    pub settings: Settings,
    /// The names of the settings that have changed.
    pub changed: Vec<String>,
    /// The names of the settings that have changed in the file and take effect after a restart.
    pub pending: Vec<String>,
}

/// A setting that is not named here, or named twice, does not compile.
macro_rules! settings {
    ($($effect:ident: $($field:ident)+;)+) => {
        pub const ALL: &[Setting] = &[$($(Setting {
            field: stringify!($field),
            effect: Effect::$effect,
            differs: |one, other| one.$field != other.$field,
        },)+)+];

        impl Settings {
            /// The settings of `self`, and those of `other` for the settings that `self` lacks.
            pub fn or(self, other: Self) -> Self {
                Self { $($($field: self.$field.or(other.$field),)+)+ }
            }

            /// `self` with the reloadable settings of `new`.
            fn taking(&self, new: &Self) -> Self {
                Self { $($($field: match Effect::$effect {
                    Effect::Reload => new.$field.clone(),
                    Effect::Restart => self.$field.clone(),
                },)+)+ }
            }
        }
    };
}

settings! {
    Restart: listen admin_listen database migrate public_base_url service_name service_domain
        charity_page security_contact dashboard mail mail_from mail_ca oidc_issuer
        oidc_client_id oidc_client_secret_file oidc_name session_idle session_life
        free_projects keys_per_project chain_rpc webhook_key_file webhook_networks max_networks max_networks_per_48 lift_limits redis redis_ca redis_timeout replicas max_body max_connections log_format;
    Reload: trusted_proxies limit_anonymous limit_free limit_pro limit_enterprise limit_pages
        quota_free quota_pro quota_enterprise max_connections_per_network max_connections_per_48
        max_refusals min_throughput max_in_flight max_in_flight_per_caller head_timeout
        request_timeout drain_delay shutdown_timeout log log_clients;
}

impl Setting {
    /// Its name in the file and, after two dashes, on the command line.
    pub fn name(&self) -> String {
        self.field.replace('_', "-")
    }
}

impl Settings {
    /// The result of reloading `new` in a process that runs with `self`.
    pub fn reloaded(&self, new: &Self) -> Reloaded {
        let differing = |effect| {
            let differing =
                move |setting: &&Setting| setting.effect == effect && (setting.differs)(self, new);
            ALL.iter().filter(differing).map(Setting::name).collect()
        };
        Reloaded {
            settings: self.taking(new),
            changed: differing(Effect::Reload),
            pending: differing(Effect::Restart),
        }
    }
}
