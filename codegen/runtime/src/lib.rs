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
pub use self::decode::formatted::Verbatim;
pub use self::decode::integer::Integer;
pub use self::encode::encoded::Encoded;
pub use json_schema::{Issue, Issues, Place, Schemas};

#[cfg(feature = "operations")]
pub use self::{
    encode::expression::Unresolved,
    encode::request_builder::BuildError,
    http::credential,
    http::entity_tag::{EntityTag, Tagged},
    http::operation::{Operation, Scheme, SchemeKind, SchemeUse},
    http::rejection::{AuthError, HandlerError, Rejection},
    stream::{ByteStream, StreamError},
};

#[cfg(feature = "client")]
pub use self::client::{
    Client, ClientError,
    transport::{HttpTransport, Transport},
};

#[cfg(feature = "server")]
pub use self::{
    http::limits::Limits,
    service::Service,
    service::endpoint::Endpoint,
    service::host::{Admission, Host, RequestHead},
    service::matched::Matched,
    service::router::{Routed, Router},
    service::security::Demand,
};

#[cfg(feature = "multipart")]
pub use self::multipart::{File, upload::Upload};

#[cfg(feature = "streams")]
pub use self::stream::{
    events::{Event, Events},
    items::Items,
};

/// What generated code uses besides. It changes with the generator, without notice.
#[doc(hidden)]
pub mod __private {
    pub use crate::decode::{check, condition, constant, formatted, integer, object, union};
    pub use crate::encode::encoded::NotEncodable;
    pub use crate::encode::fields;
    pub use crate::encode::object_writer::{ObjectWriter, Part};
    pub use crate::{constant, newtype, object, string_enum, tagged_union, union, union_by_type};
    pub use json_schema::validator::{TypedFormat, decide};
    pub use json_schema::{Pattern, format};
    pub use serde;

    #[cfg(feature = "operations")]
    pub use crate::{
        decode::param::{Param, ParamShape, Style},
        decode::reader::Reader,
        encode::expression,
        encode::request_builder::{BuildError, RequestBuilder},
        http::captures::Captures,
        http::operation::RequestMatcher,
        http::rejection::{Answer, DefaultBody},
        http::{credential, media, rejection},
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
        service::security::{AuthErrors, AuthRequest, Demand},
        service::{Dispatch, Reply},
    };

    #[cfg(feature = "multipart")]
    pub use crate::multipart::{
        field::{Field, Fields},
        headers::{PartHeaders, WithHeaders},
        read::Form,
        upload::MultipartForm,
        write::FormWriter,
    };

    #[cfg(feature = "streams")]
    pub use crate::stream::{events, items::Framing};

    /// What reads answers.
    #[cfg(feature = "client")]
    pub mod client {
        pub use crate::client::*;
    }
}
