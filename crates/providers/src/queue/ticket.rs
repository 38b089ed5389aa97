//! Tickets of queue providers: what is recorded to ask for a task again.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::upstream::{Call, Fault, Ticket};

/// A ticket with this content.
pub(super) fn write(content: &impl Serialize) -> Result<Ticket, Fault> {
    let value = serde_json::to_value(content);
    value.map(Ticket).map_err(|error| Fault::Failed(format!("the task has no ID: {error}")))
}

/// The content of `ticket`.
///
/// # Errors
/// [`Fault::Lost`] when the ticket is not valid, so its task cannot be requested.
pub(super) fn read<T: DeserializeOwned>(ticket: &Ticket) -> Result<T, Fault> {
    T::deserialize(&ticket.0)
        .map_err(|error| Fault::Lost(format!("cannot read the recorded task: {error}")))
}

/// An address from a response.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(super) struct Address(Url);

impl Address {
    /// The call to this address.
    pub(super) fn call(self) -> Call {
        Call::get_url(self.0)
    }
}

impl TryFrom<String> for Address {
    type Error = url::ParseError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse().map(Self)
    }
}

impl From<Address> for String {
    fn from(address: Address) -> Self {
        address.0.into()
    }
}
