//! The code around the fragments of `docs/types.md`. A line `//> SECTION` stands for the next block of that section.

use shop_api::models;

fn read(text: &str) -> serde_json::Result<bool> {
    //> Types
    Ok(fits)
}

fn decode(text: &str) -> Result<models::Book, shop_api::runtime::DecodeError> {
    //> Types
    Ok(book)
}

fn made() -> models::Book {
    //> Types
    book
}
