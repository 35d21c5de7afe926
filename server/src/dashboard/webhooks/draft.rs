//! The form of a webhook as it was typed, and its errors.

use uuid::Uuid;

use crate::webhooks::{EventType, EventTypes, TargetError, Webhook};

/// The fields of a form, in the order of the page.
pub(in crate::dashboard) type Fields = Vec<(String, String)>;

/// A webhook as it was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Draft {
    /// The id of the webhook that the form creates, so that a form that is sent twice creates one.
    pub(super) nonce: Uuid,
    pub(super) url: String,
    pub(super) description: String,
    pub(super) events: Vec<EventType>,
}

/// A webhook as it may be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Checked {
    pub(super) url: String,
    pub(super) description: Option<String>,
    pub(super) events: EventTypes,
}

/// The errors of a draft.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Errors {
    /// Of the whole.
    pub(super) whole: Option<String>,
    pub(super) url: Option<String>,
    pub(super) description: Option<String>,
    pub(super) events: Option<String>,
}

impl Draft {
    /// The form of a new webhook, with the events that most webhooks are for.
    pub(super) fn new() -> Self {
        Self {
            nonce: Uuid::now_v7(),
            url: String::new(),
            description: String::new(),
            events: vec![EventType::DonationRecorded, EventType::DonationReverted],
        }
    }

    /// The form of a webhook that is changed.
    pub(super) fn of(webhook: &Webhook) -> Self {
        Self {
            nonce: webhook.id.0,
            url: webhook.url.clone(),
            description: webhook.description.clone().unwrap_or_default(),
            events: webhook.events.iter().collect(),
        }
    }

    /// Reads a form that was sent; `None` if it is none of these.
    pub(super) fn read(fields: Fields) -> Option<Self> {
        let mut draft = Self {
            nonce: Uuid::now_v7(),
            url: String::new(),
            description: String::new(),
            events: Vec::new(),
        };
        for (name, value) in fields {
            match &*name {
                "nonce" => draft.nonce = Uuid::try_parse(&value).ok()?,
                "url" => value.trim().clone_into(&mut draft.url),
                "description" => value.trim().clone_into(&mut draft.description),
                "event" => {
                    let chosen = value.parse().ok()?;
                    EventType::CHOICE.contains(&chosen).then_some(())?;
                    draft.events.push(chosen);
                }
                _ => return None,
            }
        }
        Some(draft)
    }

    /// The webhook, if nothing is wrong with it but perhaps its URL, which the use case knows.
    pub(super) fn check(&self) -> Result<Checked, Errors> {
        let errors = Errors {
            whole: None,
            url: is_longer(&self.url, Webhook::MAX_URL),
            description: is_longer(&self.description, Webhook::MAX_DESCRIPTION),
            events: (self.events.is_empty()).then(|| "Choose at least one event.".to_owned()),
        };
        if errors != Errors::default() {
            return Err(errors);
        }
        let description = Some(self.description.clone());
        Ok(Checked {
            url: self.url.clone(),
            description: description.filter(|text| !text.is_empty()),
            events: self.events.iter().copied().collect(),
        })
    }
}

impl Errors {
    /// The error of the URL.
    pub(super) fn of_url(error: TargetError) -> Self {
        Self {
            url: Some(format!("The URL {error}.")),
            ..Self::default()
        }
    }

    /// The error of the whole.
    pub(super) fn of_all(error: String) -> Self {
        Self {
            whole: Some(error),
            ..Self::default()
        }
    }
}

fn is_longer(text: &str, most: usize) -> Option<String> {
    let is_longer = text.chars().count() > most;
    is_longer.then(|| format!("Write at most {most} characters."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fields: &[(&str, &str)]) -> Option<Draft> {
        let fields = fields.iter().copied();
        let fields = fields.map(|(name, value)| (name.to_owned(), value.to_owned()));
        Draft::read(fields.collect())
    }

    #[test]
    fn a_form_becomes_a_webhook() {
        let url = ("url", " https://partner.example/hooks ");
        let events = [("event", "key.expiring"), ("event", "config.created")];
        let draft = read(&[url, ("description", " "), events[0], events[1]]).unwrap();
        let expected = Checked {
            url: "https://partner.example/hooks".to_owned(),
            description: None,
            events: EventTypes::from_iter([EventType::ConfigCreated, EventType::KeyExpiring]),
        };
        assert_eq!(draft.check(), Ok(expected));
    }

    #[test]
    fn each_field_says_what_is_wrong() {
        let long = "x".repeat(3000);
        let errors = read(&[("url", &long), ("description", &long)]).unwrap();
        let errors = errors.check().unwrap_err();
        assert_eq!(errors.url.unwrap(), "Write at most 2048 characters.");
        assert_eq!(errors.description.unwrap(), "Write at most 200 characters.");
        assert_eq!(errors.events.unwrap(), "Choose at least one event.");
    }

    #[test]
    fn a_form_of_others_is_none() {
        for field in [
            ("event", "webhook.test"),
            ("event", "x"),
            ("nonce", "1"),
            ("x", ""),
        ] {
            assert_eq!(read(&[field]), None, "{field:?}");
        }
    }
}
