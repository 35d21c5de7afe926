//! How the contract writes a parameter down (OpenAPI 3.1, Parameter Object).

use super::issue::Place;

/// The serialisation style of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `a,b`: paths and headers.
    Simple,
    /// `.a.b`: paths.
    Label,
    /// `;name=a;name=b`: paths.
    Matrix,
    /// `name=a&name=b`: queries and cookies.
    Form,
    /// `name=a%20b`: queries.
    SpaceDelimited,
    /// `name=a|b`: queries.
    PipeDelimited,
    /// `name[key]=a`: queries.
    DeepObject,
    /// A text of JSON: a parameter with `content` rather than `schema`, or a field whose `contentType`
    /// is that.
    Json,
}

/// The outer form of a parameter's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One text.
    Scalar,
    /// A list of texts.
    Array,
    /// Texts by name; the names are those of the declared properties.
    Object(&'static [&'static str]),
    /// Some of the others, each once and in their order: the variants of a union differ.
    AnyOf(&'static [Shape]),
}

/// A declared parameter, or a field of a form that is written like one.
#[derive(Debug, Clone, Copy)]
pub struct Param {
    /// Its name; compared without regard to case for headers only.
    pub name: &'static str,
    /// Where it is.
    pub place: Place,
    /// How it is serialised.
    pub style: Style,
    /// Whether each item or member is written separately.
    pub explode: bool,
    /// The outer form of its value.
    pub shape: Shape,
    /// The name of its schema in the bundle.
    pub schema: &'static str,
}

impl Shape {
    /// Whether a name is that of a declared property.
    pub(super) fn declares(&self, name: &str) -> bool {
        matches!(self, Self::Object(names) if names.contains(&name))
    }
}

impl Param {
    /// The same parameter where its value has that shape.
    pub(super) const fn with(self, shape: Shape) -> Self {
        Self { shape, ..self }
    }

    /// Whether the items or members are pairs of a query or a form, each of its own. A cookie has one
    /// text, whatever its style says.
    pub(super) const fn is_spread(&self) -> bool {
        self.explode
            && matches!(self.place, Place::Query | Place::Body)
            && matches!(
                self.style,
                Style::Form | Style::SpaceDelimited | Style::PipeDelimited
            )
    }
}
