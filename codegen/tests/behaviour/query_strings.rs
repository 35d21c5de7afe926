//! Parameters of OpenAPI 3.2, as a service reads them and as a client writes them.

use axum::body::Body;
use behaviour::{Answer, carry, request};
use http::{Request, Response};
use query_strings_api::api::books::*;
use query_strings_api::client::{Client, ClientError, Transport};
use query_strings_api::runtime::credential::ApiKey;
use query_strings_api::runtime::{Demand, Limits};
use query_strings_api::security::Security;
use query_strings_api::service::Dispatcher;
use query_strings_api::{AuthError, HandlerError, Host, models, runtime, service};
use std::convert::Infallible;
use std::sync::{Arc, Mutex};

struct Echo;

impl Host for Echo {
    type Context = ();
    type Error = HandlerError;
}

impl Security for Echo {
    type Key = String;

    async fn key(&self, key: ApiKey<'_>, _: Demand<'_, ()>) -> Result<String, AuthError> {
        Ok(key.secret().to_owned())
    }
}

impl service::Faults for Echo {}

impl BooksApi for Echo {
    async fn form(
        &self,
        principal: Option<String>,
        params: FormParams,
    ) -> Result<FormResponse, HandlerError> {
        let body = format!("{principal:?} {:?}", params.search);
        Ok(FormResponse::Ok { body })
    }

    async fn encoded(&self, params: EncodedParams) -> Result<EncodedResponse, HandlerError> {
        let body = format!("{:?}", params.search);
        Ok(EncodedResponse::Ok { body })
    }

    async fn json(&self, params: JsonParams) -> Result<JsonResponse, HandlerError> {
        let body = params.search.map_or("none".to_owned(), |search| search.word);
        Ok(JsonResponse::Ok { body })
    }

    async fn text(&self, params: TextParams) -> Result<TextResponse, HandlerError> {
        let body = params.words.unwrap_or_default();
        Ok(TextResponse::Ok { body })
    }

    async fn file(&self, path: String, params: FileParams) -> Result<FileResponse, HandlerError> {
        let body = format!("{path} {:?} {:?} {:?}", params.at, params.all, params.plain);
        Ok(FileResponse::Ok { body })
    }

    async fn cookies(&self, params: CookiesParams) -> Result<CookiesResponse, HandlerError> {
        let body = format!("{params:?}");
        Ok(CookiesResponse::Ok { body })
    }
}

fn echo() -> runtime::Service<Dispatcher<Echo>> {
    service::service(Arc::new(Echo), Limits::default())
}

async fn get(target: &str, cookies: &str) -> Answer {
    request(&echo(), "GET", target, &[("cookie", cookies)], "").await
}

async fn text(target: &str, cookies: &str) -> String {
    let answer = get(target, cookies).await;
    assert_eq!(answer.status, 200, "{:?}", answer.body);
    String::from_utf8(answer.body.to_vec()).unwrap()
}

/// Keeps the target and the cookies of the last request.
struct Kept(Arc<Mutex<(String, String)>>);

impl Transport for Kept {
    type Error = Infallible;

    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, Infallible> {
        let cookies = request.headers().get("cookie");
        let cookies = cookies.map(|it| it.to_str().unwrap().to_owned());
        let target = request.uri().path_and_query().unwrap().to_string();
        *self.0.lock().unwrap() = (target, cookies.unwrap_or_default());
        carry(&echo(), request).await
    }
}

fn client() -> (Client<Kept>, Arc<Mutex<(String, String)>>) {
    let kept = Arc::new(Mutex::default());
    (Client::new("http://a.example", Kept(Arc::clone(&kept))), kept)
}

fn search(word: &str) -> models::Search {
    models::Search {
        word: word.into(),
        tags: None,
        size: None,
    }
}

#[tokio::test]
async fn the_whole_query_is_a_form() {
    let read = text("/forms?word=a+b&tags=x&tags=y&size[pages]=3", "").await;
    for part in ["None Search", "\"a b\"", "\"x\", \"y\"", "pages: Some(3)"] {
        assert!(read.contains(part), "{read}");
    }
    // A key is no field of it.
    assert!(text("/forms?word=a&key=k", "").await.starts_with("Some(\"k\")"));
    assert_eq!(get("/forms", "").await.issues(), ["query search/word required"]);
    let issues = get("/forms?word=abcdef&other=1&size[pages]=x", "").await.issues();
    let expected = [
        "query search/other additionalProperties",
        "query search/size/pages type",
        "query search/word maxLength",
    ];
    assert_eq!(issues, expected);
}

#[tokio::test]
async fn a_field_of_the_query_is_written_as_its_encoding_says() {
    let target = "/encoded?word=a&tags=x%7Cy&size=%7B%22pages%22%3A3%7D";
    let read = text(target, "").await;
    for part in ["\"x\", \"y\"", "pages: Some(3)"] {
        assert!(read.contains(part), "{read}");
    }
    assert_eq!(text("/encoded", "").await, "None");
    let issues = get("/encoded?word=a&size=%7B", "").await.issues();
    assert_eq!(issues, ["query search contentMediaType"]);
    let issues = get("/encoded?word=a&tags=x&tags=y", "").await.issues();
    assert_eq!(issues, ["query search type"]);

    let (client, kept) = client();
    let mut form = search("a");
    form.tags = Some(vec!["x".into(), "y".into()]);
    form.size = Some(models::SearchSize { pages: Some(3) });
    let search = Some(form.clone());
    let EncodedResponse::Ok { body } = client.encoded(EncodedParams { search }).await.unwrap();
    assert_eq!(kept.lock().unwrap().0, target);
    assert_eq!(body, format!("{:?}", Some(&form)));
    // A bar would divide one tag into two.
    form.tags = Some(vec!["x|y".into()]);
    let refused = client.encoded(EncodedParams { search: Some(form) }).await;
    assert!(matches!(refused, Err(ClientError::BuildError(_))), "{refused:?}");
}

#[tokio::test]
async fn the_whole_query_is_json_or_a_text() {
    assert_eq!(text("/json?%7B%22word%22:%22a%26b%22%7D", "").await, "a&b");
    assert_eq!(text("/json", "").await, "none");
    assert_eq!(get("/json?{", "").await.issues(), ["query search contentMediaType"]);
    let issues = get("/json?%7B%22word%22:1%7D", "").await.issues();
    assert_eq!(issues, ["query search/word type"]);
    assert_eq!(text("/text?one%20two", "").await, "one two");
    assert_eq!(get("/text?one%20two%20three", "").await.issues(), ["query words maxLength"]);
}

#[tokio::test]
async fn cookies_are_read_as_they_are() {
    let sent = "colours=blue; width=3; unit=%41; colours=a,b; few=1,2; one=x=y";
    let read = text("/cookies", sent).await;
    let parts = ["[\"blue\", \"a,b\"]", "width: Some(3)", "\"%41\"", "[1, 2]", "\"x=y\""];
    for part in parts {
        assert!(read.contains(part), "{part} in {read}");
    }
    assert_eq!(get("/cookies", "few=1,2,3").await.issues(), ["cookie few maxItems"]);
    assert_eq!(get("/cookies", "one=a; one=b").await.issues(), ["cookie one type"]);
}

#[tokio::test]
async fn a_client_writes_what_the_service_reads() {
    let (client, kept) = client();
    let sent = || kept.lock().unwrap().clone();
    let mut form = search("a b&c");
    form.tags = Some(vec!["x".into(), "y".into()]);
    let FormResponse::Ok { body } = client.form(FormParams { search: form }).await.unwrap();
    assert_eq!(sent().0, "/forms?word=a%20b%26c&tags=x&tags=y");
    assert!(body.contains("\"a b&c\""), "{body}");
    let params = JsonParams {
        search: Some(search("é")),
    };
    let JsonResponse::Ok { body } = client.json(params).await.unwrap();
    assert_eq!((body.as_str(), sent().0.as_str()), ("é", "/json?%7B%22word%22%3A%22%C3%A9%22%7D"));
    let params = TextParams {
        words: Some("a=b&c".into()),
    };
    let TextResponse::Ok { body } = client.text(params).await.unwrap();
    assert_eq!((body.as_str(), sent().0.as_str()), ("a=b&c", "/text?a%3Db%26c"));
}

#[tokio::test]
async fn reserved_characters_stay_where_they_divide_nothing() {
    let (client, kept) = client();
    let params = FileParams {
        at: Some("/x?y:z,&#=+".into()),
        all: Some(vec!["a,b".into(), "c/d".into()]),
        plain: Some("/:".into()),
    };
    let FileResponse::Ok { body } = client.file("a:b/c".into(), params).await.unwrap();
    let target = "/files/a:b%2Fc?at=/x?y:z,%26%23%3D%2B&all=a%2Cb,c/d&plain=%2F%3A";
    assert_eq!(kept.lock().unwrap().0, target);
    let expected = "a:b/c Some(\"/x?y:z,&#=+\") Some([\"a,b\", \"c/d\"]) Some(\"/:\")";
    assert_eq!(body, expected);
}

#[tokio::test]
async fn a_client_sends_no_cookie_that_would_be_another() {
    let (client, kept) = client();
    let params = |colours: &[&str], one: &str| CookiesParams {
        colours: Some(colours.iter().map(|it| (*it).to_owned()).collect()),
        size: None,
        few: Some(vec![1, 2]),
        one: Some(one.into()),
    };
    let CookiesResponse::Ok { body } = client.cookies(params(&["blue", "a,b"], "x=y")).await.unwrap();
    assert_eq!(kept.lock().unwrap().1, "colours=blue; colours=a,b; few=1,2; one=x=y");
    assert!(body.contains("[\"blue\", \"a,b\"]"), "{body}");
    for wrong in ["a;b", " a", "a\nb"] {
        let refused = client.cookies(params(&[], wrong)).await;
        assert!(matches!(refused, Err(ClientError::BuildError(_))), "{refused:?}");
    }
}
