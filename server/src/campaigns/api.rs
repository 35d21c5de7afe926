//! Campaigns.

use generated::api::campaigns::{
    CampaignsApi, CampaignsGetResponse, CampaignsListParams, CampaignsListResponse,
};
use generated::operations::OperationId;
use generated::{formats, models};

use super::{CampaignId, CampaignStatus};
use crate::access::Principal;
use crate::api::{self, Api, Failure};
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
        } = params;
        let list = List::of(OperationId::CampaignsList.operation_id())
            .filtered("status", status.as_ref().map(|it| it.as_str()));
        let page = api::page(list, cursor.as_deref(), limit)?;
        let status = status.map(|status| match status {
            models::CampaignStatus::Upcoming => CampaignStatus::Upcoming,
            models::CampaignStatus::Active => CampaignStatus::Active,
            models::CampaignStatus::Ended => CampaignStatus::Ended,
        });
        let (snapshot, now) = (self.snapshot(), self.now().wall);
        let body = snapshot.campaigns.page(status, now, &page);
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
            let error = models::NotFoundError::new("There is no such campaign.".into());
            return Ok(CampaignsGetResponse::NotFound { body: error.into() });
        };
        Ok(CampaignsGetResponse::Ok {
            body: campaign.clone(),
        })
    }
}
