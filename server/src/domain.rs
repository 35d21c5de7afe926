//! Values that several features share: amounts of money, days, entity tags, lists that are read in pages. Depends
//! neither on HTTP, nor on the generated code, nor on a database.

pub mod amount;
pub mod day;
pub mod entity_tag;
pub(crate) mod loopback;
pub mod paging;
pub mod position;
pub(crate) mod printable;
pub mod sentence;
