//! Headers of parts: their issues are reported before the content arrives.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::LazyLock;

use futures_util::{FutureExt as _, StreamExt as _, stream};
use runtime::__private::{
    Field, Fields, Form, MultipartForm, Param, ParamShape, PartHeaders, Reader, RequestBuilder,
    Schemas, Style,
};
use runtime::{ByteStream, File, FormWriter, Place, StreamError, Upload, WithHeaders};

static SCHEMAS: LazyLock<Schemas> =
    LazyLock::new(|| Schemas::parse(r#"{"Sum": {"type": "string", "maxLength": 2}}"#));

/// The headers of a scan.
#[derive(Debug, Clone, PartialEq)]
struct Sum(String);

impl PartHeaders for Sum {
    const DECLARED: &'static [Param] = &[Param {
        name: "X-Sum",
        place: Place::Header,
        style: Style::Simple,
        explode: false,
        shape: ParamShape::Scalar,
        schema: "Sum",
    }];

    fn schemas() -> &'static Schemas {
        &SCHEMAS
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let sum = |param| reader.required(param, |sum: &String| sum.len() < 3);
        Self::DECLARED.first().and_then(sum).map(Self)
    }

    fn write(&self, request: RequestBuilder) -> RequestBuilder {
        let params = Self::DECLARED.iter();
        params.fold(request, |request, param| request.param(param, &self.0))
    }
}

/// A form of scans.
#[derive(Debug, PartialEq)]
struct Scans(Vec<WithHeaders<Sum, File>>);

static FIELDS: Fields = Fields {
    named: &[("scans", Field::file().with_headers::<Sum>())],
    matched: &[],
    rest: None,
};

impl MultipartForm for Scans {
    fn fields() -> &'static Fields {
        &FIELDS
    }

    fn schemas() -> &'static Schemas {
        &SCHEMAS
    }

    fn read(mut form: Form<'_, '_>) -> Option<Self> {
        let heads = form.heads("scans");
        WithHeaders::each(heads, form.optional_files("scans", 0, 9)).map(Self)
    }

    fn into_form(self) -> FormWriter {
        let form = FormWriter::of(Self::fields());
        form.with_headers(&self.0, |form, file| form.files("scans", [file]))
    }
}

fn scan(sum: &str) -> WithHeaders<Sum, File> {
    WithHeaders {
        headers: Sum(sum.to_owned()),
        content: File::default(),
    }
}

#[tokio::test]
async fn a_file_with_wrong_headers_is_refused_before_it_arrives() {
    for (lines, refused) in [
        ("x-sum: 0f", None),
        ("X-Sum: 0ff", Some("maxLength")),
        ("X-Other: 0f", Some("required")),
    ] {
        let head =
            format!("--x\r\nContent-Disposition: form-data; name=scans\r\n{lines}\r\n\r\nbytes");
        let pieces = stream::iter([ByteStream::from(head)]).flatten();
        // Nothing comes after the first bytes.
        let endless = ByteStream::new(pieces.chain(stream::pending()));
        let bytes = endless.with_type("multipart/form-data; boundary=x");
        let mut upload = Upload::<Scans>::incoming(bytes);
        match (upload.next_file().now_or_never().unwrap(), refused) {
            (Ok(Some(file)), None) => assert_eq!(file.declared(), Some(Sum("0f".to_owned()))),
            (Err(StreamError::Invalid(issues)), Some(keyword)) => {
                let told = issues.iter();
                let told = told.map(|issue| (issue.place, issue.at.as_str(), issue.keyword));
                assert!(told.eq([(Place::Body, "/scans", keyword)]));
            }
            _ => unreachable!("{lines}"),
        }
    }
}

#[tokio::test]
async fn each_file_keeps_its_headers() {
    let scans = Scans(vec![scan("a"), scan("b")]);
    let sent = Upload::from(Scans(scans.0.clone()));
    assert_eq!(sent.finish().await.unwrap(), scans);
}

#[tokio::test]
async fn headers_and_parts_are_as_many() {
    let under = |heads: &[Sum], files: usize| {
        let files = vec![File::default(); files];
        let form = FormWriter::new().under(heads, |form| form.files("scans", &files));
        Upload::<Scans>::written(form).finish()
    };
    let both = ["a", "b"].map(|text| Sum(text.to_owned()));
    let [one, _] = &both;
    let one = std::slice::from_ref(one);
    assert!(under(&both, 2).await.is_ok());
    assert!(under(one, 0).await.is_ok());
    assert!(under(one, 2).await.is_err());
    assert!(under(&both, 1).await.is_err());
}
