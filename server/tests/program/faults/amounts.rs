//! Sums at their limits: 256 bits of a token, 64 of US dollars.

use serde_json::{Value, json};

use super::fault::Fault;
use super::requests::{get, key, keyed};
use crate::folder::Folder;
use crate::world::{donations, text};

const MAX_AMOUNT: &str =
    "115792089237316195423570985008687907853269984665640564039457584007913129639935";
const ONE_MORE: &str =
    "115792089237316195423570985008687907853269984665640564039457584007913129639936";

pub(super) fn amounts_at_the_edge(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let mut lines = donations(4);
    let sums = [
        (MAX_AMOUNT, i64::MAX.to_string()),
        ("1", "1".to_owned()),
        (ONE_MORE, "0".to_owned()),
        ("1", (1_u64 << 63).to_string()),
    ];
    for (line, (amount, usd)) in lines.iter_mut().zip(sums) {
        line["amount"] = json!(amount);
        line["usdE6"] = json!(usd);
    }
    let mut import = |asked, name, line: &Value| import(fault, &folder, asked, name, line);
    import(
        "`import` of 2²⁵⁶ − 1 units, worth 2⁶³ − 1 millionths",
        "most.ndjson",
        &lines[0],
    );
    import("`import` of a millionth more", "sum.ndjson", &lines[1]);
    import("`import` of 2²⁵⁶ units", "units.ndjson", &lines[2]);
    import("`import` of 2⁶³ millionths", "millionths.ndjson", &lines[3]);
    fault.run("`verify`", &folder, &["verify"]);
    let serving = fault.serve(&folder, &[]);
    let total = get("/analytics", &key(&secret));
    fault.request("the project's statistics", &serving, total);
}

fn import(fault: &mut Fault, folder: &Folder, asked: &str, name: &'static str, line: &Value) {
    let file = folder.write(name, &text(std::slice::from_ref(line)));
    fault.run(asked, folder, &["import", file]);
}
