//! Forms with files, which are too long to be held in memory.
//!
//! Files are read as they arrive, in whichever order they and the other fields
//! come; all of them are checked together, at the end.

use std::fmt;
use std::marker::PhantomData;

use bytes::Bytes;
use http::{HeaderMap, Request};

use crate::decode::reader::Reader;
use crate::http::captures::Captures;
use crate::http::rejection::Rejection;
use crate::multipart::field::Fields;
use crate::multipart::headers::{self, PartHeaders};
use crate::multipart::read::Form;
use crate::multipart::stream::Parts;
use crate::multipart::write::FormWriter;
use crate::multipart::{File, Part};
use crate::stream::{ByteStream, StreamError};
use json_schema::validator::Schemas;

/// A form with files, as a struct that the generator writes.
pub trait MultipartForm: Sized {
    /// The fields that it has.
    fn fields() -> &'static Fields;
    /// The schemas of the other fields.
    fn schemas() -> &'static Schemas;
    /// Reads and checks all fields.
    fn read(form: Form<'_, '_>) -> Option<Self>;
    /// The form as it is sent.
    fn into_form(self) -> FormWriter;
}

/// A form with files that arrives, or is sent.
///
/// A handler either takes file after file by [`Upload::next_file`] and the
/// fields by [`Upload::finish`], or everything at once by [`Upload::whole`]. A
/// caller makes one of a form, or of a [`FormWriter`] that has streams.
pub struct Upload<F> {
    /// The form as written here, not sent yet.
    written: Option<FormWriter>,
    incoming: Incoming,
    form: PhantomData<fn() -> F>,
}

/// The memory of a kept header beside its text, in bytes.
const COST: usize = 64;

struct Incoming {
    parts: Parts,
    /// The parts that were met; files without their content.
    met: Vec<Part>,
    /// How much of the form is in memory, in bytes.
    held: usize,
}

impl Incoming {
    fn of(bytes: ByteStream) -> Self {
        Self {
            parts: Parts::new(bytes),
            met: Vec::new(),
            held: 0,
        }
    }
}

/// A file of a form, while it arrives.
pub struct FilePart<'a> {
    /// The field that it is for.
    pub field: &'a str,
    /// The name that the sender gives it. It says nothing about where to put
    /// it, and is not to be used as a path.
    pub name: Option<String>,
    /// Its media type, where the sender knows it.
    pub content_type: Option<String>,
    /// All headers of its part.
    pub headers: HeaderMap,
    parts: &'a mut Parts,
}

impl FilePart<'_> {
    /// The headers of the part as those that are declared for a field; `None` where they are not valid
    /// as such. Those of the file's own field are: it was refused otherwise.
    #[must_use]
    pub fn declared<H: PartHeaders>(&self) -> Option<H> {
        headers::read(&self.headers).ok()
    }

    /// The next piece; `None` at the end.
    ///
    /// # Errors
    /// Returns [`StreamError`] if the form cannot be read further; nothing
    /// comes after it.
    pub async fn next(&mut self) -> Option<Result<Bytes, StreamError>> {
        self.parts.piece().await.transpose()
    }

    /// All of it, in memory, within the limit for bodies that are.
    ///
    /// # Errors
    /// Returns [`StreamError::TooLarge`] if the file is larger than the limit,
    /// and the errors of [`FilePart::next`].
    pub async fn bytes(self) -> Result<Bytes, StreamError> {
        rest(self.parts, 0).await
    }
}

impl<F: MultipartForm> Upload<F> {
    /// The form that a request's body is.
    #[must_use]
    pub fn incoming(bytes: ByteStream) -> Self {
        Self {
            written: None,
            incoming: Incoming::of(bytes),
            form: PhantomData,
        }
    }

    /// A form whose files are streams. Its fields are checked when it is read,
    /// not here.
    #[must_use]
    pub fn written(form: FormWriter) -> Self {
        Self {
            written: Some(form),
            incoming: Incoming::of(ByteStream::default()),
            form: PhantomData,
        }
    }

    /// The next file; `None` after the last. Fields that come before it are
    /// kept, the rest of the file before is skipped.
    ///
    /// # Errors
    /// Returns [`StreamError`] if the form cannot be read further; nothing
    /// comes after it.
    pub async fn next_file(&mut self) -> Result<Option<FilePart<'_>>, StreamError> {
        let Incoming { parts, met, held } = self.arriving();
        loop {
            let octets = parts.skip().await?;
            if let Some(last) = met.last_mut() {
                last.octets = octets;
            }
            let Some(head) = parts.next().await? else {
                return Ok(None);
            };
            // What a part costs beside its content.
            let name = head.name.as_ref().map_or(0, String::len);
            let headers = F::fields().kept_headers(&head);
            let kept = headers
                .iter()
                .map(|(name, value)| COST + name.as_str().len() + value.len());
            *held += size_of::<Part>() + head.field.len() + name + kept.sum::<usize>();
            parts.bytes.holds(*held)?;
            let file = F::fields().file(&head.field);
            if let Some((name, field)) = file {
                let issues = field.refused(name, head.content_type.as_deref(), &headers);
                if !issues.is_empty() {
                    return Err(parts.bytes.refuse(StreamError::Invalid(issues)));
                }
                parts.bind(name, field.most());
            }
            let is_file = file.is_some();
            let mut part = Part {
                field: head.field,
                octets: 0,
                headers,
                file: File {
                    name: head.name.clone(),
                    content_type: head.content_type.clone(),
                    bytes: Bytes::new(),
                },
            };
            if is_file {
                met.push(part);
                let field = met.last().map(|part| part.field.as_str());
                return Ok(Some(FilePart {
                    field: field.unwrap_or_default(),
                    name: head.name,
                    content_type: head.content_type,
                    headers: head.headers,
                    parts,
                }));
            }
            part.file.bytes = rest(parts, *held).await?;
            *held += part.file.bytes.len();
            met.push(part);
        }
    }

    /// The form without the files' contents, which [`Upload::next_file`] gave
    /// or nobody wanted.
    ///
    /// # Errors
    /// Returns [`StreamError::Invalid`] with every violation of the form, and
    /// the errors of [`Upload::next_file`].
    pub async fn finish(mut self) -> Result<F, StreamError> {
        while self.next_file().await?.is_some() {}
        self.read()
    }

    /// The whole form, in memory, within the limit for bodies that are.
    ///
    /// # Errors
    /// Returns the errors of [`Upload::finish`].
    pub async fn whole(mut self) -> Result<F, StreamError> {
        while self.next_file().await?.is_some() {
            let Incoming { parts, met, held } = self.arriving();
            let bytes = rest(parts, *held).await?;
            *held += bytes.len();
            if let Some(part) = met.last_mut() {
                part.file.bytes = bytes;
            }
        }
        self.read()
    }

    /// The form as it is sent; a received one cannot be sent.
    #[must_use]
    pub fn into_form(self) -> FormWriter {
        self.written.unwrap_or_else(FormWriter::failed)
    }

    /// The incoming parts; a form that was written here is read as if it had arrived.
    fn arriving(&mut self) -> &mut Incoming {
        if let Some(form) = self.written.take() {
            let sent = form.finish();
            let bytes = sent.map(|(content_type, bytes)| bytes.with_type(content_type));
            self.incoming = Incoming::of(bytes.unwrap_or_default());
        }
        &mut self.incoming
    }

    fn read(mut self) -> Result<F, StreamError> {
        let incoming = self.arriving();
        let (parts, ()) = Request::new(()).into_parts();
        let captures = Captures::default();
        let mut reader = Reader::new(&parts, &captures, F::schemas(), &[]);
        let met = std::mem::take(&mut incoming.met);
        let form = F::read(Form::of(&mut reader, F::fields(), met));
        match (reader.finish(), form) {
            (Ok(()), Some(form)) => Ok(form),
            (Err(Rejection::Invalid(issues)), _) => {
                Err(incoming.parts.bytes.refuse(StreamError::Invalid(issues)))
            }
            _ => Err(StreamError::broken("a form that could not be read")),
        }
    }
}

/// The rest of a part, in memory beside the `held` bytes.
pub(crate) async fn rest(parts: &mut Parts, held: usize) -> Result<Bytes, StreamError> {
    let mut all = Vec::new();
    while let Some(piece) = parts.piece().await? {
        parts.bytes.holds(held + all.len() + piece.len())?;
        all.extend_from_slice(&piece);
    }
    Ok(all.into())
}

impl<F: MultipartForm> From<F> for Upload<F> {
    fn from(form: F) -> Self {
        Self::written(form.into_form())
    }
}

impl<F> fmt::Debug for Upload<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Upload").finish_non_exhaustive()
    }
}
