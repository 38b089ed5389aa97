//! The edits of all accounts as administrators see them: their status, but no prompts and no images
//! (ARCHITECTURE.md, invariant 11).

use retouch_core::{AccountId, Credits, EditId, Kind, Timestamp};

use crate::edit::EditStatus;
use crate::error::credits;
use crate::page::Place;
use crate::rows::{Row, all, column, params};
use crate::{Error, Page, PageRequest, Store};

/// An edit without its prompt and images.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnyEdit {
    /// Its id.
    pub id: EditId,
    /// The account that owns it.
    pub account: AccountId,
    /// The owner's address. `None` if the account is gone.
    pub email: Option<String>,
    /// What it produces.
    pub kind: Kind,
    /// Its status.
    pub status: EditStatus,
    /// The model that the caller asked for.
    pub model: String,
    /// The provider that performed it.
    pub provider: String,
    /// The length of the instruction in characters; 0 once its owner has deleted the edit.
    pub instruction_chars: i64,
    /// What it costs; a failure costs nothing.
    pub cost: Credits,
    /// The code of the failure. The message is left out because it may quote the instruction.
    pub failure_code: Option<String>,
    /// When it started.
    pub created_at: Timestamp,
    /// When it ended.
    pub completed_at: Option<Timestamp>,
    /// When its owner deleted it.
    pub deleted_at: Option<Timestamp>,
}

/// Which edits to list. By default, all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnyEditFilter {
    /// Only edits of this account.
    pub account: Option<AccountId>,
    /// Only edits with this status.
    pub status: Option<EditStatus>,
    /// Only edits of this model.
    pub model: Option<String>,
    /// Only edits of this provider.
    pub provider: Option<String>,
}

impl Store {
    /// Lists the edits of all accounts, newest first, including deleted ones.
    ///
    /// # Errors
    /// [`Error::BadCursor`], [`Error::BadLimit`].
    pub async fn list_all_edits(
        &self,
        filter: &AnyEditFilter,
        page: &PageRequest,
    ) -> Result<Page<AnyEdit>, Error> {
        let (filter, place) = (filter.clone(), Place::read("all_edits", page)?);
        self.read(move |rows| {
            let account = filter.account.as_ref().map(AccountId::as_str);
            let values =
                params![place.before(), place.rows(), account, filter.model, filter.provider];
            let found = all(rows, &query(&filter), values, from_row)?;
            Ok(place.page(found, |edit| edit.id.to_string()))
        })
        .await
    }
}

/// Builds the query with only the filters in use, so that the database can choose the right index.
fn query(filter: &AnyEditFilter) -> String {
    let status = filter.status.map_or(String::new(), |status| {
        // One of our own constants, written literally so that the indexes over some edits apply.
        format!("AND status = '{}'", status.as_str())
    });
    // Few edits are in progress: find them by their own index and sort them. By `id`, SQLite would go
    // through all edits.
    let is_in_progress = filter.status == Some(EditStatus::Processing);
    let id = if is_in_progress { "id || ''" } else { "id" };
    let whose = if filter.account.is_some() { "account_id = ?3" } else { "?3 IS NULL" };
    let model = if filter.model.is_some() { "model = ?4" } else { "?4 IS NULL" };
    let provider = if filter.provider.is_some() { "provider = ?5" } else { "?5 IS NULL" };
    format!(
        "SELECT id, account_id, (SELECT email FROM account WHERE account.id = account_id) AS email,
             kind, status, model, provider, CAST(length(instruction) AS BIGINT) AS chars, cost, failure_code,
             created_at, completed_at, deleted_at
         FROM edit WHERE {id} < ?1 AND {whose} AND {model} AND {provider} {status}
         ORDER BY {id} DESC LIMIT ?2"
    )
}

fn from_row(row: &Row<'_>) -> Result<AnyEdit, Error> {
    let unknown =
        |what: &str, name: &str| Error::Corrupt { what: format!("unknown {what} {name}") };
    let (kind, status): (String, String) = (row.get("kind")?, row.get("status")?);
    let moment = |name| Ok::<_, Error>(row.get::<_, Option<i64>>(name)?.map(Timestamp));
    Ok(AnyEdit {
        id: column(row, "id")?,
        account: column(row, "account_id")?,
        email: row.get("email")?,
        kind: Kind::parse(&kind).ok_or_else(|| unknown("kind", &kind))?,
        status: EditStatus::parse(&status).ok_or_else(|| unknown("status", &status))?,
        model: row.get("model")?,
        provider: row.get("provider")?,
        instruction_chars: row.get("chars")?,
        cost: credits(row.get("cost")?)?,
        failure_code: row.get("failure_code")?,
        created_at: Timestamp(row.get("created_at")?),
        completed_at: moment("completed_at")?,
        deleted_at: moment("deleted_at")?,
    })
}

#[cfg(test)]
mod tests {
    use super::{AnyEditFilter, query};
    use crate::edit::EditStatus;
    use crate::rows::{Rows, all, params};
    use crate::sqlite::{connect, migrate};
    use crate::{Error, Settings};

    /// The query plan: the first words of each step.
    fn plan(filter: &AnyEditFilter) -> Result<String, Error> {
        let folder = tempfile::TempDir::new().map_err(|error| Error::files(&error))?;
        let path = folder.path().join("rows.db");
        let settings = Settings::new(&path, folder.path().join("blobs"));
        let rows = Rows::Sqlite(connect(&settings, &path)?);
        migrate(&rows, settings.steps)?;
        let sql = format!("EXPLAIN QUERY PLAN {}", query(filter));
        let nothing = None::<String>;
        let values = params![nothing, 51_i64, nothing, nothing, nothing];
        let steps = all(&rows, &sql, values, |row| row.get::<_, String>("detail"))?;
        Ok(steps.join("\n"))
    }

    #[test]
    fn no_filter_looks_at_every_edit() {
        let account = "acct_00000000000000000000000000".parse().ok();
        let all = AnyEditFilter::default;
        let status = |status| AnyEditFilter { status: Some(status), ..all() };
        for (filter, index) in [
            (all(), "edit_newest"),
            (AnyEditFilter { account: account.clone(), ..all() }, "account_id=?"),
            (AnyEditFilter { account, ..status(EditStatus::Processing) }, "edit_under_way"),
            (AnyEditFilter { model: Some("gamma-2".into()), ..all() }, "edit_newest"),
            (AnyEditFilter { provider: Some("openai".into()), ..all() }, "edit_newest"),
            (status(EditStatus::Processing), "edit_under_way"),
            (status(EditStatus::Failed), "edit_failed"),
            (status(EditStatus::Succeeded), "edit_newest"),
        ] {
            let plan = plan(&filter).unwrap();
            assert!(plan.contains(index), "{filter:?}: {plan}");
            let sorts_few = filter.status == Some(EditStatus::Processing);
            assert_eq!(plan.contains("TEMP B-TREE"), sorts_few, "sorted by the index: {plan}");
        }
    }
}
