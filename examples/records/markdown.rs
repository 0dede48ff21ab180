//! Tables in Markdown: read from what benchmarks print, and written into documents.

/// A table: its header, and the cells of its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

/// The tables of a text, in order.
pub fn tables(text: &str) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        let cells = line.trim().strip_prefix('|').and_then(|line| line.strip_suffix('|'));
        let Some(cells) = cells else {
            is_open = false;
            continue;
        };
        let cells: Vec<String> = cells.split('|').map(|cell| cell.trim().to_owned()).collect();
        let is_rule =
            cells.iter().all(|cell| !cell.is_empty() && cell.chars().all(|c| "-:".contains(c)));
        match tables.last_mut() {
            _ if is_rule => {}
            Some(table) if is_open => table.rows.push(cells),
            _ => tables.push(Table { header: cells, rows: Vec::new() }),
        }
        is_open = true;
    }
    tables
}

/// The text of a table: columns with words to the left, those of figures to the right.
pub fn text(table: &Table) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let has_words = |column: usize| {
        let mut cells = table.rows.iter().filter_map(|row| row.get(column));
        column == 0 || cells.any(|cell| cell.starts_with(|c: char| c.is_alphabetic()))
    };
    let rule = (0..table.header.len()).map(|at| if has_words(at) { "---|" } else { "---:|" });
    let mut text = line(&table.header);
    text.push_str(&format!("|{}\n", rule.collect::<String>()));
    table.rows.iter().for_each(|row| text.push_str(&line(row)));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_and_written() {
        let printed =
            "compiling\n| game | rate |\n|------|-----:|\n| hex  |  1,2 |\n\n| a |\n|---|\n";
        let [first, second] = &tables(printed)[..] else { panic!("two tables") };
        assert_eq!(text(first), "| game | rate |\n|---|---:|\n| hex | 1,2 |\n");
        assert_eq!((second.header.len(), second.rows.len()), (1, 0));
        assert_eq!(tables(&text(first))[0], *first);
    }
}
