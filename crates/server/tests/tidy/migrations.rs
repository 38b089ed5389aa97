//! Migrations run in the order of their numbers, and every database has the same ones.

use std::collections::BTreeMap;

use super::tree::{File, Finding};

const FOLDER: &str = "crates/store/migrations/";

/// `NNNN_words.sql`, from 0001 without gaps, with the same names for each database.
pub(super) fn numbering(files: &[File]) -> Vec<Finding> {
    let mut databases: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut findings = Vec::new();
    for file in files {
        let Some(below) = file.path.strip_prefix(FOLDER) else { continue };
        match below.split_once('/') {
            Some((database, name)) => databases.entry(database).or_default().push(name),
            None => findings.push(Finding::of(file, "is not in the folder of a database")),
        }
    }
    for (database, names) in &mut databases {
        names.sort_unstable();
        findings.extend(misnumbered(database, names));
    }
    findings.extend(databases.values().next().into_iter().flat_map(|first| {
        databases.iter().filter(move |(_, names)| *names != first).map(|(database, _)| Finding {
            place: format!("{FOLDER}{database}"),
            what: "has other migrations than the first database".into(),
        })
    }));
    findings
}

/// The last migration of PostgreSQL's schema before its first release.
const LAST_UNRELEASED: &str = "0010";

/// PostgreSQL migrations run while nodes of the previous version serve, so they may only add.
pub(super) fn adding(file: &File) -> Vec<Finding> {
    let name = file.path.strip_prefix(FOLDER).and_then(|below| below.strip_prefix("postgres/"));
    if name.is_none_or(|name| name.get(..4).is_none_or(|number| number <= LAST_UNRELEASED)) {
        return Vec::new();
    }
    let code = file.text.lines().map(|line| line.split("--").next().unwrap_or_default());
    let code: String = code.collect::<Vec<_>>().join("\n").to_uppercase();
    let mut line = 1;
    let mut findings = Vec::new();
    for statement in code.split(';') {
        let begins = line
            + statement.chars().take_while(|c| c.is_whitespace()).filter(|c| *c == '\n').count();
        if takes_away(statement) {
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

fn takes_away(statement: &str) -> bool {
    let words: Vec<&str> = statement.split_whitespace().collect();
    let has = |wanted: &[&str]| words.windows(wanted.len()).any(|words| words == wanted);
    let alters = words.starts_with(&["ALTER"]);
    let is_strict = has(&["NOT", "NULL"]) && !words.contains(&"DEFAULT");
    words.starts_with(&["DROP"])
        || words.starts_with(&["TRUNCATE"])
        || (alters && (words.contains(&"DROP") || words.contains(&"RENAME") || is_strict))
}

fn misnumbered(database: &str, names: &[&str]) -> Vec<Finding> {
    let numbered = (1..).zip(names);
    let wrong = numbered.filter(|(number, name)| !is_migration(*number, name));
    wrong
        .map(|(number, name)| Finding {
            place: format!("{FOLDER}{database}/{name}"),
            what: format!("expected {number:04}_words.sql in lower case"),
        })
        .collect()
}

fn is_migration(number: usize, name: &str) -> bool {
    let prefix = format!("{number:04}_");
    let words = name.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix(".sql"));
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
    assert_eq!(found(&["sqlite/0001_first.sql", "sqlite/0002_more_rows.sql"]), [""; 0]);
    assert_eq!(found(&["sqlite/0001_first.sql", "sqlite/0003_c.sql"]), ["sqlite/0003_c.sql"]);
    assert_eq!(found(&["sqlite/0001_a.sql", "sqlite/0001_b.sql"]), ["sqlite/0001_b.sql"]);
    assert_eq!(found(&["sqlite/0001_First.sql"]), ["sqlite/0001_First.sql"]);
    assert_eq!(found(&["sqlite/0001_.sql"]), ["sqlite/0001_.sql"]);
    assert_eq!(found(&["0001_first.sql"]), ["0001_first.sql"]);
}

#[test]
fn databases_that_drift_apart_are_found() {
    let same = ["postgres/0001_first.sql", "sqlite/0001_first.sql"];
    assert_eq!(found(&same), [""; 0]);
    assert_eq!(found(&[same[0], same[1], "sqlite/0002_more.sql"]), ["sqlite"]);
}

#[test]
fn a_step_that_takes_away_is_found() {
    let found = |name: &str, text: &str| -> Vec<String> {
        let file = File::sample(&format!("{FOLDER}{name}"), text);
        adding(&file)
            .into_iter()
            .map(|it| it.place.rsplit_once(':').unwrap().1.to_owned())
            .collect()
    };
    let adds =
        "-- DROP nothing;\nCREATE TABLE t (a TEXT NOT NULL);\nALTER TABLE t ADD COLUMN b BIGINT;
        ALTER TABLE t ADD COLUMN c BIGINT NOT NULL DEFAULT 0;";
    assert_eq!(found("postgres/0011_x.sql", adds), [""; 0]);
    for bad in [
        "ALTER TABLE t ADD COLUMN c BIGINT NOT NULL",
        "ALTER TABLE t DROP COLUMN a",
        "ALTER TABLE t RENAME TO u",
        "drop table t",
        "DROP INDEX i",
    ] {
        assert_eq!(found("postgres/0011_x.sql", &format!("-- Why.\n\n{bad};\n")), ["3"], "{bad}");
        assert_eq!(found("postgres/0010_x.sql", bad), [""; 0]);
        assert_eq!(found("sqlite/0011_x.sql", bad), [""; 0]);
    }
}
