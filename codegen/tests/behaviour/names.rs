//! Hostile names: things with odd names work like others.

use axum::body::Body;
use names_api::api::{
    a_b::*, a_b2::*, answer::*, client::*, empty::*, mod_::*, models::*, operations::*,
    parameters::*, self_::*, service::*, stems::*, r#type::*, u1f600::*,
};
use names_api::client::{Client, Transport};
use names_api::runtime::credential::{ApiKey, Basic, Bearer};
use names_api::runtime::{Demand, Limits};
use names_api::security::{
    KeyAndKey2AndHeaderOrN2fa, OperationsAndBasePathAndSelfAndInternal, Security,
};
use names_api::service::Dispatcher;
use names_api::{AuthError, Encoded, HandlerError, Host, runtime, service};
use behaviour::{carry, request};
use serde_json::json;
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::sync::Arc;

type Service = runtime::Service<Dispatcher<Odd>>;

struct Odd;

impl Host for Odd {
    type Context = ();
    type Error = HandlerError;
}

impl service::Faults for Odd {}

/// Knows everybody.
macro_rules! everybody {
    ($($principal:ident, $hook:ident($credential:ty);)*) => {
        impl Security for Odd {
            $(type $principal = ();)*
            $(async fn $hook(&self, _: $credential, _: Demand<'_, ()>) -> Result<(), AuthError> {
                Ok(())
            })*
        }
    };
}

everybody! {
    Key, key(ApiKey<'_>);
    Key2, key2(ApiKey<'_>);
    Header, header(Bearer<'_>);
    N2fa, n2fa(Basic);
    Operations, operations(ApiKey<'_>);
    BasePath, base_path(ApiKey<'_>);
    Self_, self_(ApiKey<'_>);
    Internal, internal(ApiKey<'_>);
}

/// Implements methods that answer with nothing.
macro_rules! nothing {
    ($($interface:ident { $($method:ident -> $response:ident),* })*) => {$(
        impl $interface for Odd {
            $(async fn $method(&self) -> Result<$response, HandlerError> { Ok($response::NoContent) })*
        }
    )*};
}

nothing! {
    EmptyApi { empty -> EmptyResponse }
    TypeApi { new_ -> NewResponse }
    ModelsApi { send_ -> SendResponse }
    ClientApi { admit_ -> AdmitResponse }
    OperationsApi { internal_ -> InternalResponse }
    SelfApi { n2fa -> N2faResponse }
    U1f600Api { u1f600 -> U1f600Response }
    AnswerApi { self_ -> SelfResponse, with_header_ -> WithHeaderResponse }
    ModApi { with_key_ -> WithKeyResponse }
    ServiceApi { r#fn -> FnResponse, delete_self -> DeleteSelfResponse, ab -> AbResponse }
}

impl ABApi for Odd {
    async fn a_b(&self, a_b: String, params: ABParams, _: ABAccept) -> Result<ABResponse, HandlerError> {
        let ABParams { a_b: chosen } = params;
        let chosen = chosen.map_or("none", |chosen| chosen.as_str());
        Ok(ABResponse::Ok {
            body: ABOkContent::Text(format!("{a_b} {chosen}")),
        })
    }
}

impl AB2Api for Odd {
    async fn a_b2(
        &self,
        a_b: String,
        params: AB2Params,
        body: Option<AB2Content>,
        _: AB2Accept,
    ) -> Result<AB2Response, HandlerError> {
        let AB2Params { a_b: chosen } = params;
        let text = format!("{a_b} {} {}", chosen.is_some(), body.is_some());
        Ok(AB2Response::Ok {
            body: AB2OkContent::Text(text),
        })
    }

    async fn a_b3(
        &self,
        a_b: String,
        _: Option<AB3Content>,
        _: AB3Accept,
    ) -> Result<AB3Response, HandlerError> {
        Ok(AB3Response::Ok {
            body: AB3OkContent::Text(a_b),
        })
    }
}

impl StemsApi for Odd {
    async fn get(
        &self,
        id: String,
        _: Option<GetContent>,
        _: GetAccept,
    ) -> Result<GetResponse, HandlerError> {
        Ok(GetResponse::Ok {
            body: GetOkContent::Text(id),
        })
    }

    async fn get_ok(
        &self,
        id: String,
        _: Option<GetOkContent2>,
        _: GetOkAccept,
    ) -> Result<GetOkResponse, HandlerError> {
        Ok(GetOkResponse::Ok {
            body: GetOkOkContent::Text(id),
        })
    }

    async fn get_params(
        &self,
        id: String,
        GetParamsParams { limit }: GetParamsParams,
        _: GetParamsAccept,
    ) -> Result<GetParamsResponse, HandlerError> {
        let text = format!("{id} {limit:?}");
        Ok(GetParamsResponse::Ok {
            body: GetParamsOkContent::Text(text),
        })
    }

    async fn get2(
        &self,
        id: String,
        Get2Params { limit }: Get2Params,
        _: Get2Accept,
    ) -> Result<Get2Response, HandlerError> {
        let text = format!("{id} {limit:?}");
        Ok(Get2Response::Ok {
            body: Get2OkContent::Text(text),
        })
    }
}

impl ParametersApi for Odd {
    async fn parameters(
        &self,
        _: KeyAndKey2AndHeaderOrN2fa<(), (), (), ()>,
        id: String,
        r#type: String,
        self_: String,
        body2: String,
        principal2: String,
        params2: String,
        host: String,
        call: String,
        reader: String,
        bytes: String,
        n2fa: String,
        spec: String,
        params: ParametersParams,
        body: names_api::models::Hostile,
    ) -> Result<ParametersResponse, HandlerError> {
        let path = [
            id, r#type, self_, body2, principal2, params2, host, call, reader, bytes, n2fa, spec,
        ];
        let ParametersParams {
            id,
            id2,
            id3,
            body: body3,
            host,
            call,
            reader,
            bytes,
            params,
            principal,
            draft,
            response,
            value,
            filter_name,
            filter_name2,
            u1f600,
            empty,
            a_b_c_d,
        } = params;
        let others = [
            id,
            id2,
            id3,
            body3,
            host,
            call,
            reader,
            bytes,
            params,
            principal,
            draft,
            response,
            value,
            filter_name,
            filter_name2,
            u1f600,
            empty,
            a_b_c_d,
        ];
        Ok(ParametersResponse::Ok {
            body: Encoded::new(&body),
            status2: Some(path.join(" ")),
            body2: Some(others.join(" ")),
            r#type: None,
            x_y: Some("dash".into()),
            x_y2: Some("underscore".into()),
            responder: None,
        })
    }

    async fn consumed(
        &self,
        _: OperationsAndBasePathAndSelfAndInternal<(), (), (), ()>,
        params: ConsumedParams,
        body: ConsumedContent,
    ) -> Result<ConsumedResponse, HandlerError> {
        let is_json = matches!(body, ConsumedContent::Json(_));
        assert_eq!(is_json, params.consumed.is_some_and(|it| it == 1));
        Ok(ConsumedResponse::NoContent)
    }
}

fn odd() -> Service {
    service::service(Arc::new(Odd), Limits::default())
}

struct InProcess(Service);

impl Transport for InProcess {
    type Error = Infallible;

    async fn send(&self, request: http::Request<Body>) -> Result<http::Response<Body>, Infallible> {
        carry(&self.0, request).await
    }
}

#[tokio::test]
async fn every_operation_is_reached() {
    for (method, target, status) in [
        ("GET", "/api/", 204),
        ("PUT", "/api/", 204),
        ("POST", "/api/", 204),
        ("PATCH", "/api/", 204),
        ("DELETE", "/api/", 204),
        ("OPTIONS", "/api/", 204),
        ("TRACE", "/api/", 204),
        ("HEAD", "/api/", 204),
        ("GET", "/api/self", 204),
        ("DELETE", "/api/self", 204),
        ("OPTIONS", "/api/self", 204),
        ("GET", "/api/operations/x?a_b=a-b", 200),
        ("POST", "/api/operations/xy", 200),
        ("PUT", "/api/operations/x", 200),
        ("GET", "/api/stems/x", 200),
        ("PUT", "/api/stems/x", 200),
        ("POST", "/api/stems/x?limit=1", 200),
        ("PATCH", "/api/stems/x?limit=1", 200),
    ] {
        let answer = request(&odd(), method, target, &[], "").await;
        assert_eq!(
            answer.status, status,
            "{method} {target}: {:?}",
            answer.body
        );
    }
    let answer = request(&odd(), "GET", "/api/operations/x?a_b=a_b", &[], "").await;
    assert_eq!(answer.body, "x a_b");
    let issues = request(&odd(), "POST", "/api/operations/x?a_b=aB", &[], "")
        .await
        .issues();
    assert_eq!(issues, ["path a-b minLength", "query a_b enum"]);
}

#[tokio::test]
async fn names_of_the_generated_layer_are_free_for_schemes_and_parameters() {
    const URL: &str = "/api/uploads?base_path=b";
    let send = async |target: &str, media: &str, cookie: &str, body: &'static str| {
        let headers = [
            ("x-operations", "o"),
            ("x-internal", "i"),
            ("cookie", cookie),
            ("content-type", media),
        ];
        let answer = request(&odd(), "POST", target, &headers, body).await;
        answer.status
    };
    let json = "application/json";
    let with_parameter = format!("{URL}&consumed=1");
    assert_eq!(send(&with_parameter, json, "self=s", r#"{"tag":"tag"}"#).await, 204);
    assert_eq!(send(&with_parameter, json, "self=s", r#"{"tag":"gat"}"#).await, 400);
    assert_eq!(send(URL, "application/octet-stream", "self=s", "bytes").await, 204);
    assert_eq!(send(URL, json, "self2=s", "{}").await, 401);
    assert_eq!(send("/api/uploads", json, "self=s", "{}").await, 401);
}

#[test]
fn the_table_of_operations_keeps_the_names_of_the_document() {
    let operations = &names_api::operations::OPERATIONS;
    let ids: BTreeSet<&str> = operations.iter().map(|operation| operation.id).collect();
    assert_eq!(ids.len(), operations.len());
    for id in [
        "",
        "new",
        "2fa",
        "😀",
        "a-b",
        "a_b",
        "get params",
        "DELETE /self",
    ] {
        assert!(ids.contains(id), "{id}");
    }
    let contract: serde_json::Value = serde_json::from_str(names_api::OPENAPI).expect("JSON");
    assert_eq!(contract["info"]["version"], "2026-01 \"beta\"");
}

#[test]
fn every_word_keeps_its_spelling() {
    use names_api::models::Words;
    for wire in [
        "",
        " ",
        "-",
        "+",
        "-1",
        "+1",
        "Self",
        "a-b",
        "a_b",
        "A",
        "a",
        "😀",
        "quo\"te\\",
    ] {
        let word: Words = serde_json::from_value(json!(wire)).expect("a word");
        assert_eq!(word.as_str(), wire);
        assert_eq!(serde_json::to_value(word).expect("JSON"), json!(wire));
    }
    assert!(serde_json::from_value::<Words>(json!("Empty")).is_err());
}

#[tokio::test]
async fn parameters_and_members_of_every_name_arrive() {
    let hostile = json!({
        "type": "t", "": "e", "self": {"x": "s"}, "Self": {}, "crate": [{"x": "v"}], "super": null,
        "fn": {"": {"x": "f"}}, "a-b": "1", "a_b": "2", "aB": "3", " ": "4", "😀": "5", "2fa": 6,
        "$ref": "7", "quo\"te\\": "8", "other_members": "9", "new": true, "value": "10",
        "is_valid": "yes", "kind": "Self", "result": null, "undeclared": 11,
    });
    let body: names_api::models::Hostile = serde_json::from_value(hostile.clone()).expect("it");
    let text = |text: &str| text.to_owned();
    let params = ParametersParams {
        id: text("q"),
        id2: text("h"),
        id3: text("c"),
        body: text("1"),
        host: text("2"),
        call: text("3"),
        reader: text("4"),
        bytes: text("5"),
        params: text("6"),
        principal: text("7"),
        draft: text("8"),
        response: text("9"),
        value: text("10"),
        filter_name: text("11"),
        filter_name2: text("12"),
        u1f600: text("13"),
        empty: text("14"),
        a_b_c_d: text("15"),
    };
    let client = Client::new("http://odd.invalid", InProcess(odd()));
    let client = client.with_n2fa("2", "fa").expect("a login");
    let p = text;
    let answer = client
        .parameters(
            p("a"),
            p("b"),
            p("c"),
            p("d"),
            p("e"),
            p("f"),
            p("g"),
            p("h"),
            p("i"),
            p("j"),
            p("k"),
            p("l"),
            params,
            body,
        )
        .await;
    let ParametersResponse::Ok {
        body,
        status2,
        body2,
        x_y,
        x_y2,
        ..
    } = answer.expect("it");
    assert_eq!(status2.as_deref(), Some("a b c d e f g h i j k l"));
    assert_eq!(
        body2.as_deref(),
        Some("q h c 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15")
    );
    assert_eq!(
        (x_y.as_deref(), x_y2.as_deref()),
        (Some("dash"), Some("underscore"))
    );
    let returned = body.decode().expect("it");
    assert_eq!(serde_json::to_value(returned).expect("JSON"), hostile);
}
