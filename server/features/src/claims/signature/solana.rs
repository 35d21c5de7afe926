//! Signatures on Solana: Ed25519, by the key whose public half is the program's address.

use ed25519_dalek::{Signature, VerifyingKey};

use super::SignatureError;

/// The header that `solana sign-offchain-message` puts before a message: the signing domain, version 0, and
/// the format of text in UTF-8; the length follows in two bytes.
const HEADER: &[u8] = b"\xffsolana offchain\x00\x01";

/// Checks that a key signed a message: the text itself, as wallets do, or after the header of the command
/// line.
///
/// `verify_strict` refuses keys and signatures of small order, which fit any message.
pub(super) fn check_key(text: &str, message: &str, key: &[u8; 32]) -> Result<(), SignatureError> {
    let mut bytes = [0; 64];
    let decoded = bs58::decode(text).onto(&mut bytes);
    if decoded != Ok(64) {
        return Err(SignatureError::SolanaForm);
    }
    let signature = Signature::from_bytes(&bytes);
    let key = VerifyingKey::from_bytes(key);
    let key = key.map_err(|_| SignatureError::NotProgram)?;
    let signed = [message.as_bytes().to_vec(), with_header(message)];
    let is_signed = |bytes: &Vec<u8>| key.verify_strict(bytes, &signature).is_ok();
    let proven = signed.iter().any(is_signed);
    proven.then_some(()).ok_or(SignatureError::NotProgram)
}

/// A message after the header of the command line.
fn with_header(message: &str) -> Vec<u8> {
    let length = u16::try_from(message.len()).unwrap_or(u16::MAX);
    [HEADER, &length.to_le_bytes(), message.as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use ed25519_dalek::{Signer as _, SigningKey};

    use super::*;

    fn program(key: &SigningKey) -> [u8; 32] {
        key.verifying_key().to_bytes()
    }

    fn sign(key: &SigningKey, message: &[u8]) -> String {
        bs58::encode(key.sign(message).to_bytes()).into_string()
    }

    #[test]
    fn the_programs_key_signs_the_text_with_or_without_the_header() {
        let key = SigningKey::from_bytes(&[7; 32]);
        for signed in [b"a\nb".to_vec(), with_header("a\nb")] {
            let signature = sign(&key, &signed);
            assert_eq!(check_key(&signature, "a\nb", &program(&key)), Ok(()));
            let other = check_key(&signature, "a\nc", &program(&key));
            assert_eq!(other, Err(SignatureError::NotProgram));
            let another = SigningKey::from_bytes(&[8; 32]);
            let other = check_key(&signature, "a\nb", &program(&another));
            assert_eq!(other, Err(SignatureError::NotProgram));
        }
    }

    #[test]
    fn the_vector_of_rfc_8032_holds() {
        let vector = "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b";
        let signature = alloy_primitives::hex::decode(vector).unwrap();
        let signature = bs58::encode(signature).into_string();
        let key = alloy_primitives::hex::decode(
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        );
        let program = key.unwrap().try_into().unwrap();
        assert_eq!(check_key(&signature, "", &program), Ok(()));
    }

    #[test]
    fn keys_of_small_order_prove_nothing() {
        // The neutral element is a key for which R = 0, s = 0 is a signature of every message.
        let mut point = [0; 32];
        point[0] = 1;
        let signature = [point, [0; 32]].concat();
        let signature = bs58::encode(signature).into_string();
        let checked = check_key(&signature, "anything", &point);
        assert_eq!(checked, Err(SignatureError::NotProgram));
    }

    #[test]
    fn other_forms_are_refused() {
        let program = program(&SigningKey::from_bytes(&[7; 32]));
        for text in [
            "",
            "0",
            "1",
            &"1".repeat(63),
            &"1".repeat(65),
            &"z".repeat(9000),
        ] {
            let checked = check_key(text, "a", &program);
            assert_eq!(checked, Err(SignatureError::SolanaForm), "{text}");
        }
    }
}
