//! The examples of `docs/migrating.md`, each a module.

mod server {
    //> The server: `rust-axum`
}

mod client {
    //> The client: `rust`
}

mod both {
    //> From utoipa
}
