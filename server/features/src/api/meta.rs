//! The contract itself, and the collection that is generated from it.

use generated::api::meta::{MetaApi, MetaOpenapiResponse, MetaPostmanResponse};
use generated::operations::BASE_PATH;
use generated::{Encoded, OPENAPI, POSTMAN, models};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;

use super::{Api, Failure};

/// The host that generated documents name, where samples and collections need one.
const LOCAL: &str = "http://127.0.0.1:8080";

/// The documents of a server, which name its own host; each is read at the first request for it.
#[derive(Default)]
pub(super) struct Documents {
    contract: OnceCell<Encoded<models::OpenApiDocument>>,
    collection: OnceCell<Encoded<models::PostmanCollection>>,
}

impl MetaApi for Api {
    async fn meta_openapi(&self) -> Result<MetaOpenapiResponse, Failure> {
        let body = self.document(&self.documents.contract, OPENAPI).await?;
        Ok(MetaOpenapiResponse::Ok { body })
    }

    async fn meta_postman(&self) -> Result<MetaPostmanResponse, Failure> {
        let body = self.document(&self.documents.collection, POSTMAN).await?;
        Ok(MetaPostmanResponse::Ok { body })
    }
}

impl Api {
    /// The value of `cell`, which is read from `text` at the first request, apart from those of others.
    async fn document<T>(
        &self,
        cell: &OnceCell<Encoded<T>>,
        text: &'static str,
    ) -> Result<Encoded<T>, Failure>
    where
        T: Serialize + DeserializeOwned + Clone + Send + 'static,
    {
        let unreadable =
            |reason: String| Failure::Internal(format!("a generated document: {reason}"));
        let value = cell.get_or_try_init(|| async {
            let base = self.identity.public_base_url.to_string();
            let read = spawn_blocking(move || {
                let text = at_host(text, base.trim_end_matches('/'));
                Encoded::parse(text.as_bytes())
            });
            read.await
                .map_err(|error| unreadable(error.to_string()))?
                .map_err(|error| unreadable(error.to_string()))
        });
        value.await.cloned()
    }
}

/// A generated document with the host of this server in its samples, and in the URL of its server, which
/// tools otherwise take for a host of their own.
fn at_host(document: &str, host: &str) -> String {
    let server = |host: &str| format!("\"url\": \"{host}{BASE_PATH}\"");
    document
        .replace(LOCAL, host)
        .replace(&server(""), &server(host))
}
