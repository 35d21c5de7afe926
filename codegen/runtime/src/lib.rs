//! The runtime of crates that are generated from OpenAPI documents: it serves and calls the operations of a
//! contract, which is data ([`Operation`]) and generated code.
//!
//! A value that serde has read is of its type. [`Check::is_valid`] tells whether it keeps the
//! rest of the contract: bounds, lengths, patterns, rules of several members. A generated service
//! checks all of a request before its handler is called; clients accept harmless differences, as
//! [`read_json`] does for other JSON. [`decode_json`] checks other JSON completely, and fails with a
//! [`DecodeError`] that has every violation.
//!
//! # For a server
//! - [`Service`] answers requests with a generated dispatcher: it routes them, admits them, reads
//!   parameters and bodies, calls the handler and writes its answer. [`Limits`] bound what one request
//!   may cost; layers of tower wrap single operations, and see by its [`Matched`] which one a
//!   request is for.
//! - [`Host`] is the server's part in every request: it is shown the [`RequestHead`] and gives an
//!   [`Admission`]. A [`credential`] is read from the request and
//!   asked about with a [`Demand`]; an [`AuthError`] refuses it.
//! - A [`Rejection`] is why the generated layer answers in place of a handler, an [`Issue`] one
//!   violation of the contract by a request, and its [`Place`] the part of the request; a handler
//!   without a documented answer fails with a [`HandlerError`].
//!
//! # For a client
//! - A generated client calls operations through a [`Transport`], such as [`HttpTransport`], which
//!   retries requests by its [`Retries`]. Calls fail with a [`ClientError`], which carries the [`RawResponse`] if there
//!   is one. [`ReadError`] explains why a response cannot be decoded; [`BuildError`], why a request cannot be built.
//!
//! # For both
//! - [`Encoded`] is a body that has been written as JSON, [`Integer`] a whole number of any size,
//!   [`Verbatim`] a text of a format that stays as it was written.
//! - [`Tagged`] is a body with its [`EntityTag`], which makes requests for it conditional.
//! - [`ByteStream`], [`Events`] of an [`Event`] each, and [`Items`] are bodies that arrive piece by
//!   piece, or break with a [`StreamError`]. [`Upload`] is a form that does, and [`File`] one of its
//!   files; a [`FormWriter`] writes such a form, [`WithHeaders`] is a part that has headers.
//!   [`BodyParts`] are parts without names, a [`BodyPart`] each.

// What several features share is not all used by each of them.
#![cfg_attr(
    not(all(
        feature = "client",
        feature = "server",
        feature = "multipart",
        feature = "streams"
    )),
    allow(dead_code)
)]

mod compatibility;
mod decode;
mod encode;

#[cfg(feature = "client")]
mod client;
#[cfg(feature = "operations")]
mod http;
#[cfg(feature = "multipart")]
mod multipart;
#[cfg(feature = "server")]
mod service;
#[cfg(feature = "operations")]
mod stream;

pub use self::decode::check::Check;
pub use self::decode::explain::{DecodeError, decode_json};
pub use self::decode::formatted::Verbatim;
pub use self::decode::integer::Integer;
pub use self::decode::json_text::NotJson;
pub use self::decode::tolerant::{ReadError, read_json};
pub use self::encode::encoded::Encoded;
pub use json_schema::{Issue, Place};

#[cfg(feature = "operations")]
pub use self::{
    encode::request_builder::BuildError,
    http::credential,
    http::entity_tag::{EntityTag, Tagged},
    http::error_body::ErrorBody,
    http::operation::Operation,
    http::rejection::{AuthError, HandlerError, Rejection},
    stream::{ByteStream, StreamError},
};

#[cfg(feature = "client")]
pub use self::client::{
    ClientError, RawResponse,
    http_transport::{HttpError, HttpTransport, HttpTransportBuilder},
    retries::Retries,
    transport::Transport,
};
#[cfg(feature = "tls")]
pub use rustls;

#[cfg(feature = "server")]
pub use self::{
    http::limits::Limits,
    service::Service,
    service::host::{Admission, Host, RequestHead},
    service::matched::Matched,
    service::security::Demand,
};

#[cfg(feature = "multipart")]
pub use self::multipart::{File, headers::WithHeaders, upload::Upload, write::FormWriter};

#[cfg(all(feature = "multipart", feature = "streams"))]
pub use self::multipart::parts::{BodyPart, BodyParts};

#[cfg(feature = "streams")]
pub use self::stream::{
    events::{Event, Events},
    items::Items,
};

/// The items that only generated code uses. They change with the generator, without notice.
#[doc(hidden)]
pub mod __private {
    pub use crate::compatibility::serves_code_of;
    pub use crate::decode::{check, condition, constant, formatted, integer, object, union};
    pub use crate::encode::encoded::NotEncodable;
    pub use crate::encode::fields;
    pub use crate::encode::object_writer::{ObjectWriter, Part};
    pub use crate::{
        constant, formatted, integer_enum, newtype, object, string_enum, tagged_union, union,
        union_by_type,
    };
    pub use json_schema::validator::TypedFormat;
    pub use json_schema::{Pattern, Schemas, format};
    pub use serde;

    #[cfg(feature = "operations")]
    pub use crate::{
        decode::param::{Param, ParamShape, Style},
        decode::reader::Reader,
        encode::expression::{self, Unresolved},
        encode::request_builder::RequestBuilder,
        http::captures::Captures,
        http::error_body::{Known, not_json, other_media_type, violated},
        http::operation::{RequestMatcher, Scheme, SchemeKind, SchemeUse, method},
        http::rejection::{Answer, DefaultBody},
        http::{media, rejection},
        stream::StreamRejection,
    };
    #[cfg(feature = "operations")]
    pub use {axum_core::body::Body, bytes::Bytes};

    #[cfg(feature = "client")]
    pub use crate::client::link::{self, Cause, LinkError};

    #[cfg(feature = "server")]
    pub use crate::{
        encode::response::{respond, status, within},
        service::body,
        service::call::Call,
        service::endpoint::Endpoint,
        service::router::{Routed, Router},
        service::security::{AuthErrors, AuthRequest},
        service::{Dispatch, Reply, no_route, of_tag},
    };

    #[cfg(feature = "multipart")]
    pub use crate::multipart::{
        field::{Field, Fields},
        headers::PartHeaders,
        read::Form,
        upload::MultipartForm,
    };

    #[cfg(all(feature = "multipart", feature = "streams"))]
    pub use crate::multipart::parts;

    #[cfg(feature = "streams")]
    pub use crate::stream::{events, items::Framing};

    /// Reads responses.
    #[cfg(feature = "client")]
    pub mod client {
        pub use crate::client::*;
    }
}
