//! Charities and their feed.

use generated::api::charities::{
    CharitiesApi, CharitiesFeedAtomParams, CharitiesFeedAtomResponse, CharitiesFeedParams,
    CharitiesFeedResponse, CharitiesGetParams, CharitiesGetResponse, CharitiesListParams,
    CharitiesListResponse,
};
use generated::models;
use generated::operations::OperationId;

use super::CharityFilter;
use super::mapping;
use crate::access::Principal;
use crate::api::{self, Api, Failure};
use crate::domain::paging::List;

impl CharitiesApi for Api {
    async fn charities_list(
        &self,
        _: Option<Principal>,
        params: CharitiesListParams,
    ) -> Result<CharitiesListResponse, Failure> {
        let CharitiesListParams {
            limit,
            cursor,
            q,
            country,
            category,
            if_none_match: _,
        } = params;
        let list = List::of(OperationId::CharitiesList.operation_id())
            .filtered("q", q.as_deref())
            .filtered("country", country.as_deref())
            .filtered("category", category.as_ref().map(|it| it.as_str()));
        let page = api::page(list, cursor.as_deref(), limit)?;
        let filter = CharityFilter {
            words: q
                .iter()
                .flat_map(|q| q.split_whitespace())
                .map(str::to_lowercase)
                .collect(),
            country,
            category: category.map(mapping::category_of),
        };
        let body = self.snapshot().charities.page(&filter, page);
        Ok(CharitiesListResponse::Ok { body })
    }

    async fn charities_feed(
        &self,
        _: Option<Principal>,
        params: CharitiesFeedParams,
    ) -> Result<CharitiesFeedResponse, Failure> {
        let CharitiesFeedParams { if_none_match: _ } = params;
        let snapshot = self.snapshot();
        let feed = snapshot.charities.feed();
        Ok(CharitiesFeedResponse::Ok { body: feed.clone() })
    }

    async fn charities_feed_atom(
        &self,
        _: Option<Principal>,
        params: CharitiesFeedAtomParams,
    ) -> Result<CharitiesFeedAtomResponse, Failure> {
        let CharitiesFeedAtomParams { if_none_match: _ } = params;
        let snapshot = self.snapshot();
        let feed = snapshot.charities.atom_feed(&self.identity);
        let body = feed.ok_or_else(|| Failure::Internal("the feed cannot be written".into()))?;
        Ok(CharitiesFeedAtomResponse::Ok { body: body.clone() })
    }

    async fn charities_get(
        &self,
        _: Option<Principal>,
        charity_id: String,
        params: CharitiesGetParams,
    ) -> Result<CharitiesGetResponse, Failure> {
        let CharitiesGetParams { if_none_match: _ } = params;
        let snapshot = self.snapshot();
        let Some(charity) = snapshot.charities.find(&charity_id) else {
            let error = models::NotFoundError::new("There is no such charity.".into());
            return Ok(CharitiesGetResponse::NotFound { body: error.into() });
        };
        Ok(CharitiesGetResponse::Ok {
            body: charity.clone(),
        })
    }
}
