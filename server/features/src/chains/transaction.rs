//! Transaction ids, as each kind of chain writes them.

use std::fmt;

use super::ChainKind;

/// A valid transaction id of some kind of chain, in its canonical spelling.
///
/// EVM: `0x` and 64 hex digits (written in lower case); SVM: base58 of a 64-byte signature; UTXO:
/// 64 hex digits (written in lower case).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TransactionId(Box<str>);

impl TransactionId {
    /// Reads a transaction id of a chain of this kind.
    pub fn parse(kind: ChainKind, text: &str) -> Result<TransactionId, InvalidTransactionId> {
        let valid = match kind {
            ChainKind::Evm => text.strip_prefix("0x").is_some_and(is_hash),
            ChainKind::Svm => bs58::decode(text).onto(&mut [0; 64]) == Ok(64),
            ChainKind::Utxo => is_hash(text),
        };
        match (valid, kind) {
            (false, _) => Err(InvalidTransactionId(kind)),
            (true, ChainKind::Svm) => Ok(TransactionId(text.into())),
            (true, ChainKind::Evm | ChainKind::Utxo) => {
                Ok(TransactionId(text.to_ascii_lowercase().into()))
            }
        }
    }

    /// The canonical spelling.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TransactionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn is_hash(digits: &str) -> bool {
    digits.len() == 64 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
}

/// The text is no transaction id of this kind of chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("is not a transaction id of an {} chain", .0.as_str())]
pub struct InvalidTransactionId(ChainKind);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_its_form() {
        let hash = "AB".repeat(32);
        let signature = bs58::encode([7; 64]).into_string();
        for (kind, text, canonical) in [
            (
                ChainKind::Evm,
                format!("0x{hash}"),
                format!("0x{}", hash.to_lowercase()),
            ),
            (ChainKind::Utxo, hash.clone(), hash.to_lowercase()),
            (ChainKind::Svm, signature.clone(), signature.clone()),
        ] {
            assert_eq!(
                TransactionId::parse(kind, &text).unwrap().as_str(),
                canonical
            );
        }
        for (kind, text) in [
            (ChainKind::Evm, hash.as_str()),
            (ChainKind::Utxo, &hash[1..]),
            (ChainKind::Svm, &signature[4..]),
            (ChainKind::Evm, ""),
        ] {
            assert_eq!(
                TransactionId::parse(kind, text),
                Err(InvalidTransactionId(kind))
            );
        }
    }
}
