//! The verification of signatures that prove claims.

mod evm;
mod ownership;
mod solana;

use alloy_primitives::eip191_hash_message;

use super::{Claim, Proof};
use crate::chain_rpc::{ChainRpc, RpcError};
use crate::chains::ChainKind;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedSignature {
    /// Its text: hex on EVM chains, base58 on Solana.
    pub text: String,
    /// The nonce of the transaction that deployed an EVM contract. Without one its owner is asked for.
    pub deployment_nonce: Option<u64>,
}

/// The reason why a signature proves nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// It has not the form of an EVM signature.
    #[error("a signature is 0x and 130 hexadecimal digits: copy all of it")]
    EvmForm,
    /// The last byte, the recovery id, is none that wallets write.
    #[error("the last two digits of the signature must be 1b, 1c, 00 or 01")]
    Parity,
    /// The malleated form of a signature (EIP-2), which anybody can make of a wallet's.
    #[error("the signature was modified: paste the wallet's signature unchanged")]
    Malleable,
    /// No key can have made it.
    #[error("the signature matches no key: copy all of it")]
    NoKey,
    /// The nonce of the deployment is missing, and no node reports the owner.
    #[error("enter the nonce of the transaction that deployed the contract: explorers show it")]
    NoDeployment,
    /// Another account deployed the contract, or another message was signed.
    #[error(
        "the signature of this message is by {0}, which did not deploy the contract with that nonce"
    )]
    NotDeployer(String),
    /// The contract has no method `owner()`, or has no owner.
    #[error("the contract has no owner(): enter the nonce of the deployment, or ask an operator")]
    NoOwner,
    #[error(
        "the contract's owner() is {0}, and the signature is not by it, or not of this message"
    )]
    NotOwner(String),
    /// It has not the form of a Solana signature.
    #[error("a signature is 64 bytes in base58: copy all of it")]
    SolanaForm,
    /// Another key signed, or another message was signed.
    #[error("the signature is not by the key of the program, or not of this message")]
    NotProgram,
    /// Neither the program's key nor the one that may upgrade it.
    #[error(
        "the signature is neither by the key of the program nor by its upgrade authority, or not of \
         this message"
    )]
    NotAuthority,
    /// Nothing can be proven on this chain.
    #[error("signatures are not supported on this chain: ask an operator")]
    Chain,
    /// A node of the chain did not answer.
    #[error(transparent)]
    Rpc(#[from] RpcError),
}

impl TypedSignature {
    /// Verifies it as the signature of `message`, and returns what it proves. Nodes are asked for the owner of
    /// the contract if the signature alone does not prove it.
    ///
    /// # Errors
    /// When it proves nothing.
    pub async fn verify(
        &self,
        message: &str,
        claim: &Claim,
        rpc: &ChainRpc,
    ) -> Result<Proof, SignatureError> {
        match (claim.kind, self.deployment_nonce) {
            (ChainKind::Evm, Some(nonce)) => {
                let signer = evm::signer(self.text(), message)?;
                evm::check_deployer(&signer, nonce, &claim.contract.address)?;
                Ok(Proof::Deployer)
            }
            (ChainKind::Evm, None) => self.by_owner(message, claim, rpc).await,
            (ChainKind::Svm, _) => self.by_program(message, claim, rpc).await,
            (ChainKind::Utxo, _) => Err(SignatureError::Chain),
        }
    }

    /// Verifies the signature of the owner of an EVM contract: of an account, or of a contract by ERC-1271.
    async fn by_owner(
        &self,
        message: &str,
        claim: &Claim,
        rpc: &ChainRpc,
    ) -> Result<Proof, SignatureError> {
        let chain = claim.contract.chain;
        if !rpc.knows(chain) {
            return Err(SignatureError::NoDeployment);
        }
        let bytes = evm::bytes(self.text())?;
        let owner = ownership::owner(rpc, &claim.contract).await?;
        let owner = owner.ok_or(SignatureError::NoOwner)?;
        let hash = eip191_hash_message(message);
        let is_account = evm::signer(self.text(), message).is_ok_and(|signer| signer == owner);
        if is_account || ownership::is_valid(rpc, chain, &owner, &hash, &bytes).await? {
            return Ok(Proof::Owner);
        }
        Err(SignatureError::NotOwner(owner.to_checksum(None)))
    }

    /// Verifies the signature by the key of a Solana program, or by its upgrade authority.
    async fn by_program(
        &self,
        message: &str,
        claim: &Claim,
        rpc: &ChainRpc,
    ) -> Result<Proof, SignatureError> {
        let program = &claim.contract;
        let checked = solana::check_key(self.text(), message, &program.address.sort_key());
        if checked != Err(SignatureError::NotProgram) || !rpc.knows(program.chain) {
            return checked.map(|()| Proof::ProgramKey);
        }
        let authority = ownership::upgrade_authority(rpc, program).await?;
        let authority = authority.ok_or(SignatureError::NotProgram)?;
        let checked = solana::check_key(self.text(), message, &authority);
        checked.map_err(|_| SignatureError::NotAuthority)?;
        Ok(Proof::UpgradeAuthority)
    }

    fn text(&self) -> &str {
        self.text.trim()
    }
}
