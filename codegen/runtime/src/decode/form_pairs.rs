//! Takes a body of `application/x-www-form-urlencoded` apart: the server's
//! side of `param_write::form`.

use crate::decode::json_text;
use crate::decode::param::{Param, ParamShape, Style};
use crate::decode::param_text::{self, Flaw};
use crate::http::query::{self, Pair};
use json_schema::coerce::raw::Raw;
use json_schema::issue::Issue;

/// The members of a form, of which the fields that are `styled` are written
/// like parameters of a query.
pub(crate) fn members<'b>(bytes: &'b [u8], styled: &[Param]) -> Result<Raw<'b>, Issue> {
    let text = std::str::from_utf8(bytes).map_err(|_| flawed(None, Flaw::Encoding))?;
    let pairs: Vec<_> = query::pairs(text).collect();
    of_pairs(pairs.iter(), styled).map_err(|(field, flaw)| match (field, flaw) {
        (None, Flaw::Malformed) => {
            let message = "has a name with unbalanced brackets";
            Issue::of_form(None, "type", message)
        }
        (field, flaw) => flawed(field, flaw),
    })
}

/// The members of a form of these pairs; with a flaw comes the field that has it, if it has a name.
pub(crate) fn of_pairs<'p, 'b: 'p, 's>(
    pairs: impl Iterator<Item = &'p Pair<'b>>,
    styled: &'s [Param],
) -> Result<Raw<'b>, (Option<&'s str>, Flaw)> {
    let (mut own, mut members) = (Vec::new(), Raw::object());
    for pair in pairs {
        if styled.iter().any(|param| is_of(pair, param)) {
            own.push(pair.clone());
        } else {
            add(pair, &mut members).map_err(|flaw| (None, flaw))?;
        }
    }
    for param in styled {
        let of_field = |flaw| (Some(param.name), flaw);
        if let Some(value) = field(param, &own).map_err(of_field)? {
            let put = members.put(param.name, value);
            put.map_err(|_| of_field(Flaw::Repeated))?;
        }
    }
    Ok(members)
}

/// Adds a pair to the members of a form: a name may nest, and one that is repeated is a list.
fn add<'b>(pair: &Pair<'b>, members: &mut Raw<'b>) -> Result<(), Flaw> {
    let Ok(name) = &pair.name else {
        return Err(Flaw::Encoding);
    };
    members.insert(name, query::decode_form(pair.value)?)?;
    Ok(())
}

/// Whether a pair is of a field, or of a member that stands for itself.
fn is_of(pair: &Pair<'_>, param: &Param) -> bool {
    match param.shape {
        ParamShape::Object(names) if param.style == Style::Form && param.explode => {
            names.iter().any(|name| pair.is(name))
        }
        _ => pair.is(param.name),
    }
}

/// The value of a field; `None` where it is absent.
fn field<'b>(param: &Param, pairs: &[Pair<'b>]) -> Result<Option<Raw<'b>>, Flaw> {
    match param_text::from_query(param, pairs)? {
        Some(Raw::Text(text)) if param.style == Style::Json => {
            let value = json_text::parse(text.as_bytes());
            value.map(Raw::Json).map(Some).map_err(|_| Flaw::NotJson)
        }
        value => Ok(value),
    }
}

fn flawed(field: Option<&str>, flaw: Flaw) -> Issue {
    let (keyword, message) = flaw.told();
    Issue::of_form(field, keyword, message)
}
