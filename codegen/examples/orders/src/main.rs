//! The program: serves the application at `ADDRESS`, by default 127.0.0.1:8080, and prints its spans.

use opentelemetry_sdk::trace::SdkTracerProvider;
use std::{env, io};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> io::Result<()> {
    let provider = SdkTracerProvider::builder()
        .with_simple_exporter(opentelemetry_stdout::SpanExporter::default())
        .build();
    tracing::subscriber::set_global_default(orders::traces::subscriber(&provider))
        .map_err(io::Error::other)?;
    let address = env::var("ADDRESS").unwrap_or_else(|_| "127.0.0.1:8080".into());
    let listener = TcpListener::bind(address).await?;
    println!("http://{}/api/orders", listener.local_addr()?);
    axum::serve(listener, orders::app()).await
}
