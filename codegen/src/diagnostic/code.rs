//! The codes of diagnostics, each with a stable name and an explanation.
//!
//! A name is never given to another kind of problem. The explanations are Markdown files beside
//! this one; their examples marked wrong and right are tested.

/// Who reports a code, and whose mistake it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// The document breaks the OpenAPI or JSON Schema standard: generation reports it. `lint` has further rules for
    /// some of these codes.
    Invalid,
    /// The document is valid, but this generator cannot express it: generation reports it.
    Unsupported,
    /// An idiom whose evident meaning is not what the standard says: generation reads the meaning and reports it.
    Idiom,
    /// A table of formats is invalid, not the document.
    Table,
    /// Code can be generated all the same: a rule of `lint`. Generation warns of a few.
    Lint,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $class:ident;)*) => {
        /// The codes of diagnostics.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[$doc])* $variant,)*
        }

        impl Code {
            /// Every code.
            pub const ALL: &[Code] = &[$(Code::$variant,)*];

            /// The name that is printed between brackets.
            pub fn name(self) -> &'static str {
                match self {
                    $(Code::$variant => $name,)*
                }
            }

            /// The class of the code.
            pub fn class(self) -> Class {
                match self {
                    $(Code::$variant => Class::$class,)*
                }
            }

            /// The problem, its consequence and how to fix it, in Markdown.
            pub fn explanation(self) -> &'static str {
                match self {
                    $(Code::$variant => include_str!(concat!("explain/", $name, ".md")),)*
                }
            }
        }
    };
}

codes! {
    /// The text is neither YAML nor JSON.
    Syntax = "syntax", Invalid;
    /// A member stands twice in the same object.
    DuplicateMember = "duplicate-member", Invalid;
    /// A value does not have the type that the standard gives it.
    Invalid = "invalid", Invalid;
    /// A reference points to nothing.
    DanglingReference = "dangling-reference", Invalid;
    /// A reference names an object of another kind.
    MisplacedReference = "misplaced-reference", Invalid;
    /// A reference leads back to itself.
    CircularReference = "circular-reference", Invalid;
    /// Two operations have the same id.
    DuplicateOperationId = "duplicate-operation-id", Invalid;
    /// Two operations have the same method and match the same paths, or two paths differ in names alone.
    DuplicatePath = "duplicate-path", Invalid;
    /// A path is not a valid template.
    PathTemplate = "path-template", Invalid;
    /// The template of a path and its declared parameters do not agree.
    PathParameter = "path-parameter", Invalid;
    /// A parameter lacks a name, or its location or style does not exist.
    InvalidParameter = "parameter", Invalid;
    /// A key of `responses` is not a status.
    InvalidStatus = "status", Invalid;
    /// A requirement names a security scheme that is not declared.
    UndeclaredSecurityScheme = "security-scheme", Invalid;
    /// The operand of a schema keyword has the wrong type.
    InvalidOperand = "operand", Invalid;
    /// The name of a member is not a known keyword or field, or an extension of ours is misplaced.
    UnknownKeyword = "unknown-keyword", Invalid;
    /// A field belongs to a later version of OpenAPI than the document.
    LaterField = "later-field", Invalid;
    /// A keyword has the meaning or the form of an earlier version of OpenAPI or JSON Schema.
    OldIdiom = "old-idiom", Invalid;
    /// A regular expression is invalid.
    InvalidPattern = "invalid-pattern", Invalid;
    /// `x-framework-made` is used wrongly.
    FrameworkMade = "framework-made", Invalid;
    /// `x-rust-type` of a schema is malformed, or the setting `derive` names a type that is not generated.
    RustType = "rust-type", Invalid;
    /// A row of a table of formats is invalid.
    FormatTable = "format-table", Table;
    /// `nullable` is written where it has no effect.
    IdleNullable = "idle-nullable", Idiom;
    /// A `oneOf` of listed strings and any string refuses the listed ones.
    ExclusiveOpenEnum = "exclusive-open-enum", Idiom;
    /// A value that is listed for strings is a number, a boolean or null.
    UnquotedText = "unquoted-text", Idiom;
    /// A schema has no `type`, and keywords of one type.
    MissingType = "missing-type", Idiom;
    /// A part of `allOf` refuses the properties of the other parts.
    ClosedPart = "closed-part", Idiom;
    /// A union lists schemas that a parent's discriminator tells apart, and has none itself.
    InheritedDiscriminator = "inherited-discriminator", Idiom;
    /// A union with a discriminator lists schemas that extend the union itself.
    CircularUnion = "circular-union", Idiom;
    /// A part of the document is valid, but this generator cannot express it.
    Unsupported = "unsupported", Unsupported;
    /// A link cannot be followed by the client.
    UnfollowedLink = "unfollowed-link", Unsupported;
    /// The document is of another version of OpenAPI.
    UnsupportedVersion = "version", Unsupported;
    /// A reference leads out of the document.
    ExternalReference = "external-reference", Unsupported;
    /// A regular expression cannot be matched in linear time.
    UnsupportedPattern = "unsupported-pattern", Unsupported;
    /// A documented error response does not fit the body that the generated service sends.
    UnmarkedAnswer = "unmarked-answer", Lint;
    /// A schema becomes `serde_json::Value`, because no Rust type expresses it.
    JsonValue = "json-value", Lint;
    /// An operation has no id, or one that is awkward as a name.
    OperationId = "operation-id", Lint;
    /// A request can match two paths, and neither is more specific.
    AmbiguousPath = "ambiguous-path", Lint;
    /// One text of a parameter stands for two values, or for two parameters.
    AmbiguousParameter = "ambiguous-parameter", Lint;
    /// A parameter is declared twice in one list.
    DuplicateParameter = "duplicate-parameter", Lint;
    /// A requirement names a scope that its scheme does not declare.
    UndeclaredScope = "undeclared-scope", Lint;
    /// A required member is described nowhere.
    UndescribedMember = "undescribed-member", Lint;
    /// A default, example, constant or listed value is not valid for its schema.
    InvalidValue = "invalid-value", Lint;
    /// A value is listed twice.
    DuplicateValue = "duplicate-value", Lint;
    /// A format belongs to another type.
    FormatOfOtherType = "format-of-other-type", Lint;
    /// A keyword does not apply to any value that the schema accepts.
    IdleKeyword = "idle-keyword", Lint;
    /// `x-order` or `x-unique` names a value that the items of the list do not have.
    ListOrder = "list-order", Lint;
    /// A lower bound is above the upper one.
    ContradictoryBounds = "contradictory-bounds", Lint;
    /// The parts of a schema have no type in common.
    ContradictoryTypes = "contradictory-types", Lint;
    /// A value fits two variants of which exactly one may fit.
    OverlappingVariants = "overlapping-variants", Lint;
    /// A discriminator does not lead to each variant, or leads to another schema.
    Discriminator = "discriminator", Lint;
    /// The discriminator property of a variant is not limited to the variant's own value.
    OpenDiscriminator = "open-discriminator", Lint;
    /// No finite value is valid.
    EndlessSchema = "endless-schema", Lint;
    /// A member beside a reference is ignored.
    ReferenceSibling = "reference-sibling", Lint;
    /// Names of the document become the same name in Rust.
    NameCollision = "name-collision", Lint;
    /// A link leads to no operation or to no parameter.
    DeadLink = "dead-link", Lint;
    /// An operation does not say how it succeeds, or how it fails.
    MissingAnswer = "missing-answer", Lint;
    /// A 201 has no `Location`.
    MissingLocation = "missing-location", Lint;
    /// A string or array of a request has no upper bound.
    UnboundedRequest = "unbounded-request", Lint;
    /// No operation uses a component.
    UnusedComponent = "unused-component", Lint;
    /// An operation, parameter, tag or schema has no description.
    MissingDescription = "missing-description", Lint;
    /// A tag is not declared.
    UndeclaredTag = "undeclared-tag", Lint;
    /// The document has no contact.
    MissingContact = "missing-contact", Lint;
    /// A path is not written in lower case with hyphens.
    PathCase = "path-case", Lint;
    /// A deprecated operation has no date of its deprecation.
    UndatedDeprecation = "undated-deprecation", Lint;
    /// A suppression has no finding, no reason or no rule.
    Suppression = "suppression", Lint;
}

impl Code {
    /// The code with a name.
    pub fn named(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.name() == name)
    }

    /// The first line of the explanation.
    pub fn summary(self) -> &'static str {
        self.explanation().lines().next().unwrap_or_default()
    }
}
