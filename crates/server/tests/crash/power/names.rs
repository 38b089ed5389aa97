//! Undoes creations, changes and removals of names that were not made durable.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::log::{Entry, Log, Naming};
use super::loss::Loss;
use crate::calls::Random;

/// For each name, the number of the first change that is lost.
type Cuts = BTreeMap<PathBuf, usize>;

/// Gives each name a state that it may have after a failure, using the files kept in `kept`.
/// Returns the number of changes that are lost.
///
/// A name is durable only after a later sync of its folder: syncing the file is not enough,
/// although it is on some file systems. Each name is as it was after some of its changes, whatever
/// happens to other names, except that a rename never removes the old name without creating the new
/// one.
pub(super) fn lose(log: &Log, kept: &Path, loss: Loss, random: &mut Random) -> usize {
    let mut cuts = Cuts::new();
    for (path, changes) in &log.namings {
        let (least, most) = bounds(log, &cuts, path);
        let before = |number: usize| changes.partition_point(|change| change.number < number);
        let (least, most) = (before(least).min(before(most)), before(most));
        let staying = loss.stay((least, most), random);
        cuts.insert(path.clone(), changes.get(staying).map_or(usize::MAX, |lost| lost.number));
    }
    while give_targets(log, &mut cuts) {}
    let mut lost = 0;
    // A folder comes before its contents.
    for (path, changes) in &log.namings {
        let mut of_path = changes.iter().filter(|change| change.number >= cuts[path]).peekable();
        if let Some(first) = of_path.peek() {
            settle(path, first.before, kept);
        }
        lost += of_path.count();
    }
    lost
}

/// The numbers between which the first lost change of a name can be: all changes before the first
/// number stay, and all from the second number on are lost.
fn bounds(log: &Log, cuts: &Cuts, path: &Path) -> (usize, usize) {
    let folder = path.parent().unwrap();
    let durable = |end| log.durable_names(folder, end);
    let (Some(changes), Some(cut)) = (log.namings.get(folder), cuts.get(folder)) else {
        return (durable(usize::MAX), usize::MAX);
    };
    let is_removal = |change: &&Naming| change.before == Entry::Folder && change.number < *cut;
    // The contents of a removed folder are not in the next folder with its name.
    let emptied = changes.iter().rev().find(is_removal).map_or(0, |change| change.number);
    // Likewise, the contents of a lost folder are not in an earlier folder with its name.
    let lost = changes.iter().find(|change| change.number >= *cut);
    let lost = lost.map_or(usize::MAX, |change| change.number);
    (durable(lost).max(emptied), lost)
}

/// Gives the new name to a file that has lost its old one in a rename. Returns whether there was
/// such a file.
fn give_targets(log: &Log, cuts: &mut Cuts) -> bool {
    let mut changed = false;
    for (path, changes) in &log.namings {
        let cut = cuts[path];
        for change in changes.iter().filter(|change| change.number < cut) {
            let Some(target) = &change.moved_to else { continue };
            if cuts[target] <= change.number {
                cuts.insert(target.clone(), change.number + 1);
                changed = true;
            }
        }
    }
    changed
}

/// Makes the name refer to `entry` again.
fn settle(path: &Path, entry: Entry, kept: &Path) {
    let there = fs::symlink_metadata(path).ok();
    let is_folder = there.as_ref().is_some_and(fs::Metadata::is_dir);
    if there.is_some() && !(is_folder && entry == Entry::Folder) {
        let remove = if is_folder { fs::remove_dir_all } else { fs::remove_file };
        remove(path).unwrap();
    }
    // The contents of a lost folder are lost with it.
    if !path.parent().unwrap().exists() {
        return;
    }
    match entry {
        Entry::Nothing => {}
        Entry::Folder if is_folder => {}
        Entry::Folder => fs::create_dir(path).unwrap(),
        Entry::File(file) => fs::hard_link(kept.join(file.to_string()), path).unwrap(),
    }
}
