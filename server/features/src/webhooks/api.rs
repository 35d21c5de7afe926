//! A project's webhooks.

use generated::api::webhooks::{
    WebhooksApi, WebhooksCreateParams, WebhooksCreateResponse, WebhooksDeleteParams,
    WebhooksDeleteResponse, WebhooksDeliveriesParams, WebhooksDeliveriesResponse,
    WebhooksGetResponse, WebhooksListParams, WebhooksListResponse, WebhooksRedeliverResponse,
    WebhooksRotateSecretParams, WebhooksRotateSecretResponse, WebhooksTestResponse,
    WebhooksUpdateParams, WebhooksUpdateResponse,
};
use generated::models::ValidationRule;
use generated::operations::{BASE_PATH, OperationId};
use generated::runtime::Place;
use generated::{Encoded, formats, models};
use uuid::Uuid;

use super::lifecycle::{self, WebhookRequest, WebhookWithSecret};
use super::{
    Delivery, TargetError, Webhook, WebhookError, WebhookRejection, WebhookUpdate, mapping, store,
};
use crate::access::Principal;
use crate::api::{self, Api, Failure, idempotency_key_reused};
use crate::domain::entity_tag::IfMatch;
use crate::domain::paging::List;
use crate::events::{DeliveryId, EventType, WebhookId};
use crate::projects::Requester;
use edge::clock::to_milliseconds;

impl WebhooksApi for Api {
    async fn webhooks_create(
        &self,
        principal: Principal,
        params: WebhooksCreateParams,
        body: models::NewWebhook,
    ) -> Result<WebhooksCreateResponse, Failure> {
        let WebhooksCreateParams { idempotency_key } = params;
        let request = WebhookRequest {
            id: WebhookId(Uuid::now_v7()),
            project: principal.project,
            url: body.url,
            description: body.description,
            events: mapping::event_types(&body.events),
            is_enabled: body.enabled.unwrap_or(true),
            idempotency_key,
        };
        let (store, now) = (&self.store, self.now().wall);
        let created = lifecycle::create(
            store,
            &self.webhooks,
            Requester::Key(principal.key),
            request,
            now,
        );
        match created.await {
            Ok(WebhookWithSecret {
                webhook,
                secret,
                is_replayed,
            }) => Ok(WebhooksCreateResponse::Created {
                body: mapping::with_secret(&webhook, &secret).into(),
                location: format!("{BASE_PATH}/webhooks/{}", webhook.id.0),
                etag: webhook.tag(),
                idempotent_replayed: is_replayed,
            }),
            Err(WebhookError::Rejected(WebhookRejection::KeyReused)) => {
                let error = idempotency_key_reused();
                let body = models::WebhookConflictError::IdempotencyConflictError(error);
                Ok(WebhooksCreateResponse::Conflict { body: body.into() })
            }
            Err(WebhookError::Rejected(WebhookRejection::QuotaExceeded)) => {
                let most = Webhook::MAX_PER_PROJECT;
                let message = format!("The project has reached its limit of {most} webhooks.");
                let error = models::WebhookQuotaError::new(message);
                let body = models::WebhookConflictError::WebhookQuotaError(error);
                Ok(WebhooksCreateResponse::Conflict { body: body.into() })
            }
            Err(WebhookError::Rejected(WebhookRejection::Off)) => {
                let body = models::WebhookConflictError::WebhooksOffError(off());
                Ok(WebhooksCreateResponse::Conflict { body: body.into() })
            }
            Err(error) => Err(failure(error)),
        }
    }

    async fn webhooks_list(
        &self,
        principal: Principal,
        params: WebhooksListParams,
    ) -> Result<WebhooksListResponse, Failure> {
        let WebhooksListParams { limit, cursor } = params;
        let list = List::of(OperationId::WebhooksList.operation_id());
        let page = api::page(list, cursor.as_deref(), limit)?;
        let webhooks = store::webhooks(
            &self.store,
            principal.project,
            page.after.clone(),
            page.rows(),
        );
        let mut webhooks = webhooks.await?;
        let page_key = page.cut(&mut webhooks);
        let body = models::WebhookPage {
            page_key,
            response: webhooks.iter().map(mapping::webhook).collect(),
        };
        Ok(WebhooksListResponse::Ok { body: body.into() })
    }

    async fn webhooks_get(
        &self,
        principal: Principal,
        webhook_id: formats::Uuid,
    ) -> Result<WebhooksGetResponse, Failure> {
        let id = WebhookId(webhook_id.0);
        Ok(
            match store::webhook(&self.store, principal.project, id).await? {
                Some(webhook) => WebhooksGetResponse::Ok {
                    body: mapping::webhook(&webhook).into(),
                    etag: webhook.tag(),
                },
                None => WebhooksGetResponse::NotFound { body: not_found() },
            },
        )
    }

    async fn webhooks_update(
        &self,
        principal: Principal,
        webhook_id: formats::Uuid,
        params: WebhooksUpdateParams,
        body: models::WebhookUpdate,
    ) -> Result<WebhooksUpdateResponse, Failure> {
        let WebhooksUpdateParams { if_match } = params;
        let of = (principal.project, WebhookId(webhook_id.0));
        let change = WebhookUpdate {
            url: body.url,
            events: body.events.as_deref().map(mapping::event_types),
            description: body.description,
            is_enabled: body.enabled,
            if_match: if_match.map(IfMatch),
        };
        let (store, rules) = (&self.store, (&self.webhooks.rules, &self.identity));
        let changed = lifecycle::update(
            store,
            rules,
            Requester::Key(principal.key),
            of,
            change,
            self.now().wall,
        )
        .await;
        match changed {
            Ok(webhook) => Ok(WebhooksUpdateResponse::Ok {
                body: mapping::webhook(&webhook).into(),
                etag: webhook.tag(),
            }),
            Err(WebhookError::Rejected(WebhookRejection::OtherTag)) => {
                let body = precondition_failed();
                Ok(WebhooksUpdateResponse::PreconditionFailed { body })
            }
            Err(WebhookError::Rejected(WebhookRejection::Unknown)) => {
                Ok(WebhooksUpdateResponse::NotFound { body: not_found() })
            }
            Err(error) => Err(failure(error)),
        }
    }

    async fn webhooks_delete(
        &self,
        principal: Principal,
        webhook_id: formats::Uuid,
        params: WebhooksDeleteParams,
    ) -> Result<WebhooksDeleteResponse, Failure> {
        let WebhooksDeleteParams { if_match } = params;
        let of = (principal.project, WebhookId(webhook_id.0));
        let (by, now) = (Requester::Key(principal.key), self.now().wall);
        let deleted = store::delete_webhook(&self.store, by, of, if_match.map(IfMatch), now);
        match deleted.await {
            Ok(true) => Ok(WebhooksDeleteResponse::NoContent),
            Ok(false) => Ok(WebhooksDeleteResponse::NotFound { body: not_found() }),
            Err(WebhookError::Rejected(WebhookRejection::OtherTag)) => {
                let body = precondition_failed();
                Ok(WebhooksDeleteResponse::PreconditionFailed { body })
            }
            Err(error) => Err(failure(error)),
        }
    }

    async fn webhooks_rotate_secret(
        &self,
        principal: Principal,
        webhook_id: formats::Uuid,
        params: WebhooksRotateSecretParams,
    ) -> Result<WebhooksRotateSecretResponse, Failure> {
        let WebhooksRotateSecretParams { idempotency_key } = params;
        let of = (principal.project, WebhookId(webhook_id.0));
        let (store, now) = (&self.store, self.now().wall);
        let (setup, by) = (
            (&self.webhooks, &self.identity),
            Requester::Key(principal.key),
        );
        match lifecycle::replace_secret(store, setup, by, of, None, idempotency_key, now).await {
            Ok(WebhookWithSecret {
                webhook,
                secret,
                is_replayed,
            }) => Ok(WebhooksRotateSecretResponse::Ok {
                body: mapping::with_secret(&webhook, &secret).into(),
                etag: webhook.tag(),
                idempotent_replayed: is_replayed,
            }),
            Err(WebhookError::Rejected(WebhookRejection::KeyReused)) => {
                let error = idempotency_key_reused();
                let body = models::WebhookSecretConflictError::IdempotencyConflictError(error);
                Ok(WebhooksRotateSecretResponse::Conflict { body: body.into() })
            }
            Err(WebhookError::Rejected(WebhookRejection::Unknown)) => {
                Ok(WebhooksRotateSecretResponse::NotFound { body: not_found() })
            }
            Err(WebhookError::Rejected(WebhookRejection::Off)) => {
                let body = models::WebhookSecretConflictError::WebhooksOffError(off());
                Ok(WebhooksRotateSecretResponse::Conflict { body: body.into() })
            }
            Err(error) => Err(failure(error)),
        }
    }

    async fn webhooks_test(
        &self,
        principal: Principal,
        webhook_id: formats::Uuid,
    ) -> Result<WebhooksTestResponse, Failure> {
        let of = (principal.project, WebhookId(webhook_id.0));
        let tested = lifecycle::test(
            &self.store,
            Requester::Key(principal.key),
            of,
            EventType::Test,
            self.now().wall,
        );
        match tested.await {
            Ok(delivery) => Ok(WebhooksTestResponse::Accepted {
                body: mapping::delivery(&delivery).into(),
            }),
            Err(WebhookError::Rejected(WebhookRejection::Unknown)) => {
                Ok(WebhooksTestResponse::NotFound { body: not_found() })
            }
            Err(WebhookError::Rejected(WebhookRejection::TestQuotaExceeded)) => {
                let most = Delivery::MAX_TESTS_PER_HOUR;
                let message = format!("The project has sent {most} test events within an hour.");
                Ok(WebhooksTestResponse::Conflict {
                    body: models::TestEventQuotaError::new(message).into(),
                })
            }
            Err(error) => Err(failure(error)),
        }
    }

    async fn webhooks_deliveries(
        &self,
        principal: Principal,
        webhook_id: formats::Uuid,
        params: WebhooksDeliveriesParams,
    ) -> Result<WebhooksDeliveriesResponse, Failure> {
        let WebhooksDeliveriesParams { limit, cursor } = params;
        let list = List::of(OperationId::WebhooksDeliveries.operation_id())
            .filtered("webhookId", Some(webhook_id.0));
        let page = api::page(list, cursor.as_deref(), limit)?;
        let of = (principal.project, WebhookId(webhook_id.0));
        let read = store::deliveries(&self.store, of, page.after.clone(), page.rows());
        let Some(mut deliveries) = read.await? else {
            return Ok(WebhooksDeliveriesResponse::NotFound { body: not_found() });
        };
        let page_key = page.cut(&mut deliveries);
        let body = models::WebhookDeliveryPage {
            page_key,
            response: deliveries.iter().map(mapping::delivery).collect(),
        };
        Ok(WebhooksDeliveriesResponse::Ok { body: body.into() })
    }

    async fn webhooks_redeliver(
        &self,
        principal: Principal,
        webhook_id: formats::Uuid,
        delivery_id: formats::Uuid,
    ) -> Result<WebhooksRedeliverResponse, Failure> {
        let of = (principal.project, WebhookId(webhook_id.0));
        let (id, now) = (DeliveryId(delivery_id.0), to_milliseconds(self.now().wall));
        let redelivered = store::redeliver(&self.store, Requester::Key(principal.key), of, id, now);
        Ok(match redelivered.await? {
            Some(delivery) => WebhooksRedeliverResponse::Accepted {
                body: mapping::delivery(&delivery).into(),
            },
            None => WebhooksRedeliverResponse::NotFound {
                body: models::NotFoundError::new("The webhook has no such delivery.".into()).into(),
            },
        })
    }
}

fn not_found() -> Encoded<models::NotFoundError> {
    models::NotFoundError::new("The project has no such webhook.".into()).into()
}

fn precondition_failed() -> Encoded<models::PreconditionFailedError> {
    let message = "The webhook has changed. Get it again and send its new ETag.";
    models::PreconditionFailedError::new(message.into()).into()
}

fn off() -> models::WebhooksOffError {
    let message = "The operator of this service has not set up webhooks.";
    models::WebhooksOffError::new(message.into())
}

/// The failure of an operation that has no response of its own for an error.
fn failure(error: WebhookError) -> Failure {
    match error {
        WebhookError::Target(error) => unfit_url(error),
        WebhookError::Db(error) => error.into(),
        // Its operation answers this, or the gate has checked it.
        error @ (WebhookError::Rejected(_)
        | WebhookError::Secret(_)
        | WebhookError::Undecryptable(_)) => Failure::Internal(error.to_string()),
    }
}

fn unfit_url(error: TargetError) -> Failure {
    Failure::invalid(
        Place::Body,
        "/url",
        ValidationRule::ForbiddenUrl,
        error.to_string(),
    )
}
