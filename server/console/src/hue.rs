//! The color of a charity, which is the same on every page.

use std::fmt;

use features::charities::CharityId;

/// The number of colors in `site.css`, `.hue-0` and on.
const COLORS: u8 = 12;

/// A color of a charity; as text, its CSS class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hue(u8);

impl fmt::Display for Hue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "hue-{}", self.0)
    }
}

impl Hue {
    pub(crate) fn of(CharityId(id): CharityId) -> Self {
        Self(
            id.as_bytes()
                .iter()
                .fold(0, |sum, byte| (sum + byte % COLORS) % COLORS),
        )
    }

    /// Colors of charities side by side. If two have the same color, the later one gets the next free color.
    pub(crate) fn distinct(charities: impl IntoIterator<Item = CharityId>) -> Vec<Self> {
        let mut hues: Vec<Self> = Vec::new();
        for charity in charities {
            let Self(own) = Self::of(charity);
            let mut choices = (0..COLORS).map(|step| Self((own + step) % COLORS));
            let free = choices.find(|hue| !hues.contains(hue));
            hues.push(free.unwrap_or(Self(own)));
        }
        hues
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use uuid::Uuid;

    use super::*;

    #[test]
    fn charities_side_by_side_differ() {
        let same = [12_u128, 24, 36].map(|id| CharityId(Uuid::from_u128(id)));
        assert_eq!(same.map(|id| Hue::of(id).to_string()), ["hue-0"; 3]);
        let hues = Hue::distinct(same);
        assert_eq!(hues, [Hue(0), Hue(1), Hue(2)]);
        let many = (0..12).map(|id| CharityId(Uuid::from_u128(id * 7)));
        let names: HashSet<_> = Hue::distinct(many).iter().map(Hue::to_string).collect();
        assert_eq!(names.len(), 12);
    }
}
