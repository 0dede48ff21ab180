//! The ground rules as a rulesheet.
