//! Campaigns.

use generated::api::campaigns::{
    CampaignsApi, CampaignsCharitiesResponse, CampaignsGetResponse, CampaignsListParams,
    CampaignsListResponse,
};
use generated::operations::OperationId;
use generated::{Encoded, formats, models};

use super::{CampaignId, CampaignStatus};
use crate::access::Principal;
use crate::api::{self, Api, Failure};
use crate::charities::CharityId;
use crate::configs;
use crate::domain::paging::List;

impl CampaignsApi for Api {
    async fn campaigns_list(
        &self,
        _: Option<Principal>,
        params: CampaignsListParams,
    ) -> Result<CampaignsListResponse, Failure> {
        let CampaignsListParams {
            limit,
            cursor,
            status,
            charity_id,
        } = params;
        let charity = charity_id.map(|id| CharityId(id.0));
        let list = List::of(OperationId::CampaignsList.operation_id())
            .filtered("status", status.as_ref().map(|it| it.as_str()))
            .filtered("charityId", charity.map(|id| id.0));
        let page = api::page(list, cursor.as_deref(), limit)?;
        let status = status.map(|status| match status {
            models::CampaignStatus::Upcoming => CampaignStatus::Upcoming,
            models::CampaignStatus::Active => CampaignStatus::Active,
            models::CampaignStatus::Ended => CampaignStatus::Ended,
        });
        let (snapshot, now) = (self.snapshot(), self.now().wall);
        let body = snapshot.campaigns.page(status, charity, now, &page);
        Ok(CampaignsListResponse::Ok { body })
    }

    async fn campaigns_get(
        &self,
        _: Option<Principal>,
        campaign_id: formats::Uuid,
    ) -> Result<CampaignsGetResponse, Failure> {
        let (snapshot, now) = (self.snapshot(), self.now().wall);
        let id = CampaignId(campaign_id.0);
        let Some(campaign) = snapshot.campaigns.find(id, now) else {
            return Ok(CampaignsGetResponse::NotFound { body: not_found() });
        };
        Ok(CampaignsGetResponse::Ok {
            body: campaign.clone(),
        })
    }

    async fn campaigns_charities(
        &self,
        _: Option<Principal>,
        campaign_id: formats::Uuid,
    ) -> Result<CampaignsCharitiesResponse, Failure> {
        let snapshot = self.snapshot();
        let Some(charities) = snapshot.campaigns.charities(CampaignId(campaign_id.0)) else {
            return Ok(CampaignsCharitiesResponse::NotFound { body: not_found() });
        };
        let shown = charities.iter().map(|beneficiary| {
            let charity = snapshot.charities.any(beneficiary.charity)?;
            Some(configs::mapping::config_charity(
                charity,
                beneficiary.weight,
            ))
        });
        let shown: Option<Vec<_>> = shown.collect();
        let unknown = || Failure::Internal("a campaign serves an unknown charity".into());
        let charities = models::CampaignCharities {
            response: shown.ok_or_else(unknown)?,
        };
        let body = Encoded::from(charities);
        Ok(CampaignsCharitiesResponse::Ok { body: body.into() })
    }
}

fn not_found() -> Encoded<models::NotFoundError> {
    models::NotFoundError::new("There is no such campaign.".into()).into()
}
