//! What an operator may say of a provider beside address, key and limits.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::comfyui::{Workflow, WorkflowError};

/// A setting that only some providers have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnSetting {
    /// `api_version`: which version of its interface is spoken.
    ApiVersion,
    /// `workflows`: files that say what it does, one for each model.
    Workflows,
}

impl OwnSetting {
    /// Both.
    pub const ALL: [Self; 2] = [Self::ApiVersion, Self::Workflows];

    /// Its name in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            Self::ApiVersion => "api_version",
            Self::Workflows => "workflows",
        }
    }
}

/// What the operator has said of the settings that only some providers have.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Which version of the interface is spoken; none: the usual one.
    pub api_version: Option<String>,
    /// The text of each workflow, by the name that routes call it.
    pub workflows: BTreeMap<String, String>,
}

/// Options that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionsError {
    /// A text that is no workflow.
    #[error("the workflow {name}: {cause}")]
    Workflow {
        /// What it is called.
        name: String,
        /// Why not.
        cause: WorkflowError,
    },
}

impl Options {
    /// The workflows, understood.
    pub(super) fn parsed_workflows(&self) -> Result<BTreeMap<String, Workflow>, OptionsError> {
        let parsed = self.workflows.iter().map(|(name, text)| {
            let workflow = Workflow::parse(text);
            workflow
                .map(|workflow| (name.clone(), workflow))
                .map_err(|cause| OptionsError::Workflow { name: name.clone(), cause })
        });
        parsed.collect()
    }
}
