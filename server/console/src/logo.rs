//! The logo of a charity, drawn from its name: a pattern of four shapes in its color. Logos of charities themselves would
//! have to be fetched from other servers, which would learn who reads a page.

use std::fmt::{self, Write as _};

use askama::filters::HtmlSafe;

use crate::hue::Hue;
use features::charities::Charity;

/// A logo as SVG. Its size is set by style sheets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Logo {
    hue: Hue,
    /// The shape of each quarter, and whether it is dark.
    quarters: [(Shape, bool); 4],
}

/// A shape that fills a square of 20 by 20.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// A quarter of a circle around one corner.
    Fan(Corner),
    Circle,
    /// Between a corner and the opposite one.
    Leaf,
    OtherLeaf,
    Diamond,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Corner {
    TopLeft,
    TopRight,
    BottomRight,
    BottomLeft,
}

impl Logo {
    pub(crate) fn of(charity: &Charity) -> Self {
        let hash = fnv1a(charity.name.as_bytes());
        let quarter = |number: u32| {
            let bits = hash >> (number * 8);
            (Shape::of(bits % 8), bits & 8 != 0)
        };
        Self {
            hue: Hue::of(charity.id),
            quarters: [0, 1, 2, 3].map(quarter),
        }
    }
}

/// A hash that stays the same in every version of the program.
fn fnv1a(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, step);
    hash ^ (hash >> 32)
}

impl Shape {
    fn of(number: u64) -> Self {
        match number {
            0 => Self::Fan(Corner::TopLeft),
            1 => Self::Fan(Corner::TopRight),
            2 => Self::Fan(Corner::BottomRight),
            3 => Self::Fan(Corner::BottomLeft),
            4 => Self::Circle,
            5 => Self::Leaf,
            6 => Self::OtherLeaf,
            _ => Self::Diamond,
        }
    }

    /// Its path, relative to the top left corner of its square.
    fn path(self) -> &'static str {
        match self {
            Self::Fan(Corner::TopLeft) => "h20a20 20 0 0 1-20 20z",
            Self::Fan(Corner::TopRight) => "h20v20a20 20 0 0 1-20-20z",
            Self::Fan(Corner::BottomRight) => "m20 0v20h-20a20 20 0 0 1 20-20z",
            Self::Fan(Corner::BottomLeft) => "v20h20a20 20 0 0 0-20-20z",
            Self::Circle => "m10 1a9 9 0 0 1 0 18a9 9 0 0 1 0-18z",
            Self::Leaf => "a20 20 0 0 1 20 20a20 20 0 0 1-20-20z",
            Self::OtherLeaf => "m20 0a20 20 0 0 1-20 20a20 20 0 0 1 20-20z",
            Self::Diamond => "m10 0l10 10l-10 10l-10-10z",
        }
    }
}

/// It is made of our own words and digits.
impl HtmlSafe for Logo {}

impl fmt::Display for Logo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut paths = [String::new(), String::new()];
        let corners = [(0, 0), (20, 0), (0, 20), (20, 20)];
        for ((shape, is_dark), (x, y)) in self.quarters.into_iter().zip(corners) {
            let [light, dark] = &mut paths;
            let path = if is_dark { dark } else { light };
            write!(path, "M{x} {y}{}", shape.path())?;
        }
        let [light, dark] = paths;
        write!(
            f,
            "<svg class=\"logo {}\" aria-hidden=\"true\" viewBox=\"0 0 40 40\"><path d=\"{light}\"/>\
             <path class=\"dark\" d=\"{dark}\"/></svg>",
            self.hue
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_records::charity;

    #[test]
    fn a_logo_depends_on_the_name() {
        let named = |name: &str| {
            let name = name.to_owned();
            Logo::of(&Charity { name, ..charity(1) }).to_string()
        };
        assert_eq!(named("Otter Haven"), named("Otter Haven"));
        assert_ne!(named("Otter Haven"), named("Quiet Paws"));
        let drawn = named("<script>");
        assert!(
            drawn.starts_with("<svg") && !drawn.contains("script"),
            "{drawn}"
        );
    }
}
