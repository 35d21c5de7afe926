//! Charities, their feed, and the donations to each.

use generated::api::charities::{
    CharitiesApi, CharitiesDonationsAccept, CharitiesDonationsOkContent, CharitiesDonationsParams,
    CharitiesDonationsResponse, CharitiesFeedAtomResponse, CharitiesFeedResponse,
    CharitiesGetResponse, CharitiesListParams, CharitiesListResponse, CharitiesTotalsResponse,
};
use generated::models::CharitySort;
use generated::operations::OperationId;
use generated::{Encoded, formats, models};

use super::{CharityFilter, CharityId, mapping, search_words};
use crate::access::Principal;
use crate::api::{self, Api, Failure};
use crate::domain::paging::List;
use crate::donations;

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
            ids,
            tax_id,
            city,
            verified,
            sort,
        } = params;
        let order = (sort != CharitySort::ListedAt).then(|| sort.as_str());
        let list = List::of(OperationId::CharitiesList.operation_id())
            .filtered("q", q.as_deref())
            .filtered("country", country.as_deref())
            .filtered("category", category.as_ref().map(|it| it.as_str()))
            .filtered("ids", ids.as_deref().map(joined))
            .filtered("taxId", tax_id.as_deref())
            .filtered("city", city.as_deref())
            .filtered("verified", verified)
            .filtered("sort", order);
        let page = api::page(list, cursor.as_deref(), limit)?;
        let filter = CharityFilter {
            words: search_words(q.as_deref().unwrap_or_default()),
            country,
            category: category.map(mapping::category_of),
            ids: ids.map(|ids| ids.into_iter().map(|id| CharityId(id.0)).collect()),
            tax_id,
            city: city.map(|city| city.to_lowercase()),
            verified,
        };
        let snapshot = self.snapshot();
        let charities = &snapshot.charities;
        let body = match sort {
            CharitySort::ListedAt => charities.page(&filter, page),
            CharitySort::Name => charities.page_by_name(&filter, &page),
            CharitySort::Donated => {
                charities.page_by_received(&snapshot.charity_totals, &filter, &page)
            }
        };
        Ok(CharitiesListResponse::Ok { body })
    }

    async fn charities_feed(&self, _: Option<Principal>) -> Result<CharitiesFeedResponse, Failure> {
        let snapshot = self.snapshot();
        let feed = snapshot.charities.feed();
        Ok(CharitiesFeedResponse::Ok { body: feed.clone() })
    }

    async fn charities_feed_atom(
        &self,
        _: Option<Principal>,
    ) -> Result<CharitiesFeedAtomResponse, Failure> {
        let snapshot = self.snapshot();
        let feed = snapshot.charities.atom_feed(&self.identity);
        let body = feed.ok_or_else(|| Failure::Internal("cannot render the feed".into()))?;
        Ok(CharitiesFeedAtomResponse::Ok { body: body.clone() })
    }

    async fn charities_get(
        &self,
        _: Option<Principal>,
        charity_id: String,
    ) -> Result<CharitiesGetResponse, Failure> {
        let snapshot = self.snapshot();
        let Some(charity) = snapshot.charities.find(&charity_id) else {
            return Ok(CharitiesGetResponse::NotFound { body: not_found() });
        };
        Ok(CharitiesGetResponse::Ok {
            body: charity.clone(),
        })
    }

    async fn charities_totals(
        &self,
        _: Option<Principal>,
        charity_id: String,
    ) -> Result<CharitiesTotalsResponse, Failure> {
        let snapshot = self.snapshot();
        let Some(charity) = snapshot.charities.find_id(&charity_id) else {
            return Ok(CharitiesTotalsResponse::NotFound { body: not_found() });
        };
        let stats = snapshot.charity_totals.of(charity);
        let body = Encoded::from(donations::mapping::stats(&stats));
        Ok(CharitiesTotalsResponse::Ok { body: body.into() })
    }

    async fn charities_donations(
        &self,
        _: Option<Principal>,
        charity_id: String,
        params: CharitiesDonationsParams,
        accept: CharitiesDonationsAccept,
    ) -> Result<CharitiesDonationsResponse, Failure> {
        let CharitiesDonationsParams {
            limit,
            cursor,
            chain_id,
            from,
            to,
        } = params;
        let filter = donations::api::filter(chain_id, from.as_ref(), to.as_ref())?;
        let Some(charity) = self.snapshot().charities.find_id(&charity_id) else {
            return Ok(CharitiesDonationsResponse::NotFound { body: not_found() });
        };
        let list = List::of(OperationId::CharitiesDonations.operation_id())
            .filtered("charityId", Some(charity.0));
        let list = donations::api::filtered(list, filter);
        let page = api::page(list, cursor.as_deref(), limit)?;
        let (store, after, rows) = (self.store.clone(), page.after.clone(), page.rows());
        let read = async move {
            crate::donations::store::donations_of_charity(&store, charity, filter, after, rows)
                .await
        };
        let mut donations = self.public_reads.run(read).await?;
        let page_key = page.cut(&mut donations);
        let body = match accept {
            CharitiesDonationsAccept::Json => {
                let response = donations.iter().map(donations::mapping::received);
                let page = models::ReceivedDonationPage {
                    page_key: page_key.clone(),
                    response: response.collect(),
                };
                CharitiesDonationsOkContent::Json(page.into())
            }
            CharitiesDonationsAccept::TextCsv => {
                CharitiesDonationsOkContent::TextCsv(donations::table::received(&donations))
            }
        };
        Ok(CharitiesDonationsResponse::Ok {
            body: body.into(),
            x_page_key: page_key,
        })
    }
}

fn joined(ids: &[formats::Uuid]) -> String {
    let texts: Vec<_> = ids.iter().map(|id| id.0.to_string()).collect();
    texts.join(",")
}

fn not_found() -> Encoded<models::NotFoundError> {
    models::NotFoundError::new("There is no such charity.".into()).into()
}
