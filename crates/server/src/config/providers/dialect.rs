//! Turns a provider's settings into its protocol, and reads its files.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use retouch_providers::kinds::Options;
use retouch_providers::upstream::Dialect;
use thiserror::Error;

use super::ProviderSettings;

/// Largest workflow file, in bytes. Large workflows have a few hundred thousand.
const WORKFLOW_BYTES_MAX: u64 = 8 << 20;

/// Why a configured provider cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the provider {name}: {reason}")]
pub struct ProviderUnusable {
    /// Its name.
    pub name: String,
    /// Why.
    pub reason: String,
}

impl ProviderSettings {
    /// The protocol of the provider `name` with these settings.
    ///
    /// # Errors
    /// When a file named in the settings cannot be read or is invalid.
    pub fn dialect(&self, name: &str) -> Result<Box<dyn Dialect>, ProviderUnusable> {
        let unusable = |reason| ProviderUnusable { name: name.to_owned(), reason };
        let options = Options {
            api_version: self.api_version.clone(),
            workflows: self.read_workflows().map_err(unusable)?,
        };
        self.kind.dialect(&options).map_err(|error| unusable(error.to_string()))
    }

    /// The text of each workflow, by its file name without the extension.
    fn read_workflows(&self) -> Result<BTreeMap<String, String>, String> {
        let mut texts = BTreeMap::new();
        for path in &self.workflows {
            let cannot = |reason: String| format!("the workflow {}: {reason}", path.display());
            let name = path.file_stem().and_then(|name| name.to_str());
            let name = name.ok_or_else(|| cannot("the file name is not valid UTF-8".into()))?;
            let text = read(path).map_err(cannot)?;
            if texts.insert(name.to_owned(), text).is_some() {
                return Err(cannot(format!("another workflow is also called {name}")));
            }
        }
        Ok(texts)
    }
}

fn read(path: &Path) -> Result<String, String> {
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    let mut text = String::new();
    let read = file.take(WORKFLOW_BYTES_MAX + 1).read_to_string(&mut text);
    match read.map_err(|error| error.to_string())? as u64 {
        0..=WORKFLOW_BYTES_MAX => Ok(text),
        _ => Err(format!("it is larger than {WORKFLOW_BYTES_MAX} bytes")),
    }
}
