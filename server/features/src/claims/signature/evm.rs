//! Signatures on Ethereum and chains like it: `personal_sign` (ERC-191, version 0x45), and the address of a
//! contract that an account deploys.

use alloy_primitives::{Address as EvmAddress, Signature, hex};

use super::SignatureError;
use crate::chains::Address;

/// The account that signed a message.
///
/// Only the form that wallets write is taken: 65 bytes, the last of which is 27 or 28 (0 or 1 by some
/// hardware), and `s` in the lower half (EIP-2).
pub(super) fn signer(text: &str, message: &str) -> Result<EvmAddress, SignatureError> {
    let bytes: Result<[u8; 65], _> = bytes(text)?.try_into();
    let [scalars @ .., last] = bytes.map_err(|_| SignatureError::EvmForm)?;
    let is_odd = match last {
        0 | 27 => false,
        1 | 28 => true,
        _ => return Err(SignatureError::Parity),
    };
    let signature = Signature::from_bytes_and_parity(&scalars, is_odd);
    if signature.normalize_s().is_some() {
        return Err(SignatureError::Malleable);
    }
    let signer = signature.recover_address_from_msg(message);
    signer.map_err(|_| SignatureError::NoKey)
}

/// The bytes of a signature, which contracts may have of any length.
pub(super) fn bytes(text: &str) -> Result<Vec<u8>, SignatureError> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    match digits.is_empty() || digits.starts_with("0x") {
        true => Err(SignatureError::EvmForm),
        false => hex::decode(digits).map_err(|_| SignatureError::EvmForm),
    }
}

/// Checks that an account deployed a contract: the address follows from the account and the nonce of its
/// transaction.
pub(super) fn check_deployer(
    signer: &EvmAddress,
    nonce: u64,
    contract: &Address,
) -> Result<(), SignatureError> {
    let deployed = signer.create(nonce);
    match contract.sort_key().starts_with(deployed.as_slice()) {
        true => Ok(()),
        false => Err(SignatureError::NotDeployer(signer.to_checksum(None))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESSAGE: &str = "hello world";

    #[test]
    fn the_address_of_a_contract_follows_from_its_deployer() {
        // The well-known first contracts of an account, as go-ethereum's tests have them.
        let deployer = "0x970e8128ab834e8eac17ab8e3812f010678cf791";
        let deployer: EvmAddress = deployer.parse().unwrap();
        for (nonce, contract) in [
            (0, "0x333c3310824b7c685133f2bedb2ca4b8b4df633d"),
            (1, "0x8bda78331c916a08481428e4b07c96d3e916d165"),
            (2, "0xc9ddedf451bc62ce88bf9292afb13df35b670699"),
        ] {
            let contract = Address::parse(crate::chains::ChainKind::Evm, contract).unwrap();
            assert_eq!(check_deployer(&deployer, nonce, &contract), Ok(()));
            let other = check_deployer(&deployer, nonce + 1, &contract);
            assert!(matches!(other, Err(SignatureError::NotDeployer(_))));
        }
    }

    #[test]
    fn other_forms_are_refused() {
        for text in ["", "0x", "0x0x", "00", &"0".repeat(128), &"g".repeat(130)] {
            assert_eq!(
                signer(text, MESSAGE),
                Err(SignatureError::EvmForm),
                "{text}"
            );
        }
        let zero = "0".repeat(130);
        assert_eq!(signer(&zero, MESSAGE), Err(SignatureError::NoKey));
        for last in ["02", "1a", "1d", "25", "ff"] {
            let text = format!("{}{last}", "1".repeat(128));
            assert_eq!(signer(&text, MESSAGE), Err(SignatureError::Parity));
        }
    }
}
