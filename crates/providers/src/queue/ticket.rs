//! Tickets of the queue platforms: what each needs to ask again, as it is recorded.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::upstream::{Call, Fault, Ticket};

/// The ticket that holds `content`.
pub(super) fn write(content: &impl Serialize) -> Result<Ticket, Fault> {
    let value = serde_json::to_value(content);
    value.map(Ticket).map_err(|error| Fault::Failed(format!("the task has no ID: {error}")))
}

/// What `ticket` holds.
///
/// # Errors
/// [`Fault::Lost`] when it is not one of ours: nobody can ask for such work.
pub(super) fn read<T: DeserializeOwned>(ticket: &Ticket) -> Result<T, Fault> {
    T::deserialize(&ticket.0)
        .map_err(|error| Fault::Lost(format!("cannot read the recorded task: {error}")))
}

/// An address that a platform named.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(super) struct Address(Url);

impl Address {
    /// The call that asks there.
    pub(super) fn call(self) -> Call {
        Call::get_address(self.0)
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
