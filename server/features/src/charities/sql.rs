//! Charities.

use std::collections::HashMap;

use db::{Batch, DbError, Row, Tx, params};

use super::{Charity, CharityId, PostalAddress, SocialLink};
use crate::domain::recording::{Rule, WriteError};

const CHARITIES: &str =
    "SELECT id, slug, name, description, logo, website, line1, line2, city, region,
                           postal_code, country, tax_id, category, verified, active, listed_at
                         FROM charity";

const LINKS: &str = "SELECT charity, network, url FROM social_link";

type Links = Vec<(CharityId, SocialLink)>;

/// All charities, active or not.
pub(crate) fn all(tx: &Tx<'_>) -> Result<Vec<Charity>, DbError> {
    let heads = tx.all(&format!("{CHARITIES} ORDER BY id"), &[], read_head)?;
    let links = tx.all(&format!("{LINKS} ORDER BY charity, place"), &[], read_link)?;
    Ok(complete(heads, links))
}

/// The existing charities with some ids, active or not, in any order.
pub(crate) fn some(tx: &Tx<'_>, ids: &[CharityId]) -> Result<Vec<Charity>, DbError> {
    let ids = Batch::of_column(ids);
    let sql = format!("{CHARITIES} WHERE id IN (SELECT batch.id FROM batch(id uuid))");
    let heads = tx.all_of_batch(&sql, &ids, &[], read_head)?;
    let sql = format!(
        "{LINKS} WHERE charity IN (SELECT batch.id FROM batch(id uuid)) ORDER BY charity, place"
    );
    let links = tx.all_of_batch(&sql, &ids, &[], read_link)?;
    Ok(complete(heads, links))
}

/// One charity, active or not.
pub(crate) fn find(tx: &Tx<'_>, id: CharityId) -> Result<Option<Charity>, DbError> {
    Ok(some(tx, &[id])?.pop())
}

/// Inserts or updates a charity, whose slug must be no other one's.
pub(crate) fn put(tx: &Tx<'_>, charity: &Charity) -> Result<(), WriteError> {
    let namesake = "SELECT 1 FROM charity WHERE slug = $1 AND id <> $2";
    if tx.exists(namesake, params![charity.slug, charity.id])? {
        return Err(WriteError::rejected("/slug", Rule::Taken));
    }
    put_head(tx, charity)?;
    put_slug(tx, charity)?;
    Ok(put_links(tx, charity)?)
}

/// Writes all but another slug and the links.
fn put_head(tx: &Tx<'_>, charity: &Charity) -> Result<u64, DbError> {
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
    tx.execute(
        sql,
        params![
            charity.id,
            charity.slug,
            charity.name,
            charity.description,
            charity.logo,
            charity.website,
            charity.address.line1,
            charity.address.line2,
            charity.address.city,
            charity.address.region,
            charity.address.postal_code,
            charity.country,
            charity.tax_id,
            charity.category,
            charity.verified,
            charity.active,
            charity.listed_at
        ],
    )
}

/// Writes another slug. A slug is a key: an upsert that sets one locks the row against references, so that new
/// configs would wait for an import, and it for them.
fn put_slug(tx: &Tx<'_>, charity: &Charity) -> Result<(), DbError> {
    let sql = "UPDATE charity SET slug = $2 WHERE id = $1 AND slug <> $2";
    tx.execute(sql, params![charity.id, charity.slug])?;
    Ok(())
}

fn put_links(tx: &Tx<'_>, charity: &Charity) -> Result<(), DbError> {
    tx.execute(
        "DELETE FROM social_link WHERE charity = $1",
        params![charity.id],
    )?;
    for (place, link) in (0_i64..).zip(&charity.social_links) {
        let sql = "INSERT INTO social_link (charity, place, network, url) VALUES ($1, $2, $3, $4)";
        tx.execute(sql, params![charity.id, place, link.network, link.url])?;
    }
    Ok(())
}

/// The charity without its pages in social networks.
fn read_head(row: &Row<'_>) -> Result<Charity, DbError> {
    Ok(Charity {
        id: row.get("id")?,
        slug: row.get("slug")?,
        name: row.get("name")?,
        description: row.get("description")?,
        logo: row.get("logo")?,
        website: row.get("website")?,
        address: PostalAddress {
            line1: row.get("line1")?,
            line2: row.get("line2")?,
            city: row.get("city")?,
            region: row.get("region")?,
            postal_code: row.get("postal_code")?,
        },
        country: row.get("country")?,
        tax_id: row.get("tax_id")?,
        category: row.get("category")?,
        social_links: Vec::new(),
        verified: row.get("verified")?,
        active: row.get("active")?,
        listed_at: row.get("listed_at")?,
    })
}

fn read_link(row: &Row<'_>) -> Result<(CharityId, SocialLink), DbError> {
    let link = SocialLink {
        network: row.get("network")?,
        url: row.get("url")?,
    };
    Ok((row.get("charity")?, link))
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
