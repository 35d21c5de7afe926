//! The code around the fragments of `docs/client.md`. A line `//> SECTION` stands for the next block of that section.

//> The client

mod links {
    use shop_api::api::lists::BooksListParams;
    use shop_api::client::{Client, HttpTransport};
    use shop_api::links;
    use std::error::Error;

    async fn all(client: Client<HttpTransport>) -> Result<(), Box<dyn Error>> {
        //> Links
        Ok(())
    }
}
