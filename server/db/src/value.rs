//! Values of columns, and their conversions from and to Rust types.

use jiff::Timestamp;
use uuid::Uuid;

/// A value that is stored in a column or passed to a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    Null,
    Boolean(bool),
    Integer(i64),
    Text(String),
    Bytes(Vec<u8>),
    /// 16 bytes in SQLite.
    Uuid(Uuid),
}

/// A type that can be passed to a statement.
pub trait ToValue {
    fn to_value(&self) -> Value;
}

/// A type that can be read from a column.
pub trait FromValue: Sized {
    /// Converts a value; `None` if no program of this version writes it.
    fn from_value(value: Value) -> Option<Self>;
}

/// The parameters of a statement: `params![key.id, now, label]` for `$1`, `$2` and `$3`.
#[macro_export]
macro_rules! params {
    ($($value:expr),* $(,)?) => {
        &[$($crate::ToValue::to_value(&$value)),*] as &[$crate::Value]
    };
}

/// Stores a type as another one: `column!(Day as i64, |day| day.number(), Day::new)`, where the last
/// function returns `None` for a value that is not valid.
#[macro_export]
macro_rules! column {
    ($type:ty as $inner:ty, $write:expr, $read:expr) => {
        impl $crate::ToValue for $type {
            fn to_value(&self) -> $crate::Value {
                let write: fn(&$type) -> $inner = $write;
                $crate::ToValue::to_value(&write(self))
            }
        }

        impl $crate::FromValue for $type {
            fn from_value(value: $crate::Value) -> Option<Self> {
                let read: fn($inner) -> Option<$type> = $read;
                read($crate::FromValue::from_value(value)?)
            }
        }
    };
}

/// Stores newtypes of [`Uuid`] as what they wrap.
#[macro_export]
macro_rules! uuid_column {
    ($($type:ident),+ $(,)?) => {
        $($crate::column!($type as ::uuid::Uuid, |id| id.0, |id| Some($type(id)));)+
    };
}

/// Defines an enum whose values have names, which the database stores:
///
/// ```
/// db::named! {
///     pub enum Role { Owner = "owner", Member = "member" }
/// }
/// assert_eq!(Role::Owner.as_str(), "owner");
/// assert_eq!("member".parse(), Ok(Role::Member));
/// assert_eq!(Role::ALL.len(), 2);
/// ```
#[macro_export]
macro_rules! named {
    ($(#[$attribute:meta])* $visibility:vis enum $type:ident {
        $($(#[$doc:meta])* $variant:ident = $name:literal),+ $(,)?
    }) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility enum $type {
            $($(#[$doc])* $variant),+
        }

        impl $type {
            /// Every value, in the order of declaration.
            $visibility const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            $visibility const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }

        impl ::std::str::FromStr for $type {
            type Err = $crate::UnknownName;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                match name {
                    $($name => Ok(Self::$variant),)+
                    _ => Err($crate::UnknownName),
                }
            }
        }

        $crate::column!($type as String, |it| it.as_str().to_owned(), |name| name.parse().ok());
    };
}

/// The error of parsing a type that [`named!`] defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("is not a known name")]
pub struct UnknownName;

impl ToValue for Value {
    fn to_value(&self) -> Value {
        self.clone()
    }
}

impl<T: ToValue + ?Sized> ToValue for &T {
    fn to_value(&self) -> Value {
        (**self).to_value()
    }
}

impl<T: ToValue> ToValue for Option<T> {
    fn to_value(&self) -> Value {
        self.as_ref().map_or(Value::Null, ToValue::to_value)
    }
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Null => Some(None),
            value => T::from_value(value).map(Some),
        }
    }
}

impl ToValue for bool {
    fn to_value(&self) -> Value {
        Value::Boolean(*self)
    }
}

impl FromValue for bool {
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Boolean(value) => Some(value),
            Value::Integer(value @ (0 | 1)) => Some(value == 1),
            _ => None,
        }
    }
}

/// Integers are stored as 64 bits; larger ones as the largest.
macro_rules! integers {
    ($($type:ty),+) => {
        $(
            impl ToValue for $type {
                fn to_value(&self) -> Value {
                    Value::Integer(i64::try_from(*self).unwrap_or(i64::MAX))
                }
            }

            impl FromValue for $type {
                fn from_value(value: Value) -> Option<Self> {
                    match value {
                        Value::Integer(value) => value.try_into().ok(),
                        _ => None,
                    }
                }
            }
        )+
    };
}

integers!(i64, i32, u8, u16, u32, u64, usize);

/// PostgreSQL has no strings with NUL. On both engines it becomes U+FFFD, which finds nothing.
impl ToValue for str {
    fn to_value(&self) -> Value {
        Value::Text(self.replace('\0', "\u{fffd}"))
    }
}

impl ToValue for String {
    fn to_value(&self) -> Value {
        self.as_str().to_value()
    }
}

impl FromValue for String {
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl ToValue for [u8] {
    fn to_value(&self) -> Value {
        Value::Bytes(self.to_owned())
    }
}

impl ToValue for Vec<u8> {
    fn to_value(&self) -> Value {
        Value::Bytes(self.clone())
    }
}

impl FromValue for Vec<u8> {
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }
}

impl<const N: usize> ToValue for [u8; N] {
    fn to_value(&self) -> Value {
        Value::Bytes(self.to_vec())
    }
}

impl<const N: usize> FromValue for [u8; N] {
    fn from_value(value: Value) -> Option<Self> {
        Vec::from_value(value)?.try_into().ok()
    }
}

impl ToValue for Uuid {
    fn to_value(&self) -> Value {
        Value::Uuid(*self)
    }
}

impl FromValue for Uuid {
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Uuid(id) => Some(id),
            Value::Bytes(bytes) => Uuid::from_slice(&bytes).ok(),
            _ => None,
        }
    }
}

// An instant is stored as milliseconds since 1970-01-01T00:00Z.
column!(Timestamp as i64, |at| at.as_millisecond(), |milliseconds| {
    Timestamp::from_millisecond(milliseconds).ok()
});
