//! Forms: what callers write, and what the generated client does, in every form that a document can
//! ask for.

use axum::body::Body;
use bytes::Bytes;
use forms_api::api::forms::*;
use forms_api::client::{Client, Transport};
use forms_api::runtime::multipart::File;
use forms_api::runtime::service::Limits;
use forms_api::service::Dispatcher;
use forms_api::{Admission, Failure, Host, Upload, Visit, models, runtime, service};
use http::{Request, Response};
use http_body_util::{BodyExt as _, Full};
use nasty::{Answer, carry, request};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};

type Service = runtime::Service<Dispatcher<Echo>>;

/// Answers with what it was asked.
struct Echo;

impl Host for Echo {
    type Visitor = ();
    type Error = Failure;

    async fn admit(&self, _: Visit<'_>) -> Admission<()> {
        Admission {
            outcome: Ok(()),
            headers: Vec::new(),
        }
    }
}

impl service::Faults for Echo {}

impl FormsApi for Echo {
    async fn pairs(&self, body: models::Search) -> Result<PairsResponse, Failure> {
        Ok(PairsResponse::Ok { body: body.into() })
    }

    async fn choose(&self, body: models::Choice) -> Result<ChooseResponse, Failure> {
        Ok(ChooseResponse::Ok { body: body.into() })
    }

    async fn offer(&self, body: Upload<OfferForm>) -> Result<OfferResponse, Failure> {
        let form = body.whole().await?;
        let cover = form.cover.map(|file| file.bytes.to_vec());
        let body = json!([form.t, form.code, cover, form.pages.len()]).to_string();
        Ok(OfferResponse::Ok { body })
    }

    async fn count(&self, body: CountForm) -> Result<CountResponse, Failure> {
        let CountForm { a, b, other_fields } = body;
        let body = json!([a, b, other_fields]).to_string();
        Ok(CountResponse::Ok { body })
    }

    async fn number(&self, _: NumberForm) -> Result<NumberResponse, Failure> {
        Ok(NumberResponse::NoContent)
    }

    async fn parts(&self, body: PartsForm) -> Result<PartsResponse, Failure> {
        let PartsForm {
            title,
            ids,
            model,
            size,
            marks,
            other_fields,
        } = body;
        let body = json!([title, ids, model, size, marks, other_fields]).to_string();
        Ok(PartsResponse::Ok { body })
    }

    async fn anything(
        &self,
        AnythingForm { title: _ }: AnythingForm,
    ) -> Result<AnythingResponse, Failure> {
        Ok(AnythingResponse::NoContent)
    }

    async fn files(&self, mut body: Upload<FilesForm>) -> Result<FilesResponse, Failure> {
        let mut text = String::new();
        while let Some(file) = body.next_file().await? {
            text.push_str(&format!("{}: ", file.field));
            let bytes = file.bytes().await?;
            text.push_str(&format!("{}, ", String::from_utf8_lossy(&bytes)));
        }
        let form = body.finish().await?;
        let row = form.shelf.map(|shelf| shelf.row);
        let others: Vec<_> = form.other_fields.keys().collect();
        let pages = form.pages.len();
        let body = format!("{text}{row:?} {} {pages} {others:?}", form.cover.is_some());
        Ok(FilesResponse::Ok { body })
    }

    async fn r#match(&self, body: Upload<MatchForm>) -> Result<MatchResponse, Failure> {
        let form = body.whole().await?;
        let files = form.other_fields.iter();
        let files: Vec<_> = files
            .map(|(field, file)| (field, &file.bytes[..]))
            .collect();
        let body = json!([form.title, form.file_a.bytes[..], files, form.other_values]).to_string();
        Ok(MatchResponse::Ok { body })
    }

    async fn match_all(&self, body: Upload<MatchAllForm>) -> Result<MatchAllResponse, Failure> {
        let form = body.whole().await?;
        let files = form.other_fields.iter();
        let files: Vec<_> = files.map(|(field, files)| (field, files.len())).collect();
        let body = json!([form.a, files, form.other_values]).to_string();
        Ok(MatchAllResponse::Ok { body })
    }

    async fn match_others(
        &self,
        body: Upload<MatchOthersForm>,
    ) -> Result<MatchOthersResponse, Failure> {
        let form = body.whole().await?;
        let files: Vec<_> = form.other_fields.keys().collect();
        let body = json!([files, form.other_values]).to_string();
        Ok(MatchOthersResponse::Ok { body })
    }

    async fn speak(&self, body: SpeakForm) -> Result<SpeakResponse, Failure> {
        let n: Option<i64> = body.n;
        let body = json!([body.ids, body.tags, n, body.other_fields]).to_string();
        Ok(SpeakResponse::Ok { body })
    }

    async fn be_silent(&self, body: BeSilentForm) -> Result<BeSilentResponse, Failure> {
        let u: Option<i64> = body.u;
        let body = json!([body.kind, u, body.v, body.w]).to_string();
        Ok(BeSilentResponse::Ok { body })
    }

    async fn send_typed(&self, body: Upload<SendTypedForm>) -> Result<SendTypedResponse, Failure> {
        let form = body.whole().await?;
        let types = |file: &File| file.content_type.clone();
        let files: Vec<_> = form.icon.iter().chain(&form.shots).map(types).collect();
        let meta = form.meta.map(|meta| meta.row);
        let texts = json!([form.table, files, meta, form.marks, form.years, form.span]);
        let body = texts.to_string();
        Ok(SendTypedResponse::Ok { body })
    }

    async fn lists(&self, body: Upload<ListsForm>) -> Result<ListsResponse, Failure> {
        let form = body.whole().await?;
        let lists = form.other_fields.iter();
        let lists: Vec<_> = lists.map(|(field, files)| (field, files.len())).collect();
        let body = format!("{lists:?}");
        Ok(ListsResponse::Ok { body })
    }
}

fn echo() -> Service {
    service::service(Arc::new(Echo), Limits::default())
}

/// The generated client's way to the service; it keeps what was sent last.
struct Recorder(Service, Arc<Mutex<Bytes>>);

impl Transport for Recorder {
    type Error = Infallible;

    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, Infallible> {
        let (parts, body) = request.into_parts();
        let body = body.collect().await.expect("a whole body").to_bytes();
        *self.1.lock().expect("no test panics here") = body.clone();
        carry(
            &self.0,
            Request::from_parts(parts, Body::new(Full::new(body))),
        )
        .await
    }
}

fn client() -> (Client<Recorder>, Arc<Mutex<Bytes>>) {
    let sent = Arc::new(Mutex::new(Bytes::new()));
    let transport = Recorder(echo(), Arc::clone(&sent));
    (Client::new("http://echo.invalid", transport), sent)
}

async fn pairs(form: &str) -> Answer {
    let headers = [("content-type", "application/x-www-form-urlencoded")];
    request(&echo(), "POST", "/pairs", &headers, form.to_owned()).await
}

#[tokio::test]
async fn fields_are_read_as_their_encoding_says() {
    for (form, read) in [
        ("", json!({})),
        ("about=a|b+c", json!({ "about": ["a", "b c"] })),
        ("about=a%7Cb", json!({ "about": ["a", "b"] })),
        ("authors=a,b%2Cc", json!({ "authors": ["a", "b,c"] })),
        // As form libraries write it, which know nothing of lists.
        ("authors=a%2Cb", json!({ "authors": ["a", "b"] })),
        ("authors=a", json!({ "authors": ["a"] })),
        ("authors=", json!({ "authors": [] })),
        ("years=1+2%203", json!({ "years": [1, 2, 3] })),
        (
            "shelf=%7B%22row%22:2,%22tags%22:[%22a%22]%7D",
            json!({ "shelf": { "row": 2, "tags": ["a"] } }),
        ),
        (
            "span=from,1,to,2",
            json!({ "span": { "from": 1, "to": 2 } }),
        ),
        ("mark=%22a%22", json!({ "mark": "a" })),
        ("mark=null", json!({ "mark": null })),
        ("title=a|b,c", json!({ "title": "a|b,c" })),
        ("words=a,b&words=c", json!({ "words": ["a,b", "c"] })),
        ("where[from]=1", json!({ "where": { "from": 1 } })),
        ("ids[]=1&ids%5B%5D=2", json!({ "ids[]": [1, 2] })),
        (
            "unit=1&title=t&width=1",
            json!({ "title": "t", "size": { "width": 1, "unit": "1" } }),
        ),
    ] {
        let answer = pairs(form).await;
        assert_eq!(answer.status, 200, "{form}: {:?}", answer.body);
        assert_eq!(answer.json(), read, "{form}");
    }
}

#[tokio::test]
async fn fields_that_are_written_otherwise_are_refused() {
    for (form, issue) in [
        ("authors=a&authors=b", "body /authors type"),
        ("authors[]=a&authors=b", "body /authors type"),
        ("authors=a,b,c,d", "body /authors maxItems"),
        ("years=1,2", "body /years/0 type"),
        ("shelf={", "body /shelf contentMediaType"),
        ("shelf={\"row\":0}", "body /shelf/row minimum"),
        ("shelf[row]=1&shelf={}", "body /shelf type"),
        ("span=from", "body /span type"),
        ("mark=a", "body /mark contentMediaType"),
        ("years=%FF", "body /years format"),
        ("width=x", "body /size/width type"),
        ("size[width]=1&width=2", "body /size type"),
    ] {
        assert_eq!(pairs(form).await.issues(), [issue], "{form}");
    }
}

async fn choose(form: &str) -> Answer {
    let headers = [("content-type", "application/x-www-form-urlencoded")];
    request(&echo(), "POST", "/choice", &headers, form.to_owned()).await
}

#[tokio::test]
async fn texts_have_the_types_of_the_variant_that_they_are_of() {
    let (client, _) = client();
    for (form, read) in [
        ("t=a&code=5", json!({ "t": "a", "code": "5" })),
        ("t=b&code=5", json!({ "t": "b", "code": 5 })),
        ("x=1", json!({ "x": 1 })),
        ("y=1", json!({ "y": "1" })),
        ("y=true&y=2", json!({ "y": ["true", "2"] })),
        ("y=12345", json!({ "y": ["12345"] })),
    ] {
        let answer = choose(form).await;
        assert_eq!(answer.status, 200, "{form}: {:?}", answer.body);
        assert_eq!(answer.json(), read, "{form}");
        let value: models::Choice = serde_json::from_value(read.clone()).expect("a choice");
        let Ok(ChooseResponse::Ok { body }) = client.choose(value).await else {
            panic!("an answer");
        };
        let body = serde_json::to_value(body.decode().expect("a choice"));
        assert_eq!(body.expect("a value"), read);
    }
    for form in ["t=b&code=x", "x=y", "t=c&code=1", "x=1&y=1"] {
        assert_eq!(choose(form).await.issues(), ["body  oneOf"], "{form}");
    }
}

#[tokio::test]
async fn the_client_writes_fields_as_their_encoding_says() {
    let (client, sent) = client();
    let whole = json!({
        "about": ["a", "b"], "authors": ["a", "b,c"], "years": [1, 2],
        "shelf": { "row": 2, "tags": ["&"] }, "span": { "from": 1, "to": 2 }, "mark": null,
        "title": "a|b", "words": ["a,b", "c"], "where": { "from": 1 }, "ids[]": [1],
        "size": { "width": 3, "unit": "&" },
    });
    let form: models::Search = serde_json::from_value(whole.clone()).expect("a form");
    let Ok(PairsResponse::Ok { body }) = client.pairs(form).await else {
        panic!("an answer");
    };
    let body: Value = serde_json::to_value(body.decode().expect("a form")).expect("a value");
    assert_eq!(body, whole);
    let sent = sent.lock().expect("no test panics here").clone();
    let mut sent: Vec<_> = std::str::from_utf8(&sent)
        .expect("text")
        .split('&')
        .collect();
    sent.sort_unstable();
    let expected = [
        "about=a%7Cb",
        "authors=a,b%2Cc",
        "ids%5B%5D=1",
        "mark=null",
        "shelf=%7B%22row%22%3A2%2C%22tags%22%3A%5B%22%26%22%5D%7D",
        "span=from,1,to,2",
        "title=a%7Cb",
        "unit=%26",
        "where%5Bfrom%5D=1",
        "width=3",
        "words=a%2Cb",
        "words=c",
        "years=1%202",
    ];
    assert_eq!(sent, expected);
}

async fn parts(method: &str, parts: &[(&str, &str)]) -> Answer {
    parts_to("/parts", method, parts).await
}

async fn parts_to(path: &str, method: &str, parts: &[(&str, &str)]) -> Answer {
    let part = |(name, text): &(&str, &str)| {
        format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n")
    };
    let form: String = parts.iter().map(part).collect();
    let headers = [("content-type", "multipart/form-data; boundary=x")];
    request(&echo(), method, path, &headers, format!("{form}--x--")).await
}

#[tokio::test]
async fn parts_without_a_name_of_their_own_are_kept() {
    let named = [
        ("b", "2"),
        ("title", "t"),
        ("ids[]", "5"),
        ("a", "1"),
        ("ids[]", "6"),
    ];
    let answer = parts("POST", &named).await;
    assert_eq!(answer.body, r#"["t",[5,6],null,null,null,{"a":1,"b":2}]"#);
    let wrong = [("a", "0"), ("b", "x"), ("c", "1"), ("c", "2"), ("d/e", "")];
    let issues = [
        "body /a minimum",
        "body /b type",
        "body /c type",
        "body /d~1e type",
        "body /title required",
    ];
    assert_eq!(parts("POST", &wrong).await.issues(), issues);
}

#[tokio::test]
async fn files_without_a_name_of_their_own_arrive_as_others_do() {
    let named = [("x", "1"), ("shelf[row]", "7"), ("cover", "2"), ("y", "3")];
    let answer = parts("PUT", &named).await;
    assert_eq!(
        answer.body,
        r#"x: 1, cover: 2, y: 3, Some(7) true 0 ["x", "y"]"#
    );
    let twice = parts("PUT", &[("x", "1"), ("x", "2")]).await;
    assert_eq!(twice.issues(), ["body /x type"]);
    let lists = parts("PATCH", &[("x", "1"), ("y", "2"), ("x", "3")]).await;
    assert_eq!(lists.body, r#"[("x", 2), ("y", 1)]"#);
    let three = parts("PATCH", &[("x", "1"), ("x", "2"), ("x", "3")]).await;
    assert_eq!(three.issues(), ["body /x maxItems"]);
}

#[tokio::test]
async fn alternatives_are_parts_of_what_each_of_them_is() {
    let mut all = vec![("title", "t"), ("model", "b c"), ("size", "3")];
    all.extend([("marks", "x"), ("marks", "y")]);
    let answer = parts("POST", &all).await;
    assert_eq!(answer.body, r#"["t",null,"b c",3,["x","y"],{}]"#);
    let one = parts("POST", &[("title", "t"), ("size", "true"), ("marks", "x")]).await;
    assert_eq!(one.body, r#"["t",null,null,true,"x",{}]"#);
    let none = parts("POST", &[("title", "t"), ("size", "x")]).await;
    assert_eq!(none.issues().len(), 1);
    let files = parts("PUT", &[("pages", "1"), ("pages", "2")]).await;
    assert_eq!(files.body, "pages: 1, pages: 2, None false 2 []");
}

#[tokio::test]
async fn the_client_sends_parts_without_a_name_of_their_own() {
    let (client, _) = client();
    let form = PartsForm {
        title: "t".into(),
        ids: Some(vec![5]),
        model: None,
        size: serde_json::from_value(json!(7)).expect("a size"),
        marks: serde_json::from_value(json!("m")).expect("a mark"),
        other_fields: BTreeMap::from([("a".into(), 1), ("b".into(), 2)]),
    };
    let Ok(PartsResponse::Ok { body }) = client.parts(form).await else {
        panic!("an answer");
    };
    assert_eq!(body, r#"["t",[5],null,7,"m",{"a":1,"b":2}]"#);
    let form = FilesForm {
        shelf: None,
        cover: None,
        pages: Vec::new(),
        other_fields: BTreeMap::from([("x".into(), File::from(Bytes::from_static(b"1")))]),
    };
    let Ok(FilesResponse::Ok { body }) = client.files(form.into()).await else {
        panic!("an answer");
    };
    assert_eq!(body, r#"x: 1, None false 0 ["x"]"#);
}

#[tokio::test]
async fn parts_are_those_of_one_alternative() {
    let offer = async |parts: &[(&str, &str)]| parts_to("/choice", "PUT", parts).await;
    let a = offer(&[("code", "5"), ("cover", "x"), ("t", "a")]).await;
    assert_eq!(a.body, r#"["a","5",[120],0]"#);
    let b = offer(&[("t", "b"), ("code", "5"), ("pages", "x"), ("pages", "y")]).await;
    assert_eq!(b.body, r#"["b",5,null,2]"#);
    for (parts, issue) in [
        (vec![("t", "a"), ("code", "5")], "body /cover required"),
        (vec![("t", "b"), ("code", "x")], "body /code type"),
        (vec![("t", "c"), ("code", "x")], "body  oneOf"),
    ] {
        assert_eq!(offer(&parts).await.issues(), [issue], "{parts:?}");
    }
}

#[tokio::test]
async fn what_is_said_of_a_form_beyond_its_fields_holds() {
    let count = async |parts: &[(&str, &str)]| parts_to("/choice", "PATCH", parts).await;
    let all = count(&[("a", "5"), ("n_x", "7"), ("b", "1")]).await;
    assert_eq!(all.body, r#"["5",[1],{"n_x":7}]"#);
    for (parts, issue) in [
        (vec![], "body  minProperties"),
        (vec![("a", "5")], "body /b dependentRequired"),
        (vec![("n_x", "y")], "body /n_x type"),
        (vec![("m", "y")], "body /m additionalProperties"),
        (
            vec![("n_a", "1"), ("n_b", "1"), ("n_c", "1"), ("b", "1")],
            "body  maxProperties",
        ),
    ] {
        assert_eq!(count(&parts).await.issues(), [issue], "{parts:?}");
    }
    let number = async |parts: &[(&str, &str)]| parts_to("/numbered", "POST", parts).await;
    assert_eq!(number(&[("c", "5")]).await.status, 204);
    assert_eq!(number(&[]).await.issues(), ["body  minProperties"]);
    let three = number(&[("a", "1"), ("b", "1"), ("c", "1")]).await;
    assert_eq!(three.issues(), ["body  maxProperties"]);
}

#[tokio::test]
async fn parts_are_what_their_names_match() {
    let to =
        async |method: &str, parts: &[(&str, &str)]| parts_to("/patterns", method, parts).await;
    let all = [
        ("n_a", "7"),
        ("file_b", "x"),
        ("title", "t"),
        ("file_a", "y"),
        ("other", "z"),
    ];
    let answer = to("POST", &all).await;
    assert_eq!(answer.body, r#"["t",[121],[["file_b",[120]]],{"n_a":7}]"#);
    for (parts, issue) in [
        (vec![("file_a", "y"), ("n_a", "0")], "body /n_a minimum"),
        (vec![("file_a", "y"), ("n_a", "x")], "body /n_a type"),
        (vec![("title", "t")], "body /file_a required"),
        (vec![("file_a", "y"), ("file_a", "y")], "body /file_a type"),
    ] {
        assert_eq!(to("POST", &parts).await.issues(), [issue], "{parts:?}");
    }
    let all = [
        ("x_1", "7"),
        ("o_1", r#"{"row":1}"#),
        ("y_1", "1"),
        ("y_1", "2"),
    ];
    let answer = to("PUT", &all).await;
    assert_eq!(
        answer.body,
        r#"[null,[["y_1",2]],{"o_1":{"row":1},"x_1":7}]"#
    );
    for (parts, issue) in [
        (vec![("x_1", "{}")], "body /x_1 type"),
        (vec![("o_1", "7")], "body /o_1 type"),
        (vec![("z", "7")], "body /z additionalProperties"),
        (
            vec![("y_1", "1"), ("y_1", "2"), ("y_1", "3")],
            "body /y_1 maxItems",
        ),
        (
            vec![
                ("y_1", "1"),
                ("y_2", "2"),
                ("y_3", "3"),
                ("a", "1"),
                ("x_", "1"),
            ],
            "body  maxProperties",
        ),
    ] {
        assert_eq!(to("PUT", &parts).await.issues(), [issue], "{parts:?}");
    }
    let answer = to("PATCH", &[("a_file", "12345"), ("b", "123")]).await;
    assert_eq!(answer.body, r#"[["a_file"],{"b":"123"}]"#);
    let long = to("PATCH", &[("b", "1234")]).await;
    assert_eq!(long.issues(), ["body /b maxLength"]);
}

#[tokio::test]
async fn what_may_be_anything_may_be_bytes() {
    let headers = [("content-type", "multipart/form-data; boundary=x")];
    let mut form = Vec::new();
    for (name, bytes) in [
        ("t", &b"a"[..]),
        ("code", b"5"),
        ("cover", b""),
        ("more", b"\xff"),
    ] {
        form.extend(format!("--x\r\nContent-Disposition: form-data; name={name}\r\n\r\n").bytes());
        form.extend(bytes);
        form.extend(b"\r\n");
    }
    form.extend(b"--x--");
    let answer = request(&echo(), "PUT", "/choice", &headers, form).await;
    assert_eq!(answer.body, r#"["a","5",[],0]"#);
}

#[tokio::test]
async fn a_field_of_one_alternative_is_any_other_of_the_next() {
    let to = async |method: &str, parts: &[(&str, &str)]| parts_to("/silent", method, parts).await;
    for (parts, read) in [
        (vec![("ids", "1"), ("n", "2")], r#"[[1],null,2,{}]"#),
        (
            vec![("tags", "1"), ("x", "true")],
            r#"[null,"1",null,{"x":true}]"#,
        ),
        (
            vec![("tags", "1"), ("ids", "true")],
            r#"[true,"1",null,{}]"#,
        ),
    ] {
        let answer = to("POST", &parts).await;
        assert_eq!(answer.body, read, "{parts:?}");
    }
    for (parts, read) in [
        (
            vec![("kind", "b"), ("u", "1"), ("v", "2"), ("w", "3")],
            r#"["b",1,"2",3]"#,
        ),
        (
            vec![("kind", "a"), ("v", "2"), ("w", "3")],
            r#"["a",null,2,3]"#,
        ),
        (
            vec![("kind", "a"), ("v", "2"), ("w", "x"), ("u", "y")],
            r#"["a",null,2,"x"]"#,
        ),
    ] {
        let answer = to("PUT", &parts).await;
        assert_eq!(answer.body, read, "{parts:?}");
    }
    for parts in [
        vec![("kind", "a"), ("v", "x"), ("w", "3")],
        vec![("kind", "b"), ("w", "x")],
        vec![("kind", "b"), ("u", "x"), ("w", "1")],
        vec![("kind", "a")],
    ] {
        assert_eq!(to("PUT", &parts).await.status, 400, "{parts:?}");
    }
}

/// Sends parts with their media types.
async fn typed(parts: &[(&str, &str, &str)]) -> Answer {
    let part = |(name, content_type, text): &(&str, &str, &str)| {
        let head = format!("--x\r\nContent-Disposition: form-data; name={name}");
        match *content_type {
            "" => format!("{head}\r\n\r\n{text}\r\n"),
            own => format!("{head}\r\nContent-Type: {own}\r\n\r\n{text}\r\n"),
        }
    };
    let form: String = parts.iter().map(part).collect();
    let headers = [("content-type", "multipart/form-data; boundary=x")];
    request(&echo(), "POST", "/typed", &headers, form + "--x--").await
}

#[tokio::test]
async fn parts_are_of_the_media_types_and_lengths_that_are_declared() {
    let all = [
        ("table", "text/csv; charset=utf-8", "a"),
        ("icon", "image/gif", "12"),
        ("shots", "IMAGE/PNG", "1"),
        ("shots", "image/jpeg", "1234"),
        ("shots", "", ""),
        ("meta", "", "{\"row\":2}"),
    ];
    let answer = typed(&all).await;
    let read = r#"["a",["image/gif","IMAGE/PNG","image/jpeg",null],2,null,null,null]"#;
    assert_eq!(answer.body, read);
    for (part, issue) in [
        (("table", "text/plain", "a"), "body /table contentMediaType"),
        (("icon", "text/plain", "12"), "body /icon contentMediaType"),
        (("icon", "x", "12"), "body /icon contentMediaType"),
        (("shots", "image/gif", "1"), "body /shots contentMediaType"),
        (
            ("meta", "application/json", "{\"row\":2}"),
            "body /meta contentMediaType",
        ),
        (("icon", "", "1"), "body /icon minLength"),
        (("icon", "", "12345"), "body /icon maxLength"),
        (("shots", "", "12345"), "body /shots maxLength"),
    ] {
        assert_eq!(typed(&[part]).await.issues(), [issue], "{part:?}");
    }
}

#[tokio::test]
async fn one_part_holds_what_its_style_joins() {
    let all = [
        ("marks", "", "a,b|c"),
        ("years", "", "1 2"),
        ("span", "", "from,1,to,2"),
    ];
    let answer = typed(&all).await;
    let read = r#"[null,[],null,["a,b","c"],[1,2],{"from":1,"to":2}]"#;
    assert_eq!(answer.body, read);
    assert_eq!(
        typed(&[("marks", "", "")]).await.body,
        "[null,[],null,[],null,null]"
    );
    for (part, issue) in [
        (("years", "", "1,2"), "body /years/0 type"),
        (("span", "", "from"), "body /span type"),
        (("span", "", "from,1,from,2"), "body /span type"),
    ] {
        assert_eq!(typed(&[part]).await.issues(), [issue], "{part:?}");
    }
    let twice = typed(&[("marks", "", "a"), ("marks", "", "b")]).await;
    assert_eq!(twice.issues(), ["body /marks type"]);
}

#[tokio::test]
async fn the_client_sends_parts_as_they_are_declared() {
    let (client, sent) = client();
    let file = |bytes: &'static [u8]| File::from(Bytes::from_static(bytes));
    let form = || SendTypedForm {
        table: Some("a".into()),
        icon: Some(file(b"12")),
        shots: vec![file(b"1")],
        meta: serde_json::from_value(json!({ "row": 2 })).ok(),
        marks: Some(vec!["a,b".into(), "c".into()]),
        years: Some(vec![1, 2]),
        span: serde_json::from_value(json!({ "from": 1, "to": 2 })).ok(),
    };
    let Ok(SendTypedResponse::Ok { body }) = client.send_typed(form().into()).await else {
        panic!("an answer");
    };
    let read = r#"["a",[null,"image/png"],2,["a,b","c"],[1,2],{"from":1,"to":2}]"#;
    assert_eq!(body, read);
    let text = sent.lock().expect("no test panics here").clone();
    let text = String::from_utf8_lossy(&text).into_owned();
    for part in [
        "name=\"table\"\r\nContent-Type: text/csv\r\n\r\na\r\n",
        "Content-Type: application/vnd.meta+json\r\n\r\n{\"row\":2}\r\n",
        "name=\"marks\"\r\n\r\na,b|c\r\n",
        "name=\"span\"\r\n\r\nfrom,1,to,2\r\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // It would be read as two.
    let marks = Some(vec!["a|b".into()]);
    let apart = SendTypedForm { marks, ..form() };
    assert!(client.send_typed(apart.into()).await.is_err());
}
