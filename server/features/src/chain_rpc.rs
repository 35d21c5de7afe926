//! Questions to nodes of blockchains, by JSON-RPC, where an operator has configured an endpoint.
//!
//! A question is bounded in time.

mod endpoint;

use std::time::Duration;

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{Request, StatusCode};
use http_body_util::Full;
use serde_json::{Value, json};
use tokio::time::timeout;

pub use endpoint::{ChainEndpoint, InvalidEndpoint};

use crate::chains::ChainId;
use edge::http_client::HttpClient;
use tls::TlsError;

/// How long a question may take.
const TIMEOUT: Duration = Duration::from_secs(2);

/// The reason why a node does not answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RpcError {
    /// No endpoint is configured for the chain.
    #[error("there is no endpoint for this chain")]
    None,
    /// The endpoint cannot be reached, is slow, or does not answer as one.
    #[error("the request to the chain node failed: {0}")]
    Failed(String),
    /// The node refuses the question.
    #[error("the chain node rejected the request")]
    Refused,
}

/// The endpoints of chains.
#[derive(Debug, Default)]
pub struct ChainRpc {
    endpoints: Vec<(ChainEndpoint, HttpClient)>,
}

impl ChainRpc {
    /// The client of these endpoints.
    ///
    /// # Errors
    /// When one is asked by TLS, and the system has no certificates.
    pub fn new(endpoints: &[ChainEndpoint]) -> Result<Self, TlsError> {
        let each = endpoints.iter().map(|endpoint| {
            let client = HttpClient::new(endpoint.is_secure())?;
            Ok((endpoint.clone(), client))
        });
        let endpoints = each.collect::<Result<_, TlsError>>()?;
        Ok(Self { endpoints })
    }

    /// Whether nodes of a chain can be asked.
    pub fn knows(&self, chain: ChainId) -> bool {
        self.endpoints.iter().any(|(at, _)| at.chain == chain)
    }

    /// The result of a method at a node of the chain.
    pub(crate) async fn ask(
        &self,
        chain: ChainId,
        method: &str,
        params: Value,
    ) -> Result<Value, RpcError> {
        let found = self.endpoints.iter().find(|(at, _)| at.chain == chain);
        let (endpoint, client) = found.ok_or(RpcError::None)?;
        let question = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let asked = timeout(TIMEOUT, post(client, endpoint, question.to_string())).await;
        let slow = |_| RpcError::Failed("no response in time".to_owned());
        let answer = asked.map_err(slow)?.map_err(RpcError::Failed)?;
        let answer: Value = serde_json::from_slice(&answer)
            .map_err(|_| RpcError::Failed("its response is not JSON".to_owned()))?;
        match answer.get("result") {
            Some(result) => Ok(result.clone()),
            None => Err(RpcError::Refused),
        }
    }
}

/// The body of the answer 200 to a body of JSON, or the error.
async fn post(
    client: &HttpClient,
    endpoint: &ChainEndpoint,
    body: String,
) -> Result<Bytes, String> {
    let request = Request::post(endpoint.url.clone())
        .header(CONTENT_TYPE, "application/json")
        .body(Full::from(body))
        .map_err(|error| error.to_string())?;
    let answer = client.send(request).await;
    let answer = answer.map_err(|error| error.to_string())?;
    match answer.status() {
        StatusCode::OK => Ok(answer.into_body()),
        status => Err(format!("it responded with status {}", status.as_u16())),
    }
}
