//! Charities, in PostgreSQL.

use std::collections::HashMap;

use deadpool_postgres::{GenericClient, Transaction};
use tokio_postgres::Row;

use super::{Charity, CharityId, PostalAddress, SocialLink};
use crate::database::error::WriteError;
use crate::database::postgres::column::{self, Millis};
use crate::database::postgres::{Failure, query};
use crate::import::Rule;

const CHARITIES: &str =
    "SELECT id, slug, name, description, logo, website, line1, line2, city, region,
                           postal_code, country, tax_id, category, verified, active, listed_at
                         FROM charity";

const LINKS: &str = "SELECT charity, network, url FROM social_link";

type Links = Vec<(CharityId, SocialLink)>;

/// All charities, active or not.
pub(crate) async fn all(db: &impl GenericClient) -> Result<Vec<Charity>, Failure> {
    let heads = query::all(db, &format!("{CHARITIES} ORDER BY id"), &[], read_head).await?;
    let links = query::all(
        db,
        &format!("{LINKS} ORDER BY charity, place"),
        &[],
        read_link,
    )
    .await?;
    Ok(complete(heads, links))
}

/// The existing charities with some ids, active or not, in any order.
pub(crate) async fn some(
    db: &impl GenericClient,
    ids: &[CharityId],
) -> Result<Vec<Charity>, Failure> {
    let sql = format!("{CHARITIES} WHERE id = ANY ($1)");
    let heads = query::all(db, &sql, &[&ids], read_head).await?;
    let sql = format!("{LINKS} WHERE charity = ANY ($1) ORDER BY charity, place");
    let links = query::all(db, &sql, &[&ids], read_link).await?;
    Ok(complete(heads, links))
}

/// One charity, active or not.
pub(crate) async fn find(
    db: &impl GenericClient,
    id: CharityId,
) -> Result<Option<Charity>, Failure> {
    Ok(some(db, &[id]).await?.pop())
}

/// Inserts or updates a charity, whose slug must be no other one's.
pub(crate) async fn put(
    tx: &Transaction<'_>,
    charity: &Charity,
) -> Result<(), WriteError<Failure>> {
    let namesake = "SELECT 1 FROM charity WHERE slug = $1 AND id <> $2";
    if query::exists(tx, namesake, &[&charity.slug, &charity.id]).await? {
        return Err(WriteError::rejected("/slug", Rule::Taken));
    }
    put_head(tx, charity).await?;
    put_slug(tx, charity).await?;
    Ok(put_links(tx, charity).await?)
}

/// Writes all but another slug and the links.
async fn put_head(tx: &Transaction<'_>, charity: &Charity) -> Result<u64, Failure> {
    let sql = "INSERT INTO charity (
                 id, slug, name, description, logo, website, line1, line2, city, region, postal_code,
                 country, tax_id, category, verified, active, listed_at
               ) VALUES (
                 $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17
               )
               ON CONFLICT (id) DO UPDATE SET
                 name = excluded.name, description = excluded.description, logo = excluded.logo,
                 website = excluded.website, line1 = excluded.line1, line2 = excluded.line2,
                 city = excluded.city, region = excluded.region,
                 postal_code = excluded.postal_code, country = excluded.country,
                 tax_id = excluded.tax_id, category = excluded.category,
                 verified = excluded.verified, active = excluded.active,
                 listed_at = excluded.listed_at";
    query::execute(
        tx,
        sql,
        &[
            &charity.id,
            &charity.slug,
            &charity.name,
            &charity.description,
            &charity.logo,
            &charity.website,
            &charity.address.line1,
            &charity.address.line2,
            &charity.address.city,
            &charity.address.region,
            &charity.address.postal_code,
            &charity.country,
            &charity.tax_id,
            &charity.category,
            &charity.verified,
            &charity.active,
            &Millis(charity.listed_at),
        ],
    )
    .await
}

/// Writes another slug. A slug is a key: an upsert that sets one locks the row against references, so that new
/// configs would wait for an import, and it for them.
async fn put_slug(tx: &Transaction<'_>, charity: &Charity) -> Result<(), Failure> {
    let sql = "UPDATE charity SET slug = $2 WHERE id = $1 AND slug <> $2";
    query::execute(tx, sql, &[&charity.id, &charity.slug]).await?;
    Ok(())
}

async fn put_links(tx: &Transaction<'_>, charity: &Charity) -> Result<(), Failure> {
    query::execute(
        tx,
        "DELETE FROM social_link WHERE charity = $1",
        &[&charity.id],
    )
    .await?;
    for (place, link) in (0_i64..).zip(&charity.social_links) {
        let sql = "INSERT INTO social_link (charity, place, network, url) VALUES ($1, $2, $3, $4)";
        query::execute(tx, sql, &[&charity.id, &place, &link.network, &link.url]).await?;
    }
    Ok(())
}

/// The charity without its pages in social networks.
fn read_head(row: &Row) -> Result<Charity, Failure> {
    Ok(Charity {
        id: row.try_get("id")?,
        slug: row.try_get("slug")?,
        name: row.try_get("name")?,
        description: row.try_get("description")?,
        logo: row.try_get("logo")?,
        website: row.try_get("website")?,
        address: PostalAddress {
            line1: row.try_get("line1")?,
            line2: row.try_get("line2")?,
            city: row.try_get("city")?,
            region: row.try_get("region")?,
            postal_code: row.try_get("postal_code")?,
        },
        country: row.try_get("country")?,
        tax_id: row.try_get("tax_id")?,
        category: row.try_get("category")?,
        social_links: Vec::new(),
        verified: row.try_get("verified")?,
        active: row.try_get("active")?,
        listed_at: column::time(row, "listed_at")?,
    })
}

fn read_link(row: &Row) -> Result<(CharityId, SocialLink), Failure> {
    let link = SocialLink {
        network: row.try_get("network")?,
        url: row.try_get("url")?,
    };
    Ok((row.try_get("charity")?, link))
}

fn complete(mut heads: Vec<Charity>, links: Links) -> Vec<Charity> {
    let mut of: HashMap<_, Vec<_>> = HashMap::new();
    for (charity, link) in links {
        of.entry(charity).or_default().push(link);
    }
    for charity in &mut heads {
        charity.social_links = of.remove(&charity.id).unwrap_or_default();
    }
    heads
}
