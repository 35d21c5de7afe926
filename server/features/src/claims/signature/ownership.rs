//! The owner of a contract, asked of a node of its chain.

use alloy_primitives::{Address as EvmAddress, B256, hex};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use serde_json::{Value, json};

use crate::chain_rpc::{ChainRpc, RpcError};
use crate::chains::{ChainAddress, ChainId};

/// The selector of `owner()` (ERC-173).
const OWNER: &str = "0x8da5cb5b";

/// The selector of `isValidSignature(bytes32,bytes)` (ERC-1271), which is also its result for a signature that is
/// valid.
const IS_VALID: [u8; 4] = [0x16, 0x26, 0xba, 0x7e];

/// The owner of Solana's upgradeable programs.
const LOADER: &str = "BPFLoaderUpgradeab1e11111111111111111111111";

/// The owner of an EVM contract; `None` if it has none.
pub(super) async fn owner(
    rpc: &ChainRpc,
    contract: &ChainAddress,
) -> Result<Option<EvmAddress>, RpcError> {
    // A node of another chain would report another contract.
    let chain = rpc.ask(contract.chain, "eth_chainId", json!([])).await?;
    let number = chain.as_str().and_then(|text| text.strip_prefix("0x"));
    let number = number.and_then(|digits| i64::from_str_radix(digits, 16).ok());
    if number != Some(contract.chain.get()) {
        return Err(RpcError::Failed("it belongs to another chain".to_owned()));
    }
    let call = eth_call(rpc, contract.chain, contract.address.as_str(), OWNER);
    let word: Option<[u8; 32]> = match call.await {
        Ok(bytes) => bytes.try_into().ok(),
        // A contract without the method reverts.
        Err(RpcError::Refused) => None,
        Err(error) => return Err(error),
    };
    let word = word
        .map(B256::from)
        .filter(|word| word.starts_with(&[0; 12]));
    let owner = word.map(EvmAddress::from_word);
    Ok(owner.filter(|owner| !owner.is_zero()))
}

/// Whether an owner that is a contract accepts a signature of a message with this hash (ERC-1271).
pub(super) async fn is_valid(
    rpc: &ChainRpc,
    chain: ChainId,
    owner: &EvmAddress,
    hash: &B256,
    signature: &[u8],
) -> Result<bool, RpcError> {
    let word = |number: usize| B256::left_padding_from(&number.to_be_bytes());
    let padding = vec![0; signature.len().next_multiple_of(32) - signature.len()];
    let data = hex::encode_prefixed(
        [
            IS_VALID.as_slice(),
            hash.as_slice(),
            word(64).as_slice(),
            word(signature.len()).as_slice(),
            signature,
            padding.as_slice(),
        ]
        .concat(),
    );
    let call = eth_call(rpc, chain, &owner.to_checksum(None), &data).await;
    match call {
        // All of the word is compared: a contract that echoes its input is no owner.
        Ok(bytes) => Ok(bytes == B256::right_padding_from(&IS_VALID).as_slice()),
        Err(RpcError::Refused) => Ok(false),
        Err(error) => Err(error),
    }
}

async fn eth_call(
    rpc: &ChainRpc,
    chain: ChainId,
    to: &str,
    data: &str,
) -> Result<Vec<u8>, RpcError> {
    let params = json!([{ "to": to, "data": data }, "latest"]);
    let result = rpc.ask(chain, "eth_call", params).await?;
    let bytes = result.as_str().and_then(|text| hex::decode(text).ok());
    bytes.ok_or_else(|| RpcError::Failed("its response has no bytes".to_owned()))
}

/// The key that may upgrade a Solana program; `None` if there is no such key or program.
pub(super) async fn upgrade_authority(
    rpc: &ChainRpc,
    program: &ChainAddress,
) -> Result<Option<[u8; 32]>, RpcError> {
    let account = account(rpc, program.chain, program.address.as_str()).await?;
    // The number of the state, and the address of the account `ProgramData`.
    let program_data = account
        .as_deref()
        .and_then(|data| data.strip_prefix(&[2, 0, 0, 0]));
    let Some(program_data) = program_data.and_then(|rest| rest.get(..32)) else {
        return Ok(None);
    };
    let program_data = bs58::encode(program_data).into_string();
    let account = self::account(rpc, program.chain, &program_data).await?;
    // The number of the state, a slot, and the authority, if there is one.
    let data = account
        .as_deref()
        .and_then(|data| data.strip_prefix(&[3, 0, 0, 0]));
    let authority = data.and_then(|data| data.get(8..41));
    let authority = authority.and_then(|data| data.strip_prefix(&[1]));
    Ok(authority.and_then(|key| key.try_into().ok()))
}

/// The data of an account of the loader; `None` for any other.
async fn account(
    rpc: &ChainRpc,
    chain: ChainId,
    address: &str,
) -> Result<Option<Vec<u8>>, RpcError> {
    let slice = json!({ "offset": 0, "length": 45 });
    let params = json!([address, { "encoding": "base64", "dataSlice": slice }]);
    let account = rpc.ask(chain, "getAccountInfo", params).await?;
    let text = |pointer| account.pointer(pointer).and_then(Value::as_str);
    if text("/value/owner") != Some(LOADER) {
        return Ok(None);
    }
    let data = text("/value/data/0");
    Ok(data.and_then(|text| BASE64.decode(text).ok()))
}
