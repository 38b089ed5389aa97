//! Migrations run in the order of their numbers, and take nothing away but indexes.

use std::collections::BTreeSet;

use super::tree::{File, Finding};

const FOLDER: &str = "crates/store/migrations/";
/// Migrations are folders `NNNN_words`, from 0001 without gaps, with a file for each kind of text.
pub(super) fn numbering(files: &[File]) -> Vec<Finding> {
    let mut folders = BTreeSet::new();
    let mut findings = Vec::new();
    for file in files {
        let Some(below) = file.path.strip_prefix(FOLDER) else { continue };
        match below.split_once('/') {
            Some((folder, name)) if is_sql(name) => drop(folders.insert(folder)),
            _ => findings.push(Finding::of(file, "expected NNNN_words/words.sql")),
        }
    }
    let numbered = (1..).zip(folders);
    let wrong = numbered.filter(|(number, name)| !is_migration(*number, name));
    findings.extend(wrong.map(|(number, name)| Finding {
        place: format!("{FOLDER}{name}"),
        what: format!("expected {number:04}_words in lower case"),
    }));
    findings
}

/// Migrations run while nodes of the previous version use the database on PostgreSQL, so they may
/// only add. They may drop an index that is not unique, because that changes no results. Whoever drops
/// one checks that the previous version's queries have another.
pub(super) fn adding(files: &[File]) -> Vec<Finding> {
    let migrations: Vec<&File> = files.iter().filter(|it| it.path.starts_with(FOLDER)).collect();
    let unique: BTreeSet<String> =
        migrations.iter().flat_map(|file| unique_indexes(&code(file))).collect();
    let of_nodes = migrations.into_iter().filter(|file| !file.path.ends_with("/sqlite.sql"));
    of_nodes.flat_map(|file| taking_away(file, &unique)).collect()
}

/// The statements of a migration, without comments and in upper case.
fn code(file: &File) -> String {
    let code = file.text.lines().map(|line| line.split("--").next().unwrap_or_default());
    code.collect::<Vec<_>>().join("\n").to_uppercase()
}

fn unique_indexes(code: &str) -> Vec<String> {
    let named = |statement: &str| {
        let after = statement.trim_start().strip_prefix("CREATE UNIQUE INDEX")?;
        let after = after.trim_start();
        let name = after.strip_prefix("IF NOT EXISTS").unwrap_or(after);
        name.split_whitespace().next().map(str::to_owned)
    };
    code.split(';').filter_map(named).collect()
}

fn taking_away(file: &File, unique: &BTreeSet<String>) -> Vec<Finding> {
    let code = code(file);
    let mut line = 1;
    let mut findings = Vec::new();
    for statement in code.split(';') {
        let begins = line
            + statement.chars().take_while(|c| c.is_whitespace()).filter(|c| *c == '\n').count();
        if takes_away(statement, unique) {
            findings.push(Finding::at(
                file,
                begins,
                "removes something that the previous version uses",
            ));
        }
        line += statement.matches('\n').count();
    }
    findings
}

fn takes_away(statement: &str, unique: &BTreeSet<String>) -> bool {
    let words: Vec<&str> = statement.split_whitespace().collect();
    let has = |wanted: &[&str]| words.windows(wanted.len()).any(|words| words == wanted);
    let alters = words.starts_with(&["ALTER"]);
    let is_strict = has(&["NOT", "NULL"]) && !words.contains(&"DEFAULT");
    let drops_index = words.starts_with(&["DROP", "INDEX"]);
    let drops_unique = drops_index && words.iter().any(|word| unique.contains(*word));
    drops_unique
        || (words.starts_with(&["DROP"]) && !drops_index)
        || words.starts_with(&["TRUNCATE"])
        || (alters && (words.contains(&"DROP") || words.contains(&"RENAME") || is_strict))
}

fn is_sql(name: &str) -> bool {
    let words = name.strip_suffix(".sql");
    words.is_some_and(|words| !words.is_empty() && words.bytes().all(|c| c.is_ascii_lowercase()))
}

fn is_migration(number: usize, name: &str) -> bool {
    let words = name.strip_prefix(&format!("{number:04}_"));
    words.is_some_and(|words| {
        !words.is_empty()
            && words.bytes().all(|c| c.is_ascii_lowercase() || b"_0123456789".contains(&c))
    })
}

fn found(names: &[&str]) -> Vec<String> {
    let files: Vec<_> =
        names.iter().map(|name| File::sample(&format!("{FOLDER}{name}"), "")).collect();
    let places = numbering(&files).into_iter();
    places.filter_map(|finding| Some(finding.place.strip_prefix(FOLDER)?.to_owned())).collect()
}

#[test]
fn a_gap_a_double_and_a_bad_name_are_found() {
    let first = "0001_first/shared.sql";
    assert_eq!(found(&[first, "0001_first/sqlite.sql", "0002_more_rows/postgres.sql"]), [""; 0]);
    assert_eq!(found(&[first, "0003_c/shared.sql"]), ["0003_c"]);
    assert_eq!(found(&[first, "0001_g/shared.sql"]), ["0001_g"]);
    assert_eq!(found(&["0001_First/shared.sql"]), ["0001_First"]);
    assert_eq!(found(&["0001_/shared.sql"]), ["0001_"]);
    assert_eq!(found(&["0001_first.sql"]), ["0001_first.sql"]);
    assert_eq!(found(&[first, "0001_first/notes.txt"]), ["0001_first/notes.txt"]);
}

#[test]
fn a_step_that_takes_away_is_found() {
    let found = |name: &str, text: &str| -> Vec<String> {
        let first = File::sample(
            &format!("{FOLDER}0001_x/sqlite.sql"),
            "CREATE UNIQUE INDEX only_one ON t (a); CREATE INDEX i ON t (a);",
        );
        adding(&[first, File::sample(&format!("{FOLDER}{name}"), text)])
            .into_iter()
            .map(|it| it.place.rsplit_once(':').unwrap().1.to_owned())
            .collect()
    };
    let adds =
        "-- DROP nothing;\nCREATE TABLE t (a TEXT NOT NULL);\nALTER TABLE t ADD COLUMN b BIGINT;
        ALTER TABLE t ADD COLUMN c BIGINT NOT NULL DEFAULT 0;\nDROP INDEX i;";
    assert_eq!(found("0002_x/shared.sql", adds), [""; 0]);
    for bad in [
        "ALTER TABLE t ADD COLUMN c BIGINT NOT NULL",
        "ALTER TABLE t DROP COLUMN a",
        "ALTER TABLE t RENAME TO u",
        "drop table t",
        "DROP INDEX only_one",
    ] {
        let text = format!("-- Why.\n\n{bad};\n");
        assert_eq!(found("0002_x/shared.sql", &text), ["3"], "{bad}");
        assert_eq!(found("0002_x/postgres.sql", &text), ["3"], "{bad}");
        assert_eq!(found("0002_x/sqlite.sql", &text), [""; 0]);
    }
}
