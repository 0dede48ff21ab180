//! Figures: from the cells of a printed table to values, and from values to cells.

use serde_json::Value;

/// How a figure is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// As it is.
    Plain,
    /// A whole number, its thousands apart.
    Count,
    /// At least three digits: 0.84, 7.62, 15.7, 524, 11,154.
    Digits,
    /// With one digit behind the point and a sign: 2.5 %.
    Percent,
    /// A whole number and a sign: 1,946 %.
    WholePercent,
    /// Whole milliseconds: 1,983 ms.
    Milliseconds,
}

/// The value of a cell: a number if it is one, whatever its unit; null for a dash; else the text.
pub fn value(cell: &str) -> Value {
    let cell = cell.trim();
    let bare = ["%", "ms", "us"].iter().find_map(|unit| cell.strip_suffix(unit)).unwrap_or(cell);
    let bare = bare.trim().replace(',', "");
    if ["", "-", "–"].contains(&cell) {
        return Value::Null;
    }
    if let Ok(whole) = bare.parse::<i64>() {
        return Value::from(whole);
    }
    match bare.parse::<f64>() {
        Ok(number) if bare.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
            Value::from(number)
        }
        _ => Value::from(cell),
    }
}

/// The cell of a value: a dash where there is none.
pub fn cell(value: &Value, format: Format) -> String {
    let Some(number) = value.as_f64() else {
        return value.as_str().unwrap_or("-").to_owned();
    };
    match format {
        Format::Plain => value.to_string(),
        Format::Count => grouped(number),
        Format::Digits => digits(number),
        Format::Percent => format!("{number:.1} %"),
        Format::WholePercent => format!("{} %", grouped(number)),
        Format::Milliseconds => format!("{} ms", grouped(number)),
    }
}

fn digits(number: f64) -> String {
    match number.abs() {
        size if size >= 99.95 => grouped(number),
        size if size >= 9.995 => format!("{number:.1}"),
        _ => format!("{number:.2}"),
    }
}

fn grouped(number: f64) -> String {
    let whole = format!("{:.0}", number.abs());
    let mut text = if number <= -0.5 { "-".to_owned() } else { String::new() };
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The geometric mean; none of no numbers.
pub fn geometric_mean(numbers: &[f64]) -> Option<f64> {
    let sum: f64 = numbers.iter().map(|number| number.ln()).sum();
    (!numbers.is_empty()).then(|| (sum / numbers.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_values_and_values_cells() {
        for (text, format) in [
            ("82,443", Format::Count),
            ("1.15", Format::Digits),
            ("15.7", Format::Digits),
            ("137,231 %", Format::WholePercent),
            ("-9 %", Format::WholePercent),
            ("2.5 %", Format::Percent),
            ("1,983 ms", Format::Milliseconds),
            ("<0.045", Format::Digits),
            ("-", Format::Count),
        ] {
            assert_eq!(cell(&value(text), format), text);
        }
        assert_eq!(value("82,443"), Value::from(82_443));
        assert_eq!(value("93.8 % ± 11.9"), Value::from("93.8 % ± 11.9"));
        assert_eq!(cell(&Value::from(99.97), Format::Digits), "100");
        assert_eq!(cell(&Value::from(9.999), Format::Digits), "10.0");
    }

    #[test]
    fn means() {
        assert_eq!(geometric_mean(&[]), None);
        assert!((geometric_mean(&[2.0, 8.0]).unwrap() - 4.0).abs() < 1e-12);
    }
}
