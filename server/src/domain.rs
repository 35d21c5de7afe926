//! Values that several features share: amounts of money, days, lists that are read in pages. Depends
//! neither on HTTP, nor on the generated code, nor on a database.

pub mod amount;
pub mod day;
pub(crate) mod loopback;
pub mod paging;
pub mod position;
pub(crate) mod printable;
pub mod sentence;
