//! Names in columns.

/// Between columns.
const GAP: usize = 2;

/// Items in columns, down before across, in as few rows as fit.
pub fn columns(items: &[String], width: usize) -> String {
    let fewest = (1..items.len())
        .find(|&rows| column_widths(items, rows).iter().sum::<usize>() <= width + GAP);
    let rows = fewest.unwrap_or(items.len());
    let widths = column_widths(items, rows);
    let mut text = String::new();
    for row in 0..rows {
        let mut line = String::new();
        for (item, width) in items.iter().skip(row).step_by(rows).zip(&widths) {
            line += &format!("{item:<width$}");
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// By column of so many rows: its width, with the gap to the next.
fn column_widths(items: &[String], rows: usize) -> Vec<usize> {
    let widest = |column: &[String]| column.iter().map(|item| item.chars().count()).max();
    items.chunks(rows.max(1)).map(|column| widest(column).unwrap_or(0) + GAP).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_run_down() {
        let items: Vec<String> = (1..=5).map(|i| i.to_string()).collect();
        assert_eq!(columns(&items, 6), "1  4\n2  5\n3\n");
        assert_eq!(columns(&items, 13), "1  2  3  4  5\n");
        assert_eq!(columns(&items, 1), "1\n2\n3\n4\n5\n");
        assert_eq!(columns(&[], 80), "");
    }
}
