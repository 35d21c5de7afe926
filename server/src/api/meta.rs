//! The contract itself, and the collection that is generated from it.

use std::sync::LazyLock;

use generated::api::meta::{MetaApi, MetaOpenapiResponse, MetaPostmanResponse};
use generated::{Encoded, OPENAPI, POSTMAN, models};

use super::{Api, Failure};

// Both are read and encoded once.
static CONTRACT: LazyLock<Option<Encoded<models::OpenApiDocument>>> =
    LazyLock::new(|| Encoded::parse(OPENAPI.as_bytes()).ok());
static COLLECTION: LazyLock<Option<Encoded<models::PostmanCollection>>> =
    LazyLock::new(|| Encoded::parse(POSTMAN.as_bytes()).ok());

impl MetaApi for Api {
    async fn meta_openapi(&self) -> Result<MetaOpenapiResponse, Failure> {
        let body = CONTRACT.clone().ok_or_else(|| unreadable("contract"))?;
        Ok(MetaOpenapiResponse::Ok { body })
    }

    async fn meta_postman(&self) -> Result<MetaPostmanResponse, Failure> {
        let body = COLLECTION.clone().ok_or_else(|| unreadable("collection"))?;
        Ok(MetaPostmanResponse::Ok { body })
    }
}

fn unreadable(what: &str) -> Failure {
    Failure::Internal(format!("the generated {what} is not a JSON object"))
}
