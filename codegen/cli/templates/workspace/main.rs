//! The program: serves the contract at `ADDRESS`, by default 127.0.0.1:8080.

use axum::Router;
use std::{env, io};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> io::Result<()> {
    let address = env::var("ADDRESS").unwrap_or_else(|_| "127.0.0.1:8080".into());
    let listener = TcpListener::bind(address).await?;
    println!("http://{}/greetings/Ada", listener.local_addr()?);
    axum::serve(listener, Router::new().fallback_service(server::app())).await
}
