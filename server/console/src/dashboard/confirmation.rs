//! The page that asks before a form does something: its question, what follows, and the form.

use std::borrow::Cow;

use askama::Template;

use super::time::AbsoluteTime;

/// A question before something is done, and the form that does it.
#[derive(Template, Default)]
#[template(path = "dashboard/confirmation.html")]
pub(super) struct Confirmation {
    pub(super) question: Prose,
    /// The consequences.
    pub(super) lead: Prose,
    /// Alternatives, or details of the consequences.
    pub(super) details: Prose,
    pub(super) warning: Prose,
    /// The path that the form is sent to.
    pub(super) action: String,
    /// Hidden fields: their names and values.
    pub(super) hidden: Vec<(&'static str, String)>,
    pub(super) typed: Option<TypedName>,
    pub(super) button: &'static str,
    /// Whether it can be undone.
    pub(super) is_harmless: bool,
    /// The path to go back to.
    pub(super) cancel: String,
}

/// The field for a name that has to be typed.
pub(super) struct TypedName {
    pub(super) label: &'static str,
    pub(super) error: Option<&'static str>,
}

/// Text with links and code in it.
pub(super) type Prose = Vec<Inline>;

/// A part of a text.
pub(super) enum Inline {
    Text(Cow<'static, str>),
    Strong(&'static str),
    Code(String),
    /// A link: its text and its path.
    Link(&'static str, String),
    Time(AbsoluteTime),
}

impl From<&'static str> for Inline {
    fn from(text: &'static str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Inline {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

/// Prose of strings and [`Inline`] parts.
macro_rules! prose {
    ($($part:expr),+ $(,)?) => {
        vec![$($crate::dashboard::confirmation::Inline::from($part)),+]
    };
}
pub(super) use prose;
