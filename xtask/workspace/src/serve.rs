//! Serves a router with `axum::serve` on one thread: on a free port of the loopback, which is printed,
//! until the standard input ends.

use axum::ServiceExt as _;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use std::convert::Infallible;
use std::io::Read as _;
use tower_service::Service;

pub fn serve<S>(service: S)
where
    S: Service<Request, Response = Response<Body>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    std::thread::spawn(|| {
        let _ = std::io::stdin().read(&mut [0]);
        std::process::exit(0);
    });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.expect("a runtime").block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a port");
        println!("{}", listener.local_addr().expect("an address").port());
        axum::serve(listener, service.into_make_service())
            .await
            .expect("a server");
    });
}
