//! The fields that charities work in.

use std::str::FromStr;

/// The field that a charity works in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Category {
    /// The welfare of animals.
    Animals,
    /// Arts and culture.
    Arts,
    /// Children and young people.
    Children,
    /// Local communities.
    Community,
    /// Help after disasters.
    DisasterRelief,
    /// Education.
    Education,
    /// The environment.
    Environment,
    /// Food aid.
    Food,
    /// Health.
    Health,
    /// Housing for homeless people.
    Housing,
    /// Human rights.
    HumanRights,
    /// Science and research.
    Science,
}

db::text_column!(Category);

impl Category {
    /// Every category.
    pub const ALL: [Category; 12] = [
        Category::Animals,
        Category::Arts,
        Category::Children,
        Category::Community,
        Category::DisasterRelief,
        Category::Education,
        Category::Environment,
        Category::Food,
        Category::Health,
        Category::Housing,
        Category::HumanRights,
        Category::Science,
    ];

    /// The category's name in the contract and in import lines.
    pub const fn as_str(self) -> &'static str {
        match self {
            Category::Animals => "animals",
            Category::Arts => "arts-and-culture",
            Category::Children => "children",
            Category::Community => "community",
            Category::DisasterRelief => "disaster-relief",
            Category::Education => "education",
            Category::Environment => "environment",
            Category::Food => "food",
            Category::Health => "health",
            Category::Housing => "housing",
            Category::HumanRights => "human-rights",
            Category::Science => "science",
        }
    }
}

impl FromStr for Category {
    type Err = UnknownCategory;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|category| category.as_str() == name)
            .ok_or(UnknownCategory)
    }
}

/// The name is no category's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("is not a category")]
pub struct UnknownCategory;
