//! The interpreter of JSON Schema that every generated crate carries, here for the generator's own
//! questions: whether a value is valid, and what is wrong with it.
//!
//! The files are the runtime's, compiled a second time: `codegen` judges exactly as a generated
//! server does, and needs neither its HTTP half nor a second implementation.

use crate::pattern;

#[path = "../runtime/src/buffered.rs"]
mod buffered;
#[path = "../runtime/src/decimal.rs"]
pub(crate) mod decimal;
#[path = "../runtime/src/decimal_division.rs"]
mod decimal_division;
#[path = "../runtime/src/equality.rs"]
pub(crate) mod equality;
#[path = "../runtime/src/format.rs"]
pub(crate) mod format;
#[path = "../runtime/src/format_network.rs"]
mod format_network;
#[path = "../runtime/src/format_time.rs"]
mod format_time;
#[path = "../runtime/src/issue.rs"]
pub(crate) mod issue;
#[path = "../runtime/src/json_any.rs"]
mod json_any;
#[path = "../runtime/src/json_single.rs"]
mod json_single;
#[path = "../runtime/src/raw.rs"]
pub(crate) mod raw;
#[path = "../runtime/src/raw_value.rs"]
pub(crate) mod raw_value;
#[path = "../runtime/src/schema.rs"]
mod schema;
#[path = "../runtime/src/schema_array.rs"]
mod schema_array;
#[path = "../runtime/src/schema_compile.rs"]
mod schema_compile;
#[path = "../runtime/src/schema_compose.rs"]
mod schema_compose;
#[path = "../runtime/src/schema_meant.rs"]
mod schema_meant;
#[path = "../runtime/src/schema_node.rs"]
mod schema_node;
#[path = "../runtime/src/schema_object.rs"]
mod schema_object;
#[path = "../runtime/src/schema_report.rs"]
mod schema_report;
#[path = "../runtime/src/schema_run.rs"]
mod schema_run;
#[path = "../runtime/src/schema_scalar.rs"]
mod schema_scalar;
#[path = "../runtime/src/schema_scope.rs"]
mod schema_scope;
#[path = "../runtime/src/schema_tagged.rs"]
mod schema_tagged;
#[path = "../runtime/src/schema_type.rs"]
mod schema_type;
#[path = "../runtime/src/schema_unevaluated.rs"]
mod schema_unevaluated;
#[path = "../runtime/src/type_set.rs"]
pub(crate) mod type_set;

pub(crate) use schema::Schemas;
