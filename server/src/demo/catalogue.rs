//! Invented charities, whose texts say that they are invented, and campaigns for them.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{customers, hours_before, uuid, with};

/// A field of work: its category, a description of its charities, and five names.
type Field = (&'static str, &'static str, [&'static str; 5]);

const FIELDS: [Field; 12] = [
    (
        "animals",
        "looks after animals that nobody wants",
        [
            "Otter Haven",
            "Quiet Paws",
            "Old Horse Meadow",
            "Hedgehog Patrol",
            "Wing and Feather",
        ],
    ),
    (
        "arts-and-culture",
        "keeps theatres, choirs and workshops open",
        [
            "Paper Lantern Theatre",
            "Open Choir",
            "Clay and Kiln",
            "Travelling Stage",
            "Murals Together",
        ],
    ),
    (
        "children",
        "gives children a place to play and someone to talk to",
        [
            "Little Harbour",
            "Kite Club",
            "Swing Set Society",
            "Lullaby House",
            "Small Steps",
        ],
    ),
    (
        "community",
        "brings neighbours together",
        [
            "Long Table",
            "Street Garden",
            "Village Hall Fund",
            "Repair Corner",
            "Bench and Brook",
        ],
    ),
    (
        "disaster-relief",
        "stands ready when storms and floods come",
        [
            "Dry Blanket",
            "Bridge Again",
            "Storm Lamp",
            "High Ground",
            "First Kettle",
        ],
    ),
    (
        "education",
        "teaches those whom schools do not reach",
        [
            "Night Lessons",
            "Book Bicycle",
            "Chalk and Sun",
            "Second Desk",
            "Reading Rooms",
        ],
    ),
    (
        "environment",
        "plants, cleans and counts",
        [
            "Rivers Trust",
            "Moss and Fern",
            "Seagrass Meadows",
            "Thousand Hedges",
            "Clear Sky Watch",
        ],
    ),
    (
        "food",
        "cooks and carries meals",
        [
            "Warm Bowl",
            "Bread Before Nine",
            "Orchard Share",
            "Soup Wagon",
            "Full Plate",
        ],
    ),
    (
        "health",
        "brings doctors and nurses to where there are none",
        [
            "Hill Clinic",
            "Clean Wells",
            "Spectacles for All",
            "Midwives on Wheels",
            "Steady Hands",
        ],
    ),
    (
        "housing",
        "builds and repairs homes",
        [
            "Four Walls",
            "Dry Roof",
            "Key in Hand",
            "Hearth and Door",
            "Tiny House Yard",
        ],
    ),
    (
        "human-rights",
        "defends people in court and out of it",
        [
            "Equal Bench",
            "Safe Passage",
            "Plain Words Law",
            "Every Ballot",
            "Open Door Legal",
        ],
    ),
    (
        "science",
        "pays for questions that nobody else asks",
        [
            "Deep Sea Listening",
            "Small Telescope",
            "Seed Archive",
            "Bee Census",
            "Glacier Diary",
        ],
    ),
];

/// City, region, postal code and country.
type Place = (
    &'static str,
    Option<&'static str>,
    &'static str,
    &'static str,
);

const PLACES: [Place; 11] = [
    ("Utrecht", None, "3511 AA", "NL"),
    ("Nairobi", None, "00100", "KE"),
    ("Portland", Some("Oregon"), "97201", "US"),
    ("Osaka", None, "530-0001", "JP"),
    ("Porto", None, "4000-001", "PT"),
    ("Cusco", None, "08001", "PE"),
    ("Leeds", Some("West Yorkshire"), "LS1 1AA", "GB"),
    ("Kolkata", Some("West Bengal"), "700001", "IN"),
    ("Halifax", Some("Nova Scotia"), "B3H 0A1", "CA"),
    ("Kraków", None, "30-001", "PL"),
    ("Wellington", None, "6011", "NZ"),
];

/// One charity in this many is not active.
const INACTIVE: usize = 13;

/// The number of charities.
pub(super) const CHARITY_COUNT: usize = FIELDS.len() * 5;

/// The id of a charity, by its number.
pub(super) fn charity_id(number: usize) -> String {
    uuid(&format!("charity {number}")).to_string()
}

/// Whether a charity is active, by its number.
pub(super) fn is_active(number: usize) -> bool {
    number % INACTIVE != INACTIVE - 1
}

/// The lines of all charities.
pub(super) fn charities(now: Timestamp) -> Vec<Value> {
    let of_field =
        |(category, work, names): &'static Field| names.map(|name| (*category, *work, name));
    let charities = FIELDS.iter().flat_map(of_field).zip(PLACES.iter().cycle());
    let line = |(number, ((category, work, name), place))| {
        charity(now, number, category, work, name, place)
    };
    charities.enumerate().map(line).collect()
}

fn charity(
    now: Timestamp,
    number: usize,
    category: &str,
    work: &str,
    name: &str,
    place: &Place,
) -> Value {
    let (city, region, postal_code, country) = place;
    let name = format!("Fictional {name}");
    let slug = name.to_lowercase().replace(' ', "-");
    let description =
        format!("{name} is a fictional charity, invented for this demonstration. It {work}.");
    // Two at a time enter the catalogue, so that lists by time have ties to break.
    let listed = i64::try_from(number / 2).unwrap_or_default() * 100 + 5;
    let handle = slug.replace('-', "_");
    json!({
        "kind": "charity",
        "id": charity_id(number),
        "slug": slug,
        "name": name,
        "description": description,
        "logo": format!("https://{slug}.example/logo.svg"),
        "website": format!("https://{slug}.example"),
        "postalAddress": {
            "line1": format!("{} Example Street", number + 1),
            "city": city,
            "region": region,
            "postalCode": postal_code,
        },
        "country": country,
        "taxId": (number % 4 != 3).then(|| format!("{country}-FICTION-{number:04}")),
        "category": category,
        "socialLinks": [{ "network": "mastodon", "url": format!("https://social.example/@{handle}") }],
        "verified": number % 3 != 2,
        "active": is_active(number),
        "listedAt": hours_before(now, listed),
    })
}

/// A campaign: title, days from its start until now, its length in days if it ends, goal in dollars.
type Campaign = (&'static str, i64, Option<i64>, u64);

const CAMPAIGNS: [Campaign; 10] = [
    ("A roof before winter", 30, Some(90), 50_000),
    ("One thousand trees", 60, Some(120), 20_000),
    ("Books for the mountain school", 100, Some(60), 8_000),
    ("The soup wagon's new wheels", 14, Some(28), 3_500),
    ("Wells for three villages", 110, None, 120_000),
    ("A boat for the flood team", -20, Some(60), 45_000),
    ("Summer of small telescopes", 90, Some(45), 6_000),
    ("Lessons by lamplight", 45, None, 30_000),
    ("Kites for everyone", -5, None, 2_000),
    ("Matching week", 3, Some(7), 100_000),
];

/// The lines of all campaigns: every third is for a config, the other ones are for a charity.
pub(super) fn campaigns(now: Timestamp) -> Vec<Value> {
    CAMPAIGNS
        .iter()
        .enumerate()
        .map(|(number, (title, started, length, dollars))| {
            let line = json!({
                "kind": "campaign",
                "id": uuid(&format!("campaign {number}")).to_string(),
                "title": title,
                "description": format!("{title}: a fictional campaign, invented for this demonstration."),
                "goalUsdE6": (dollars * 1_000_000).to_string(),
                "startsAt": hours_before(now, started * 24),
                "endsAt": length.map(|length| hours_before(now, (started - length) * 24)),
            });
            match number % 3 {
                2 => with(line, "config", customers::config_id(number)),
                _ => with(line, "charity", charity_id(number)),
            }
        })
        .collect()
}
