//! Parsing of values that may hold a password, on the command line and in the environment.

use std::ffi::OsStr;
use std::fmt::Display;
use std::marker::PhantomData;
use std::str::FromStr;

use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};

/// Parses a `T`, with errors that do not repeat the text.
#[derive(Debug)]
pub struct Redacted<T>(PhantomData<fn() -> T>);

impl<T> Redacted<T> {
    /// The parser.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T> Default for Redacted<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Clone for Redacted<T> {
    fn clone(&self) -> Self {
        Self::new()
    }
}

impl<T> TypedValueParser for Redacted<T>
where
    T: FromStr<Err: Display> + Clone + Send + Sync + 'static,
{
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, Error> {
        let name = argument.map_or_else(String::new, Arg::to_string);
        let wrong = |why: &dyn Display| {
            let said = format!("the value of '{name}' {why}\n");
            Error::raw(ErrorKind::ValueValidation, said).with_cmd(command)
        };
        let text = value.to_str().ok_or_else(|| wrong(&"is not UTF-8"))?;
        text.parse().map_err(|why| wrong(&why))
    }
}
