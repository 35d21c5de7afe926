//! The rules by which records are inserted and updated, for every database. Donations have rules of
//! their own, in `donations`.

use db::Tx;

use super::Record;
use crate::campaigns::CampaignBeneficiary;
use crate::chains::ChainId;
use crate::charities::CharityId;
use crate::configs::Config;
use crate::database::Versioned;
use crate::domain::config_id::ConfigId;
use crate::domain::recording::{Change, Rejection, Rule};
use crate::projects::ProjectId;

/// The identity of a record that another one refers to. Contracts and tokens have the key of their
/// [`ChainAddress`](crate::chains::ChainAddress).
#[derive(Debug, Clone, Copy)]
pub(crate) enum Reference {
    Chain(ChainId),
    Charity(CharityId),
    Config(ConfigId),
    Contract([u8; 40]),
    Project(ProjectId),
    Token([u8; 40]),
}

impl Record {
    /// The change that recording it makes, where `stored` is the record with its identity.
    ///
    /// # Errors
    /// When a member differs that cannot change.
    pub(crate) fn change(&self, stored: Option<&Record>) -> Result<Change, Rejection> {
        let Some(stored) = stored else {
            return Ok(Change::Inserted);
        };
        let immutable = |member: &str| Err(Rejection::new(member, Rule::Immutable));
        match (self, stored) {
            (new, stored) if new == stored => Ok(Change::Unchanged),
            (Record::Chain(new), Record::Chain(stored)) if new.kind != stored.kind => {
                immutable("/type")
            }
            (Record::Contract(_), _) => immutable("/project"),
            (Record::PartnerToken(new), Record::PartnerToken(stored))
                if new.contract != stored.contract =>
            {
                immutable("/contract")
            }
            (Record::Config(new), Record::Config(stored)) if is_same_config(new, stored) => {
                Ok(Change::Unchanged)
            }
            (Record::Config(_), _) => immutable("/id"),
            _ => Ok(Change::Updated),
        }
    }

    /// The records that it refers to, each with the member that names it.
    pub(crate) fn references(&self) -> Vec<(String, Reference)> {
        match self {
            Record::Token(token) => vec![("/chainId".into(), Reference::Chain(token.id.chain))],
            Record::Campaign(campaign) => vec![match campaign.beneficiary {
                CampaignBeneficiary::Charity(id) => ("/charity".into(), Reference::Charity(id)),
                CampaignBeneficiary::Config(id) => ("/config".into(), Reference::Config(id)),
            }],
            Record::Contract(contract) => vec![
                ("/chainId".into(), Reference::Chain(contract.id.chain)),
                ("/project".into(), Reference::Project(contract.project)),
            ],
            Record::PartnerToken(partner) => {
                let previous = partner.previous_configs.iter().enumerate();
                let previous = previous.map(|(index, config)| {
                    let member = format!("/previousConfigs/{index}");
                    (member, Reference::Config(*config))
                });
                let mut references = vec![
                    ("/token".into(), Reference::Token(partner.token.key())),
                    (
                        "/contract".into(),
                        Reference::Contract(partner.contract_key()),
                    ),
                    (
                        "/activeConfig".into(),
                        Reference::Config(partner.active_config),
                    ),
                ];
                references.extend(previous);
                references
            }
            Record::Config(config) => config_references(config),
            Record::Chain(_) | Record::Charity(_) | Record::Project(_) | Record::Donation(_) => {
                Vec::new()
            }
        }
    }

    /// Records the change for the servers that have a copy of the record.
    pub(crate) fn bump(&self, tx: &Tx<'_>) {
        match self {
            Record::Chain(_) => Versioned::Chains.any_changed(tx),
            Record::Charity(charity) => Versioned::Charities.changed(tx, &charity.id.0),
            Record::Token(_) | Record::PartnerToken(_) => Versioned::Tokens.any_changed(tx),
            Record::Campaign(campaign) => Versioned::Campaigns.changed(tx, &campaign.id.0),
            Record::Project(project) => Versioned::Keys.changed(tx, &project.id.0),
            Record::Contract(_) | Record::Config(_) | Record::Donation(_) => {}
        }
    }
}

/// Whether two configs are equal but for their deletion and their labels, which an import does not undo.
fn is_same_config(new: &Config, stored: &Config) -> bool {
    *new == Config {
        deleted_at: new.deleted_at,
        labels: new.labels.clone(),
        ..stored.clone()
    }
}

fn config_references(config: &Config) -> Vec<(String, Reference)> {
    let charities = config.beneficiaries.iter().enumerate();
    let charities = charities.map(|(index, beneficiary)| {
        let member = format!("/charityBeneficiaries/{index}/charityId");
        (member, Reference::Charity(beneficiary.charity))
    });
    let users = config.users.iter().enumerate();
    let users = users.map(|(index, user)| {
        let member = format!("/users/{index}/chainId");
        (member, Reference::Chain(user.chain))
    });
    let mut references = vec![("/project".into(), Reference::Project(config.project))];
    references.extend(charities.chain(users));
    references
}
