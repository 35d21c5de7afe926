//! What every crate that is generated from an OpenAPI document shares: it serves and calls the
//! operations of a contract, which comes in as data ([`Operation`]) and as generated code.
//!
//! # For a server
//! - [`Service`] answers requests with a generated dispatcher: it routes them, admits them, reads
//!   parameters and bodies, calls the handler and writes its answer. [`Limits`] bound what one request
//!   may cost, [`Endpoint`] is what a layer of tower wraps.
//! - [`Host`] is what the server says of every request: it is shown the [`RequestHead`] and gives an
//!   [`Admission`]. A [`credential`] is read from the request and
//!   asked about with a [`Demand`]; an [`AuthError`] refuses it.
//! - A [`Rejection`] is why the generated layer answers in place of a handler, an [`Issue`] one
//!   violation of the contract by a request; a handler without a documented answer fails with a
//!   [`HandlerError`]. The URL of a callback that cannot be told from its request is [`Unresolved`].
//!
//! # For a client
//! - [`Client`] calls operations through a [`Transport`], such as [`HttpTransport`], and fails with a
//!   [`ClientError`], which is a [`BuildError`] where the request could not even be written.
//!
//! # For both
//! - [`Encoded`] is a body that has been written as JSON, [`Integer`] a whole number of any size,
//!   [`Verbatim`] a text of a format that stays as it was written.
//! - [`Tagged`] is a body with its [`EntityTag`], which makes requests for it conditional.
//! - [`ByteStream`], [`Events`] and [`Items`] are bodies that arrive piece by piece, [`Upload`] a form
//!   that does, and [`File`] one of its files.
//! - [`Check`] and [`Schemas`] tell whether a value is what the contract says.

mod client;
mod decode;
mod encode;
mod http;
mod multipart;
mod service;
mod stream;

pub use self::client::request_builder::BuildError;
pub use self::client::transport::{HttpTransport, Transport};
pub use self::client::{Client, ClientError};
pub use self::decode::check::Check;
pub use self::decode::formatted::Verbatim;
pub use self::decode::integer::Integer;
pub use self::encode::encoded::Encoded;
pub use self::encode::expression::Unresolved;
pub use self::http::credential;
pub use self::http::entity_tag::{EntityTag, Tagged};
pub use self::http::operation::{Operation, Scheme, SchemeKind, SchemeUse};
pub use self::http::rejection::{AuthError, HandlerError, Rejection};
pub use self::multipart::File;
pub use self::multipart::upload::Upload;
pub use self::service::endpoint::Endpoint;
pub use self::service::host::{Admission, Host, RequestHead};
pub use self::service::matched::Matched;
pub use self::service::router::{Routed, Router};
pub use self::service::security::Demand;
pub use self::service::{Limits, Service};
pub use self::stream::events::{Event, Events};
pub use self::stream::items::Items;
pub use self::stream::{ByteStream, StreamError};
pub use json_schema::{Issue, Issues, Place, Schemas};

/// What generated code uses besides. It changes with the generator, without notice.
#[doc(hidden)]
pub mod __private {
    pub use crate::client::link;
    pub use crate::client::link::{Cause, LinkError};
    pub use crate::client::request_builder::{BuildError, RequestBuilder};
    pub use crate::decode::param::{Param, ParamShape, Style};
    pub use crate::decode::reader::Reader;
    pub use crate::decode::{check, condition, constant, formatted, integer, object, union};
    pub use crate::encode::encoded::NotEncodable;
    pub use crate::encode::object_writer::{ObjectWriter, Part};
    pub use crate::encode::response::{respond, status, within};
    pub use crate::encode::{expression, fields};
    pub use crate::http::captures::Captures;
    pub use crate::http::operation::RequestMatcher;
    pub use crate::http::rejection::{Answer, Plain};
    pub use crate::http::{credential, media, rejection};
    pub use crate::multipart::field::{Field, Fields};
    pub use crate::multipart::headers::{Headed, PartHeaders};
    pub use crate::multipart::read::Form;
    pub use crate::multipart::upload::Formed;
    pub use crate::multipart::write::FormWriter;
    pub use crate::service::body;
    pub use crate::service::call::Call;
    pub use crate::service::security::{Asked, AuthErrors, Demand};
    pub use crate::service::{Dispatch, Reply};
    pub use crate::stream::items::Framing;
    pub use crate::stream::{Trouble, events};
    pub use crate::{constant, newtype, object, string_enum, tagged_union, union, union_by_type};
    pub use axum::body::Body;
    pub use bytes::Bytes;
    pub use json_schema::validator::{TypedFormat, decide};
    pub use json_schema::{Pattern, format};
    pub use serde;

    /// What reads answers.
    pub mod client {
        pub use crate::client::*;
    }
}
