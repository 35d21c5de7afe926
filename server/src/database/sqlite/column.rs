//! Conversions between the domain's values and columns.

use std::time::Duration;

use jiff::Timestamp;
use ruint::aliases::U256;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, Type, ValueRef};
use rusqlite::{Result, Row};
use uuid::Uuid;

use crate::accounts::{AccountId, Email, SecretDigest, SessionId, SignInId};
use crate::campaigns::CampaignId;
use crate::chains::{Address, ChainAddress, ChainId, ChainKind};
use crate::charities::{Category, CharityId};
use crate::claims::{ClaimId, ClaimNonce, ClaimState, Proof};
use crate::configs::{ConfigId, Metadata};
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

/// Implements reading and writing for a type that is one column: the conversion to the column's type,
/// that type, and the conversion from it.
macro_rules! column {
    ($type:ty, $write:expr, $inner:ty => $read:expr) => {
        impl ToSql for $type {
            fn to_sql(&self) -> Result<ToSqlOutput<'_>> {
                let write: fn(&$type) -> ToSqlOutput<'_> = $write;
                Ok(write(self))
            }
        }

        impl FromSql for $type {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                let read: fn($inner) -> Option<$type> = $read;
                read(FromSql::column_result(value)?).ok_or(FromSqlError::InvalidType)
            }
        }
    };
}

column!(Millis, |at| at.0.as_millisecond().into(), i64 => |ms| Timestamp::from_millisecond(ms).ok().map(Millis));
column!(Day, |day| day.number().into(), i64 => Day::new);
column!(UsdE6, |usd| usd.0.into(), i64 => |usd| Some(UsdE6(usd)));
column!(TokenAmount, |amount| amount.0.to_be_bytes_vec().into(), [u8; 32] => |bytes| {
    Some(TokenAmount(U256::from_be_bytes(bytes)))
});
column!(Weight, |weight| weight.get().into(), u32 => Weight::new);
column!(Revision, |revision| revision.0.into(), u32 => |number| Some(Revision(number)));
column!(ChainId, |chain| chain.get().into(), i64 => ChainId::new);
column!(ChainKind, |kind| kind.as_str().into(), String => |name| name.parse().ok());
column!(Tier, |tier| tier.as_str().into(), String => |name| name.parse().ok());
column!(Category, |category| category.as_str().into(), String => |name| name.parse().ok());
column!(CharityId, |id| id.0.as_bytes().as_slice().into(), [u8; 16] => |id| Some(CharityId(Uuid::from_bytes(id))));
column!(CampaignId, |id| id.0.as_bytes().as_slice().into(), [u8; 16] => |id| Some(CampaignId(Uuid::from_bytes(id))));
column!(ProjectId, |id| id.0.as_bytes().as_slice().into(), [u8; 16] => |id| Some(ProjectId(Uuid::from_bytes(id))));
column!(KeyId, |id| id.0.as_bytes().as_slice().into(), [u8; 16] => |id| Some(KeyId(Uuid::from_bytes(id))));
column!(KeyDigest, |digest| digest.0.as_slice().into(), [u8; 32] => |bytes| Some(KeyDigest(bytes)));
column!(AccountId, |id| id.0.as_bytes().as_slice().into(), [u8; 16] => |id| Some(AccountId(Uuid::from_bytes(id))));
column!(SignInId, |id| id.0.as_bytes().as_slice().into(), [u8; 16] => |id| Some(SignInId(Uuid::from_bytes(id))));
column!(SessionId, |id| id.0.as_bytes().as_slice().into(), [u8; 16] => |id| Some(SessionId(Uuid::from_bytes(id))));
column!(ClaimId, |id| id.0.as_bytes().as_slice().into(), [u8; 16] => |id| Some(ClaimId(Uuid::from_bytes(id))));
column!(ClaimNonce, |nonce| nonce.0.as_bytes().as_slice().into(), [u8; 16] => |id| {
    Some(ClaimNonce(Uuid::from_bytes(id)))
});
column!(ClaimState, |state| state.as_str().into(), String => |name| name.parse().ok());
column!(Proof, |proof| proof.as_str().into(), String => |name| name.parse().ok());
column!(MailId, |id| id.0.as_bytes().as_slice().into(), [u8; 16] => |id| Some(MailId(Uuid::from_bytes(id))));
column!(InvitationId, |id| id.0.as_bytes().as_slice().into(), [u8; 16] => |id| Some(InvitationId(Uuid::from_bytes(id))));
column!(TierRequestId, |id| id.0.as_bytes().as_slice().into(), [u8; 16] => |id| Some(TierRequestId(Uuid::from_bytes(id))));
column!(PasskeyId, |id| id.0.as_bytes().as_slice().into(), [u8; 16] => |id| Some(PasskeyId(Uuid::from_bytes(id))));
column!(IdentityId, |id| id.0.as_bytes().as_slice().into(), [u8; 16] => |id| Some(IdentityId(Uuid::from_bytes(id))));
column!(CeremonyId, |id| id.0.as_bytes().as_slice().into(), [u8; 16] => |id| Some(CeremonyId(Uuid::from_bytes(id))));
column!(SecretDigest, |digest| digest.0.as_slice().into(), [u8; 32] => |bytes| Some(SecretDigest(bytes)));
column!(Email, |email| email.as_str().into(), String => |text| text.parse().ok());
column!(Role, |role| role.as_str().into(), String => |name| name.parse().ok());
column!(Minute, |minute| minute.0.into(), i64 => |number| Some(Minute(number)));
column!(RunId, |id| id.0.as_bytes().as_slice().into(), [u8; 16] => |id| Some(RunId(Uuid::from_bytes(id))));
column!(StatusClass, |class| class.as_str().into(), String => |name| name.parse().ok());
column!(Metadata, |texts| texts.to_json().to_string().into(), String => |text| Metadata::from_json(&text));
column!(WebhookId, |id| id.0.as_bytes().as_slice().into(), [u8; 16] => |id| Some(WebhookId(Uuid::from_bytes(id))));
column!(EventId, |id| id.0.as_bytes().as_slice().into(), [u8; 16] => |id| Some(EventId(Uuid::from_bytes(id))));
column!(DeliveryId, |id| id.0.as_bytes().as_slice().into(), [u8; 16] => |id| Some(DeliveryId(Uuid::from_bytes(id))));
column!(DeliveryState, |state| state.as_str().into(), String => |name| name.parse().ok());
column!(EventType, |it| it.as_str().into(), String => |name| name.parse().ok());
column!(EventTypes, |types| types.bits().into(), u32 => EventTypes::from_bits);
column!(ConfigId, |id| id.0.as_slice().into(), [u8; 32] => |bytes| Some(ConfigId(bytes)));

/// The instant a time before another one.
pub(crate) fn before(now: Timestamp, time: Duration) -> Millis {
    Millis(now.saturating_sub(time).unwrap_or(Timestamp::MIN))
}

/// Reads an instant.
pub(crate) fn time(row: &Row<'_>, column: &str) -> Result<Timestamp> {
    row.get::<_, Millis>(column).map(|at| at.0)
}

/// Reads an instant that may be absent.
pub(crate) fn time_if_any(row: &Row<'_>, column: &str) -> Result<Option<Timestamp>> {
    Ok(row.get::<_, Option<Millis>>(column)?.map(|at| at.0))
}

/// Reads an address that was written in its canonical spelling.
pub(crate) fn address(row: &Row<'_>, kind: ChainKind, column: &str) -> Result<Address> {
    let text: String = row.get(column)?;
    Address::parse(kind, &text).map_err(|error| {
        let column = row.as_ref().column_index(column).unwrap_or_default();
        rusqlite::Error::FromSqlConversionFailure(column, Type::Text, Box::new(error))
    })
}

/// Reads the columns `chain`, `kind` and `address`.
pub(crate) fn chain_address(row: &Row<'_>) -> Result<ChainAddress> {
    Ok(ChainAddress {
        chain: row.get("chain")?,
        address: address(row, row.get("kind")?, "address")?,
    })
}

/// Reads the columns `usd_e6`, `donations`, `first_at` and `last_at`.
pub(crate) fn stats(row: &Row<'_>) -> Result<DonationStats> {
    Ok(DonationStats {
        usd: row.get("usd_e6")?,
        donations: row.get("donations")?,
        first: time_if_any(row, "first_at")?,
        last: time_if_any(row, "last_at")?,
    })
}
