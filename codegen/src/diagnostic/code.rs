//! The kinds of problem, each with a stable name and an explanation.
//!
//! Names are given once and never to another kind. The explanations are Markdown files beside this
//! one; the documents in them that are marked wrong and right are tested to be so.

/// What it means for a document to have a problem of some kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// It breaks the OpenAPI or JSON Schema standard.
    Invalid,
    /// It is right, but this generator cannot express it.
    Unsupported,
    /// It is no document: a table of formats is wrong.
    Table,
    /// It is right and expressed, but its readers or callers will be sorry: what `lint` finds.
    Lint,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $class:ident;)*) => {
        /// The kinds of problem.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[$doc])* $variant,)*
        }

        impl Code {
            /// Every kind.
            pub const ALL: &[Code] = &[$(Code::$variant,)*];

            /// The name that is printed between brackets.
            pub fn name(self) -> &'static str {
                match self {
                    $(Code::$variant => $name,)*
                }
            }

            /// What it means to have such a problem.
            pub fn class(self) -> Class {
                match self {
                    $(Code::$variant => Class::$class,)*
                }
            }

            /// What it is, why it matters and how to mend it, in Markdown.
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
    /// A value is not of the shape that the standard gives it.
    Invalid = "invalid", Invalid;
    /// A reference points to nothing.
    DanglingReference = "dangling-reference", Invalid;
    /// A reference names something of another kind.
    MisplacedReference = "misplaced-reference", Invalid;
    /// A reference leads back to itself.
    CircularReference = "circular-reference", Invalid;
    /// Two operations have the same id.
    DuplicateOperationId = "duplicate-operation-id", Invalid;
    /// Two operations have the same method and match the same paths.
    DuplicatePath = "duplicate-path", Invalid;
    /// A path is no template.
    PathTemplate = "path-template", Invalid;
    /// The template of a path and its declared parameters do not agree.
    PathParameter = "path-parameter", Invalid;
    /// A parameter lacks a name, or has a place or a style that there is not.
    Parameter = "parameter", Invalid;
    /// A key of `responses` is no status.
    Status = "status", Invalid;
    /// A requirement names a security scheme that is not declared.
    SecurityScheme = "security-scheme", Invalid;
    /// The operand of a schema keyword is of the wrong kind.
    Operand = "operand", Invalid;
    /// The name of a member is no keyword and no field, or an extension of ours is out of place.
    UnknownKeyword = "unknown-keyword", Invalid;
    /// A document of OpenAPI 3.1 uses what only 3.0 had.
    OldIdiom = "old-idiom", Invalid;
    /// A regular expression is none.
    InvalidPattern = "invalid-pattern", Invalid;
    /// An extension of this generator is used wrongly.
    FrameworkMade = "framework-made", Invalid;
    /// A row of a table of formats is none.
    FormatTable = "format-table", Table;
    /// The document is right, but this generator cannot express it.
    Unsupported = "unsupported", Unsupported;
    /// A link cannot be followed by the client.
    UnfollowedLink = "unfollowed-link", Unsupported;
    /// The document is of another version of OpenAPI.
    Version = "version", Unsupported;
    /// A reference leads out of the document.
    ExternalReference = "external-reference", Unsupported;
    /// A regular expression cannot be matched in linear time.
    Pattern = "unsupported-pattern", Unsupported;
    /// An operation has no id, or one that is awkward as a name.
    OperationId = "operation-id", Lint;
    /// A request can match two paths, and neither is the more exact one.
    AmbiguousPath = "ambiguous-path", Lint;
    /// A value and the list of it alone, or what two parameters say, are one text.
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
    /// A format is one of another type.
    FormatOfOtherType = "format-of-other-type", Lint;
    /// A keyword says nothing about the values that the schema takes.
    IdleKeyword = "idle-keyword", Lint;
    /// A list is ordered by, or unique in, what its items do not have.
    ListOrder = "list-order", Lint;
    /// A lower bound is above the upper one.
    ContradictoryBounds = "contradictory-bounds", Lint;
    /// No type is left that all parts of a schema take.
    ContradictoryTypes = "contradictory-types", Lint;
    /// A value fits two variants of which exactly one may fit.
    OverlappingVariants = "overlapping-variants", Lint;
    /// A discriminator does not lead to each variant, or leads elsewhere.
    Discriminator = "discriminator", Lint;
    /// No finite value is valid.
    EndlessSchema = "endless-schema", Lint;
    /// What stands beside a reference means nothing.
    ReferenceSibling = "reference-sibling", Lint;
    /// Names of the document become the same name in Rust.
    NameCollision = "name-collision", Lint;
    /// A link leads to no operation or to no parameter.
    DeadLink = "dead-link", Lint;
    /// An operation does not say how it succeeds, or how it fails.
    MissingAnswer = "missing-answer", Lint;
    /// A 201 does not say where the new thing is.
    MissingLocation = "missing-location", Lint;
    /// A string or array of a request has no upper bound.
    UnboundedRequest = "unbounded-request", Lint;
    /// A component is used nowhere.
    UnusedComponent = "unused-component", Lint;
    /// Something that readers look for is not described.
    MissingDescription = "missing-description", Lint;
    /// A tag is not declared.
    UndeclaredTag = "undeclared-tag", Lint;
    /// The document does not say whom to ask.
    MissingContact = "missing-contact", Lint;
    /// A path is not written in lower case with hyphens.
    PathCase = "path-case", Lint;
    /// A deprecated operation does not say since when it is.
    UndatedDeprecation = "undated-deprecation", Lint;
    /// A waiver excuses nothing, gives no reason or names no rule.
    Waiver = "waiver", Lint;
}

impl Code {
    /// The kind of that name.
    pub fn named(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.name() == name)
    }

    /// The first line of the explanation.
    pub fn summary(self) -> &'static str {
        self.explanation().lines().next().unwrap_or_default()
    }
}
