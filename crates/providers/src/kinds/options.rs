//! Settings of a provider other than its address, key and limits.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::comfyui::{Workflow, WorkflowError};

/// A setting that only some providers have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnSetting {
    /// `api_version`: the version of the API to use.
    ApiVersion,
    /// `workflows`: the workflow files, one for each model.
    Workflows,
}

impl OwnSetting {
    /// All settings that only some providers have.
    pub const ALL: [Self; 2] = [Self::ApiVersion, Self::Workflows];

    /// The name of the setting in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            Self::ApiVersion => "api_version",
            Self::Workflows => "workflows",
        }
    }
}

/// The operator's values for the settings that only some providers have.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The version of the API to use. `None`: the default.
    pub api_version: Option<String>,
    /// The text of each workflow, by the name that routes use.
    pub workflows: BTreeMap<String, String>,
}

/// An invalid option.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionsError {
    /// The text is not a workflow.
    #[error("the workflow {name}: {cause}")]
    Workflow {
        /// The name of the workflow.
        name: String,
        /// The problem.
        cause: WorkflowError,
    },
}

impl Options {
    /// The parsed workflows.
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
