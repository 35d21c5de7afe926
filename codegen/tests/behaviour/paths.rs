//! A path leads to the operation that its caller means, with the values that its caller gave.

use axum::body::Body;
use behaviour::{carry, request};
use http::{Request, Response};
use paths_api::api::paths::*;
use paths_api::formats::{Date, Uuid};
use paths_api::models::FileExt;
use paths_api::client::{Client, ClientError, Transport};
use paths_api::runtime::Limits;
use paths_api::service::Dispatcher;
use paths_api::{HandlerError, Host, runtime, service};
use std::convert::Infallible;
use std::sync::Arc;

type Service = runtime::Service<Dispatcher<Named>>;

/// Answers with the name of the method that was called, and its arguments.
struct Named;

impl Host for Named {
    type Context = ();
    type Error = HandlerError;
}

impl service::Faults for Named {}

impl PathsApi for Named {
    async fn range(&self, from: Date, to: Date) -> Result<RangeResponse, HandlerError> {
        let body = format!("range {from} {to}");
        Ok(RangeResponse::Ok { body })
    }

    async fn file(&self, name: String, ext: FileExt) -> Result<FileResponse, HandlerError> {
        let body = format!("file {name} {}", ext.as_str());
        Ok(FileResponse::Ok { body })
    }

    async fn compare(&self, base: String, head: String) -> Result<CompareResponse, HandlerError> {
        let body = format!("compare {base} {head}");
        Ok(CompareResponse::Ok { body })
    }

    async fn ids(&self, a: Uuid, b: Vec<String>) -> Result<IdsResponse, HandlerError> {
        let body = format!("ids {a} {}", b.join(" "));
        Ok(IdsResponse::Ok { body })
    }

    async fn size(&self, width: String, height: i64) -> Result<SizeResponse, HandlerError> {
        let body = format!("size {width} {height}");
        Ok(SizeResponse::Ok { body })
    }

    async fn at(&self, place: String, time: String, zone: String) -> Result<AtResponse, HandlerError> {
        let body = format!("at {place} {time} {zone}");
        Ok(AtResponse::Ok { body })
    }

    async fn touch(&self, id: String) -> Result<TouchResponse, HandlerError> {
        let body = format!("touch {id}");
        Ok(TouchResponse::Ok { body })
    }

    async fn look(&self, id: String) -> Result<LookResponse, HandlerError> {
        let body = format!("look {id}");
        if let Ok(code) = id.parse() {
            let status = http::StatusCode::from_u16(code).map_err(|_| HandlerError::Internal)?;
            return Ok(LookResponse::Default { status, body });
        }
        Ok(LookResponse::Ok { body })
    }

    async fn cancel(&self, id: String) -> Result<CancelResponse, HandlerError> {
        let body = format!("cancel {id}");
        Ok(CancelResponse::Ok { body })
    }

    async fn touch_all(&self) -> Result<TouchAllResponse, HandlerError> {
        let body = "touch all".to_owned();
        Ok(TouchAllResponse::Ok { body })
    }

    async fn touch_json(&self, id: String) -> Result<TouchJsonResponse, HandlerError> {
        let body = format!("json {id}");
        Ok(TouchJsonResponse::Ok { body })
    }
}

fn named() -> Service {
    service::service(Arc::new(Named), Limits::default())
}

struct InProcess(Service);

impl Transport for InProcess {
    type Error = Infallible;

    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, Infallible> {
        carry(&self.0, request).await
    }
}

#[tokio::test]
async fn a_client_may_give_any_values_to_parameters_of_one_segment() {
    let client = Client::new("http://named.invalid", InProcess(named()));
    let (from, to) = ("2024-01-01".parse(), "2024-02-01".parse());
    let RangeResponse::Ok { body } = client.range(from.unwrap(), to.unwrap()).await.unwrap();
    assert_eq!(body, "range 2024-01-01 2024-02-01");
    for name in ["a.b", ".a", "a.", ".", "..", "a%2Eb", "ä/é?#", "x.tar.gz"] {
        for ext in [FileExt::Png, FileExt::TarGz] {
            let FileResponse::Ok { body } = client.file(name.to_owned(), ext).await.unwrap();
            assert_eq!(body, format!("file {name} {}", ext.as_str()));
        }
        for head in ["b", "...", ".x", "a...b"] {
            let CompareResponse::Ok { body } = client.compare(name.to_owned(), head.to_owned()).await.unwrap();
            assert_eq!(body, format!("compare {name} {head}"));
        }
    }
    let a = "67e55044-10b1-426f-9247-bb680e5fe0c8".parse().unwrap();
    let b = vec!["x_y".to_owned(), "_".to_owned()];
    let IdsResponse::Ok { body } = client.ids(a, b).await.unwrap();
    assert_eq!(body, format!("ids {a} x_y _"));
    for width in ["12", "1x2", "xx"] {
        let SizeResponse::Ok { body } = client.size(width.to_owned(), -7).await.unwrap();
        assert_eq!(body, format!("size {width} -7"));
    }
    for text in ["a", "a:b", "a@b:c@", "%3A"] {
        let AtResponse::Ok { body } = client.at(text.into(), text.into(), text.into()).await.unwrap();
        assert_eq!(body, format!("at {text} {text} {text}"));
    }
}

#[tokio::test]
async fn other_callers_need_not_encode_what_the_schemas_tell() {
    for (target, status, body) in [
        ("/range/2024-01-01-2024-02-01", 200, "range 2024-01-01 2024-02-01"),
        ("/range/2024%2D01%2D01%2D2024%2D02%2D01", 200, "range 2024-01-01 2024-02-01"),
        ("/range/2024%2D01%2D01-2024-02-01", 200, "range 2024-01-01 2024-02-01"),
        ("/range/2024-01-01", 400, ""),
        ("/range/2024-01-01-2024-02-40", 400, ""),
        ("/range/2024", 404, ""),
        ("/files/a.b.png", 200, "file a.b png"),
        ("/files/a.tar.gz", 200, "file a tar.gz"),
        ("/files/a.png.gif", 400, ""),
        // Several divisions fit: the first one is taken.
        ("/cmp/a...b...c", 200, "compare a b...c"),
        ("/cmp/a....b", 200, "compare a .b"),
        ("/size/1x2x3", 200, "size 1x2 3"),
    ] {
        let answer = request(&named(), "GET", &format!("/api{target}"), &[], "").await;
        assert_eq!(answer.status, status, "{target}");
        if status == 200 {
            assert_eq!(answer.body, body, "{target}");
        }
    }
}

#[tokio::test]
async fn a_client_never_runs_another_operation() {
    let client = Client::new("http://named.invalid", InProcess(named()));
    for id in ["x:cancel", ":cancel", "x%3Acancel", "ALL", "json"] {
        let TouchResponse::Ok { body } = client.touch(id.to_owned()).await.unwrap();
        assert_eq!(body, format!("touch {id}"));
        let CancelResponse::Ok { body } = client.cancel(id.to_owned()).await.unwrap();
        assert_eq!(body, format!("cancel {id}"));
    }
    // An unreserved character is the same when it is encoded: no path has these values.
    for id in ["all", "x.json"] {
        let error = client.touch(id.to_owned()).await.unwrap_err();
        let is_known = matches!(&error, ClientError::BuildError(error) if error.at == "id");
        assert!(is_known, "{id}: {error}");
        // There is no other operation with this method.
        let looked = client.look(id.to_owned()).await.unwrap();
        let is_it = matches!(&looked, LookResponse::Ok { body } if *body == format!("look {id}"));
        assert!(is_it, "{id}: {looked:?}");
    }
    for (target, body) in [
        ("/jobs/x%3Acancel", "touch x:cancel"),
        ("/jobs/x:cancel", "cancel x"),
        ("/jobs/%61ll", "touch all"),
        ("/jobs/x%2Ejson", "json x"),
    ] {
        let answer = request(&named(), "POST", &format!("/api{target}"), &[], "").await;
        assert_eq!(answer.body, body, "{target}");
    }
}

#[tokio::test]
async fn a_default_response_has_the_status_that_its_handler_chose() {
    for (id, status) in [("404", 404), ("200", 200), ("418", 418), ("103", 500)] {
        let answer = request(&named(), "GET", &format!("/api/jobs/{id}"), &[], "").await;
        assert_eq!(answer.status, status, "{id}");
        if status != 500 {
            assert_eq!(answer.body, format!("look {id}"));
        }
    }
}
