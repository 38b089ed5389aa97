//! Lists of an account's edits, for their owner.

use retouch_core::{AccountId, KeyId, Kind, Timestamp};

use super::{EditRecord, EditStatus, row};
use crate::page::Place;
use crate::rows::{Rows, Value, all, one, params};
use crate::{Error, Page, PageRequest, Store};

/// The maximum number of words that a search looks for. The rest is ignored.
const WORDS_MAX: usize = 8;

/// How many edits a page looks at if it searches for something that no index finds, which takes
/// about 2 ms. The cursor of such a page continues where it stopped, so a page may have few rows, or
/// none, although it is not the last one.
const LOOKED_AT_MAX: i64 = 5_000;

/// Which of an account's edits to list. By default, all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EditFilter {
    /// Words that the prompt, the name or the input's file name contain, in any order, ignoring
    /// ASCII case.
    pub words: Option<String>,
    /// What was produced.
    pub kind: Option<Kind>,
    /// The status.
    pub status: Option<EditStatus>,
    /// Whether to leave out those that failed.
    pub hides_failed: bool,
    /// The model.
    pub model: Option<String>,
    /// Whether to list only those that are starred.
    pub is_starred: bool,
    /// Only those that began at this time or later.
    pub from: Option<Timestamp>,
    /// Only those that began before this time.
    pub until: Option<Timestamp>,
    /// The API key that made the call.
    pub made_by: Option<KeyId>,
}

impl EditFilter {
    /// Whether edits have to be looked at to find those that match.
    fn is_search(&self) -> bool {
        let Self { words, kind, status, model, .. } = self;
        words.as_ref().is_some_and(|words| !words.trim().is_empty())
            || kind.is_some()
            || status.is_some()
            || model.is_some()
    }

    /// The words as LIKE patterns, with special characters escaped.
    fn patterns(&self) -> Vec<String> {
        let words = self.words.as_deref().unwrap_or_default();
        let escape = |letter: char| matches!(letter, '%' | '_' | '\\').then_some('\\');
        let pattern = |word: &str| {
            let quoted: String =
                word.chars().flat_map(|it| escape(it).into_iter().chain([it])).collect();
            format!("%{quoted}%")
        };
        words.split_whitespace().take(WORDS_MAX).map(pattern).collect()
    }
}

impl Store {
    /// Lists the edits of an account that match `filter`, newest first, without deleted ones.
    ///
    /// # Errors
    /// [`Error::BadCursor`], [`Error::BadLimit`].
    pub async fn list_edits(
        &self,
        account: &AccountId,
        filter: &EditFilter,
        page: &PageRequest,
    ) -> Result<Page<EditRecord>, Error> {
        let (account, place) = (account.clone(), Place::read("edits", page)?);
        let filter = filter.clone();
        self.read(move |rows| {
            let patterns = filter.patterns();
            let (from, until) = (filter.from.map(first_id), filter.until.map(first_id));
            let until = until.as_deref().map_or(place.before(), |until| place.before().min(until));
            let stop = if filter.is_search() { stop(rows, &account, until)? } else { None };
            // What is older is not asked for.
            let stop = stop.filter(|stop| from.as_ref().is_none_or(|from| stop > from));
            let mut query = Query::default();
            query.add("account_id = ?", Value::Text(account.as_str()));
            query.add("id < ?", Value::Text(until));
            if let Some(from) = stop.as_ref().or(from.as_ref()) {
                query.add("id >= ?", Value::Text(from));
            }
            let contains = contains(rows);
            patterns.iter().for_each(|it| query.add(&contains, Value::Text(it)));
            if let Some(model) = &filter.model {
                query.add("model = ?", Value::Text(model));
            }
            if let Some(key) = &filter.made_by {
                query.add("key_id = ?", Value::Text(key.as_str()));
            }
            query.conditions += &fixed(&filter);
            query.values.push(Value::Integer(place.rows()));
            let found = all(rows, &query.sql(), query.values.as_slice(), row::from_row)?;
            Ok(place.page_until(found, |edit| edit.id.to_string(), stop))
        })
        .await
    }
}

/// The condition that the prompt, the name or the file name of the first input matches a pattern,
/// ignoring ASCII case.
fn contains(rows: &Rows) -> String {
    let like = rows.like();
    let texts = ["instruction", "name", "input_name"];
    format!("({})", texts.map(|text| format!("{text} {like} ? ESCAPE '\\'")).join(" OR "))
}

/// The edit at which a search that begins before `until` stops. `None`: it looks at all of them.
fn stop(rows: &Rows, account: &AccountId, until: &str) -> Result<Option<String>, Error> {
    let sql = "SELECT id FROM edit WHERE account_id = ?1 AND id < ?2
               ORDER BY id DESC LIMIT 1 OFFSET ?3";
    one(rows, sql, params![account.as_str(), until, LOOKED_AT_MAX - 1], |row| row.get(0))
}

/// The conditions without values. They consist of our own constants, written literally, so that the
/// databases can choose indexes by them.
fn fixed(filter: &EditFilter) -> String {
    let mut conditions = String::from(" AND deleted_at IS NULL");
    if let Some(kind) = filter.kind {
        conditions += &format!(" AND kind = '{}'", kind.as_str());
    }
    if let Some(status) = filter.status {
        conditions += &format!(" AND status = '{}'", status.as_str());
    }
    if filter.hides_failed {
        conditions += &format!(" AND status <> '{}'", EditStatus::Failed.as_str());
    }
    if filter.is_starred {
        conditions += " AND starred";
    }
    conditions
}

/// A query with only the conditions in use. The account is its first value, and the number of rows
/// its last.
#[derive(Default)]
struct Query<'a> {
    conditions: String,
    values: Vec<Value<'a>>,
}

impl<'a> Query<'a> {
    /// Adds a condition in which each `?` stands for `value`.
    fn add(&mut self, condition: &str, value: Value<'a>) {
        self.values.push(value);
        let and = if self.conditions.is_empty() { "" } else { " AND " };
        let place = format!("?{}", self.values.len());
        self.conditions += and;
        self.conditions += &condition.replace('?', &place);
    }

    /// Searches in an index that covers the conditions, and reads only the rows that match.
    fn sql(&self) -> String {
        format!(
            "SELECT {} FROM edit WHERE account_id = ?1 AND id IN (
                 SELECT id FROM edit WHERE {} ORDER BY id DESC LIMIT ?{})
             ORDER BY id DESC",
            row::COLUMNS,
            self.conditions,
            self.values.len()
        )
    }
}

/// The lower bound of the ids of edits that began at `at` or later. An id starts with the time.
fn first_id(at: Timestamp) -> String {
    let ms = u64::try_from(at.0).unwrap_or(0) & 0xffff_ffff_ffff;
    format!("{:08x}-{:04x}", ms >> 16, ms & 0xffff)
}

#[cfg(test)]
mod tests {
    use super::{EditFilter, Query, first_id, fixed};
    use crate::rows::{Rows, Value, all};
    use crate::sqlite::{connect, migrate};
    use crate::{Error, Settings};
    use retouch_core::Timestamp;

    /// The query plan of a list with this filter and these values.
    fn plan(filter: &EditFilter, model: Option<&str>) -> Result<String, Error> {
        let folder = tempfile::TempDir::new().map_err(|error| Error::files(&error))?;
        let path = folder.path().join("rows.db");
        let settings = Settings::new(&path, folder.path().join("blobs"));
        let rows = Rows::Sqlite(connect(&settings, &path)?);
        migrate(&rows, settings.steps)?;
        let mut query = Query::default();
        query.add("account_id = ?", Value::Text("acct"));
        query.add("id < ?", Value::Text("~"));
        if let Some(model) = model {
            query.add("model = ?", Value::Text(model));
        }
        query.conditions += &fixed(filter);
        query.values.push(Value::Integer(51));
        let sql = format!("EXPLAIN QUERY PLAN {}", query.sql());
        let steps = all(&rows, &sql, query.values.as_slice(), |row| row.get::<_, String>("detail"));
        Ok(steps?.join("\n"))
    }

    #[test]
    fn every_filter_is_answered_from_an_index() {
        let any = EditFilter::default;
        let starred = EditFilter { is_starred: true, ..any() };
        let no_failed = EditFilter { hides_failed: true, ..any() };
        for (filter, model, index) in [
            (any(), None, "COVERING INDEX edit_search (account_id=? AND id<?)"),
            (no_failed, Some("gamma-2"), "COVERING INDEX edit_search (account_id=? AND id<?)"),
            (starred, None, "INDEX edit_starred (account_id=? AND id<?)"),
        ] {
            let plan = plan(&filter, model).unwrap();
            assert!(plan.contains(index), "{filter:?}: {plan}");
        }
    }

    #[test]
    fn ids_are_compared_with_the_time_that_they_start_with() {
        let id = "01a2b3c4-d5e6-7fff-8000-000000000000";
        let at = Timestamp(0x01a2_b3c4_d5e6);
        assert!(first_id(at).as_str() <= id && first_id(at.plus_ms(1)).as_str() > id);
    }
}
