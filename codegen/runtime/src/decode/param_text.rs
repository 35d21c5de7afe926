//! Takes the text of a parameter apart by its style (OpenAPI 3.1, Style
//! Values; RFC 6570 for their expansion).
//!
//! Delimiters are looked for before decoding, so an item may contain one that
//! is percent-encoded; spaces and pipes are always encoded in a query and are
//! therefore looked for afterwards. An empty text is an empty array or object
//! in the styles that write all items into one text, and otherwise an empty
//! string.

use std::borrow::Cow;

use crate::decode::param::{Param, ParamShape, Style};
use crate::http::captures::BadUtf8;
use crate::http::query::{Pair, decode_form};
use json_schema::coerce::raw::{Malformed, Raw};
use json_schema::issue::Place;

/// Why a text cannot be taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// Octets that are not UTF-8.
    Encoding,
    /// Several values where there can be one.
    Repeated,
    /// Not of the style's form.
    Malformed,
    /// A text that is to be JSON and is none.
    NotJson,
}

impl Flaw {
    /// The keyword and the message of the issue that it makes.
    pub(crate) const fn told(self) -> (&'static str, &'static str) {
        match self {
            Self::Encoding => ("format", "must be percent-encoded UTF-8"),
            Self::Repeated => ("type", "must not be repeated"),
            Self::Malformed => ("type", "must use the declared style"),
            Self::NotJson => ("contentMediaType", "must be JSON"),
        }
    }
}

impl From<BadUtf8> for Flaw {
    fn from(_: BadUtf8) -> Self {
        Self::Encoding
    }
}

impl From<Malformed> for Flaw {
    fn from(_: Malformed) -> Self {
        Self::Malformed
    }
}

type Taken<'a> = Result<Raw<'a>, Flaw>;
type Decode = for<'t> fn(&'t str) -> Result<Cow<'t, str>, BadUtf8>;

/// A text without an encoding, as headers have it.
pub(crate) fn verbatim(text: &str) -> Result<Cow<'_, str>, BadUtf8> {
    Ok(Cow::Borrowed(text))
}

/// A value that is one text: in a path, a header, a cookie, or a query in a
/// style that is not exploded.
pub(crate) fn single<'a>(param: &Param, text: &'a str, decode: Decode) -> Taken<'a> {
    match param.style {
        Style::Label => label(param, text, decode),
        Style::Matrix => matrix(param, text, decode),
        Style::SpaceDelimited => delimited_after_decoding(param, text, ' ', decode),
        Style::PipeDelimited => delimited_after_decoding(param, text, '|', decode),
        Style::Simple => structured(param.shape, text, ',', param.explode, decode),
        // Who writes a form without knowing of lists encodes all commas.
        Style::Form if param.place == Place::Body && !text.contains(',') => {
            delimited_after_decoding(param, text, ',', decode)
        }
        Style::Form | Style::DeepObject => structured(param.shape, text, ',', false, decode),
        Style::Cookie => structured(param.shape, text, ',', false, decode),
        Style::Json | Style::QueryForm | Style::QueryJson | Style::QueryText => {
            Ok(Raw::Text(decode(text)?))
        }
    }
}

/// The list of which a text with encoded commas alone was read as the only item. The standard has such a
/// comma within the item, and many HTTP libraries encode those that separate too. `None` for any other value.
pub(crate) fn divided<'a>(param: &Param, read: &Raw<'a>) -> Option<Raw<'a>> {
    let is_joined = matches!(param.style, Style::Form | Style::Simple) && !param.is_spread();
    match read {
        Raw::List(items) if is_joined => match items.as_slice() {
            [Raw::Text(text)] if text.contains(',') => {
                let items = text.split(',').map(|item| item.trim_ascii().to_owned());
                Some(Raw::List(
                    items.map(|item| Raw::Text(item.into())).collect(),
                ))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The value of a query parameter, or of a form's field; `None` where it is absent.
pub(crate) fn from_query<'a>(param: &Param, pairs: &[Pair<'a>]) -> Result<Option<Raw<'a>>, Flaw> {
    let spread = param.is_spread();
    match param.shape {
        _ if param.style == Style::DeepObject => deep(param, pairs, |_| true),
        ParamShape::Object(names) if spread => members(pairs, |name| names.contains(&name)),
        ParamShape::Array if spread => {
            let values = pairs.iter().filter(|pair| pair.is(param.name));
            let items: Result<Vec<_>, _> = values
                .map(|pair| Ok(Raw::Text(decode_form(pair.value)?)))
                .collect();
            items.map(|items| (!items.is_empty()).then_some(Raw::List(items)))
        }
        _ => {
            let mut values = pairs.iter().filter(|pair| pair.is(param.name));
            match (values.next(), values.next()) {
                (None, _) => Ok(None),
                (Some(pair), None) => single(param, pair.value, decode_form).map(Some),
                (Some(_), Some(_)) => Err(Flaw::Repeated),
            }
        }
    }
}

/// The value of a cookie parameter that is written as pairs without an encoding (OpenAPI 3.2, style
/// `cookie`); `None` where it is absent.
pub(crate) fn from_cookies<'a>(
    param: &Param,
    cookies: impl Iterator<Item = (&'a str, &'a str)>,
) -> Result<Option<Raw<'a>>, Flaw> {
    let is_own = |name: &str| match param.shape {
        ParamShape::Object(names) if param.explode => names.contains(&name),
        _ => name == param.name,
    };
    let own: Vec<_> = cookies.filter(|(name, _)| is_own(name)).collect();
    match (param.shape, own.as_slice()) {
        (_, []) => Ok(None),
        (ParamShape::Array, values) if param.explode => {
            let items = values.iter().map(|(_, value)| Raw::Text((*value).into()));
            Ok(Some(Raw::List(items.collect())))
        }
        (ParamShape::Object(_), members) if param.explode => {
            let mut object = Raw::object();
            for (name, value) in members {
                insert(&mut object, name, value, verbatim)?;
            }
            Ok(Some(object))
        }
        (_, [(_, value)]) => single(param, value, verbatim).map(Some),
        (_, _) => Err(Flaw::Repeated),
    }
}

/// An object whose members are parameters of their own: those that `is_member`.
pub(crate) fn members<'a>(
    pairs: &[Pair<'a>],
    is_member: impl Fn(&str) -> bool,
) -> Result<Option<Raw<'a>>, Flaw> {
    let mut object = None;
    for pair in pairs {
        let Ok(name) = &pair.name else { continue };
        if is_member(name) {
            object
                .get_or_insert(Raw::object())
                .insert(name, decode_form(pair.value)?)?;
        }
    }
    Ok(object)
}

/// `name[a]=…&name[b][c]=…`; of lists, of which OpenAPI says nothing,
/// `name[]=…&name[]=…` or `name[0]=…&name[1]=…`, and of one text `name=…`. Only names that are
/// `own` are the parameter's.
pub(crate) fn deep<'a>(
    param: &Param,
    pairs: &[Pair<'a>],
    own: impl Fn(&str) -> bool,
) -> Result<Option<Raw<'a>>, Flaw> {
    let mut value = None;
    for pair in pairs {
        let Ok(name) = &pair.name else { continue };
        if let Some(path) = deep_path(param, name).filter(|_| own(name)) {
            let value = value.get_or_insert(Raw::List(Vec::new()));
            value.insert_below(path, decode_form(pair.value)?)?;
        }
    }
    Ok(value)
}

/// The text after the parameter's name in `name[a][b]`.
pub(crate) fn deep_path<'n>(param: &Param, name: &'n str) -> Option<&'n str> {
    name.strip_prefix(param.name)
        .filter(|path| path.is_empty() || path.starts_with('['))
}

/// `.a`, `.a,b` or, exploded, `.a.b`
fn label<'a>(param: &Param, text: &'a str, decode: Decode) -> Taken<'a> {
    let text = text.strip_prefix('.').ok_or(Flaw::Malformed)?;
    let delimiter = if param.explode { '.' } else { ',' };
    structured(param.shape, text, delimiter, param.explode, decode)
}

/// `;name=a`, `;name=a,b` or, exploded, `;name=a;name=b` and `;x=1;y=2`
fn matrix<'a>(param: &Param, text: &'a str, decode: Decode) -> Taken<'a> {
    let text = text.strip_prefix(';').ok_or(Flaw::Malformed)?;
    let own = |text: &'a str| {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        let is_own = decode(name)? == param.name;
        is_own.then_some(value).ok_or(Flaw::Malformed)
    };
    match param.shape {
        ParamShape::Object(_) if param.explode => object(text.split(';'), decode),
        ParamShape::Array if param.explode => text
            .split(';')
            .map(|item| Ok(Raw::Text(decode(own(item)?)?)))
            .collect::<Result<_, _>>()
            .map(Raw::List),
        shape => structured(shape, own(text)?, ',', false, decode),
    }
}

fn delimited_after_decoding<'a>(
    param: &Param,
    text: &'a str,
    delimiter: char,
    decode: Decode,
) -> Taken<'a> {
    match decode(text)? {
        Cow::Borrowed(text) => structured(param.shape, text, delimiter, false, verbatim),
        Cow::Owned(text) => {
            structured(param.shape, &text, delimiter, false, verbatim).map(into_owned)
        }
    }
}

fn into_owned<'a>(raw: Raw<'_>) -> Raw<'a> {
    match raw {
        Raw::Text(text) => Raw::Text(Cow::Owned(text.into_owned())),
        Raw::List(items) => Raw::List(items.into_iter().map(into_owned).collect()),
        Raw::Map(members) => Raw::Map(
            members
                .into_iter()
                .map(|(name, raw)| (Cow::Owned(name.into_owned()), into_owned(raw)))
                .collect(),
        ),
        Raw::Json(value) => Raw::Json(value),
    }
}

/// A text with delimiters; `assigned` members are `name=value`, others
/// alternate with their names.
fn structured<'a>(
    shape: ParamShape,
    text: &'a str,
    delimiter: char,
    assigned: bool,
    decode: Decode,
) -> Taken<'a> {
    match shape {
        // Whoever reads one of several shapes reads each by itself.
        ParamShape::Scalar | ParamShape::Form(..) | ParamShape::AnyOf(_) => {
            Ok(Raw::Text(decode(text)?))
        }
        ParamShape::Array if text.is_empty() => Ok(Raw::List(Vec::new())),
        ParamShape::Array => {
            let items = text
                .split(delimiter)
                .map(|item| Ok(Raw::Text(decode(item.trim_ascii())?)));
            items.collect::<Result<_, Flaw>>().map(Raw::List)
        }
        ParamShape::Object(_) if text.is_empty() => Ok(Raw::object()),
        ParamShape::Object(_) if assigned => object(text.split(delimiter), decode),
        ParamShape::Object(_) => {
            let mut members = Raw::object();
            let mut parts = text.split(delimiter);
            while let Some(name) = parts.next() {
                let value = parts.next().ok_or(Flaw::Malformed)?;
                insert(&mut members, name, value, decode)?;
            }
            Ok(members)
        }
    }
}

fn object<'a>(parts: impl Iterator<Item = &'a str>, decode: Decode) -> Taken<'a> {
    let mut members = Raw::object();
    for part in parts {
        let (name, value) = part.split_once('=').ok_or(Flaw::Malformed)?;
        insert(&mut members, name, value, decode)?;
    }
    Ok(members)
}

fn insert<'a>(
    members: &mut Raw<'a>,
    name: &'a str,
    value: &'a str,
    decode: Decode,
) -> Result<(), Flaw> {
    let name = decode(name.trim_ascii())?;
    let Raw::Map(members) = members else {
        return Err(Flaw::Malformed);
    };
    match members.insert(name, Raw::Text(decode(value.trim_ascii())?)) {
        None => Ok(()),
        Some(_) => Err(Flaw::Repeated),
    }
}
