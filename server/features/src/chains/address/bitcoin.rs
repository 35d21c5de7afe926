//! Bitcoin addresses of the main network, and their scripts.

use bech32::{hrp, segwit};
use sha2::{Digest, Sha256};

use crate::chains::{Address, InvalidAddress};

/// The longest bech32 address (BIP-173).
const MAX_LENGTH: usize = 90;

/// Version byte, 20 bytes of hash, four bytes of checksum.
const BASE58_LEN: usize = 25;

pub(super) fn parse(text: &str) -> Result<Address, InvalidAddress> {
    if text.len() > MAX_LENGTH {
        return Err(InvalidAddress::Utxo);
    }
    let (text, script) = match segwit_script(text) {
        Some(script) => (text.to_ascii_lowercase(), script),
        None => (
            text.to_owned(),
            base58_script(text).ok_or(InvalidAddress::Utxo)?,
        ),
    };
    let sort_key = Sha256::digest(script).into();
    Ok(Address {
        text: text.into(),
        sort_key,
    })
}

/// The script of a P2PKH or P2SH address.
fn base58_script(text: &str) -> Option<Vec<u8>> {
    let mut bytes = [0; BASE58_LEN];
    let length = bs58::decode(text).onto(&mut bytes).ok()?;
    let (payload, checksum) = bytes.split_last_chunk::<4>()?;
    let (version, hash) = payload.split_first()?;
    if length != BASE58_LEN || !Sha256::digest(Sha256::digest(payload)).starts_with(checksum) {
        return None;
    }
    match version {
        // OP_DUP OP_HASH160 <hash> OP_EQUALVERIFY OP_CHECKSIG
        0x00 => Some([&[0x76, 0xa9, 0x14], hash, &[0x88, 0xac]].concat()),
        // OP_HASH160 <hash> OP_EQUAL
        0x05 => Some([&[0xa9, 0x14], hash, &[0x87]].concat()),
        _ => None,
    }
}

/// The script of a SegWit address: the version's opcode, then the program (BIP-141).
fn segwit_script(text: &str) -> Option<Vec<u8>> {
    let (prefix, version, program) = segwit::decode(text).ok()?;
    if prefix != hrp::BC {
        return None;
    }
    let opcode = match version.to_u8() {
        0 => 0x00,
        number => 0x50 + number,
    };
    let length = u8::try_from(program.len()).ok()?;
    Some([&[opcode, length], program.as_slice()].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// BIP-173, BIP-350 and the genesis coinbase; scripts from the BIPs.
    #[test]
    fn accepts_every_kind_and_knows_its_script() {
        for (text, script) in [
            (
                "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
                "76a91462e907b15cbf27d5425399ebf6f0fb50ebb88f1888ac",
            ),
            (
                "3P14159f73E4gFr7JterCCQh9QjiTjiZrG",
                "a914e9c3dd0c07aac76179ebc76a6c78d4d67c6c160a87",
            ),
            (
                "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
                "0014751e76e8199196d454941c45d1b3a323f1433bd6",
            ),
            (
                "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
                "512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
            ),
        ] {
            let address = parse(text).unwrap();
            let script = alloy_primitives::hex::decode(script).unwrap();
            assert_eq!(
                address.sort_key(),
                <[u8; 32]>::from(Sha256::digest(script)),
                "{text}"
            );
        }
    }

    #[test]
    fn writes_segwit_in_lower_case() {
        let address = parse("BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4").unwrap();
        assert_eq!(
            address.as_str(),
            "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
        );
    }

    #[test]
    fn refuses_other_networks_and_damage() {
        for text in [
            "",
            "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb",
            "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn",
            "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx",
            "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5",
            "bc1Qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
            &"1".repeat(5000),
        ] {
            assert_eq!(parse(text), Err(InvalidAddress::Utxo), "{text}");
        }
    }
}
