//! Sessions: browsers that are signed in.

use std::time::Duration;

use jiff::Timestamp;
use uuid::Uuid;

use super::{Account, AccountRules, BrowserName, SecretDigest};
use edge::clock::{after, is_within};
use features::domain::ids::{AccountId, IdentityId, PasskeyId};

/// How long the proof at the beginning of a session allows dangerous actions.
const STEP_UP: Duration = Duration::from_secs(600);
/// The precision of the time at which a session was last used.
const PRECISION: Duration = Duration::from_secs(60);

/// The public identity of a session, by which its owner ends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionId(pub Uuid);

db::uuid_column!(SessionId);

/// The proof that the account gave at the beginning of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionProof {
    /// That it reads the mail of its address.
    Mail,
    Passkey(PasskeyId),
    /// That a provider of OpenID Connect knows it by this identity.
    Oidc(IdentityId),
    /// Nothing: it is an account of a demonstration, in which this counts as a passkey.
    Demo,
}

/// A session to be stored.
#[derive(Debug, Clone)]
pub struct NewSession {
    pub id: SessionId,
    pub secret: SecretDigest,
    pub browser_name: BrowserName,
    pub proof: SessionProof,
    pub created_at: Timestamp,
    /// When it was proved; long ago, if that is not known.
    pub stepped_up_at: Timestamp,
    /// Of the secret of the session that the browser had before, which ends.
    pub replaces: Option<SecretDigest>,
}

/// A session as the store knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    pub id: SessionId,
    pub account: AccountId,
    pub browser_name: BrowserName,
    pub proof: SessionProof,
    pub created_at: Timestamp,
    /// When it was last used, to the minute.
    pub last_seen_at: Timestamp,
    /// When the proof was given.
    pub stepped_up_at: Timestamp,
}

/// A person who is signed in, and the session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedIn {
    pub account: Account,
    pub session: Session,
    pub is_operator: bool,
}

impl SignedIn {
    /// Whether the account proved that it is its person in the last 10 minutes, as issuing and rotating
    /// keys, changing passkeys and deleting projects require.
    pub fn is_stepped_up(&self, now: Timestamp) -> bool {
        is_within(self.session.stepped_up_at, STEP_UP, now)
    }
}

impl SessionProof {
    /// Whether it is as strong as operators need it. A mailbox is not: who reads it could take the
    /// operator's place.
    pub fn is_passkey(self) -> bool {
        matches!(self, Self::Passkey(_) | Self::Demo)
    }

    /// Its name in the database.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Mail => "mail",
            Self::Passkey(_) => "passkey",
            Self::Oidc(_) => "oidc",
            Self::Demo => "demo",
        }
    }

    pub(crate) fn passkey(self) -> Option<PasskeyId> {
        match self {
            Self::Passkey(passkey) => Some(passkey),
            Self::Mail | Self::Oidc(_) | Self::Demo => None,
        }
    }

    pub(crate) fn identity(self) -> Option<IdentityId> {
        match self {
            Self::Oidc(identity) => Some(identity),
            Self::Mail | Self::Passkey(_) | Self::Demo => None,
        }
    }

    /// The proof of the columns `proof`, `passkey` and `identity`, if there is one.
    pub(crate) fn of(
        name: &str,
        passkey: Option<PasskeyId>,
        identity: Option<IdentityId>,
    ) -> Option<Self> {
        match (name, passkey, identity) {
            ("mail", None, None) => Some(Self::Mail),
            ("passkey", Some(passkey), None) => Some(Self::Passkey(passkey)),
            ("oidc", None, Some(identity)) => Some(Self::Oidc(identity)),
            ("demo", None, None) => Some(Self::Demo),
            _ => None,
        }
    }
}

impl NewSession {
    /// Whether it begins with a proof of the last 10 minutes.
    pub(crate) fn is_stepped_up(&self) -> bool {
        is_within(self.stepped_up_at, STEP_UP, self.created_at)
    }
}

impl Session {
    /// Whether it is neither idle nor old.
    pub(crate) fn is_live(&self, rules: &AccountRules, now: Timestamp) -> bool {
        is_within(self.last_seen_at, rules.session_idle, now)
            && is_within(self.created_at, rules.session_life, now)
    }

    /// Whether its use has to be noted.
    pub(super) fn is_stale(&self, now: Timestamp) -> bool {
        now >= after(self.last_seen_at, PRECISION)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn every_proof_is_read_back() {
        let passkey = PasskeyId(Uuid::nil());
        let identity = IdentityId(Uuid::nil());
        for proof in [
            SessionProof::Mail,
            SessionProof::Passkey(passkey),
            SessionProof::Oidc(identity),
            SessionProof::Demo,
        ] {
            let read = SessionProof::of(proof.name(), proof.passkey(), proof.identity());
            assert_eq!(read, Some(proof));
        }
        assert_eq!(SessionProof::of("passkey", None, None), None);
        assert_eq!(SessionProof::of("oidc", Some(passkey), None), None);
        assert_eq!(SessionProof::of("", None, None), None);
    }

    #[test]
    fn a_session_ends_when_idle_or_old() {
        let session = Session {
            id: SessionId(Uuid::nil()),
            account: AccountId(Uuid::nil()),
            browser_name: BrowserName::of_user_agent(""),
            proof: SessionProof::Mail,
            created_at: at(0),
            last_seen_at: at(100),
            stepped_up_at: at(0),
        };
        let rules = AccountRules {
            session_idle: Duration::from_secs(50),
            session_life: Duration::from_secs(140),
            ..AccountRules::default()
        };
        let live = |now| session.is_live(&rules, at(now));
        assert!(live(139) && !live(140));
        let rules = AccountRules {
            session_life: Duration::from_secs(200),
            ..rules
        };
        let live = |now| session.is_live(&rules, at(now));
        assert!(live(149) && !live(150));
        assert!(!session.is_stale(at(159)) && session.is_stale(at(160)));
    }
}
