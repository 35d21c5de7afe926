//! Operations that share a path are told apart by the query; raw ones are given the request as it is.

use axum::body::Body;
use http::{Request, Response};
use behaviour::{Answer, carry, request};
use routes_api::api::routes::*;
use routes_api::client::{Client, ClientError, Transport};
use routes_api::runtime::Limits;
use routes_api::service::Dispatcher;
use routes_api::{ByteStream, HandlerError, Host, runtime, service};
use std::convert::Infallible;
use std::sync::Arc;

type Service = runtime::Service<Dispatcher<Named>>;

/// Answers with the name of the method that was called.
struct Named;

impl Host for Named {
    type Context = ();
    type Error = HandlerError;
}

impl service::Faults for Named {}

impl RoutesApi for Named {
    async fn books(&self, params: BooksParams) -> Result<BooksResponse, HandlerError> {
        let body = format!("books {}", params.limit);
        Ok(BooksResponse::Ok { body })
    }

    async fn colour(&self) -> Result<ColourResponse, HandlerError> {
        let body = "colour".into();
        Ok(ColourResponse::Ok { body })
    }

    async fn films(&self, params: FilmsParams) -> Result<FilmsResponse, HandlerError> {
        let body = format!("films {:?}", params.r#in);
        Ok(FilmsResponse::Ok { body })
    }

    async fn silent(&self) -> Result<SilentResponse, HandlerError> {
        Ok(SilentResponse::Default {
            status: http::StatusCode::ACCEPTED,
            body: ByteStream::from("as it likes"),
        })
    }

    async fn grant(&self) -> Result<GrantResponse, HandlerError> {
        let body = "grant".into();
        Ok(GrantResponse::Ok { body })
    }

    async fn renew(&self, _: RenewParams) -> Result<RenewResponse, HandlerError> {
        let body = "renew".into();
        Ok(RenewResponse::Ok { body })
    }

    async fn start(&self, _: StartParams) -> Result<StartResponse, HandlerError> {
        let body = "start".into();
        Ok(StartResponse::Ok { body })
    }

    async fn stop(&self, _: StopParams) -> Result<StopResponse, HandlerError> {
        let body = "stop".into();
        Ok(StopResponse::Ok { body })
    }

    async fn forecast_of_town(
        &self,
        params: ForecastOfTownParams,
    ) -> Result<ForecastOfTownResponse, HandlerError> {
        let body = format!("town {}", params.town);
        Ok(ForecastOfTownResponse::Ok { body })
    }

    async fn forecast_at(&self, params: ForecastAtParams) -> Result<ForecastAtResponse, HandlerError> {
        let body = format!("at {}", params.lat);
        Ok(ForecastAtResponse::Ok { body })
    }

    async fn make(&self, _: MakeParams) -> Result<MakeResponse, HandlerError> {
        let body = "make".into();
        Ok(MakeResponse::Ok { body })
    }

    async fn smash(&self, _: SmashParams) -> Result<SmashResponse, HandlerError> {
        let body = "smash".into();
        Ok(SmashResponse::Ok { body })
    }

    async fn describe(&self, body: String) -> Result<DescribeResponse, HandlerError> {
        let body = format!("describe {body}");
        Ok(DescribeResponse::Ok { body })
    }

    async fn upload(&self, _: ByteStream) -> Result<UploadResponse, HandlerError> {
        let body = "upload".into();
        Ok(UploadResponse::Ok { body })
    }

    async fn blank(&self) -> Result<BlankResponse, HandlerError> {
        let body = "blank".into();
        Ok(BlankResponse::Ok { body })
    }

    async fn servers(&self, _: ServersParams) -> Result<ServersResponse, HandlerError> {
        let body = "servers".into();
        Ok(ServersResponse::Ok { body })
    }

    async fn server_of_name(
        &self,
        params: ServerOfNameParams,
    ) -> Result<ServerOfNameResponse, HandlerError> {
        let body = format!("server {}", params.name);
        Ok(ServerOfNameResponse::Ok { body })
    }

    async fn raw(
        &self,
        id: i64,
        request: Request<ByteStream>,
    ) -> Result<Response<ByteStream>, HandlerError> {
        let (parts, body) = request.into_parts();
        let body = body.bytes().await.map_err(|_| HandlerError::Internal)?;
        let query = parts.uri.query().unwrap_or_default();
        let text = format!("raw {id} {query} {}", String::from_utf8_lossy(&body));
        let mut response = Response::new(ByteStream::from(text));
        *response.status_mut() = http::StatusCode::IM_A_TEAPOT;
        Ok(response)
    }

    async fn plain(&self, id: i64) -> Result<PlainResponse, HandlerError> {
        let body = format!("plain {id}");
        Ok(PlainResponse::Ok { body })
    }

    async fn pair(&self, id: String) -> Result<PairResponse, HandlerError> {
        let body = format!("pair {id}");
        Ok(PairResponse::Ok { body })
    }

    async fn put_shelf(&self, shelf: i64) -> Result<PutShelfResponse, HandlerError> {
        let body = format!("put {shelf}");
        Ok(PutShelfResponse::Ok { body })
    }

    async fn get_shelf(&self, shelf: i64) -> Result<GetShelfResponse, HandlerError> {
        let body = format!("get {shelf}");
        Ok(GetShelfResponse::Ok { body })
    }

    async fn ways(&self, _: i64) -> Result<WaysResponse, HandlerError> {
        let allow = "GET, POST".to_owned();
        Ok(WaysResponse::NoContent { allow })
    }

    async fn peek(&self) -> Result<PeekResponse, HandlerError> {
        Ok(PeekResponse::Ok { x_length: 7 })
    }
}

fn named() -> Service {
    let limits = Limits {
        body: 10,
        ..Limits::default()
    };
    service::service(Arc::new(Named), limits)
}

async fn ask(line: &str, body: &'static str) -> Answer {
    let (method, target) = line.split_once(' ').expect("a method and a target");
    request(&named(), method, target, &[], body).await
}

#[tokio::test]
async fn the_query_tells_operations_of_one_path_apart() {
    for (line, status, body) in [
        ("GET /search?kind=book", 200, "books 3"),
        ("GET /search?limit=5&kind=%62ook", 200, "books 5"),
        ("GET /search?kind=film", 200, "films None"),
        (
            "GET /search?in=sepia&kind=film",
            200,
            "films Some(\"sepia\")",
        ),
        ("GET /search?in=colour&kind=film", 200, "colour"),
        ("POST /tokens", 200, "grant"),
        ("POST /tokens?grant=renew", 200, "renew"),
        ("POST /actions?Action=start", 200, "start"),
        ("POST /actions?Action=stop", 200, "stop"),
    ] {
        let answer = ask(line, "").await;
        assert_eq!(answer.status, status, "{line}");
        assert_eq!(answer.body, body, "{line}");
    }
    for (line, status) in [
        ("GET /search", 404),
        ("GET /search?kind=song", 404),
        ("HEAD /search?kind=book", 200),
        ("POST /search", 405),
        ("POST /actions?Action=pause", 404),
        ("GET /search?kind=book&more=1", 400),
    ] {
        assert_eq!(ask(line, "").await.status, status, "{line}");
    }
}

#[tokio::test]
async fn headers_and_bodies_tell_operations_of_one_path_apart() {
    let pictures = "/pictures";
    let typed = |media_type| vec![("content-type", media_type)];
    for (target, headers, status, body) in [
        ("/", vec![("target", "Make")], 200, "make"),
        ("/", vec![("target", "Smash")], 200, "smash"),
        ("/", vec![("target", "smash")], 404, ""),
        ("/", vec![], 404, ""),
        (pictures, typed("text/plain"), 200, "describe "),
        (pictures, typed("image/png"), 200, "upload"),
        (pictures, vec![], 200, "blank"),
    ] {
        let answer = request(&named(), "POST", target, &headers, "").await;
        assert_eq!(answer.status, status, "{target} {headers:?}");
        if status == 200 {
            assert_eq!(answer.body, body, "{target} {headers:?}");
        }
    }
    for (line, body) in [
        ("GET /forecast?lat=7", "at 7"),
        ("GET /forecast?town=a", "town a"),
        ("GET /servers?fields=all", "servers"),
        ("GET /servers?fields=all&name=x", "server x"),
    ] {
        assert_eq!(ask(line, "").await.body, body, "{line}");
    }
}

#[tokio::test]
async fn a_raw_operation_is_given_the_request() {
    let answer = ask("POST /raw/7?any=thing", "body").await;
    assert_eq!(
        (answer.status, &answer.body[..]),
        (418, &b"raw 7 any=thing body"[..])
    );
    assert_eq!(ask("POST /raw/0", "").await.issues(), ["path id minimum"]);
    assert_eq!(ask("POST /raw/1", "longer than that").await.status, 413);
    assert_eq!(ask("GET /raw/7", "").await.body, "plain 7");
    assert_eq!(ask("GET /pairs/7/7", "").await.body, "pair 7");
    assert_eq!(ask("GET /pairs/7/8", "").await.status, 404);
}

#[tokio::test]
async fn what_says_of_no_answer_gives_any() {
    let answer = ask("GET /silent", "").await;
    assert_eq!((answer.status, &answer.body[..]), (202, &b"as it likes"[..]));
}

#[tokio::test]
async fn a_path_item_is_what_its_reference_leads_to_and_what_stands_beside_it() {
    assert_eq!(ask("GET /shelves/7", "").await.body, "get 7");
    assert_eq!(ask("PUT /shelves/7", "").await.body, "put 7");
    assert_eq!(ask("PUT /shelves/0", "").await.issues(), ["path shelf minimum"]);
    let answer = ask("DELETE /shelves/7", "").await;
    assert_eq!((answer.status, answer.header("allow")), (405, "GET, HEAD, PUT"));
}

#[tokio::test]
async fn the_other_methods_are_what_the_contract_says() {
    let answer = ask("OPTIONS /raw/7", "").await;
    assert_eq!((answer.status, answer.header("allow")), (204, "GET, POST"));
    let answer = ask("OPTIONS /peek", "").await;
    assert_eq!((answer.status, answer.header("allow")), (405, "HEAD"));
    let answer = ask("HEAD /peek", "").await;
    assert_eq!((answer.status, answer.header("x-length")), (200, "7"));
    assert_eq!(ask("GET /peek", "").await.status, 405);
    assert_eq!(ask("TRACE /raw/7", "").await.status, 405);
}

struct InProcess(Service);

impl Transport for InProcess {
    type Error = Infallible;

    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, Infallible> {
        carry(&self.0, request).await
    }
}

#[tokio::test]
async fn the_client_says_which_operation_it_means() {
    let client = Client::new("http://named.invalid", InProcess(named()));
    let BooksResponse::Ok { body } = client.books(BooksParams { limit: 4 }).await.expect("books");
    assert_eq!(body, "books 4");
    let ColourResponse::Ok { body } = client.colour().await.expect("colour");
    assert_eq!(body, "colour");
    let sent = Request::builder().uri("/?a=b%20c").header("x-any", "thing");
    let sent = sent.body(ByteStream::from("text")).expect("a request");
    let answer = client.raw(9, sent).await.expect("an answer");
    assert_eq!(answer.status(), 418);
    let body = answer.into_body().bytes().await.expect("all of it");
    assert_eq!(body, "raw 9 a=b%20c text");
    let PeekResponse::Ok { x_length } = client.peek().await.expect("a head");
    assert_eq!(x_length, 7);
    let sent = Request::new(ByteStream::default());
    let refused: Result<_, ClientError<Infallible>> = client.raw(0, sent).await;
    assert_eq!(refused.expect("an answer").status(), 400);
}
