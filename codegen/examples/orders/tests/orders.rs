//! The application as its callers and its operators see it.

#![allow(clippy::expect_used, clippy::panic)]

use http::{HeaderName, HeaderValue};
use opentelemetry::Value;
use opentelemetry_sdk::trace::{InMemorySpanExporter, SdkTracerProvider, SpanData};
use orders_api::api::orders::{OrdersGetResponse, OrdersPlaceResponse};
use orders_api::client::{Client, HttpTransport};
use orders_api::models::NewOrder;
use std::path::Path;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// The trace of a caller, and its header (W3C Trace Context).
const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const TRACE_PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/// The address of an application that runs until the test ends.
async fn serve() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async { axum::serve(listener, orders::app()).await });
    format!("http://{address}")
}

fn lamps() -> NewOrder {
    NewOrder {
        item: "A lamp".into(),
        quantity: 2,
    }
}

#[tokio::test]
async fn the_contract_and_the_old_pages_share_their_state() {
    let base = serve().await;
    let client = Client::new(&base, HttpTransport::new());
    let answer = client.orders_place(lamps()).await;
    let Ok(OrdersPlaceResponse::Created { body, location }) = answer else {
        panic!("{answer:?}");
    };
    assert_eq!(location, "/api/orders/1");
    assert_eq!(body.decode().expect("an order").quantity, 2);
    assert_eq!(page(&base, "/count").await, "1 orders\n");
    assert_eq!(page(&base, "/health").await, "ok");
}

#[tokio::test]
async fn each_operation_is_a_span_within_the_trace_of_its_caller() {
    let exporter = InMemorySpanExporter::default();
    let provider = SdkTracerProvider::builder()
        .with_simple_exporter(exporter.clone())
        .build();
    tracing::subscriber::set_global_default(orders::traces::subscriber(&provider))
        .expect("the only subscriber of the process");
    let client = Client::new(&serve().await, HttpTransport::new()).with_header(
        HeaderName::from_static("traceparent"),
        HeaderValue::from_static(TRACE_PARENT),
    );
    client.orders_place(lamps()).await.expect("an answer");
    let missing = client.orders_get(2).await.expect("an answer");
    assert!(matches!(missing, OrdersGetResponse::NotFound { .. }));

    let spans = exporter.get_finished_spans().expect("the spans");
    for (id, route, status) in [
        ("orders.place", "/api/orders", 201),
        ("orders.get", "/api/orders/{orderId}", 404),
    ] {
        let span = spans.iter().find(|span| span.name == id).expect(id);
        assert_eq!(attribute(span, "http.route"), Some(Value::from(route)));
        let given = attribute(span, "http.response.status_code");
        assert_eq!(given, Some(Value::I64(status)));
        assert_eq!(span.span_context.trace_id().to_string(), TRACE);
        let around = spans
            .iter()
            .find(|it| it.span_context.span_id() == span.parent_span_id);
        assert_eq!(around.expect("the span of the request").name, "request");
    }
}

fn attribute(span: &SpanData, key: &str) -> Option<Value> {
    let attribute = span.attributes.iter().find(|it| it.key.as_str() == key);
    attribute.map(|it| it.value.clone())
}

/// The text of a page that the contract does not have.
async fn page(base: &str, path: &str) -> String {
    let stream = TcpStream::connect(base.trim_start_matches("http://")).await;
    let mut stream = stream.expect("a connection");
    let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    stream
        .write_all(request.as_bytes())
        .await
        .expect("a request");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("an answer");
    let (_, body) = answer.split_once("\r\n\r\n").expect("a head");
    body.to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_collections_pass() {
    if !installed::present(&["node"], &["node:newman"]) {
        return;
    }
    let base = format!("{}/api", serve().await);
    let variables: &[(&str, &str)] = &[("baseUrl", &base)];
    for collection in ["collection", "conformance"] {
        let file = format!("generated/postman/{collection}.json");
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let run = installed::newman(&file, variables)
            .output()
            .expect("newman runs");
        assert!(
            run.status.success(),
            "{collection}: {}",
            String::from_utf8_lossy(&run.stdout)
        );
    }
}
