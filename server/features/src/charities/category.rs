//! The fields that charities work in.

db::named! {
    /// The field that a charity works in.
    pub enum Category {
        Animals = "animals",
        Arts = "arts-and-culture",
        Children = "children",
        Community = "community",
        DisasterRelief = "disaster-relief",
        Education = "education",
        Environment = "environment",
        Food = "food",
        Health = "health",
        Housing = "housing",
        HumanRights = "human-rights",
        Science = "science",
    }
}
