//! Charities.

use rusqlite::{Connection, Row, named_params};

use super::column::{self, Millis};
use super::error::{Rule, WriteError};
use super::versions::{self, Versioned};
use super::{Change, query};
use crate::domain::charity::{Charity, CharityId, PostalAddress, SocialLinks};

/// All charities, active or not.
pub(super) fn all(db: &Connection) -> rusqlite::Result<Vec<Charity>> {
    query::all(db, "SELECT * FROM charity ORDER BY id", [], read)
}

/// One charity, active or not.
pub(super) fn find(db: &Connection, id: CharityId) -> rusqlite::Result<Option<Charity>> {
    query::first(db, "SELECT * FROM charity WHERE id = ?1", [id], read)
}

/// Whether there is such a charity, active or not.
pub(super) fn exists(db: &Connection, id: CharityId) -> rusqlite::Result<bool> {
    Ok(query::first(db, "SELECT 1 FROM charity WHERE id = ?1", [id], |_| Ok(()))?.is_some())
}

pub(super) fn write(db: &Connection, charity: &Charity) -> Result<Change, WriteError> {
    let namesake = "SELECT 1 FROM charity WHERE slug = ?1 AND id <> ?2";
    if query::first(db, namesake, (&charity.slug, charity.id), |_| Ok(()))?.is_some() {
        return Err(WriteError::rejected("/slug", Rule::Taken));
    }
    let change = Change::between(find(db, charity.id)?.as_ref(), charity);
    if change != Change::Unchanged {
        versions::advance(db, Versioned::Catalogue)?;
        put(db, charity)?;
    }
    Ok(change)
}

fn put(db: &Connection, charity: &Charity) -> rusqlite::Result<usize> {
    query::execute(
        db,
        "INSERT INTO charity VALUES (
           :id, :slug, :name, :description, :logo, :website, :street, :city, :region, :postal_code,
           :country, :tax_id, :category, :x, :facebook, :instagram, :linkedin, :youtube, :verified,
           :active, :listed_at
         )
         ON CONFLICT (id) DO UPDATE SET
           slug = excluded.slug, name = excluded.name, description = excluded.description,
           logo = excluded.logo, website = excluded.website, street = excluded.street,
           city = excluded.city, region = excluded.region, postal_code = excluded.postal_code,
           country = excluded.country, tax_id = excluded.tax_id, category = excluded.category,
           x = excluded.x, facebook = excluded.facebook, instagram = excluded.instagram,
           linkedin = excluded.linkedin, youtube = excluded.youtube, verified = excluded.verified,
           active = excluded.active, listed_at = excluded.listed_at",
        named_params! {
            ":id": charity.id,
            ":slug": charity.slug,
            ":name": charity.name,
            ":description": charity.description,
            ":logo": charity.logo,
            ":website": charity.website,
            ":street": charity.address.street,
            ":city": charity.address.city,
            ":region": charity.address.region,
            ":postal_code": charity.address.postal_code,
            ":country": charity.country,
            ":tax_id": charity.tax_id,
            ":category": charity.category,
            ":x": charity.social.x,
            ":facebook": charity.social.facebook,
            ":instagram": charity.social.instagram,
            ":linkedin": charity.social.linkedin,
            ":youtube": charity.social.youtube,
            ":verified": charity.verified,
            ":active": charity.active,
            ":listed_at": Millis(charity.listed_at),
        },
    )
}

fn read(row: &Row<'_>) -> rusqlite::Result<Charity> {
    Ok(Charity {
        id: row.get("id")?,
        slug: row.get("slug")?,
        name: row.get("name")?,
        description: row.get("description")?,
        logo: row.get("logo")?,
        website: row.get("website")?,
        address: PostalAddress {
            street: row.get("street")?,
            city: row.get("city")?,
            region: row.get("region")?,
            postal_code: row.get("postal_code")?,
        },
        country: row.get("country")?,
        tax_id: row.get("tax_id")?,
        category: row.get("category")?,
        social: SocialLinks {
            x: row.get("x")?,
            facebook: row.get("facebook")?,
            instagram: row.get("instagram")?,
            linkedin: row.get("linkedin")?,
            youtube: row.get("youtube")?,
        },
        verified: row.get("verified")?,
        active: row.get("active")?,
        listed_at: column::time(row, "listed_at")?,
    })
}
