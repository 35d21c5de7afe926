//! The contract itself, and the collection that is generated from it.

use generated::api::meta::{MetaApi, MetaOpenapiResponse, MetaPostmanResponse};
use generated::{Encoded, OPENAPI, POSTMAN, models};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;

use super::{Api, Failure};

static CONTRACT: OnceCell<Encoded<models::OpenApiDocument>> = OnceCell::const_new();
static COLLECTION: OnceCell<Encoded<models::PostmanCollection>> = OnceCell::const_new();

impl MetaApi for Api {
    async fn meta_openapi(&self) -> Result<MetaOpenapiResponse, Failure> {
        let body = encoded(&CONTRACT, OPENAPI).await?;
        Ok(MetaOpenapiResponse::Ok { body })
    }

    async fn meta_postman(&self) -> Result<MetaPostmanResponse, Failure> {
        let body = encoded(&COLLECTION, POSTMAN).await?;
        Ok(MetaPostmanResponse::Ok { body })
    }
}

/// The value of `cell`, which is read from `text` at the first request, apart from those of others.
async fn encoded<T>(
    cell: &'static OnceCell<Encoded<T>>,
    text: &'static str,
) -> Result<Encoded<T>, Failure>
where
    T: Serialize + DeserializeOwned + 'static,
{
    let unreadable = |reason: String| Failure::Internal(format!("a generated document: {reason}"));
    let value = cell.get_or_try_init(|| async {
        let read = spawn_blocking(|| Encoded::parse(text.as_bytes())).await;
        read.map_err(|error| unreadable(error.to_string()))?
            .map_err(|error| unreadable(error.to_string()))
    });
    value.await.cloned()
}
