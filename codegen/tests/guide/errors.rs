//! The code around the fragment of `docs/errors.md`.

use errors_api::api::errors::{AddBookResponse, ErrorsApi};
use errors_api::runtime::credential::Bearer;
use errors_api::runtime::{Demand, ErrorBody};
use errors_api::security::Security;
use errors_api::service::{Api, Faults};
use errors_api::{AuthError, HandlerError, Host, models};

struct Shop;

//> Custom bodies

impl Host for Shop {
    type Context = ();
    type Error = HandlerError;
}

impl Security for Shop {
    type Token = ();

    async fn token(&self, _: Bearer<'_>, _: Demand<'_, ()>) -> Result<(), AuthError> {
        Ok(())
    }
}

impl ErrorsApi for Shop {
    async fn add_book(&self, _: (), _: models::AddBookBody) -> Result<AddBookResponse, HandlerError> {
        Ok(AddBookResponse::NoContent)
    }
}

fn serves() -> impl Api {
    Shop
}
