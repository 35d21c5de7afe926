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
    let (mut own, mut members) = (Vec::new(), Raw::object());
    for pair in query::pairs(text) {
        if styled.iter().any(|param| is_of(&pair, param)) {
            own.push(pair);
            continue;
        }
        match add(&pair, &mut members) {
            Ok(()) => {}
            Err(Flaw::Malformed) => {
                let message = "has a name with brackets that do not fit";
                return Err(Issue::of_form(None, "type", message));
            }
            Err(flaw) => return Err(flawed(None, flaw)),
        }
    }
    for param in styled {
        if let Some(value) = field(param, &own)? {
            members
                .put(param.name, value)
                .map_err(|_| flawed(Some(param.name), Flaw::Repeated))?;
        }
    }
    Ok(members)
}

/// Adds a pair to the members of a form: a name may nest, and one that is repeated is a list.
pub(crate) fn add<'b>(pair: &Pair<'b>, members: &mut Raw<'b>) -> Result<(), Flaw> {
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
fn field<'b>(param: &Param, pairs: &[Pair<'b>]) -> Result<Option<Raw<'b>>, Issue> {
    let value = param_text::from_query(param, pairs);
    match value.map_err(|flaw| flawed(Some(param.name), flaw))? {
        Some(Raw::Text(text)) if param.style == Style::Json => {
            let value = json_text::parse(text.as_bytes());
            let not_json = |_| Issue::of_form(Some(param.name), "contentMediaType", "must be JSON");
            value.map(Raw::Json).map(Some).map_err(not_json)
        }
        value => Ok(value),
    }
}

fn flawed(field: Option<&str>, flaw: Flaw) -> Issue {
    let (keyword, message) = flaw.told();
    Issue::of_form(field, keyword, message)
}
