//! Parameters that may be one text or several: read by their form, and sent only where the same value is read
//! again.

#[path = "parameters/members.rs"]
mod members;

use axum::body::Body;
use http::{Request, Response};
use behaviour::{carry, request};
use parameters_api::api::default::*;
use parameters_api::client::{Client, ClientError, Transport};
use parameters_api::runtime::Limits;
use parameters_api::service::Dispatcher;
use parameters_api::{HandlerError, Host, models, runtime, service};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::sync::Arc;

type Service = runtime::Service<Dispatcher<Echo>>;

struct Echo;

impl Host for Echo {
    type Context = ();
    type Error = HandlerError;
}

impl service::Faults for Echo {}

fn value<T: Serialize>(value: &T) -> Value {
    serde_json::to_value(value).expect("JSON")
}

fn seen(ids: impl Serialize, words: impl Serialize, filter: impl Serialize) -> models::Seen {
    let [ids, words, filter] = [value(&ids), value(&words), value(&filter)].map(Some);
    models::Seen { ids, words, filter }
}

macro_rules! echoes {
    (path $(($path:ident $path_response:ident))* beside $(($name:ident $params:ident $response:ident))*) => {
        impl DefaultApi for Echo {
            $(async fn $path(
                &self,
                ids: models::Ids,
                words: models::Words,
                filter: models::Filter,
            ) -> Result<$path_response, HandlerError> {
                Ok($path_response::Ok { body: seen(ids, words, filter).into() })
            })*
            $(async fn $name(&self, params: $params) -> Result<$response, HandlerError> {
                Ok($response::Ok { body: seen(params.ids, params.words, params.filter).into() })
            })*

            async fn nulls(&self, params: NullsParams) -> Result<NullsResponse, HandlerError> {
                let body = json!({
                    "list": params.list, "object": params.object, "either": params.either,
                    "range": params.range, "counts": params.counts, "sort": params.sort,
                });
                Ok(NullsResponse::Ok { body: body.into() })
            }

            async fn answered(&self, params: AnsweredParams) -> Result<AnsweredResponse, HandlerError> {
                let x_words = Some(serde_json::from_value(json!(["a", "b"])).expect("words"));
                let x_ids = params.ids;
                let set_cookie = COOKIES.map(String::from).to_vec();
                Ok(AnsweredResponse::NoContent { x_ids, x_words, set_cookie })
            }

            async fn rest(&self, params: RestParams) -> Result<RestResponse, HandlerError> {
                let body = json!({ "limit": params.limit, "rest": params.rest, "key": params.key });
                Ok(RestResponse::Ok { body: body.into() })
            }

            async fn two(&self, params: TwoParams) -> Result<TwoResponse, HandlerError> {
                let body = json!({ "size": params.size, "look": params.look });
                Ok(TwoResponse::Ok { body: body.into() })
            }

            async fn below(&self, params: BelowParams) -> Result<BelowResponse, HandlerError> {
                let body = json!({ "f": params.f, "x": params.f_x, "y": params.f_y });
                Ok(BelowResponse::Ok { body: body.into() })
            }

            async fn versioned(
                &self,
                version: models::VersionedVersion,
                params: VersionedParams,
            ) -> Result<VersionedResponse, HandlerError> {
                let body = json!({ "version": version, "loose": params.loose });
                Ok(VersionedResponse::Ok { body: body.into() })
            }

            async fn defaults(&self, params: DefaultsParams) -> Result<DefaultsResponse, HandlerError> {
                let body = json!({
                    "none": params.none, "nothing": params.nothing, "neither": params.neither,
                    "mixed": params.mixed, "names": params.names,
                });
                Ok(DefaultsResponse::Ok { body: body.into() })
            }

            async fn free(&self, params: FreeParams) -> Result<FreeResponse, HandlerError> {
                let body = json!({ "limit": params.limit, "free": params.free });
                Ok(FreeResponse::Ok { body: body.into() })
            }

            async fn nested(&self, path: models::Nest, params: NestedParams) -> Result<NestedResponse, HandlerError> {
                let body = json!({
                    "path": path, "spread": params.spread, "joined": params.joined, "deep": params.deep,
                    "header": params.header, "cookie": params.cookie, "grid": params.grid,
                });
                Ok(NestedResponse::Ok { body: body.into() })
            }

            async fn empty(&self, params: EmptyParams) -> Result<EmptyResponse, HandlerError> {
                let body = json!({
                    "must": params.must, "usual": params.usual, "may": params.may,
                    "counted": params.counted, "ruled": params.ruled,
                });
                Ok(EmptyResponse::Ok { body: body.into() })
            }
        }

        /// The three values as they come back, or the one that is not sent.
        async fn sent(style: &str, values: &Value) -> Result<Value, String> {
            fn read<T: DeserializeOwned>(value: &Value) -> T {
                serde_json::from_value(value.clone()).expect("a value of its type")
            }
            let client = Client::new("http://echo.invalid", InProcess(echo()));
            let [ids, words, filter] = ["ids", "words", "filter"].map(|name| &values[name]);
            let answer = match style {
                $(stringify!($path) => client
                    .$path(read(ids), read(words), read(filter))
                    .await
                    .map(|$path_response::Ok { body }| body),)*
                $(stringify!($name) => client
                    .$name($params { ids: read(ids), words: read(words), filter: read(filter) })
                    .await
                    .map(|$response::Ok { body }| body),)*
                _ => panic!("no style is called {style}"),
            };
            match answer {
                Ok(body) => Ok(value(&body.decode().expect("what came in"))),
                Err(ClientError::BuildError(flaw)) => Err(flaw.at.to_owned()),
                Err(other) => panic!("{other:?}"),
            }
        }
    };
}

echoes! {
    path (simple SimpleResponse) (label LabelResponse) (matrix MatrixResponse)
    beside (form FormParams FormResponse) (joined JoinedParams JoinedResponse) (spaced SpacedParams SpacedResponse)
        (piped PipedParams PipedResponse) (deep DeepParams DeepResponse) (headers HeadersParams HeadersResponse)
        (cookies CookiesParams CookiesResponse) (json JsonParams JsonResponse)
}

const STYLES: [&str; 11] = [
    "simple", "label", "matrix", "form", "joined", "spaced", "piped", "deep", "headers", "cookies",
    "json",
];

fn echo() -> Service {
    service::service(Arc::new(Echo), Limits::default())
}

/// The generated client's way to the service.
struct InProcess(Service);

impl Transport for InProcess {
    type Error = Infallible;

    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, Infallible> {
        carry(&self.0, request).await
    }
}

async fn get(target: &str) -> Result<Value, Vec<String>> {
    let (target, headers) = match target.split_once(" ") {
        Some((target, header)) => (target, vec![header.split_once(": ").expect("a header")]),
        None => (target, Vec::new()),
    };
    let answer = request(&echo(), "GET", target, &headers, "").await;
    match answer.status {
        200 => Ok(answer.json()),
        _ => Err(answer.issues()),
    }
}

#[tokio::test]
async fn a_text_is_what_it_shows_to_be() {
    for (target, member, expected) in [
        ("/form?ids=1&ids=2", "ids", json!([1, 2])),
        ("/form?ids=1", "ids", json!(1)),
        ("/form?words=a,b", "words", json!("a,b")),
        ("/form?words=a&words=b", "words", json!(["a", "b"])),
        ("/form?words=", "words", json!("")),
        ("/form?x=1&y=2", "filter", json!({ "x": 1, "y": 2 })),
        ("/form?filter=x", "filter", json!("x")),
        ("/joined?ids=1,2", "ids", json!([1, 2])),
        ("/joined?ids=", "ids", json!([])),
        ("/joined?words=a,b", "words", json!(["a", "b"])),
        ("/joined?words=a%2Cb", "words", json!("a,b")),
        ("/joined?filter=x,1", "filter", json!({ "x": 1 })),
        ("/joined?filter=x,1,y", "filter", json!("x,1,y")),
        ("/joined?filter=x,a", "filter", json!("x,a")),
        ("/joined?filter=a,x", "filter", json!("a,x")),
        ("/cookies cookie: filter=x,1", "filter", json!({ "x": 1 })),
        ("/cookies cookie: filter=a,1", "filter", json!("a,1")),
        ("/spaced?ids=1%202", "ids", json!([1, 2])),
        ("/spaced?ids=1+2", "ids", json!([1, 2])),
        ("/spaced?ids=7", "ids", json!(7)),
        ("/piped?words=a|b", "words", json!(["a", "b"])),
        ("/piped?words=a", "words", json!("a")),
        ("/deep?ids=7", "ids", json!(7)),
        ("/deep?ids[]=7", "ids", json!([7])),
        ("/deep?filter[x]=7", "filter", json!({ "x": 7 })),
        ("/deep?filter=x", "filter", json!("x")),
        ("/headers ids: 1, 2", "ids", json!([1, 2])),
        ("/headers ids: 1", "ids", json!(1)),
        ("/headers words: a,b", "words", json!(["a", "b"])),
        ("/headers filter: x=1,y=2", "filter", json!({ "x": 1, "y": 2 })),
        ("/headers filter: x=1,y", "filter", json!("x=1,y")),
        ("/cookies cookie: ids=1,2", "ids", json!([1, 2])),
        ("/cookies cookie: ids=1", "ids", json!(1)),
        ("/simple/1,2/a,b/x=1", "ids", json!([1, 2])),
        ("/simple/1,2/a,b/x=1", "filter", json!({ "x": 1 })),
        ("/simple/1/a%2Cb/x%3D1", "words", json!("a,b")),
        ("/simple/1/a%2Cb/x%3D1", "filter", json!("x=1")),
        ("/label/.1.2/.a,b/.x=1.y=2", "ids", json!([1, 2])),
        ("/label/.1.2/.a,b/.x=1.y=2", "words", json!(["a", "b"])),
        ("/label/.1.2/.a,b/.x=1.y=2", "filter", json!({ "x": 1, "y": 2 })),
        ("/matrix/;ids=1;ids=2/;words=a/;x=1;y=2", "ids", json!([1, 2])),
        ("/matrix/;ids=1/;words=a,b/;filter=x", "ids", json!(1)),
        ("/matrix/;ids=1/;words=a,b/;filter=x", "words", json!(["a", "b"])),
        ("/matrix/;ids=1/;words=a,b/;filter=x", "filter", json!("x")),
        ("/matrix/;ids=1/;words=a/;x=1;y=2", "filter", json!({ "x": 1, "y": 2 })),
        ("/nulls?list=,", "list", json!([null, null])),
        ("/nulls?object=m,", "object", json!({ "m": null })),
        ("/nulls?object=t,", "object", json!({ "t": "" })),
        ("/nulls either: 1,2", "either", json!([1, 2])),
        ("/nulls range: 1,2", "range", json!([1, 2])),
        ("/nulls range: 1,2,3,4", "range", json!([1, 2, 3, 4])),
        ("/nulls range: min,2", "range", json!({ "min": 2 })),
        ("/nulls counts: 1,2", "counts", json!([1, 2])),
        ("/nulls counts: a,2", "counts", json!({ "a": 2 })),
        ("/nulls?sort=name", "sort", json!("name")),
        ("/nulls?sort=name&order=asc", "sort", json!({ "sort": "name", "order": "asc" })),
        ("/empty?must=a", "usual", json!(["a", "b"])),
        ("/empty?must=a&usual=", "usual", json!([""])),
        ("/empty?must=a&counted=1&counted=2", "counted", json!([1, 2])),
        ("/empty?must=a&high=2&low=1", "ruled", json!({ "high": 2, "low": 1 })),
    ] {
        let seen = get(target).await.unwrap_or_else(|issues| panic!("{target}: {issues:?}"));
        assert_eq!(seen[member], expected, "{target}");
    }
}

#[tokio::test]
async fn what_is_none_of_it_is_told() {
    for (target, issue) in [
        ("/form?ids=-1", "query ids minimum"),
        ("/form?ids=1&ids=x", "query ids/1 type"),
        ("/form?ids=x", "query ids/0 type"),
        ("/form?filter=a&x=1", "query filter type"),
        ("/form?filter=a&filter=b", "query filter type"),
        ("/form?filter=a&filter=b&x=1", "query filter type"),
        ("/form?filter=%FF&x=1", "query filter"),
        ("/form?words=%FF", "query words format"),
        ("/joined?ids=1,", "query ids/1 type"),
        ("/joined?words=!", "query words"),
        ("/joined?ids=1&ids=2", "query ids type"),
        ("/cookies cookie: ids=1; ids=2", "cookie ids type"),
        ("/empty", "query must required"),
        ("/empty?must=a&counted=2", "query counted contains"),
        ("/empty?must=a&low=2", "query ruled"),
    ] {
        let issues = get(target).await.expect_err(target);
        let found = issues.iter().any(|found| found.starts_with(issue));
        assert!(found, "{target}: {issues:?}");
    }
}

#[tokio::test]
async fn every_style_keeps_what_it_sends() {
    let hard = "a,b;c|d e&f=g/h?i#j%k.l+é%2B%00[x]";
    for style in STYLES {
        let mut unsent = Vec::new();
        for (name, other) in [
            ("ids", json!(7)),
            ("ids", json!([7, 8])),
            ("words", json!("plain")),
            ("words", json!(hard)),
            ("words", json!(["one", "two"])),
            ("words", json!([hard, "two"])),
            ("filter", json!(hard)),
            ("filter", json!({ "x": 7, "y": -8 })),
            ("filter", json!({ "x": 7 })),
        ] {
            let mut values = json!({ "ids": 1, "words": "w", "filter": "f" });
            values[name] = other;
            match sent(style, &values).await {
                Ok(seen) => assert_eq!(seen, values, "{style}"),
                Err(at) => unsent.push(format!("{at} {}", values[name])),
            }
        }
        let quoted = json!(hard);
        let words = [format!("words {quoted}"), format!("words [{quoted},\"two\"]")];
        let expected = match style {
            // These have no way to write what stands between items.
            "spaced" | "piped" | "headers" => words.to_vec(),
            _ => Vec::new(),
        };
        assert_eq!(unsent, expected, "{style}");
    }
}

#[tokio::test]
async fn a_list_of_one_is_its_item() {
    for style in STYLES {
        let values = json!({ "ids": [7], "words": ["w"], "filter": "f" });
        let seen = sent(style, &values).await.expect(style);
        let expected = match style {
            "deep" | "json" => values,
            _ => json!({ "ids": 7, "words": "w", "filter": "f" }),
        };
        assert_eq!(seen, expected, "{style}");
    }
}

#[tokio::test]
async fn null_and_nothing_are_sent_where_they_can_be_read() {
    let client = || Client::new("http://echo.invalid", InProcess(echo()));
    type List = Option<Vec<Option<runtime::Integer>>>;
    let nulls = async |list: Value, object: Value, either: Value| {
        let list: List = serde_json::from_value(list).expect("a list");
        let object = serde_json::from_value(object).expect("an object");
        let either = serde_json::from_value(either).expect("either");
        match client().nulls(NullsParams { list, object, either, range: None, counts: None, sort: None }).await {
            Ok(NullsResponse::Ok { body }) => Ok(body.decode().expect("JSON")),
            Err(ClientError::BuildError(flaw)) => Err(flaw.at),
            Err(other) => panic!("{other:?}"),
        }
    };
    let kept = json!({
        "list": [null, 1, null], "object": { "m": null }, "either": null,
        "range": null, "counts": null, "sort": null,
    });
    let parts = |whole: &Value| ["list", "object", "either"].map(|name| whole[name].clone());
    let [list, object, either] = parts(&kept);
    assert_eq!(nulls(list, object, either).await, Ok(kept));
    let null = Value::Null;
    assert_eq!(nulls(json!([null]), null.clone(), null.clone()).await, Err("list"));
    assert_eq!(nulls(null.clone(), json!({ "t": null }), null.clone()).await, Err("object"));

    let empty = async |must: &[&str], usual: &[&str]| {
        let texts = |texts: &[&str]| texts.iter().map(|text| text.to_string()).collect();
        let params = EmptyParams {
            must: texts(must),
            usual: texts(usual),
            may: Some(Vec::new()),
            counted: None,
            ruled: None,
        };
        match client().empty(params).await {
            Ok(EmptyResponse::Ok { body }) => Ok(body.decode().expect("JSON")["may"].clone()),
            Err(ClientError::BuildError(flaw)) => Err(flaw.at),
            Err(other) => panic!("{other:?}"),
        }
    };
    assert_eq!(empty(&["a"], &["c"]).await, Ok(null));
    assert_eq!(empty(&[], &["c"]).await, Err("must"));
    assert_eq!(empty(&["a"], &[]).await, Err("usual"));
}

/// Values with a comma, in a header whose lines are no list.
const COOKIES: [&str; 2] = ["a=1; Expires=Thu, 01 Jan 2026 00:00:00 GMT", "b=2"];

#[tokio::test]
async fn headers_of_answers_are_read_as_parameters_are() {
    let client = Client::new("http://echo.invalid", InProcess(echo()));
    for sent in [json!(7), json!([7, 8])] {
        let ids = serde_json::from_value(sent.clone()).expect("ids");
        let answer = client.answered(AnsweredParams { ids }).await;
        let AnsweredResponse::NoContent {
            x_ids,
            x_words,
            set_cookie,
        } = answer.expect("an answer");
        assert_eq!((value(&x_ids), value(&x_words)), (sent, json!(["a", "b"])));
        assert_eq!(set_cookie, COOKIES);
    }
}
