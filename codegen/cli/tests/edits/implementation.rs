//! An implementation of the contract as it was before the edit.

use contract::api::books::*;
use contract::{HandlerError, Host, models, service};

/// A shelf with one book.
pub struct Shelf;

impl Host for Shelf {
    type Context = ();
    type Error = HandlerError;
}

impl service::Faults for Shelf {}

impl BooksApi for Shelf {
    async fn books_list(&self, params: BooksListParams) -> Result<BooksListResponse, HandlerError> {
        let BooksListParams { limit } = params;
        let books: Vec<_> = (0..limit).map(|_| book()).collect();
        Ok(BooksListResponse::Ok {
            body: books.into(),
            x_count: Some(1),
        })
    }

    async fn books_get(&self, isbn: String) -> Result<BooksGetResponse, HandlerError> {
        if isbn != "1" {
            return Ok(BooksGetResponse::NotFound);
        }
        Ok(BooksGetResponse::Ok { body: book().into() })
    }
}

fn book() -> models::Book {
    models::Book {
        title: "Middlemarch".into(),
        pages: Some(880),
    }
}

/// The whole of it.
pub fn shelf() -> impl Sized {
    service::service(std::sync::Arc::new(Shelf), Default::default())
}
