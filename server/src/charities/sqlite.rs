//! Charities, in SQLite.

use rusqlite::{Connection, Row, named_params};

use super::{Charity, CharityId, PostalAddress, SocialLink};
use crate::database::error::WriteError;
use crate::database::sqlite::column::{self, Millis};
use crate::database::sqlite::query;
use crate::import::Rule;

const CHARITIES: &str =
    "SELECT id, slug, name, description, logo, website, line1, line2, city, region,
                           postal_code, country, tax_id, category, verified, active, listed_at
                         FROM charity";

/// All charities, active or not.
pub(crate) fn all(db: &Connection) -> rusqlite::Result<Vec<Charity>> {
    let heads = query::all(db, &format!("{CHARITIES} ORDER BY id"), [], read_head)?;
    heads.into_iter().map(|head| complete(db, head)).collect()
}

/// One charity, active or not.
pub(crate) fn find(db: &Connection, id: CharityId) -> rusqlite::Result<Option<Charity>> {
    let head = query::first(db, &format!("{CHARITIES} WHERE id = ?1"), [id], read_head)?;
    head.map(|head| complete(db, head)).transpose()
}

/// Inserts or updates a charity, whose slug must be no other one's.
pub(crate) fn put(db: &Connection, charity: &Charity) -> Result<(), WriteError> {
    let namesake = "SELECT 1 FROM charity WHERE slug = ?1 AND id <> ?2";
    if query::exists(db, namesake, (&charity.slug, charity.id))? {
        return Err(WriteError::rejected("/slug", Rule::Taken));
    }
    put_head(db, charity)?;
    Ok(put_links(db, charity)?)
}

fn put_head(db: &Connection, charity: &Charity) -> rusqlite::Result<usize> {
    query::execute(
        db,
        "INSERT INTO charity (
           id, slug, name, description, logo, website, line1, line2, city, region, postal_code,
           country, tax_id, category, verified, active, listed_at
         ) VALUES (
           :id, :slug, :name, :description, :logo, :website, :line1, :line2, :city, :region, :postal_code,
           :country, :tax_id, :category, :verified,
           :active, :listed_at
         )
         ON CONFLICT (id) DO UPDATE SET
           slug = excluded.slug, name = excluded.name, description = excluded.description,
           logo = excluded.logo, website = excluded.website, line1 = excluded.line1, line2 = excluded.line2,
           city = excluded.city, region = excluded.region, postal_code = excluded.postal_code,
           country = excluded.country, tax_id = excluded.tax_id, category = excluded.category,
           verified = excluded.verified,
           active = excluded.active, listed_at = excluded.listed_at",
        named_params! {
            ":id": charity.id,
            ":slug": charity.slug,
            ":name": charity.name,
            ":description": charity.description,
            ":logo": charity.logo,
            ":website": charity.website,
            ":line1": charity.address.line1,
            ":line2": charity.address.line2,
            ":city": charity.address.city,
            ":region": charity.address.region,
            ":postal_code": charity.address.postal_code,
            ":country": charity.country,
            ":tax_id": charity.tax_id,
            ":category": charity.category,
            ":verified": charity.verified,
            ":active": charity.active,
            ":listed_at": Millis(charity.listed_at),
        },
    )
}

/// The charity without its pages in social networks.
fn read_head(row: &Row<'_>) -> rusqlite::Result<Charity> {
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
        listed_at: column::time(row, "listed_at")?,
    })
}

fn complete(db: &Connection, head: Charity) -> rusqlite::Result<Charity> {
    let sql = "SELECT network, url FROM social_link WHERE charity = ?1 ORDER BY place";
    let social_links = query::all(db, sql, [head.id], |row| {
        Ok(SocialLink {
            network: row.get("network")?,
            url: row.get("url")?,
        })
    })?;
    Ok(Charity {
        social_links,
        ..head
    })
}

fn put_links(db: &Connection, charity: &Charity) -> rusqlite::Result<()> {
    query::execute(
        db,
        "DELETE FROM social_link WHERE charity = ?1",
        [charity.id],
    )?;
    for (place, link) in charity.social_links.iter().enumerate() {
        let sql = "INSERT INTO social_link (charity, place, network, url) VALUES (?1, ?2, ?3, ?4)";
        query::execute(db, sql, (charity.id, place, &link.network, &link.url))?;
    }
    Ok(())
}
