//! The names that a misspelled name is likely to mean.

use strsim::levenshtein;

/// The name that is most like this one, if one is so like it that it may be meant. The case of
/// letters makes no difference. Linear in the names.
pub fn nearest_name<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let name = name.to_ascii_lowercase();
    let length = name.chars().count();
    // Something of the name must be left.
    let most = (1 + length / 4).min(length.saturating_sub(1));
    let near = |other: &'n str| {
        // Names may be of any length; the distance takes the product of both.
        if other.chars().count().abs_diff(length) > most {
            return None;
        }
        let distance = levenshtein(&name, &other.to_ascii_lowercase());
        (distance <= most).then_some((distance, other))
    };
    names.into_iter().filter_map(near).min().map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_enough_to_be_meant() {
        let names = ["legal", "terminal", "goal", "Cell"];
        assert_eq!(nearest_name("legl", names), Some("legal"));
        assert_eq!(nearest_name("cel", names), Some("Cell"));
        assert_eq!(nearest_name("terminated", names), Some("terminal"));
        assert_eq!(nearest_name("x", names), None);
        assert_eq!(nearest_name("9", ["8", "g"]), None);
    }
}
