//! The transport with servers that fail: timeouts, retries and TLS.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Method, Response};
use runtime::__private::{RequestBuilder, client::Client};
use runtime::{ByteStream, ClientError, HttpError, HttpTransport, Retries};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::net::TcpStream;
use tokio_rustls::{TlsAcceptor, rustls, server::TlsStream};

use crate::server::{Does, OK, Server};

/// Retries that do not keep a test waiting.
const SOON: Retries = Retries {
    most: 2,
    first_wait: Duration::from_millis(1),
    longest_wait: Duration::from_secs(1),
};

const BUSY: Does = Does::Says("HTTP/1.1 503 Busy\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n");
const LIMITED: Does =
    Does::Says("HTTP/1.1 429 Slow Down\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n");
const LONG: Does =
    Does::Says("HTTP/1.1 429 Slow Down\r\nRetry-After: 3600\r\nContent-Length: 0\r\n\r\n");
const FAILED: Does = Does::Says("HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n");

type Answer = Result<Response<Bytes>, ClientError<HttpError>>;

fn request(method: Method) -> RequestBuilder {
    RequestBuilder::new(method, "/x".to_owned())
}

async fn ask(server: &Server, request: RequestBuilder) -> Answer {
    let transport = HttpTransport::builder().retries(SOON).build();
    let client = Client::new(&format!("http://{}", server.address), transport);
    client.send(request).await
}

fn status(answer: &Answer) -> u16 {
    answer.as_ref().map(|it| it.status().as_u16()).unwrap()
}

#[tokio::test]
async fn idempotent_calls_are_sent_again_after_temporary_failures() {
    for method in [Method::GET, Method::PUT, Method::DELETE] {
        let server = Server::that(&[BUSY, Does::Closes, OK]).await;
        let answer = ask(&server, request(method).body("text/plain", "body")).await;
        assert_eq!((status(&answer), server.asked()), (200, 3));
    }
    let server = Server::that(&[BUSY]).await;
    let answer = ask(&server, request(Method::GET)).await;
    assert_eq!((status(&answer), server.asked()), (503, 3));
}

#[tokio::test]
async fn others_are_sent_once_unless_the_server_knows_them_again() {
    for does in [&[BUSY, OK][..], &[FAILED, OK]] {
        let server = Server::that(does.to_vec().leak()).await;
        let answer = ask(&server, request(Method::POST)).await;
        assert!(status(&answer) >= 500);
        assert_eq!(server.asked(), 1);
    }
    let server = Server::that(&[FAILED, OK]).await;
    let answer = ask(&server, request(Method::GET)).await;
    assert_eq!((status(&answer), server.asked()), (500, 1));
    let server = Server::that(&[Does::Closes, OK]).await;
    assert!(ask(&server, request(Method::POST)).await.is_err());
    assert_eq!(server.asked(), 1);
    let server = Server::that(&[Does::Closes, OK]).await;
    let key = HeaderValue::from_static("7");
    let keyed = request(Method::POST).header("idempotency-key".parse().unwrap(), key);
    let answer = ask(&server, keyed).await;
    assert_eq!((status(&answer), server.asked()), (200, 2));
}

#[tokio::test]
async fn a_stream_is_sent_once() {
    let server = Server::that(&[BUSY, OK]).await;
    let pieces = futures_util::stream::iter([Ok::<_, String>(Bytes::from("piece"))]);
    let upload = request(Method::PUT).stream("text/plain", ByteStream::new(pieces));
    let answer = ask(&server, upload).await;
    assert_eq!((status(&answer), server.asked()), (503, 1));
}

#[tokio::test]
async fn retry_after_is_waited_for_or_is_the_answer() {
    let server = Server::that(&[LIMITED, OK]).await;
    let begun = std::time::Instant::now();
    let answer = ask(&server, request(Method::GET)).await;
    assert_eq!((status(&answer), server.asked()), (200, 2));
    assert!(begun.elapsed() >= Duration::from_secs(1));
    let server = Server::that(&[LONG, OK]).await;
    let answer = ask(&server, request(Method::GET)).await;
    assert_eq!((status(&answer), server.asked()), (429, 1));
}

#[tokio::test]
async fn retries_may_be_off() {
    let server = Server::that(&[BUSY, OK]).await;
    let transport = HttpTransport::builder().retries(Retries::NONE).build();
    let client = Client::new(&format!("http://{}", server.address), transport);
    let answer = client.send::<Infallible>(request(Method::GET)).await;
    assert_eq!((status(&answer), server.asked()), (503, 1));
}

/// A client that waits for a moment.
fn impatient(server: &Server) -> Client<HttpTransport> {
    let transport = HttpTransport::builder()
        .timeout(Duration::from_millis(200))
        .retries(Retries::NONE)
        .build();
    Client::new(&format!("http://{}", server.address), transport)
}

#[tokio::test]
async fn silence_ends_with_the_timeout() {
    let server = Server::that(&[Does::Hangs("")]).await;
    let answer = impatient(&server)
        .send::<Infallible>(request(Method::GET))
        .await;
    let Err(ClientError::Transport(error)) = answer else {
        panic!("{answer:?}")
    };
    assert!(error.is_timeout() && !error.is_connect());
    assert_eq!(error.to_string(), "no answer: not within 200ms");
}

const HALF: Does = Does::Hangs("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf");

#[tokio::test]
async fn so_does_an_answer_that_stops_unless_it_is_a_stream() {
    let server = Server::that(&[HALF]).await;
    let answer = impatient(&server)
        .send::<Infallible>(request(Method::GET))
        .await;
    assert!(
        matches!(answer, Err(ClientError::Broken { .. })),
        "{answer:?}"
    );
    let answer = impatient(&server)
        .exchange::<Infallible>(request(Method::GET))
        .await;
    let mut stream = answer.unwrap().into_body();
    assert_eq!(stream.next().await.unwrap().unwrap(), "half");
    let later = tokio::time::timeout(Duration::from_millis(600), stream.next());
    assert!(later.await.is_err());
}

#[tokio::test]
async fn connections_have_a_time_of_their_own() {
    // Accepts, and never answers the first message of TLS.
    let server = Server::that(&[Does::Hangs("")]).await;
    let transport = HttpTransport::builder()
        .connect_timeout(Duration::from_millis(200))
        .timeout(None)
        .retries(Retries::NONE)
        .build();
    let client = Client::new(&format!("https://{}", server.address), transport);
    let Err(ClientError::Transport(error)) = client.send::<Infallible>(request(Method::GET)).await
    else {
        panic!("an answer")
    };
    assert!(error.is_timeout() && error.is_connect());
}

#[tokio::test]
async fn where_no_connection_is_made_any_call_is_tried_again() {
    // The port of a service that no machine runs any more, and that the system gives to nobody else.
    let address = "127.0.0.1:9";
    let transport = HttpTransport::builder()
        .retries(Retries {
            first_wait: Duration::from_millis(400),
            ..SOON
        })
        .build();
    let client = Client::new(&format!("http://{address}"), transport);
    let begun = std::time::Instant::now();
    let answer = client.send::<Infallible>(request(Method::POST)).await;
    let Err(ClientError::Transport(error)) = answer else {
        panic!("{answer:?}")
    };
    assert!(error.is_connect() && error.to_string().starts_with("no connection: "));
    // Two waits, of at least 0.2 and 0.4 seconds.
    assert!(begun.elapsed() >= Duration::from_millis(600));
}

/// A certificate of `localhost`, and its key.
fn certificate() -> &'static (CertificateDer<'static>, PrivateKeyDer<'static>) {
    static MADE: std::sync::OnceLock<(CertificateDer<'static>, PrivateKeyDer<'static>)> =
        std::sync::OnceLock::new();
    MADE.get_or_init(|| {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
        (made.cert.der().clone(), key)
    })
}

async fn tls(stream: TcpStream) -> Option<TlsStream<TcpStream>> {
    let (certificate, key) = certificate();
    let provider = rustls::crypto::ring::default_provider();
    let config = rustls::ServerConfig::builder_with_provider(provider.into())
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.clone()], key.clone_key())
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    acceptor.accept(stream).await.ok()
}

#[tokio::test]
async fn servers_of_https_are_asked_if_they_are_trusted() {
    let server = Server::with(&[OK], tls).await;
    let base = format!("https://localhost:{}", server.address.port());
    let mut roots = runtime::rustls::RootCertStore::empty();
    roots.add(certificate().0.clone()).unwrap();
    let provider = runtime::rustls::crypto::ring::default_provider();
    let trusting = runtime::rustls::ClientConfig::builder_with_provider(provider.into())
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let transport = HttpTransport::builder().tls(trusting).build();
    let client = Client::new(&base, transport);
    let answer = client
        .send::<Infallible>(request(Method::GET))
        .await
        .unwrap();
    assert_eq!(answer.body().as_ref(), b"ok");

    let system = HttpTransport::builder().retries(Retries::NONE).build();
    let answer = Client::new(&base, system)
        .send::<Infallible>(request(Method::GET))
        .await;
    let Err(ClientError::Transport(error)) = answer else {
        panic!("{answer:?}")
    };
    assert!(error.is_connect(), "{error}");
    assert!(error.to_string().contains("certificate"), "{error}");
}
