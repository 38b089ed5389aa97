//! Columns of text.

/// `rows` below `heads`. Each column is as wide as its widest cell.
pub(super) fn table<const N: usize>(heads: [&str; N], rows: &[[String; N]]) -> String {
    let heads = heads.map(str::to_owned);
    let all = || std::iter::once(&heads).chain(rows);
    let mut text = String::new();
    for row in all() {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let cells = all().filter_map(|row| row.get(column));
            let width = cells.map(|cell| cell.chars().count()).max().unwrap_or(0);
            line.push_str(&format!("{cell:width$}  "));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
