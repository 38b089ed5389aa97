//! The differences between OpenAI and Azure: how the key is sent, where the model's name is, and
//! some errors.

use std::sync::Arc;

use axum::response::{IntoResponse, Response};
use http::StatusCode;

use super::errors::Error;
use crate::arrived::Arrived;
use crate::world::World;

/// A server with this protocol.
#[derive(Clone, Debug)]
pub(super) struct Server {
    pub(super) world: Arc<World>,
    pub(super) flavour: Flavour,
}

/// The company that runs the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flavour {
    OpenAi,
    Azure,
}

impl Flavour {
    /// The provider's name in faults, records and counts.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Azure => "azure",
        }
    }
}

impl Server {
    /// Checks the key.
    pub(super) fn authorise(&self, arrived: &Arrived) -> Result<(), Error> {
        let bearer = arrived.authorization("Bearer").filter(|key| !key.is_empty());
        let key = match self.flavour {
            Flavour::OpenAi => bearer.ok_or_else(Error::no_key)?,
            Flavour::Azure => arrived.header("api-key").or(bearer).unwrap_or_default(),
        };
        if self.world.knows_key(key) { Ok(()) } else { Err(Error::bad_key(key)) }
    }

    /// Checks that calls to a deployment name an API version.
    pub(super) fn check_version(&self, arrived: &Arrived) -> Result<(), Error> {
        match arrived.query("api-version") {
            Some(_) => Ok(()),
            None => Err(Error::at_azure(StatusCode::NOT_FOUND, "404", "Resource not found")),
        }
    }

    /// The error as this server reports it.
    pub(super) fn tell(&self, error: Error) -> Response {
        match self.flavour {
            Flavour::OpenAi => error.into_response(),
            Flavour::Azure => error.told_by_azure().into_response(),
        }
    }
}
