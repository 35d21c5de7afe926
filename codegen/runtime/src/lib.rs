//! The parts of a generated crate that do not vary with its contract.
//!
//! Nothing here knows a contract: what varies comes in as data ([`operation`],
//! [`param`], the bundle of [`schema`]) or through [`service::Dispatch`].
//!
//! - From a request to its answer: [`service`] asks [`route`] and [`host`],
//!   lends the [`body`], goes through the layers of an [`endpoint`] to a
//!   [`call`], and answers every [`fault`].
//! - Who calls: [`credential`] reads what is shown, [`security`] judges it.
//! - From text to types: [`reader`] decodes parameters ([`param`], [`query`],
//!   [`raw`]) and bodies ([`multipart_read`] for forms with files), and checks them ([`check`], [`pattern`]).
//! - What does not come whole: [`stream`], [`items`], [`events`],
//!   [`upload`].
//! - What is wrong with it: [`schema`] interprets JSON Schema 2020-12 and
//!   gathers every [`issue`]; [`condition`] is what compiled schemas ask.
//! - From types to bytes: [`fields`], [`encoded`], [`object_writer`], [`respond`];
//!   [`formatted`] both ways for texts that have a Rust type, [`integer`] for
//!   whole numbers of any size.
//! - The other side: [`client`], [`draft`], [`transport`], [`expression`] for
//!   where callbacks go, and [`link`] for what can be asked next.

mod answer;
mod arrival;
mod base64;
pub mod body;
mod buffered;
pub mod call;
pub mod captures;
mod challenge;
pub mod check;
pub mod client;
pub mod condition;
pub mod constant;
pub mod credential;
pub mod draft;
mod draft_path;
pub mod encoded;
pub mod endpoint;
mod event_lines;
pub mod events;
mod explain;
pub mod expression;
pub mod fault;
pub mod fields;
pub mod formatted;
mod header_lines;
pub mod host;
pub mod integer;
pub mod items;
mod json_single;
mod json_text;
pub mod link;
pub mod matched;
pub mod media;
pub mod multipart;
pub mod multipart_field;
pub mod multipart_headers;
pub mod multipart_read;
mod multipart_stream;
pub mod multipart_write;
pub mod object;
pub mod object_writer;
pub mod operation;
mod outline;
mod pairs;
pub mod param;
mod param_readings;
mod param_source;
mod param_text;
pub mod param_write;
pub mod query;
pub mod raw_decode;
pub mod reader;
mod replay;
pub mod respond;
pub mod route;
mod route_segment;
pub mod security;
pub mod service;
pub mod stream;
pub mod transport;
pub mod union;
mod union_parts;
pub mod upload;
mod wallet;

pub use self::check::Check;
pub use self::client::{Client, ClientError};
pub use self::encoded::Encoded;
pub use self::endpoint::Endpoint;
pub use self::events::{Event, Events};
pub use self::fault::{Denial, Failure, Fault};
pub use self::host::{Admission, Host, Visit};
pub use self::integer::Integer;
pub use self::items::Items;
pub use self::matched::Matched;
pub use self::multipart::File;
pub use self::operation::{Operation, Scheme, SchemeKind, SchemeUse};
pub use self::route::{Routed, Router};
pub use self::security::Demand;
pub use self::service::{Limits, Service};
pub use self::stream::{ByteStream, StreamError};
pub use self::transport::{HttpTransport, Transport};
pub use self::upload::Upload;
pub use json_schema::{Issue, Issues, Place, Schemas};

/// What generated code uses besides. It may change with every release of the generator.
#[doc(hidden)]
pub mod __private {
    pub use crate::call::Call;
    pub use crate::captures::Captures;
    pub use crate::draft::{Draft, Unsendable};
    pub use crate::fault::{Answer, Plain};
    pub use crate::items::Framing;
    pub use crate::link::{Cause, Unfollowed};
    pub use crate::multipart_field::{Field, Fields};
    pub use crate::multipart_headers::{Headed, PartHeaders};
    pub use crate::multipart_read::Form;
    pub use crate::multipart_write::FormWriter;
    pub use crate::object_writer::{ObjectWriter, Part};
    pub use crate::operation::Want;
    pub use crate::param::{Param, Shape, Style};
    pub use crate::reader::Reader;
    pub use crate::respond::{respond, status, within};
    pub use crate::security::{Asked, Demand, Denials};
    pub use crate::service::{Dispatch, Reply};
    pub use crate::stream::Trouble;
    pub use crate::upload::Formed;
    pub use crate::{
        body, check, client, condition, constant, credential, events, expression, fault, fields,
        formatted, integer, link, media, object, union,
    };
    pub use crate::{newtype, string_enum, tagged_union, union_by_type};
    pub use axum::body::Body;
    pub use bytes::Bytes;
    pub use json_schema::validator::{TypedFormat, decide};
    pub use json_schema::{Pattern, format};
    pub use serde;
}
