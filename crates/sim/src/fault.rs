//! All faults by name, and where in a protocol each one happens.

use serde::{Deserialize, Serialize};

/// The purpose of a request to a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Call {
    /// Submits the work, and returns the result if the provider has no tasks.
    Submit,
    /// Asks for the status of a task.
    Poll,
    /// Asks for the result of a task, if that is a separate call.
    Result,
    /// Uploads an input.
    Upload,
    /// Checks at no cost whether the provider is reachable, such as a list of models.
    Probe,
    /// Downloads a result file from the address that the provider returned.
    File,
}

/// A fault that will happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The name.
    pub name: FaultName,
    /// The delay of a slow response, in milliseconds.
    pub ms: u64,
    /// The `Retry-After` of a throttled response, in seconds. `None`: the response has no hint.
    pub retry_after: Option<u64>,
}

/// When a fault happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    /// In the response to a call.
    Call(Call),
    /// When results are delivered, whichever call does that.
    Delivery,
}

macro_rules! fault_names {
    ($($(#[$doc:meta])+ $name:ident,)+) => {
        /// The name of a fault, which JSON and prompts write in `snake_case`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum FaultName { $($(#[$doc])+ $name,)+ }

        impl FaultName {
            /// All faults.
            pub const ALL: &[Self] = &[$(Self::$name,)+];
        }
    };
}

fault_names! {
    /// The prompt or an input is refused before any work.
    RefuseContentInput,
    /// The result is refused after the work.
    RefuseContentOutput,
    /// A parameter is reported as wrong.
    RefuseParameters,
    /// The key is invalid.
    BadKey,
    /// The account has no credits left.
    NoCredit,
    /// The model does not exist.
    UnknownModel,
    /// Too many requests, with a hint if `retry_after` is given.
    Throttle,
    /// The provider is too busy to start.
    Overloaded,
    /// An internal error in the provider's own format.
    InternalError,
    /// A 502 with a proxy's HTML page.
    BadGatewayHtml,
    /// A 200 without a body.
    EmptyBody,
    /// A 200 with text instead of JSON.
    NotJson,
    /// A 200 whose JSON is cut off. `Content-Length` matches the truncated body.
    TruncatedJson,
    /// The right body with a wrong media type.
    WrongContentType,
    /// A success without an image.
    NoImage,
    /// A success with text instead of an image, if the provider can do that.
    TextInstead,
    /// One image more than requested.
    TwoImages,
    /// Base64 with an invalid character.
    BrokenBase64,
    /// A file that is not an image.
    NotAPicture,
    /// An image that is cut off.
    TruncatedPicture,
    /// A small file whose header claims 60,000 x 60,000 pixels.
    HugePicture,
    /// A response of one gigabyte.
    OversizedBody,
    /// The address of the result returns 404.
    #[serde(rename = "address_404")]
    Address404,
    /// The address of the result is in a private network.
    AddressPrivate,
    /// The address of the result redirects to itself.
    AddressRedirectLoop,
    /// The response arrives late, after `ms`.
    Slow,
    /// The response never arrives. The connection stays open.
    Hang,
    /// The request is read and the work is done, but the connection closes without a response.
    CloseBeforeAnswer,
    /// The request is read and the work is done, but the connection is reset without a response.
    Reset,
    /// The connection closes in the middle of the body.
    CloseMidBody,
    /// Half of the body arrives, and then nothing more. The connection stays open.
    HangMidBody,
    /// A 307 to another host, which must get neither the key nor the request.
    RedirectElsewhere,
    /// The task failed.
    TaskFailed,
    /// The task failed because the content was refused.
    TaskFailedContent,
    /// The task is unknown.
    TaskLost,
    /// The task's result has expired.
    TaskExpired,
    /// The task never finishes.
    TaskNeverEnds,
}

impl FaultName {
    /// When the fault happens if the plan names no call.
    pub(crate) fn moment(self, call: Option<Call>) -> Moment {
        match self {
            Self::NoImage
            | Self::TextInstead
            | Self::TwoImages
            | Self::BrokenBase64
            | Self::NotAPicture
            | Self::TruncatedPicture
            | Self::HugePicture
            | Self::Address404
            | Self::AddressPrivate
            | Self::AddressRedirectLoop => Moment::Delivery,
            Self::TaskFailed
            | Self::TaskFailedContent
            | Self::TaskLost
            | Self::TaskExpired
            | Self::TaskNeverEnds => Moment::Call(call.unwrap_or(Call::Poll)),
            _ => Moment::Call(call.unwrap_or(Call::Submit)),
        }
    }

    /// Whether the fault affects only the transport. The provider's response is then created
    /// normally and damaged afterward.
    pub(crate) fn is_on_the_way(self) -> bool {
        matches!(
            self,
            Self::BadGatewayHtml
                | Self::RedirectElsewhere
                | Self::EmptyBody
                | Self::NotJson
                | Self::TruncatedJson
                | Self::WrongContentType
                | Self::OversizedBody
                | Self::Slow
                | Self::Hang
                | Self::CloseBeforeAnswer
                | Self::Reset
                | Self::CloseMidBody
                | Self::HangMidBody
        )
    }

    /// Whether the fault is the outcome of a task, and not an error of the call that asks for it.
    pub(crate) fn is_of_a_task(self) -> bool {
        matches!(
            self,
            Self::TaskFailed
                | Self::TaskFailedContent
                | Self::TaskLost
                | Self::TaskExpired
                | Self::TaskNeverEnds
                | Self::RefuseContentOutput
        )
    }

    /// Whether the fault happens before any work that a provider would bill.
    pub(crate) fn is_before_work(self) -> bool {
        matches!(
            self,
            Self::RefuseContentInput
                | Self::RefuseParameters
                | Self::BadKey
                | Self::NoCredit
                | Self::UnknownModel
                | Self::Throttle
                | Self::Overloaded
                | Self::RedirectElsewhere
        )
    }
}
