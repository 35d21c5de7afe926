//! The parts of requests that pages read, and the errors where they cannot be read.

use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use http::StatusCode;
use http::request::Parts;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use super::context::Context;
use super::page_error::PageError;
use crate::accounts::{AccountId, SessionId};
use crate::claims::ClaimId;
use crate::configs::ConfigId;
use crate::keys::KeyId;
use crate::members::InvitationId;
use crate::oidc::IdentityId;
use crate::passkeys::PasskeyId;
use crate::projects::ProjectId;
use crate::tier_requests::TierRequestId;
use crate::webhooks::{DeliveryId, WebhookId};

/// The fields of a form that was sent.
pub(super) struct Form<T>(pub(super) T);

/// The project that a path names. Whose it is, the use case checks.
pub(super) struct ProjectPath(pub(super) ProjectId);

/// The key of a project that a path names.
pub(super) struct KeyPath(pub(super) ProjectId, pub(super) KeyId);

/// The config of a project that a path names.
pub(super) struct ConfigPath(pub(super) ProjectId, pub(super) ConfigId);

/// The webhook of a project that a path names.
pub(super) struct WebhookPath(pub(super) ProjectId, pub(super) WebhookId);

/// The delivery to a webhook of a project that a path names.
pub(super) struct DeliveryPath(
    pub(super) ProjectId,
    pub(super) WebhookId,
    pub(super) DeliveryId,
);

/// The member of a project that a path names.
pub(super) struct MemberPath(pub(super) ProjectId, pub(super) AccountId);

/// The invitation to a project that a path names.
pub(super) struct InvitationPath(pub(super) ProjectId, pub(super) InvitationId);

/// The session that a path names.
pub(super) struct SessionPath(pub(super) SessionId);

/// The passkey that a path names.
pub(super) struct PasskeyPath(pub(super) PasskeyId);

/// The account that a path names.
pub(super) struct AccountPath(pub(super) AccountId);

/// The request for another tier that a path names.
pub(super) struct TierRequestPath(pub(super) TierRequestId);

/// The claim that an operators' path names.
pub(super) struct ClaimIdPath(pub(super) ClaimId);
/// The identity that a path names.
pub(super) struct IdentityPath(pub(super) IdentityId);

/// The parameters of a query, read into a struct.
pub(super) struct QueryParameters<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<Context> for Form<T> {
    type Rejection = PageError;

    async fn from_request(request: Request, context: &Context) -> Result<Self, PageError> {
        let form = axum::Form::from_request(request, context).await;
        form.map(|axum::Form(fields)| Self(fields)).map_err(|why| {
            match axum::response::IntoResponse::into_response(why).status() {
                StatusCode::PAYLOAD_TOO_LARGE => PageError::TooLarge,
                _ => PageError::Malformed,
            }
        })
    }
}

impl<T: DeserializeOwned> FromRequestParts<Context> for QueryParameters<T> {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, context: &Context) -> Result<Self, PageError> {
        let members = Query::from_request_parts(parts, context).await;
        members
            .map(|Query(members)| Self(members))
            .map_err(|_| PageError::NotFound)
    }
}

/// The ids in a path.
#[derive(Deserialize)]
struct Ids {
    project: Uuid,
    key: Option<Uuid>,
    config: Option<String>,
    member: Option<Uuid>,
    invitation: Option<Uuid>,
    webhook: Option<Uuid>,
    delivery: Option<Uuid>,
}

impl Ids {
    async fn read(parts: &mut Parts, context: &Context) -> Result<Self, PageError> {
        let ids = Path::from_request_parts(parts, context).await;
        ids.map(|Path(ids)| ids).map_err(|_| PageError::NotFound)
    }
}

impl FromRequestParts<Context> for ProjectPath {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, context: &Context) -> Result<Self, PageError> {
        let ids = Ids::read(parts, context).await?;
        Ok(Self(ProjectId(ids.project)))
    }
}

impl FromRequestParts<Context> for KeyPath {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, context: &Context) -> Result<Self, PageError> {
        let ids = Ids::read(parts, context).await?;
        let key = ids.key.ok_or(PageError::NotFound)?;
        Ok(Self(ProjectId(ids.project), KeyId(key)))
    }
}

impl FromRequestParts<Context> for ConfigPath {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, context: &Context) -> Result<Self, PageError> {
        let ids = Ids::read(parts, context).await?;
        let config = ids.config.and_then(|id| id.parse().ok());
        let config = config.ok_or(PageError::NotFound)?;
        Ok(Self(ProjectId(ids.project), config))
    }
}

impl FromRequestParts<Context> for WebhookPath {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, context: &Context) -> Result<Self, PageError> {
        let ids = Ids::read(parts, context).await?;
        let webhook = ids.webhook.ok_or(PageError::NotFound)?;
        Ok(Self(ProjectId(ids.project), WebhookId(webhook)))
    }
}

impl FromRequestParts<Context> for DeliveryPath {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, context: &Context) -> Result<Self, PageError> {
        let ids = Ids::read(parts, context).await?;
        let ids = ids.webhook.zip(ids.delivery).map(|it| (ids.project, it));
        let (project, (webhook, delivery)) = ids.ok_or(PageError::NotFound)?;
        Ok(Self(
            ProjectId(project),
            WebhookId(webhook),
            DeliveryId(delivery),
        ))
    }
}

impl FromRequestParts<Context> for MemberPath {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, context: &Context) -> Result<Self, PageError> {
        let ids = Ids::read(parts, context).await?;
        let member = ids.member.ok_or(PageError::NotFound)?;
        Ok(Self(ProjectId(ids.project), AccountId(member)))
    }
}

impl FromRequestParts<Context> for InvitationPath {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, context: &Context) -> Result<Self, PageError> {
        let ids = Ids::read(parts, context).await?;
        let invitation = ids.invitation.ok_or(PageError::NotFound)?;
        Ok(Self(ProjectId(ids.project), InvitationId(invitation)))
    }
}

impl FromRequestParts<Context> for SessionPath {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, context: &Context) -> Result<Self, PageError> {
        let id = Path::from_request_parts(parts, context).await;
        id.map(|Path(id)| Self(SessionId(id)))
            .map_err(|_| PageError::NotFound)
    }
}

impl FromRequestParts<Context> for PasskeyPath {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, context: &Context) -> Result<Self, PageError> {
        let id = Path::from_request_parts(parts, context).await;
        id.map(|Path(id)| Self(PasskeyId(id)))
            .map_err(|_| PageError::NotFound)
    }
}

impl FromRequestParts<Context> for AccountPath {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, context: &Context) -> Result<Self, PageError> {
        let id = Path::from_request_parts(parts, context).await;
        id.map(|Path(id)| Self(AccountId(id)))
            .map_err(|_| PageError::NotFound)
    }
}

impl FromRequestParts<Context> for TierRequestPath {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, context: &Context) -> Result<Self, PageError> {
        let id = Path::from_request_parts(parts, context).await;
        id.map(|Path(id)| Self(TierRequestId(id)))
            .map_err(|_| PageError::NotFound)
    }
}

impl FromRequestParts<Context> for ClaimIdPath {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, context: &Context) -> Result<Self, PageError> {
        let id = Path::from_request_parts(parts, context).await;
        id.map(|Path(id)| Self(ClaimId(id)))
            .map_err(|_| PageError::NotFound)
    }
}

impl FromRequestParts<Context> for IdentityPath {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, context: &Context) -> Result<Self, PageError> {
        let id = Path::from_request_parts(parts, context).await;
        id.map(|Path(id)| Self(IdentityId(id)))
            .map_err(|_| PageError::NotFound)
    }
}
