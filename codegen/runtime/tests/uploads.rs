//! Forms with files: the field of a part, and files where all fields are checked together.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use bytes::Bytes;
use futures_util::{FutureExt as _, StreamExt as _, stream};
use runtime::__private::{Field, Fields, Form, MultipartForm, Pattern, Schemas};
use runtime::{ByteStream, File, FormWriter, StreamError, Upload};
use serde_json::Value;

static SCHEMAS: LazyLock<Schemas> = LazyLock::new(|| {
    Schemas::parse(
        r##"{
    "Number": {"type": "integer"},
    "Tags": {"type": "array", "items": {"type": "string"}},
    "Table": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
    "Size": {"type": "object", "properties": {"width": {"type": "integer"}}},
    "Form": {
        "oneOf": [
            {"required": ["small"], "properties": {"small": {"type": "integer", "maximum": 5}}},
            {"required": ["small"], "properties": {"small": {"type": "integer", "minimum": 6}}}
        ],
        "properties": {
            "small": true,
            "pages": {"type": "array", "items": {"minimum": 5000}},
            "table": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}
        },
        "patternProperties": {
            "^meta\\[[a-z]+\\]$": {"type": "integer"},
            "^size_": {"type": "object", "properties": {"width": {"type": "integer"}}}
        },
        "additionalProperties": {"type": "array", "items": {"type": "string"}}
    }
}"##,
    )
});

static META: Pattern = Pattern::new(r"^meta\[[a-z]+\]$");
static SIZES: Pattern = Pattern::new("^size_");

static FIELDS: Fields = Fields {
    named: &[
        ("small", Field::file().of_types(&["image/*"])),
        ("pages", Field::file().of_octets(5000, u64::MAX)),
        ("table", Field::json("Table")),
        ("tags", Field::text("Tags")),
        ("tags[]", Field::text("Tags")),
    ],
    matched: &[
        (&META, Field::text("Number")),
        (&SIZES, Field::text("Size")),
    ],
    rest: None,
};

/// The fields of a form that are no files, by name.
#[derive(Debug)]
struct Read(Vec<(String, Value)>);

impl MultipartForm for Read {
    fn fields() -> &'static Fields {
        &FIELDS
    }

    fn schemas() -> &'static Schemas {
        &SCHEMAS
    }

    fn read(form: Form<'_, '_>) -> Option<Self> {
        let mut form = form.whole("Form")?;
        form.required_file("small")?;
        form.optional_files("pages", 2, 9)?;
        let mut all = Vec::new();
        for name in ["table", "tags", "tags[]"] {
            let value = form.optional::<Value>(name, |_| true)?;
            all.extend(value.map(|value| (name.to_owned(), value)));
        }
        all.extend(form.rest_of_values(|form, name| form.optional::<Value>(name, |_| true))?);
        form.close();
        Some(Self(all))
    }

    fn into_form(self) -> FormWriter {
        FormWriter::new()
    }
}

fn file(length: usize) -> File {
    File {
        bytes: Bytes::from(vec![b'x'; length]),
        ..File::default()
    }
}

async fn read(form: FormWriter) -> Result<String, StreamError> {
    let Read(all) = Upload::<Read>::written(form).finish().await?;
    let texts = all.iter().map(|(name, value)| format!("{name}={value}"));
    Ok(texts.collect::<Vec<_>>().join(" "))
}

#[tokio::test]
async fn a_body_without_a_boundary_is_refused() {
    let bytes = ByteStream::from(&b"--x--"[..]).with_type("multipart/form-data");
    let outcome = Upload::<Read>::incoming(bytes).finish().await;
    assert!(matches!(outcome, Err(StreamError::Invalid(_))));
}

#[tokio::test]
async fn a_file_of_another_type_is_refused_before_it_arrives() {
    let head = "--x\r\nContent-Disposition: form-data; name=small\r\nContent-Type: ";
    for (content_type, taken) in [("image/png", true), ("text/plain", false)] {
        let head = format!("{head}{content_type}\r\n\r\nbytes");
        let pieces = stream::iter([ByteStream::from(head)]).flatten();
        // Nothing comes after the first bytes.
        let endless = ByteStream::new(pieces.chain(stream::pending()));
        let bytes = endless.with_type("multipart/form-data; boundary=x");
        let mut upload = Upload::<Read>::incoming(bytes);
        let file = upload.next_file().now_or_never().unwrap();
        match (file, taken) {
            (Ok(Some(file)), true) => assert_eq!(file.field, "small"),
            (Err(StreamError::Invalid(issues)), false) => {
                let keywords = issues
                    .iter()
                    .map(|issue| (issue.at.as_str(), issue.keyword));
                assert!(keywords.eq([("/small", "contentMediaType")]));
            }
            _ => unreachable!("{content_type}"),
        }
    }
}

#[tokio::test]
async fn no_more_of_a_file_is_taken_than_is_read() {
    let head = "--x\r\nContent-Disposition: form-data; name=small\r\n\r\n";
    let taken = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&taken);
    // Endless, and always ready.
    let content = stream::repeat_with(move || {
        count.fetch_add(1, Ordering::Relaxed);
        Ok::<_, StreamError>(Bytes::from(vec![b'a'; 1 << 10]))
    });
    let pieces = stream::iter([Ok(Bytes::from(head))]).chain(content);
    let bytes = ByteStream::new(pieces).with_type("multipart/form-data; boundary=x");
    let mut upload = Upload::<Read>::incoming(bytes);
    let mut file = upload.next_file().await.unwrap().unwrap();
    for read in 1..4 {
        file.next().await.unwrap().unwrap();
        assert!(taken.load(Ordering::Relaxed) <= read + 1);
    }
}

#[tokio::test]
async fn brackets_are_a_part_of_a_name_where_a_pattern_has_them() {
    let form = FormWriter::new()
        .files("small", [&file(1)])
        .text("meta[a]", &1)
        .text("size_1[width]", &2)
        .text("tags", &["a"])
        .text("tags[]", &["b"]);
    let expected = r#"tags=["a"] tags[]=["b"] meta[a]=1 size_1={"width":2}"#;
    assert_eq!(read(form).await.unwrap(), expected);
}

#[tokio::test]
async fn a_list_of_one_list_is_no_list_of_its_items() {
    for (value, expected) in [
        ("[[1,2]]", "[[1,2]]"),
        ("[[1],[2]]", "[[1],[2]]"),
        ("[[[1],[2]]]", "[[1],[2]]"),
    ] {
        let value: Value = serde_json::from_str(value).unwrap();
        let form = FormWriter::new().files("small", [&file(1)]);
        let read = read(form.json("table", &value)).await.unwrap();
        assert_eq!(read, format!("table={expected}"));
    }
}

/// The messages about an invalid form.
fn messages(outcome: Result<String, StreamError>) -> Vec<String> {
    let Err(StreamError::Invalid(issues)) = outcome else {
        unreachable!("a form that is refused: {outcome:?}");
    };
    let messages = issues.into_iter().map(|issue| issue.message);
    messages.collect()
}

#[tokio::test]
async fn files_that_need_not_be_there_may_all_be_absent() {
    let form = || FormWriter::new().files("small", [&file(1)]);
    assert_eq!(read(form()).await.unwrap(), "");
    let outcome = read(form().files("pages", [&file(5000)])).await;
    assert_eq!(messages(outcome), ["must have at least 2 files"]);
}

#[tokio::test]
async fn a_file_is_judged_by_its_own_length() {
    for length in [5, 6, 5000] {
        let form = FormWriter::new().files("small", [&file(length)]);
        assert_eq!(read(form).await.unwrap(), "");
    }
    let long = file(5000);
    let form = FormWriter::new().files("small", [&file(1)]);
    assert_eq!(read(form.files("pages", [&long, &long])).await.unwrap(), "");
    let form = FormWriter::new().files("small", [&file(1)]);
    let outcome = read(form.files("pages", [&long, &file(4999)])).await;
    assert_eq!(messages(outcome), ["must have at least 5000 bytes"]);
}
