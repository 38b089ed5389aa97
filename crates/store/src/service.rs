//! What administrators set in the browser: settings, the logo and providers. Together with the
//! limits of single accounts, all nodes keep it in memory and read it again when its number grows.

use std::collections::BTreeMap;

use retouch_core::AccountId;

use crate::admin::{self, AccountTerms, AuditAct, Deed};
use crate::queue::Touches;
use crate::rows::{Row, Rows, all, one, params};
use crate::{Error, Store};

/// How many providers administrators can add.
const PROVIDERS_MAX: i64 = 100;

/// Everything that administrators set in the browser and nodes keep in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServiceState {
    /// Grows with each change.
    pub number: i64,
    /// Settings by their names in the settings file, as texts.
    pub settings: BTreeMap<String, String>,
    /// The logo.
    pub logo: Option<Logo>,
    /// The providers, by name.
    pub providers: Vec<StoredProvider>,
    /// The accounts with limits of their own.
    pub limits: Vec<(AccountId, AccountTerms)>,
}

/// The logo of the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logo {
    /// Its content type.
    pub media: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// A provider that an administrator added.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredProvider {
    /// Its name.
    pub name: String,
    /// The kind of provider.
    pub kind: String,
    /// Its other settings as JSON: an object of texts.
    pub settings: String,
    /// The encrypted API key. `None`: it has none.
    pub sealed_key: Option<Vec<u8>>,
    /// The last characters of the API key, to recognize it.
    pub key_end: String,
    /// Whether it is used.
    pub is_on: bool,
}

impl std::fmt::Debug for StoredProvider {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { name, kind, is_on, .. } = self;
        write!(out, "StoredProvider {{ {name}, {kind}, is_on: {is_on}, .. }}")
    }
}

impl Store {
    /// The number of the latest change, 0 if nothing was ever set.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn service_number(&self) -> Result<i64, Error> {
        self.read_row(number).await
    }

    /// Everything that administrators set.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn service_state(&self) -> Result<ServiceState, Error> {
        self.read(|rows| {
            let pair = |row: &Row<'_>| Ok((row.get("name")?, row.get("value")?));
            let settings = all(rows, "SELECT name, value FROM service_setting", params![], pair)?;
            let sql = "SELECT media, bytes FROM service_logo WHERE id = 1";
            let logo = one(rows, sql, params![], |row| {
                Ok(Logo { media: row.get("media")?, bytes: row.get("bytes")? })
            })?;
            let sql = "SELECT name, kind, settings, sealed_key, key_end, is_on
                       FROM service_provider ORDER BY name";
            Ok(ServiceState {
                number: number(rows)?,
                settings: settings.into_iter().collect(),
                logo,
                providers: all(rows, sql, params![], provider)?,
                limits: admin::limited(rows)?,
            })
        })
        .await
    }

    /// Changes settings and logs each with its old and new value: those with a value are set, the
    /// others go back to their defaults. Returns how many changed.
    ///
    /// # Errors
    /// [`Error::NotAdministrator`].
    pub async fn change_settings(
        &self,
        changes: Vec<(String, Option<String>)>,
        deed: Deed,
    ) -> Result<usize, Error> {
        self.write(Touches::Global(None), move |tx| {
            admin::must_administer(tx, &deed)?;
            let rows = tx.rows();
            let mut changed = 0;
            for (name, value) in &changes {
                let sql = "SELECT value FROM service_setting WHERE name = ?1";
                let old: Option<String> = one(rows, sql, [name.as_str()], |row| row.get("value"))?;
                if old == *value {
                    continue;
                }
                changed += 1;
                set(rows, name, value.as_deref())?;
                let reason =
                    format!("{name}: {} → {}", shown(old.as_deref()), shown(value.as_deref()));
                let deed = Deed { reason, ..deed.clone() };
                admin::note(tx, &deed, AuditAct::ChangeSetting, None)?;
            }
            if changed > 0 {
                note_change(rows)?;
            }
            Ok(changed)
        })
        .await
    }

    /// Replaces or removes the logo and logs it.
    ///
    /// # Errors
    /// [`Error::NotAdministrator`].
    pub async fn set_logo(&self, logo: Option<Logo>, deed: Deed) -> Result<(), Error> {
        self.write(Touches::Global(None), move |tx| {
            admin::must_administer(tx, &deed)?;
            let rows = tx.rows();
            rows.execute("DELETE FROM service_logo", params![])?;
            if let Some(logo) = &logo {
                let sql = "INSERT INTO service_logo (id, media, bytes) VALUES (1, ?1, ?2)";
                rows.execute(sql, params![logo.media, logo.bytes])?;
            }
            note_change(rows)?;
            admin::note(tx, &deed, AuditAct::ChangeSetting, None)
        })
        .await
    }

    /// Adds or replaces a provider and logs it.
    ///
    /// # Errors
    /// [`Error::NotAdministrator`]; [`Error::TooMany`] if there are already a hundred.
    pub async fn put_provider(&self, provider: StoredProvider, deed: Deed) -> Result<(), Error> {
        self.write(Touches::Global(None), move |tx| {
            admin::must_administer(tx, &deed)?;
            let rows = tx.rows();
            let sql = "SELECT COUNT(*) FROM service_provider WHERE name <> ?1";
            let others = one(rows, sql, [provider.name.as_str()], |row| row.get(0))?;
            if others.unwrap_or(0) >= PROVIDERS_MAX {
                let most = usize::try_from(PROVIDERS_MAX).unwrap_or(usize::MAX);
                return Err(Error::TooMany { what: "providers", most });
            }
            let sql = "INSERT INTO service_provider
                           (name, kind, settings, sealed_key, key_end, is_on, changed_at)
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                       ON CONFLICT (name) DO UPDATE SET
                           kind = excluded.kind, settings = excluded.settings,
                           sealed_key = excluded.sealed_key, key_end = excluded.key_end,
                           is_on = excluded.is_on, changed_at = excluded.changed_at";
            let StoredProvider { name, kind, settings, sealed_key, key_end, is_on } = &provider;
            rows.execute(
                sql,
                params![name, kind, settings, sealed_key, key_end, *is_on, tx.now().0],
            )?;
            note_change(rows)?;
            admin::note(tx, &deed, AuditAct::ChangeProvider, None)
        })
        .await
    }

    /// Removes a provider and logs it. Returns whether there was one.
    ///
    /// # Errors
    /// [`Error::NotAdministrator`].
    pub async fn remove_provider(&self, name: &str, deed: Deed) -> Result<bool, Error> {
        let name = name.to_owned();
        self.write(Touches::Global(None), move |tx| {
            admin::must_administer(tx, &deed)?;
            let rows = tx.rows();
            let sql = "DELETE FROM service_provider WHERE name = ?1";
            let is_gone = rows.execute(sql, [name.as_str()])? > 0;
            if is_gone {
                note_change(rows)?;
                admin::note(tx, &deed, AuditAct::ChangeProvider, None)?;
            }
            Ok(is_gone)
        })
        .await
    }
}

/// Records in this transaction that something changed which nodes keep in memory.
pub(crate) fn note_change(rows: &Rows) -> Result<(), Error> {
    let sql = "INSERT INTO service_change (id, number) VALUES (1, 1)
               ON CONFLICT (id) DO UPDATE SET number = service_change.number + 1";
    rows.execute(sql, params![])?;
    Ok(())
}

fn number(rows: &Rows) -> Result<i64, Error> {
    let sql = "SELECT number FROM service_change WHERE id = 1";
    Ok(one(rows, sql, params![], |row| row.get(0))?.unwrap_or(0))
}

fn set(rows: &Rows, name: &str, value: Option<&str>) -> Result<(), Error> {
    match value {
        Some(value) => {
            let sql = "INSERT INTO service_setting (name, value) VALUES (?1, ?2)
                       ON CONFLICT (name) DO UPDATE SET value = excluded.value";
            rows.execute(sql, params![name, value])?;
        }
        None => drop(rows.execute("DELETE FROM service_setting WHERE name = ?1", [name])?),
    }
    Ok(())
}

/// A value for the log, shortened.
fn shown(value: Option<&str>) -> String {
    /// The maximum length of a value in the log, in characters.
    const CHARS_MAX: usize = 200;
    match value {
        None => "default".to_owned(),
        Some(text) => format!("“{}”", text.chars().take(CHARS_MAX).collect::<String>()),
    }
}

fn provider(row: &Row<'_>) -> Result<StoredProvider, Error> {
    Ok(StoredProvider {
        name: row.get("name")?,
        kind: row.get("kind")?,
        settings: row.get("settings")?,
        sealed_key: row.get("sealed_key")?,
        key_end: row.get("key_end")?,
        is_on: row.get("is_on")?,
    })
}
