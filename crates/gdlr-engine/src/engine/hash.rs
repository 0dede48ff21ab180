//! A hash of facts that is the same on every machine and on every engine.

use gdlr_rules::gdl::{SymbolTable, Term};

/// A hash of a fact: of its text, so that it is the same everywhere. FNV-1a of 64 bits, its
/// bits then mixed (the finaliser of MurmurHash3), because facts differ in few letters.
pub fn fact_hash(fact: &Term, symbols: &SymbolTable) -> u64 {
    let text = match symbols.is_case_sensitive() {
        true => fact.spelled(symbols),
        false => fact.canonical(symbols),
    };
    let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, fold);
    let hash = (hash ^ hash >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let hash = (hash ^ hash >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ hash >> 33
}
