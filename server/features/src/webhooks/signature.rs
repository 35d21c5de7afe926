//! The signatures of requests, as Standard Webhooks has them (<https://www.standardwebhooks.com>).

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use jiff::Timestamp;
use ring::hmac::{HMAC_SHA256, Key, sign};

use super::secret::Secret;
use crate::events::EventId;

/// Signs the requests of one webhook, with each of its secrets.
#[derive(Debug, Clone)]
pub(super) struct Signer(Vec<Key>);

impl Signer {
    /// The signer with these secrets, the present one first.
    pub(super) fn new(secrets: &[Secret]) -> Self {
        let key = |secret: &Secret| Key::new(HMAC_SHA256, secret.bytes());
        Self(secrets.iter().map(key).collect())
    }

    /// The value of `webhook-signature`: of the event's id, the time of the attempt in seconds, and the body,
    /// with a dot between them.
    pub(super) fn sign(&self, event: EventId, at: Timestamp, body: &[u8]) -> String {
        let mut signed = format!("{}.{}.", event.0, at.as_second()).into_bytes();
        signed.extend(body);
        let signature = |key| format!("v1,{}", BASE64.encode(sign(key, &signed)));
        let signatures: Vec<_> = self.0.iter().map(signature).collect();
        signatures.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use ring::hmac::verify;

    use super::*;

    #[test]
    fn each_secret_signs_the_id_the_time_and_the_body() {
        let secrets = [Secret::generate().unwrap(), Secret::generate().unwrap()];
        let event = EventId("01a1968d-3900-7b1d-8e52-6f0a94c7d318".parse().unwrap());
        let at = "2026-11-20T12:00:00.9Z".parse().unwrap();
        let signed = Signer::new(&secrets).sign(event, at, b"{}");
        let text = b"01a1968d-3900-7b1d-8e52-6f0a94c7d318.1795176000.{}";
        let parts: Vec<_> = signed.split(' ').collect();
        assert_eq!(parts.len(), 2);
        for (secret, part) in secrets.iter().zip(parts) {
            let tag = BASE64.decode(part.strip_prefix("v1,").unwrap()).unwrap();
            let key = Key::new(HMAC_SHA256, secret.bytes());
            verify(&key, text, &tag).unwrap();
        }
    }
}
