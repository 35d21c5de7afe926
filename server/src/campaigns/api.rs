//! Campaigns.

use generated::api::campaigns::{
    CampaignsApi, CampaignsGetParams, CampaignsGetResponse, CampaignsListParams,
    CampaignsListResponse,
};
use generated::{formats, models};

use super::{CampaignId, CampaignStatus};
use crate::access::Principal;
use crate::api::conditional::is_current;
use crate::api::{self, Api, CATALOGUE_CACHE_CONTROL, Failure};
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
            if_none_match,
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
        let (e_tag, cache_control) = (
            page.tag.as_str().to_owned(),
            CATALOGUE_CACHE_CONTROL.to_owned(),
        );
        Ok(if is_current(if_none_match.as_deref(), &page.tag) {
            CampaignsListResponse::NotModified {
                e_tag,
                cache_control,
            }
        } else {
            CampaignsListResponse::Ok {
                body: page.body,
                e_tag,
                cache_control,
            }
        })
    }

    async fn campaigns_get(
        &self,
        _: Option<Principal>,
        campaign_id: formats::Uuid,
        params: CampaignsGetParams,
    ) -> Result<CampaignsGetResponse, Failure> {
        let CampaignsGetParams { if_none_match } = params;
        let (snapshot, now) = (self.snapshot(), self.now().wall);
        let id = CampaignId(*campaign_id);
        let Some(campaign) = snapshot.campaigns.find(id, now) else {
            let error = models::NotFoundError::new("There is no such campaign.".into());
            return Ok(CampaignsGetResponse::NotFound { body: error.into() });
        };
        let (e_tag, cache_control) = (
            campaign.tag.as_str().to_owned(),
            CATALOGUE_CACHE_CONTROL.to_owned(),
        );
        Ok(if is_current(if_none_match.as_deref(), &campaign.tag) {
            CampaignsGetResponse::NotModified {
                e_tag,
                cache_control,
            }
        } else {
            CampaignsGetResponse::Ok {
                body: campaign.body.clone(),
                e_tag,
                cache_control,
            }
        })
    }
}
