//! Mail addresses.

use std::fmt;
use std::str::FromStr;

use super::ids::AccountId;

const MAX: usize = 254;
const MAX_LOCAL: usize = 64;

/// A mail address that mail can be sent to: `local@domain` in ASCII, without quotes and comments. The
/// domain is in lower case, the local part as it was typed.
///
/// Its `Debug` form does not show it.
#[derive(Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(try_from = "String")]
pub struct Email(String);

db::column!(Email as String, |email| email.as_str().to_owned(), |text| {
    text.parse().ok()
});

/// The reason why a text is no mail address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EmailError {
    /// It is longer than mail allows.
    #[error("an email address has at most {MAX} characters")]
    TooLong,
    /// It has letters beyond ASCII.
    #[error(
        "only email addresses in the letters a to z can be used; write a domain such as zürich.example \
         as xn--zrich-kva.example"
    )]
    NotAscii,
    #[error("an email address looks like name@example.org")]
    Form,
}

impl Email {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// An address that stands in the place of an erased account's.
    pub fn of_erased(account: AccountId) -> Self {
        // The last part of an id is random; the first one is a time.
        let [.., a, b, c, d, e, f] = account.0.into_bytes();
        let pseudonym = [a, b, c, d, e, f]
            .map(|byte| format!("{byte:02x}"))
            .concat();
        Self(format!("account-{pseudonym}@erased.invalid"))
    }

    /// The address in lower case: mail systems take spellings that differ in it for one mailbox.
    pub fn key(&self) -> String {
        self.0.to_ascii_lowercase()
    }
}

impl FromStr for Email {
    type Err = EmailError;

    fn from_str(text: &str) -> Result<Self, EmailError> {
        let text = text.trim_matches(' ');
        if text.len() > MAX {
            return Err(EmailError::TooLong);
        }
        if !text.is_ascii() {
            return Err(EmailError::NotAscii);
        }
        let (local, domain) = text.split_once('@').ok_or(EmailError::Form)?;
        if local.len() > MAX_LOCAL || !local.split('.').all(is_atom) || !is_domain(domain) {
            return Err(EmailError::Form);
        }
        Ok(Self(format!("{local}@{}", domain.to_ascii_lowercase())))
    }
}

impl TryFrom<String> for Email {
    type Error = EmailError;

    fn try_from(text: String) -> Result<Self, EmailError> {
        text.parse()
    }
}

/// A part of the local part between dots (RFC 5322, section 3.2.3).
fn is_atom(text: &str) -> bool {
    let plain = |it: u8| it.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&it);
    !text.is_empty() && text.bytes().all(plain)
}

fn is_domain(text: &str) -> bool {
    text.contains('.') && text.split('.').all(is_label)
}

fn is_label(text: &str) -> bool {
    (1..=63).contains(&text.len())
        && text
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || it == b'-')
        && !text.starts_with('-')
        && !text.ends_with('-')
}

impl fmt::Debug for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Email(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_kept_as_typed_but_for_its_domain() {
        let email: Email = " Ada.Lovelace+keys@EXAMPLE.org ".parse().unwrap();
        assert_eq!(email.as_str(), "Ada.Lovelace+keys@example.org");
        assert_eq!(email.key(), "ada.lovelace+keys@example.org");
        assert_eq!(format!("{email:?}"), "Email(…)");
    }

    #[test]
    fn an_erased_account_has_an_address_of_its_own() {
        let account = AccountId(uuid::Uuid::from_u128(0x1234));
        let email = Email::of_erased(account);
        assert_eq!(email.as_str(), "account-000000001234@erased.invalid");
        assert_eq!(email.as_str().parse(), Ok(email));
    }

    #[test]
    fn what_mail_cannot_be_sent_to_is_refused() {
        let check = |text: &str, error| assert_eq!(text.parse::<Email>(), Err(error), "{text}");
        for text in [
            "",
            "@",
            "ada",
            "ada@",
            "@example.org",
            "a@b@example.org",
            "ada@example",
            ".a@example.org",
            "a..b@example.org",
            "a b@example.org",
            "a@exa mple.org",
            "a@-b.org",
            "a@b-.org",
            "a@b..org",
            "\"a\"@example.org",
            "a@[127.0.0.1]",
            "a@example.org\r\nBcc: b@example.org",
            "a\n@example.org",
            "a@example.org\0",
            "<a@example.org>",
            "a,b@example.org",
        ] {
            check(text, EmailError::Form);
        }
        check(&format!("{}@example.org", "a".repeat(65)), EmailError::Form);
        check(&format!("a@{}.org", "b".repeat(250)), EmailError::TooLong);
        check("ada@zürich.example", EmailError::NotAscii);
        check("adä@example.org", EmailError::NotAscii);
    }

    proptest::proptest! {
        #[test]
        fn an_accepted_address_is_one_of_the_mail_library(
            text in "[a-z.+'\"<>, \r\n]{1,8}@[a-zA-Z.-]{1,8}"
        ) {
            if let Ok(email) = text.parse::<Email>() {
                proptest::prop_assert!(email.as_str().parse::<lettre::Address>().is_ok());
            }
        }
    }
}
