//! The parts of requests that pages read, and the errors where they cannot be read.

use axum::extract::{FromRequest, FromRequestParts, Path, Query, RawPathParams, Request};
use http::StatusCode;
use http::request::Parts;
use serde::de::DeserializeOwned;

use super::context::Context;
use super::page_error::PageError;
use crate::accounts::SessionId;
use crate::members::InvitationId;
use crate::tier_requests::TierRequestId;
use features::claims::ClaimId;
use features::domain::config_id::ConfigId;
use features::domain::ids::{AccountId, IdentityId, PasskeyId};
use features::events::{DeliveryId, WebhookId};
use features::keys::KeyId;
use features::projects::ProjectId;

/// Extractors of the UUIDs in a path, in their order. Whose they are, the use case checks.
macro_rules! path_ids {
    ($($name:ident($($id:ident),+);)*) => {$(
        pub(super) struct $name($(pub(super) $id),+);

        impl FromRequestParts<Context> for $name {
            type Rejection = PageError;

            async fn from_request_parts(
                parts: &mut Parts,
                context: &Context,
            ) -> Result<Self, PageError> {
                let ids = RawPathParams::from_request_parts(parts, context).await;
                let ids = ids.map_err(|_| PageError::NotFound)?;
                let mut ids = ids.iter().map(|(_, id)| id.parse().ok());
                Ok(Self($($id(ids.next().flatten().ok_or(PageError::NotFound)?)),+))
            }
        }
    )*};
}

path_ids! {
    ProjectPath(ProjectId);
    KeyPath(ProjectId, KeyId);
    ClaimPath(ProjectId, ClaimId);
    WebhookPath(ProjectId, WebhookId);
    DeliveryPath(ProjectId, WebhookId, DeliveryId);
    MemberPath(ProjectId, AccountId);
    InvitationPath(ProjectId, InvitationId);
    SessionPath(SessionId);
    PasskeyPath(PasskeyId);
    IdentityPath(IdentityId);
    AccountPath(AccountId);
    TierRequestPath(TierRequestId);
    ClaimIdPath(ClaimId);
}

/// The config of a project that a path names.
pub(super) struct ConfigPath(pub(super) ProjectId, pub(super) ConfigId);

impl FromRequestParts<Context> for ConfigPath {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, context: &Context) -> Result<Self, PageError> {
        let ids = Path::<(uuid::Uuid, String)>::from_request_parts(parts, context).await;
        let Path((project, config)) = ids.map_err(|_| PageError::NotFound)?;
        let config = config.parse().map_err(|_| PageError::NotFound)?;
        Ok(Self(ProjectId(project), config))
    }
}

/// The fields of a form that was sent.
pub(super) struct Form<T>(pub(super) T);

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
        let parameters = Query::from_request_parts(parts, context).await;
        parameters
            .map(|Query(parameters)| Self(parameters))
            .map_err(|_| PageError::NotFound)
    }
}
