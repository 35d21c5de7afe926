//! Addresses on chains: validation for each kind of chain, the canonical text and the sort key.

mod bitcoin;

use std::fmt;

use alloy_primitives::Address as EvmAddress;

use super::{ChainId, ChainKind};
use crate::domain::position::{Placed, Position};

/// A valid address of some kind of chain, in its canonical spelling.
///
/// | kind | accepted | canonical text | sort key |
/// |---|---|---|---|
/// | EVM | `0x` and 40 hex digits; mixed case must be the EIP-55 checksum | EIP-55 | the 20 bytes, then zeros |
/// | SVM | base58 of exactly 32 bytes, on the curve or not | base58 | the 32 bytes |
/// | UTXO | Bitcoin main network: P2PKH, P2SH (base58check), SegWit (bech32, bech32m) | base58check, or lower-case bech32 | SHA-256 of the script it pays to |
///
/// Within one kind of chain two addresses are the same exactly when their sort keys are. (A UTXO
/// script may be longer than 32 bytes, hence its hash; Electrum servers index scripts by it too.)
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Address {
    text: Box<str>,
    sort_key: [u8; 32],
}

impl Address {
    /// Reads an address of a chain of this kind.
    pub fn parse(kind: ChainKind, text: &str) -> Result<Address, InvalidAddress> {
        match kind {
            ChainKind::Evm => parse_evm(text),
            ChainKind::Svm => parse_svm(text),
            ChainKind::Utxo => bitcoin::parse(text),
        }
    }

    /// The canonical spelling.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The key that orders and identifies addresses of one chain.
    pub fn sort_key(&self) -> [u8; 32] {
        self.sort_key
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn parse_evm(text: &str) -> Result<Address, InvalidAddress> {
    let digits = text.strip_prefix("0x").ok_or(InvalidAddress::Evm)?;
    // The length is checked here because `EvmAddress` accepts digits without the prefix too.
    if digits.len() != 40 {
        return Err(InvalidAddress::Evm);
    }
    let address: EvmAddress = digits.parse().map_err(|_| InvalidAddress::Evm)?;
    let checksummed = address.to_checksum(None);
    let has_lower = digits.bytes().any(|digit| digit.is_ascii_lowercase());
    let has_upper = digits.bytes().any(|digit| digit.is_ascii_uppercase());
    if has_lower && has_upper && text != checksummed {
        return Err(InvalidAddress::EvmChecksum);
    }
    let mut sort_key = [0; 32];
    for (place, byte) in sort_key.iter_mut().zip(address.as_slice()) {
        *place = *byte;
    }
    Ok(Address {
        text: checksummed.into(),
        sort_key,
    })
}

fn parse_svm(text: &str) -> Result<Address, InvalidAddress> {
    // Decoding into a fixed buffer bounds the work on long input.
    let mut sort_key = [0; 32];
    match bs58::decode(text).onto(&mut sort_key) {
        Ok(32) => Ok(Address {
            text: text.into(),
            sort_key,
        }),
        _ => Err(InvalidAddress::Svm),
    }
}

/// The reason why a text is no address of a kind of chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidAddress {
    #[error("must be an EVM address: 0x and 40 hexadecimal digits")]
    Evm,
    /// Mixed case, but not the case that EIP-55 prescribes.
    #[error("has an invalid EIP-55 checksum")]
    EvmChecksum,
    /// Not base58 of 32 bytes.
    #[error("must be a Solana address: 32 bytes in base58")]
    Svm,
    /// Not a main-network Bitcoin address.
    #[error("must be a Bitcoin mainnet address: base58check, bech32 or bech32m")]
    Utxo,
}

/// An address with its chain, which identifies a token or a contract.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ChainAddress {
    pub chain: ChainId,
    pub address: Address,
}

impl fmt::Display for ChainAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on chain {}", self.address, self.chain)
    }
}

impl ChainAddress {
    /// The key that orders and identifies addresses of all chains: the chain id as eight
    /// big-endian bytes, then the address's sort key.
    pub fn key(&self) -> [u8; 40] {
        let mut key = [0; 40];
        let bytes = self.chain.key().into_iter().chain(self.address.sort_key);
        for (place, byte) in key.iter_mut().zip(bytes) {
            *place = byte;
        }
        key
    }
}

/// The id of the chain in the key of one of its addresses.
pub(crate) fn chain_key(key: [u8; 40]) -> [u8; 8] {
    let [a, b, c, d, e, f, g, h, ..] = key;
    [a, b, c, d, e, f, g, h]
}

/// By chain id, then by address.
impl Placed for ChainAddress {
    fn position(&self) -> Position {
        Position {
            ordinal: self.chain.get(),
            key: self.address.sort_key.to_vec(),
        }
    }
}

impl ChainAddress {
    /// The key of a position in a list of addresses, before all keys if there is none.
    pub(crate) fn key_of(position: Option<Position>) -> Vec<u8> {
        let key =
            |Position { ordinal, key }: Position| [ordinal.to_be_bytes().as_slice(), &key].concat();
        position.map(key).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const USDC: &str = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";

    #[test]
    fn evm_accepts_checksummed_lower_and_upper() {
        for text in [USDC.to_owned(), USDC.to_lowercase(), upper(USDC)] {
            let address = Address::parse(ChainKind::Evm, &text).unwrap();
            assert_eq!(address.as_str(), USDC);
            assert_eq!(address.sort_key()[..4], [0xa0, 0xb8, 0x69, 0x91]);
            assert_eq!(address.sort_key()[20..], [0; 12]);
        }
    }

    #[test]
    fn evm_refuses_a_wrong_checksum_and_other_forms() {
        let wrong = USDC.replace("A0b", "a0B");
        assert_eq!(
            Address::parse(ChainKind::Evm, &wrong),
            Err(InvalidAddress::EvmChecksum)
        );
        for text in [
            "",
            "0x",
            &USDC[2..],
            &USDC[..41],
            "0Xa0b86991",
            &format!("{USDC}0"),
            "0xé",
        ] {
            assert_eq!(
                Address::parse(ChainKind::Evm, text),
                Err(InvalidAddress::Evm),
                "{text}"
            );
        }
        let not_hex = USDC.replace("48", "4g");
        assert_eq!(
            Address::parse(ChainKind::Evm, &not_hex),
            Err(InvalidAddress::Evm)
        );
    }

    #[test]
    fn svm_is_base58_of_32_bytes() {
        let mint = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
        assert_eq!(Address::parse(ChainKind::Svm, mint).unwrap().as_str(), mint);
        let system_program = "1".repeat(32);
        assert_eq!(
            Address::parse(ChainKind::Svm, &system_program)
                .unwrap()
                .sort_key(),
            [0; 32]
        );
        for text in [
            "",
            "0",
            &"1".repeat(31),
            &"1".repeat(33),
            &"z".repeat(44),
            &"z".repeat(9000),
        ] {
            assert_eq!(
                Address::parse(ChainKind::Svm, text),
                Err(InvalidAddress::Svm),
                "{text}"
            );
        }
    }

    fn upper(text: &str) -> String {
        format!("0x{}", text[2..].to_uppercase())
    }

    proptest! {
        #[test]
        fn no_text_panics(text in ".*") {
            for kind in [ChainKind::Evm, ChainKind::Svm, ChainKind::Utxo] {
                let _ = Address::parse(kind, &text);
            }
        }

        #[test]
        fn canonical_text_parses_to_itself(bytes: [u8; 32]) {
            let evm = EvmAddress::from_slice(&bytes[..20]).to_checksum(None);
            let svm = bs58::encode(bytes).into_string();
            for (kind, text) in [(ChainKind::Evm, evm), (ChainKind::Svm, svm)] {
                let address = Address::parse(kind, &text).unwrap();
                prop_assert_eq!(address.as_str(), &text);
            }
        }

        #[test]
        fn keys_order_by_chain_first(a in 0..=ChainId::MAX, b in 0..=ChainId::MAX) {
            let key = |chain| ChainAddress {
                chain: ChainId::new(chain).unwrap(),
                address: Address::parse(ChainKind::Evm, USDC).unwrap(),
            }.key();
            prop_assert_eq!(a.cmp(&b), key(a).cmp(&key(b)));
        }
    }
}
