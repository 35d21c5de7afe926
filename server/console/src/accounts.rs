//! Accounts: the people who sign in to the dashboard, their sign-ins by mail and their sessions.

mod account;
mod browser_name;
mod code;
pub mod history;
mod limits;
mod network;
mod pending_sign_in;
mod secret;
mod session;
pub mod sessions;
pub mod sign_in;
pub(crate) mod sql;
pub mod store;

pub use account::Account;
pub use browser_name::BrowserName;
pub use code::SignInCode;
pub use features::console_config::AccountRules;
pub use history::{AccountAction, AccountEvent};
pub use limits::SignInLimit;
pub(crate) use limits::admit_account;
pub use network::Network;
pub(crate) use network::NetworkCounts;
pub use pending_sign_in::{
    KNOWN_BROWSER_LIFE, NewSignIn, PendingSignIn, SignInId, SignInProof, SignInRejection,
};
pub use secret::{
    AuthorizationSecret, BrowserSecret, EnrolmentCode, InvitationToken, MalformedSecret,
    SecretDigest, SessionSecret, SignInToken,
};
pub use session::{NewSession, Session, SessionId, SessionProof, SignedIn};
