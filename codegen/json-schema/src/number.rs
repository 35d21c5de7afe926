//! Numbers of JSON, exactly.

pub mod decimal;
mod division;
