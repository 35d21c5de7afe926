//! The server whose requests the generated layer reads.

#[path = "../pets.rs"]
mod pets;
#[path = "../serve.rs"]
mod serve;

use db::Db;
use api::api::pets::*;
use api::runtime::Limits;
use api::service::{Faults, service};
use api::{HandlerError, Host, models};
use std::sync::Arc;

struct Store;

impl Host for Store {
    type Context = ();
    type Error = HandlerError;
}

impl Faults for Store {}

fn pet(id: i64) -> models::Pet {
    models::Pet {
        id,
        name: pets::name(id),
        tag: pets::tag(id),
        age: pets::age(id),
    }
}

impl PetsApi for Store {
    async fn pets_list(&self, params: PetsListParams) -> Result<PetsListResponse, HandlerError> {
        let PetsListParams { limit, tag } = params;
        let fits = |pet: &models::Pet| tag.is_none() || pet.tag == tag;
        let pets = (1..=limit).map(pet).filter(fits).collect();
        Ok(PetsListResponse::Ok {
            body: models::PetPage { pets }.into(),
        })
    }

    async fn pets_create(&self, new: models::NewPet) -> Result<PetsCreateResponse, HandlerError> {
        let models::NewPet { name, tag, age } = new;
        Ok(PetsCreateResponse::Created {
            body: models::Pet {
                id: 1,
                name,
                tag,
                age,
            }
            .into(),
        })
    }

    async fn pets_get(&self, id: i64, params: PetsGetParams) -> Result<PetsGetResponse, HandlerError> {
        let PetsGetParams { detail, x_trace: _ } = params;
        let mut pet = pet(id);
        if detail == Some(models::PetsGetDetail::Short) {
            pet.tag = None;
        }
        Ok(PetsGetResponse::Ok { body: pet.into() })
    }
}

fn main() {
    serve::serve(service(Arc::new(Db), Limits::default()));
}
