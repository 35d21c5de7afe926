//! How the contract writes a parameter down (OpenAPI 3.1, Parameter Object).

use crate::decode::param_text;
use json_schema::coerce::Objects;
use json_schema::issue::Place;
pub use json_schema::style::Style;
use json_schema::validator::Schemas;
use json_schema::validator::json_type::JsonType;

/// The outer form of a parameter's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParamShape {
    /// One text.
    Scalar,
    /// A list of texts.
    Array,
    /// Texts by name; the names are those of the declared properties.
    Object(&'static [&'static str]),
    /// A form, the whole of a query: the names of its fields, and those that are written like parameters.
    Form(&'static [&'static str], &'static [Param]),
    /// Some of the others, each once and in their order: the variants of a union differ.
    AnyOf(&'static [ParamShape]),
}

/// A declared parameter, or a field of a form that is written like one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Param {
    /// Its name; compared without regard to case for headers only.
    pub name: &'static str,
    /// The part of the request that carries it.
    pub place: Place,
    /// How it is serialised.
    pub style: Style,
    /// Whether each item or member is written separately.
    pub explode: bool,
    /// The outer form of its value.
    pub shape: ParamShape,
    /// The name of its schema in the bundle.
    pub schema: &'static str,
}

impl ParamShape {
    /// Whether a name is that of a declared property.
    pub(crate) fn declares(&self, name: &str) -> bool {
        match self {
            Self::Object(names) | Self::Form(names, _) => names.contains(&name),
            Self::AnyOf(shapes) => shapes.iter().any(|shape| shape.declares(name)),
            Self::Scalar | Self::Array => false,
        }
    }
}

impl Param {
    /// The fields of a form that are written like parameters.
    pub(crate) const fn fields(&self) -> &'static [Param] {
        match self.shape {
            ParamShape::Form(_, fields) => fields,
            _ => &[],
        }
    }

    /// A parameter of the path that is one text.
    #[must_use]
    pub const fn path(name: &'static str, schema: &'static str) -> Self {
        Self::scalar(name, Place::Path, schema)
    }

    /// A parameter of the query that is one text.
    #[must_use]
    pub const fn query(name: &'static str, schema: &'static str) -> Self {
        Self::scalar(name, Place::Query, schema)
    }

    /// A header that is one text.
    #[must_use]
    pub const fn header(name: &'static str, schema: &'static str) -> Self {
        Self::scalar(name, Place::Header, schema)
    }

    /// A cookie that is one text.
    #[must_use]
    pub const fn cookie(name: &'static str, schema: &'static str) -> Self {
        Self::scalar(name, Place::Cookie, schema)
    }

    /// One text in the style that its place has by default.
    const fn scalar(name: &'static str, place: Place, schema: &'static str) -> Self {
        let is_form = matches!(place, Place::Query | Place::Cookie);
        Self {
            name,
            place,
            style: if is_form { Style::Form } else { Style::Simple },
            explode: is_form,
            shape: ParamShape::Scalar,
            schema,
        }
    }

    /// The same parameter where its value has that shape.
    pub(crate) const fn with(self, shape: ParamShape) -> Self {
        Self { shape, ..self }
    }

    /// Whether a pair of that name is one of this parameter's, in a query or a form.
    pub(crate) fn is_written_as(&self, name: &str) -> bool {
        match self.shape {
            _ if self.style == Style::DeepObject => param_text::deep_path(self, name).is_some(),
            ParamShape::Object(names) if self.is_spread() => names.contains(&name),
            ParamShape::AnyOf(shapes) => {
                let mut each = shapes.iter().map(|shape| self.with(*shape));
                each.any(|one| one.is_written_as(name))
            }
            _ => self.name == name,
        }
    }

    /// Whether a pair of that name is another parameter's although it is like a member of this one in
    /// brackets: that of `a[b]` beside `a`.
    pub(crate) fn yields_to(&self, other: &Self, name: &str) -> bool {
        self.style == Style::DeepObject
            && other.place == Place::Query
            && other.name != self.name
            && param_text::deep_path(self, other.name).is_some()
            && other.is_written_as(name)
    }

    /// How objects and lists within the value are written: this style has brackets for them.
    pub(crate) const fn objects(&self) -> Objects {
        match self.style {
            Style::DeepObject | Style::QueryForm => Objects::ByMember,
            _ => Objects::AsJson,
        }
    }

    /// Whether it takes all pairs of a query that no other parameter declares.
    pub(crate) fn takes_the_rest(&self, schemas: &Schemas) -> bool {
        self.place == Place::Query
            && self.may_be_object()
            && self.has_any_names(&schemas.json_type(self.schema))
    }

    /// Whether its value can be an object, which the shape alone says: the type of the schema costs more
    /// than all else that is done for a parameter that is absent.
    const fn may_be_object(&self) -> bool {
        matches!(self.shape, ParamShape::Object(_) | ParamShape::AnyOf(_))
    }

    /// Whether its pairs may have any names: they are the members of an object that is open. One that
    /// names no members is meant for such, unless it is closed.
    pub(crate) fn has_any_names(&self, admitted: &JsonType<'_>) -> bool {
        self.is_spread()
            && match self.shape {
                ParamShape::Object([]) => admitted.is_open() || !admitted.is_closed(),
                ParamShape::Object(_) => admitted.is_open(),
                ParamShape::AnyOf(shapes) => {
                    let mut each = shapes.iter().map(|shape| self.with(*shape));
                    each.any(|one| one.has_any_names(admitted))
                }
                ParamShape::Scalar | ParamShape::Array | ParamShape::Form(..) => false,
            }
    }

    /// Whether the items or members are pairs of a query or a form, each of its own. A cookie has one
    /// text, whatever its style says.
    pub(crate) const fn is_spread(&self) -> bool {
        self.explode
            && matches!(self.place, Place::Query | Place::Body)
            && matches!(
                self.style,
                Style::Form | Style::SpaceDelimited | Style::PipeDelimited
            )
    }
}
