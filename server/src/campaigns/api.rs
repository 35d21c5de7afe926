//! Campaigns.

use generated::api::campaigns::{
    CampaignsApi, CampaignsGetParams, CampaignsGetResponse, CampaignsListParams,
    CampaignsListResponse,
};
use generated::{formats, models};

use super::{CampaignId, CampaignStatus};
use crate::access::Principal;
use crate::api::{self, Api, Failure};
use crate::domain::position::Position;

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
            if_none_match: _,
        } = params;
        let status = status.map(|status| match status {
            models::CampaignStatus::Upcoming => CampaignStatus::Upcoming,
            models::CampaignStatus::Active => CampaignStatus::Active,
            models::CampaignStatus::Ended => CampaignStatus::Ended,
        });
        let after = cursor.as_deref().and_then(Position::parse);
        let (snapshot, now) = (self.snapshot(), self.now().wall);
        let page = snapshot
            .campaigns
            .page(status, now, after, api::page_size(limit));
        Ok(CampaignsListResponse::Ok { body: page })
    }

    async fn campaigns_get(
        &self,
        _: Option<Principal>,
        campaign_id: formats::Uuid,
        params: CampaignsGetParams,
    ) -> Result<CampaignsGetResponse, Failure> {
        let CampaignsGetParams { if_none_match: _ } = params;
        let (snapshot, now) = (self.snapshot(), self.now().wall);
        let id = CampaignId(*campaign_id);
        let Some(campaign) = snapshot.campaigns.find(id, now) else {
            let error = models::NotFoundError::new("There is no such campaign.".into());
            return Ok(CampaignsGetResponse::NotFound { body: error.into() });
        };
        Ok(CampaignsGetResponse::Ok {
            body: campaign.clone(),
        })
    }
}
