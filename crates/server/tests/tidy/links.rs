//! Links from a document to other files of the repository and to headings.

use std::collections::{HashMap, HashSet};

use super::tree::{File, Finding};

/// What a link may lead to: every file, with its headings if it is a document, and folders.
struct Targets<'a> {
    files: HashMap<&'a str, &'a File>,
    folders: HashSet<&'a str>,
}

/// Every link that leads to no file, folder or heading.
pub(super) fn broken(files: &[File]) -> Vec<Finding> {
    let targets = targets(files);
    let documents = files.iter().filter(|file| file.is_ours(&["md"]));
    let mut findings = Vec::new();
    for document in documents {
        for (line, link) in links(&document.text) {
            if !leads_somewhere(document, &link, &targets) {
                findings.push(Finding::at(document, line, format!("{link} leads nowhere")));
            }
        }
    }
    findings
}

fn targets(files: &[File]) -> Targets<'_> {
    let folders =
        files.iter().flat_map(|file| file.path.match_indices('/').map(|(at, _)| &file.path[..at]));
    Targets {
        files: files.iter().map(|file| (file.path.as_str(), file)).collect(),
        folders: folders.chain([""]).collect(),
    }
}

fn leads_somewhere(document: &File, link: &str, targets: &Targets<'_>) -> bool {
    if link.contains("://") || link.starts_with("mailto:") {
        return true;
    }
    let (path, heading) = link.split_once('#').map_or((link, None), |(p, h)| (p, Some(h)));
    let target =
        if path.is_empty() { Some(document.path.clone()) } else { beside(&document.path, path) };
    let Some(target) = target else { return false };
    match (targets.files.get(target.as_str()), heading) {
        (Some(file), Some(heading)) => headings(&file.text).any(|known| known == heading),
        (Some(_), None) => true,
        (None, _) => targets.folders.contains(target.as_str()),
    }
}

/// The path that `link` means in `document`; none if it leaves the repository.
fn beside(document: &str, link: &str) -> Option<String> {
    let mut parts: Vec<&str> = document.split('/').collect();
    parts.pop();
    for part in link.trim_end_matches('/').split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Each `[words](link)` and `[words]: link` outside code, with its line, counted from 1.
fn links(document: &str) -> Vec<(usize, String)> {
    let mut links = Vec::new();
    for (number, line) in prose(document) {
        let line = without_code(line);
        let inline = line.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
        links.extend(inline.map(|link| (number, link.to_owned())));
        let defined = line.strip_prefix('[').and_then(|rest| rest.split_once("]: "));
        links.extend(defined.map(|(_, link)| (number, link.trim().to_owned())));
    }
    links
}

/// The lines outside fenced blocks.
fn prose(document: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    (1..).zip(document.lines()).filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

/// The line without its inline code.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

/// The anchors of headings: lower case, hyphens for spaces, no punctuation.
fn headings(document: &str) -> impl Iterator<Item = String> {
    let titles = prose(document).filter_map(|(_, line)| {
        let title = line.trim_start_matches('#').strip_prefix(' ')?;
        line.starts_with('#').then_some(title)
    });
    titles.map(|title| {
        let kept = title.trim().chars().filter(|c| c.is_alphanumeric() || "-_ ".contains(*c));
        kept.collect::<String>().to_lowercase().replace(' ', "-")
    })
}

#[test]
fn links_that_lead_nowhere_are_found() {
    let text = "# Some `words`, here\n\
                [a](b.md) [b](../README.md#the-top) [c](../crates/) [d](#some-words-here)\n\
                [e](gone.md), `[f](gone.md)`, [g](../../outside.md), [h](../README.md#gone)\n\
                ```\n[i](gone.md)\n```\n\
                [j](https://example.com/x) ![k](gone.png \"title\")\n\
                [l]: ../gone.rs\n";
    let files = [
        File::sample("docs/a.md", text),
        File::sample("docs/b.md", ""),
        File::sample("README.md", "## The top\n"),
        File::sample("crates/core/lib.rs", ""),
    ];
    let found: Vec<_> = broken(&files).into_iter().map(|f| (f.place, f.what)).collect();
    let found: Vec<_> = found.iter().map(|(place, what)| (place.as_str(), what.as_str())).collect();
    assert_eq!(
        found,
        [
            ("docs/a.md:3", "gone.md leads nowhere"),
            ("docs/a.md:3", "../../outside.md leads nowhere"),
            ("docs/a.md:3", "../README.md#gone leads nowhere"),
            ("docs/a.md:7", "gone.png leads nowhere"),
            ("docs/a.md:8", "../gone.rs leads nowhere"),
        ]
    );
}
