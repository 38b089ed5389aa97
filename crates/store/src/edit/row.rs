//! Converts the record of an edit to and from its row.

use retouch_core::{AccountId, EditId, Kind, Timestamp};

use super::{EditRecord, EditStatus, Failure};
use crate::Error;
use crate::error::credits;
use crate::rows::{Row, Rows, column, one, params};

/// The columns that [`from_row`] reads, in the order in which it reads them, because that is fastest.
pub(super) const COLUMNS: &str = "status, key_id, expired_at, stored, id, account_id, kind, model,
    provider, instruction, cost, blob, width, height, usage, warnings, plan, failure_code,
    failure_message, in_doubt, created_at, completed_at, deleted_at, request, parent, repeats, root,
    input_name, name, starred, share_token";

/// What deleting an edit overwrites: everything that someone wrote or that was made from it, except
/// what the ledger and the statistics need. The name of the blob stays, because the file is removed
/// by it.
pub(crate) const FORGOTTEN: &str = "instruction = '', plan = NULL, request = NULL, usage = NULL,
    warnings = '[]', failure_message = NULL, task = NULL, parent = NULL, root = '',
    input_name = NULL, name = NULL, starred = FALSE, share_token = NULL, width = NULL, height = NULL";

/// Finds an account's edit by its id, including deleted ones.
pub(super) fn find(
    rows: &Rows,
    account: &AccountId,
    edit: EditId,
) -> Result<Option<EditRecord>, Error> {
    let sql = format!("SELECT {COLUMNS} FROM edit WHERE account_id = ?1 AND id = ?2");
    one(rows, &sql, params![account.as_str(), edit.to_string()], from_row)
}

pub(super) fn from_row(row: &Row<'_>) -> Result<EditRecord, Error> {
    let status: String = row.get("status")?;
    let unknown =
        |what: &str, name: &str| Error::Corrupt { what: format!("unknown {what} {name:?}") };
    let key: Option<String> = row.get("key_id")?;
    let key = key.map(|text| text.parse().map_err(|_| unknown("key", &text)));
    let moment = |name| Ok::<_, Error>(row.get::<_, Option<i64>>(name)?.map(Timestamp));
    let (expired_at, stored) = (moment("expired_at")?, row.get::<_, String>("stored")?);
    Ok(EditRecord {
        id: column(row, "id")?,
        account: column(row, "account_id")?,
        kind: kind(row)?,
        status: EditStatus::parse(&status).ok_or_else(|| unknown("status", &status))?,
        model: row.get("model")?,
        provider: row.get("provider")?,
        instruction: row.get("instruction")?,
        cost: credits(row.get("cost")?)?,
        key: key.transpose()?,
        blob: row.get("blob")?,
        stored: if expired_at.is_some() { Vec::new() } else { serde_json::from_str(&stored)? },
        size: size(row)?,
        usage: row.get("usage")?,
        warnings: row.get("warnings")?,
        plan: row.get("plan")?,
        failure: failure(row)?,
        created_at: Timestamp(row.get("created_at")?),
        completed_at: moment("completed_at")?,
        deleted_at: moment("deleted_at")?,
        expired_at,
        request: row.get("request")?,
        parent: other(row, "parent")?,
        repeats: other(row, "repeats")?,
        root: row.get("root")?,
        input_name: row.get("input_name")?,
        name: row.get("name")?,
        is_starred: row.get("starred")?,
        share_token: row.get("share_token")?,
    })
}

/// A column with the id of another edit.
fn other(row: &Row<'_>, name: &str) -> Result<Option<EditId>, Error> {
    let corrupt = |_| Error::Corrupt { what: format!("the {name} of an edit is not an edit id") };
    let text: Option<String> = row.get(name)?;
    text.map(|text| text.parse().map_err(corrupt)).transpose()
}

/// The column `kind`.
pub(super) fn kind(row: &Row<'_>) -> Result<Kind, Error> {
    let name: String = row.get("kind")?;
    Kind::parse(&name)
        .ok_or_else(|| Error::Corrupt { what: format!("unknown kind of edit {name:?}") })
}

fn size(row: &Row<'_>) -> Result<Option<(u32, u32)>, Error> {
    let side = |name| {
        let pixels: Option<i64> = row.get(name)?;
        let pixels = pixels.map(u32::try_from).transpose();
        pixels.map_err(|_| Error::Corrupt { what: format!("the {name} of an edit's result") })
    };
    Ok(side("width")?.zip(side("height")?))
}

fn failure(row: &Row<'_>) -> Result<Option<Failure>, Error> {
    let code: Option<String> = row.get("failure_code")?;
    let message: Option<String> = row.get("failure_message")?;
    let in_doubt = row.get("in_doubt")?;
    Ok(code.map(|code| Failure { code, message: message.unwrap_or_default(), in_doubt }))
}
