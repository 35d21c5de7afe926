//! A host that answers with the request, and a client for it.

use axum::body::Body;
use bytes::Bytes;
use forms_api::api::forms::*;
use forms_api::client::{Client, Transport};
use forms_api::runtime::{File, Limits};
use forms_api::service::Dispatcher;
use forms_api::{Admission, HandlerError, Host, Upload, RequestHead, models, runtime, service};
use http::{Request, Response};
use http_body_util::{BodyExt as _, Full};
use behaviour::{Answer, carry, request};
use serde_json::json;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};

pub(crate) type Service = runtime::Service<Dispatcher<Echo>>;

/// Answers with the request.
pub(crate) struct Echo;

impl Host for Echo {
    type Context = ();
    type Error = HandlerError;

    async fn admit(&self, _: RequestHead<'_>) -> Admission<()> {
        Admission {
            outcome: Ok(()),
            headers: Vec::new(),
        }
    }
}

impl service::Faults for Echo {}

impl FormsApi for Echo {
    async fn pairs(&self, body: models::Search) -> Result<PairsResponse, HandlerError> {
        Ok(PairsResponse::Ok { body: body.into() })
    }

    async fn choose(&self, body: models::Choice) -> Result<ChooseResponse, HandlerError> {
        Ok(ChooseResponse::Ok { body: body.into() })
    }

    async fn offer(&self, body: Upload<OfferForm>) -> Result<OfferResponse, HandlerError> {
        let form = body.whole().await?;
        let cover = form.cover.map(|file| file.bytes.to_vec());
        let body = json!([form.t, form.code, cover, form.pages.len()]).to_string();
        Ok(OfferResponse::Ok { body })
    }

    async fn count(&self, body: CountForm) -> Result<CountResponse, HandlerError> {
        let CountForm { a, b, other_fields } = body;
        let body = json!([a, b, other_fields]).to_string();
        Ok(CountResponse::Ok { body })
    }

    async fn number(&self, _: NumberForm) -> Result<NumberResponse, HandlerError> {
        Ok(NumberResponse::NoContent)
    }

    async fn parts(&self, body: PartsForm) -> Result<PartsResponse, HandlerError> {
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

    async fn wrapped(&self, body: WrappedForm) -> Result<WrappedResponse, HandlerError> {
        let body = json!([body.grade, body.other_fields]).to_string();
        Ok(WrappedResponse::Ok { body })
    }

    async fn anything(
        &self,
        AnythingForm { title: _ }: AnythingForm,
    ) -> Result<AnythingResponse, HandlerError> {
        Ok(AnythingResponse::NoContent)
    }

    async fn files(&self, mut body: Upload<FilesForm>) -> Result<FilesResponse, HandlerError> {
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

    async fn r#match(&self, body: Upload<MatchForm>) -> Result<MatchResponse, HandlerError> {
        let form = body.whole().await?;
        let files = form.other_fields.iter();
        let files: Vec<_> = files
            .map(|(field, file)| (field, &file.bytes[..]))
            .collect();
        let body = json!([form.title, form.file_a.bytes[..], files, form.other_values]).to_string();
        Ok(MatchResponse::Ok { body })
    }

    async fn match_all(&self, body: Upload<MatchAllForm>) -> Result<MatchAllResponse, HandlerError> {
        let form = body.whole().await?;
        let files = form.other_fields.iter();
        let files: Vec<_> = files.map(|(field, files)| (field, files.len())).collect();
        let body = json!([form.a, files, form.other_values]).to_string();
        Ok(MatchAllResponse::Ok { body })
    }

    async fn match_others(
        &self,
        body: Upload<MatchOthersForm>,
    ) -> Result<MatchOthersResponse, HandlerError> {
        let form = body.whole().await?;
        let files: Vec<_> = form.other_fields.keys().collect();
        let body = json!([files, form.other_values]).to_string();
        Ok(MatchOthersResponse::Ok { body })
    }

    async fn speak(&self, body: SpeakForm) -> Result<SpeakResponse, HandlerError> {
        let n: Option<i64> = body.n;
        let body = json!([body.ids, body.tags, n, body.other_fields]).to_string();
        Ok(SpeakResponse::Ok { body })
    }

    async fn be_silent(&self, body: BeSilentForm) -> Result<BeSilentResponse, HandlerError> {
        let u: Option<i64> = body.u;
        let body = json!([body.kind, u, body.v, body.w]).to_string();
        Ok(BeSilentResponse::Ok { body })
    }

    async fn send_typed(&self, body: Upload<SendTypedForm>) -> Result<SendTypedResponse, HandlerError> {
        let form = body.whole().await?;
        let types = |file: &File| file.content_type.clone();
        let files: Vec<_> = form.icon.iter().chain(&form.shots).map(types).collect();
        let meta = form.meta.map(|meta| meta.row);
        let texts = json!([form.table, files, meta, form.marks, form.years, form.span]);
        let body = texts.to_string();
        Ok(SendTypedResponse::Ok { body })
    }

    async fn send_headed(
        &self,
        mut body: Upload<SendHeadedForm>,
    ) -> Result<SendHeadedResponse, HandlerError> {
        let mut files = Vec::new();
        while let Some(file) = body.next_file().await? {
            let cover = file.declared::<SendHeadedFormCoverHeaders>();
            let page = file.declared::<SendHeadedFormPagesHeaders>();
            let page = page.map(|headers| headers.x_number);
            files.push((cover.map(|headers| headers.x_checksum), page));
            file.bytes().await?;
        }
        let form = body.finish().await?;
        let title = form.title.map(|title| {
            let headers = title.headers;
            json!([title.content, headers.x_language, headers.x_draft])
        });
        let span = form.cover.and_then(|cover| cover.headers.x_span);
        let numbers = form.pages.iter().map(|page| page.headers.x_number);
        let numbers: Vec<_> = numbers.collect();
        let notes = form.notes.map(|notes| {
            let marks = notes.headers.into_iter().map(|headers| headers.x_marks);
            json!([notes.content, marks.collect::<Vec<_>>()])
        });
        let meta = form.shelf.and_then(|shelf| shelf.headers.x_meta);
        let crop = form.crop.map(|crop| {
            let units = crop.headers.into_iter().map(|headers| headers.x_unit);
            json!([crop.content, units.collect::<Vec<_>>()])
        });
        let body = json!([files, title, span, numbers, notes, meta, crop]).to_string();
        Ok(SendHeadedResponse::Ok { body })
    }

    async fn keep_headed(&self, body: KeepHeadedForm) -> Result<KeepHeadedResponse, HandlerError> {
        let notes = body.notes.map(|notes| {
            let by = notes.headers.into_iter().map(|headers| headers.x_by);
            json!([notes.content, by.collect::<Vec<_>>()])
        });
        let title = body.title;
        let texts = json!([title.content, title.headers.x_language, notes, body.years]);
        let body = texts.to_string();
        Ok(KeepHeadedResponse::Ok { body })
    }

    async fn spread(&self, body: Upload<SpreadForm>) -> Result<SpreadResponse, HandlerError> {
        let form = body.whole().await?;
        let span = form.span.map(|span| {
            let units = span.headers.into_iter().map(|headers| headers.x_unit);
            json!([span.content, units.collect::<Vec<_>>()])
        });
        let cover = form.cover.map(|cover| cover.bytes.len());
        let body = json!([form.title, form.size, span, cover]).to_string();
        Ok(SpreadResponse::Ok { body })
    }

    async fn spread_whole(&self, body: SpreadWholeForm) -> Result<SpreadWholeResponse, HandlerError> {
        let body = json!([body.size, body.other_fields]).to_string();
        Ok(SpreadWholeResponse::Ok { body })
    }

    async fn judge(&self, body: Upload<JudgeForm>) -> Result<JudgeResponse, HandlerError> {
        let form = body.finish().await?;
        let body = json!([form.kind, form.cover.is_some(), form.pages.len()]).to_string();
        Ok(JudgeResponse::Ok { body })
    }

    async fn end(&self, body: Upload<EndForm>) -> Result<EndResponse, HandlerError> {
        let form = body.whole().await?;
        let files: Vec<_> = form.other_fields.keys().collect();
        let body = json!([files, form.other_values]).to_string();
        Ok(EndResponse::Ok { body })
    }

    async fn lists(&self, body: Upload<ListsForm>) -> Result<ListsResponse, HandlerError> {
        let form = body.whole().await?;
        let lists = form.other_fields.iter();
        let lists: Vec<_> = lists.map(|(field, files)| (field, files.len())).collect();
        let body = format!("{lists:?}");
        Ok(ListsResponse::Ok { body })
    }
}

pub(crate) fn echo() -> Service {
    service::service(Arc::new(Echo), Limits::default())
}

/// The generated client's way to the service; it keeps the last body that was sent.
pub(crate) struct Recorder(Service, Arc<Mutex<Bytes>>);

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

pub(crate) fn client() -> (Client<Recorder>, Arc<Mutex<Bytes>>) {
    let sent = Arc::new(Mutex::new(Bytes::new()));
    let transport = Recorder(echo(), Arc::clone(&sent));
    (Client::new("http://echo.invalid", transport), sent)
}

/// Sends parts of text.
pub(crate) async fn parts_to(path: &str, method: &str, parts: &[(&str, &str)]) -> Answer {
    let part = |(name, text): &(&str, &str)| {
        format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n")
    };
    let form: String = parts.iter().map(part).collect();
    let headers = [("content-type", "multipart/form-data; boundary=x")];
    request(&echo(), method, path, &headers, format!("{form}--x--")).await
}
