//! Charities and their feed.

use generated::api::charities::{
    CharitiesApi, CharitiesFeedAtomParams, CharitiesFeedAtomResponse, CharitiesFeedParams,
    CharitiesFeedResponse, CharitiesGetParams, CharitiesGetResponse, CharitiesListParams,
    CharitiesListResponse,
};
use generated::models;

use super::CharityFilter;
use super::mapping;
use crate::access::Principal;
use crate::api::conditional::is_current;
use crate::api::{self, Api, CATALOGUE_CACHE_CONTROL, Failure};
use crate::catalogue::Tag;
use crate::domain::position::Position;
use crate::feed;

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
            if_none_match,
        } = params;
        let filter = CharityFilter {
            words: q
                .iter()
                .flat_map(|q| q.split_whitespace())
                .map(str::to_lowercase)
                .collect(),
            country,
            category: category.map(mapping::category_of),
        };
        let after = cursor.as_deref().and_then(Position::parse);
        let snapshot = self.snapshot();
        let page = snapshot
            .charities
            .page(&filter, after, api::page_size(limit));
        let (e_tag, cache_control) = (
            page.tag.as_str().to_owned(),
            CATALOGUE_CACHE_CONTROL.to_owned(),
        );
        Ok(if is_current(if_none_match.as_deref(), &page.tag) {
            CharitiesListResponse::NotModified {
                e_tag,
                cache_control,
            }
        } else {
            CharitiesListResponse::Ok {
                body: page.body,
                e_tag,
                cache_control,
            }
        })
    }

    async fn charities_feed(
        &self,
        _: Option<Principal>,
        params: CharitiesFeedParams,
    ) -> Result<CharitiesFeedResponse, Failure> {
        let CharitiesFeedParams { if_none_match } = params;
        let snapshot = self.snapshot();
        let feed = snapshot.charities.feed();
        let (e_tag, cache_control) = (
            feed.tag.as_str().to_owned(),
            CATALOGUE_CACHE_CONTROL.to_owned(),
        );
        Ok(if is_current(if_none_match.as_deref(), &feed.tag) {
            CharitiesFeedResponse::NotModified {
                e_tag,
                cache_control,
            }
        } else {
            CharitiesFeedResponse::Ok {
                body: feed.body.clone(),
                e_tag,
                cache_control,
            }
        })
    }

    async fn charities_feed_atom(
        &self,
        _: Option<Principal>,
        params: CharitiesFeedAtomParams,
    ) -> Result<CharitiesFeedAtomResponse, Failure> {
        let CharitiesFeedAtomParams { if_none_match } = params;
        let snapshot = self.snapshot();
        let body = feed::atom(&self.identity, snapshot.charities.newest())
            .map_err(|error| Failure::Internal(error.to_string()))?;
        let tag = Tag::of(body.as_bytes());
        let (e_tag, cache_control) = (tag.as_str().to_owned(), CATALOGUE_CACHE_CONTROL.to_owned());
        Ok(if is_current(if_none_match.as_deref(), &tag) {
            CharitiesFeedAtomResponse::NotModified {
                e_tag,
                cache_control,
            }
        } else {
            CharitiesFeedAtomResponse::Ok {
                body,
                e_tag,
                cache_control,
            }
        })
    }

    async fn charities_get(
        &self,
        _: Option<Principal>,
        charity_id: String,
        params: CharitiesGetParams,
    ) -> Result<CharitiesGetResponse, Failure> {
        let CharitiesGetParams { if_none_match } = params;
        let snapshot = self.snapshot();
        let Some(charity) = snapshot.charities.find(&charity_id) else {
            let error = models::NotFoundError::new("There is no such charity.".into());
            return Ok(CharitiesGetResponse::NotFound { body: error.into() });
        };
        let (e_tag, cache_control) = (
            charity.tag.as_str().to_owned(),
            CATALOGUE_CACHE_CONTROL.to_owned(),
        );
        Ok(if is_current(if_none_match.as_deref(), &charity.tag) {
            CharitiesGetResponse::NotModified {
                e_tag,
                cache_control,
            }
        } else {
            CharitiesGetResponse::Ok {
                body: charity.body.clone(),
                e_tag,
                cache_control,
            }
        })
    }
}
