//! The program: serves the contract at `ADDRESS`, by default 127.0.0.1:8080, with the credentials `OBSERVER`,
//! `DISPLAY_TOKEN` and `STATION_KEY`.

use axum::Router;
use stations::Credentials;
use std::{env, io};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> io::Result<()> {
    let credentials = Credentials {
        observer: secret("OBSERVER")?,
        display: secret("DISPLAY_TOKEN")?,
        station_key: secret("STATION_KEY")?,
    };
    let address = env::var("ADDRESS").unwrap_or_else(|_| "127.0.0.1:8080".into());
    let listener = TcpListener::bind(address).await?;
    println!("http://{}", listener.local_addr()?);
    let service = stations::app(credentials);
    axum::serve(listener, Router::new().fallback_service(service)).await
}

fn secret(variable: &str) -> io::Result<String> {
    env::var(variable).map_err(|error| io::Error::other(format!("{variable}: {error}")))
}
