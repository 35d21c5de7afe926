//! Conversions between the domain's values and columns.

use std::error::Error;
use std::time::Duration;

use bytes::BytesMut;
use jiff::Timestamp;
use ruint::aliases::U256;
use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use uuid::Uuid;

use super::Failure;
use crate::accounts::{AccountId, Email, SecretDigest, SessionId, SignInId};
use crate::campaigns::{CampaignBeneficiary, CampaignId};
use crate::chains::{Address, ChainAddress, ChainId, ChainKind};
use crate::charities::{Category, CharityId};
use crate::claims::{ClaimId, ClaimNonce, ClaimState, Proof};
use crate::configs::{ConfigId, Metadata};
use crate::database::StoreError;
use crate::domain::amount::{TokenAmount, UsdE6, Weight};
use crate::domain::day::Day;
use crate::donations::{DonationStats, Revision};
use crate::keys::{KeyDigest, KeyId};
use crate::mail::MailId;
use crate::members::InvitationId;
use crate::oidc::IdentityId;
use crate::passkeys::{CeremonyId, PasskeyId};
use crate::projects::{ProjectId, Role, Tier};
use crate::tier_requests::TierRequestId;
use crate::usage::{Minute, RunId, StatusClass};
use crate::webhooks::{DeliveryId, DeliveryState, EventId, EventType, EventTypes, WebhookId};

/// An instant, as milliseconds since 1970-01-01T00:00Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Millis(pub(crate) Timestamp);

/// Some bytes that are always as many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Bytes<const N: usize>(pub(crate) [u8; N]);

/// Implements reading and writing for a type that is one column: the column's type, the conversion to
/// it and the conversion from it.
macro_rules! column {
    (for [$($generics:tt)*] $type:ty as $inner:ty, $write:expr, $read:expr) => {
        impl<$($generics)*> ToSql for $type {
            fn to_sql(
                &self,
                column: &Type,
                out: &mut BytesMut,
            ) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
                let write: fn(&$type) -> $inner = $write;
                write(self).to_sql(column, out)
            }

            fn accepts(column: &Type) -> bool {
                <$inner as ToSql>::accepts(column)
            }

            to_sql_checked!();
        }

        impl<'r, $($generics)*> FromSql<'r> for $type {
            fn from_sql(column: &Type, raw: &'r [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
                let read: fn($inner) -> Option<$type> = $read;
                let value = <$inner as FromSql>::from_sql(column, raw)?;
                read(value).ok_or_else(|| concat!("no ", stringify!($type)).into())
            }

            fn accepts(column: &Type) -> bool {
                <$inner as FromSql>::accepts(column)
            }
        }
    };
    ($type:ty as $inner:ty, $write:expr, $read:expr) => {
        column!(for [] $type as $inner, $write, $read);
    };
}

column!(Millis as i64, |at| at.0.as_millisecond(), |ms| {
    Timestamp::from_millisecond(ms).ok().map(Millis)
});
column!(Day as i64, |day| day.number(), Day::new);
column!(UsdE6 as i64, |usd| usd.0, |usd| Some(UsdE6(usd)));
column!(Weight as i64, |weight| weight.get().into(), |number| {
    u32::try_from(number).ok().and_then(Weight::new)
});
column!(Revision as i64, |revision| revision.0.into(), |number| {
    u32::try_from(number).ok().map(Revision)
});
column!(ChainId as i64, |chain| chain.get(), ChainId::new);
column!(
    ChainKind as String,
    |kind| kind.as_str().to_owned(),
    |name| name.parse().ok()
);
column!(Tier as String, |tier| tier.as_str().to_owned(), |name| name
    .parse()
    .ok());
column!(
    Category as String,
    |category| category.as_str().to_owned(),
    |name| name.parse().ok()
);
column!(CharityId as Uuid, |id| id.0, |id| Some(CharityId(id)));
column!(CampaignId as Uuid, |id| id.0, |id| Some(CampaignId(id)));
column!(ProjectId as Uuid, |id| id.0, |id| Some(ProjectId(id)));
column!(KeyId as Uuid, |id| id.0, |id| Some(KeyId(id)));
column!(AccountId as Uuid, |id| id.0, |id| Some(AccountId(id)));
column!(SignInId as Uuid, |id| id.0, |id| Some(SignInId(id)));
column!(SessionId as Uuid, |id| id.0, |id| Some(SessionId(id)));
column!(ClaimId as Uuid, |id| id.0, |id| Some(ClaimId(id)));
column!(ClaimNonce as Uuid, |nonce| nonce.0, |id| Some(ClaimNonce(
    id
)));
column!(
    ClaimState as String,
    |state| state.as_str().to_owned(),
    |name| name.parse().ok()
);
column!(Proof as String, |proof| proof.as_str().to_owned(), |name| {
    name.parse().ok()
});
column!(MailId as Uuid, |id| id.0, |id| Some(MailId(id)));
column!(InvitationId as Uuid, |id| id.0, |id| Some(InvitationId(id)));
column!(TierRequestId as Uuid, |id| id.0, |id| Some(TierRequestId(
    id
)));
column!(PasskeyId as Uuid, |id| id.0, |id| Some(PasskeyId(id)));
column!(IdentityId as Uuid, |id| id.0, |id| Some(IdentityId(id)));
column!(CeremonyId as Uuid, |id| id.0, |id| Some(CeremonyId(id)));
column!(Email as String, |email| email.as_str().to_owned(), |text| {
    text.parse().ok()
});
column!(Role as String, |role| role.as_str().to_owned(), |name| name
    .parse()
    .ok());
column!(Minute as i64, |minute| minute.0, |number| Some(Minute(
    number
)));
column!(RunId as Uuid, |id| id.0, |id| Some(RunId(id)));
column!(
    StatusClass as String,
    |class| class.as_str().to_owned(),
    |name| name.parse().ok()
);
column!(WebhookId as Uuid, |id| id.0, |id| Some(WebhookId(id)));
column!(EventId as Uuid, |id| id.0, |id| Some(EventId(id)));
column!(DeliveryId as Uuid, |id| id.0, |id| Some(DeliveryId(id)));
column!(
    DeliveryState as String,
    |state| state.as_str().to_owned(),
    |name| name.parse().ok()
);
column!(EventType as String, |it| it.as_str().to_owned(), |name| {
    name.parse().ok()
});
column!(EventTypes as i64, |types| types.bits().into(), |bits| {
    u32::try_from(bits).ok().and_then(EventTypes::from_bits)
});
column!(for [const N: usize] Bytes<N> as Vec<u8>, |bytes| bytes.0.to_vec(), |bytes| bytes.try_into().ok().map(Bytes));
column!(KeyDigest as Bytes<32>, |digest| Bytes(digest.0), |bytes| {
    Some(KeyDigest(bytes.0))
});
column!(
    SecretDigest as Bytes<32>,
    |digest| Bytes(digest.0),
    |bytes| { Some(SecretDigest(bytes.0)) }
);
column!(
    Metadata as String,
    |texts| texts.to_json().to_string(),
    |text| { Metadata::from_json(&text) }
);
column!(ConfigId as Bytes<32>, |id| Bytes(id.0), |bytes| Some(
    ConfigId(bytes.0)
));
column!(
    TokenAmount as Bytes<32>,
    |amount| Bytes(amount.0.to_be_bytes()),
    |bytes| { Some(TokenAmount(U256::from_be_bytes(bytes.0))) }
);

/// The instant a time before another one.
pub(crate) fn before(now: Timestamp, time: Duration) -> Millis {
    Millis(now.saturating_sub(time).unwrap_or(Timestamp::MIN))
}

/// Reads an instant.
pub(crate) fn time(row: &Row, column: &str) -> Result<Timestamp, Failure> {
    Ok(row.try_get::<_, Millis>(column)?.0)
}

/// Reads an instant that may be absent.
pub(crate) fn time_if_any(row: &Row, column: &str) -> Result<Option<Timestamp>, Failure> {
    Ok(row.try_get::<_, Option<Millis>>(column)?.map(|at| at.0))
}

/// Reads a number into the requested type, never a negative one.
pub(crate) fn number<T: TryFrom<i64>>(row: &Row, column: &str) -> Result<T, Failure> {
    let number = row.try_get::<_, i64>(column)?;
    let unfit = || StoreError::Corrupt(format!("{column} is {number}"));
    Ok(T::try_from(number).map_err(|_| unfit())?)
}

/// Reads an address that was written in its canonical spelling.
pub(crate) fn address(row: &Row, kind: ChainKind, column: &str) -> Result<Address, Failure> {
    let text: &str = row.try_get(column)?;
    let parsed = Address::parse(kind, text);
    Ok(parsed.map_err(|error| StoreError::Corrupt(format!("{column} {error}")))?)
}

/// Reads the columns `chain`, `kind` and `address`.
pub(crate) fn chain_address(row: &Row) -> Result<ChainAddress, Failure> {
    Ok(ChainAddress {
        chain: row.try_get("chain")?,
        address: address(row, row.try_get("kind")?, "address")?,
    })
}

/// Reads the beneficiary of a campaign from the columns `charity` and `config`.
pub(crate) fn beneficiary(row: &Row) -> Result<CampaignBeneficiary, Failure> {
    Ok(match row.try_get("charity")? {
        Some(charity) => CampaignBeneficiary::Charity(charity),
        None => CampaignBeneficiary::Config(row.try_get("config")?),
    })
}

/// Reads the columns `usd_e6`, `donations`, `first_at` and `last_at`.
pub(crate) fn stats(row: &Row) -> Result<DonationStats, Failure> {
    Ok(DonationStats {
        usd: row.try_get("usd_e6")?,
        donations: number(row, "donations")?,
        first: time_if_any(row, "first_at")?,
        last: time_if_any(row, "last_at")?,
    })
}
