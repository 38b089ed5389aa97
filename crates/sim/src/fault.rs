//! The ways to fail, by name, and where in a protocol each one happens.

use serde::{Deserialize, Serialize};

/// What a request to a vendor is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Call {
    /// Asks for the work (and is answered with the result where the vendor has no tasks).
    Submit,
    /// Asks how far a task is.
    Poll,
    /// Asks for a task's result, where that is a call of its own.
    Result,
    /// Brings an input.
    Upload,
    /// Costs nothing and shows that the vendor is there, such as a list of models.
    Probe,
    /// Reads a resulting file at the address that the vendor named.
    File,
}

/// One failure, as it will happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Which.
    pub name: FaultName,
    /// How long a slow answer is kept back, in milliseconds.
    pub ms: u64,
    /// The hint of a throttled answer, in seconds; without it there is no hint.
    pub retry_after: Option<u64>,
}

/// When a fault shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    /// In the answer to a call.
    Call(Call),
    /// When pictures are handed over, whichever call does that.
    Delivery,
}

macro_rules! fault_names {
    ($($(#[$doc:meta])+ $name:ident,)+) => {
        /// A way to fail; in JSON and in prompts in `snake_case`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum FaultName { $($(#[$doc])+ $name,)+ }

        impl FaultName {
            /// Every way to fail.
            pub const ALL: &[Self] = &[$(Self::$name,)+];
        }
    };
}

fault_names! {
    /// The prompt or an input is refused before any work.
    RefuseContentInput,
    /// The result is refused after the work.
    RefuseContentOutput,
    /// A parameter is said to be wrong.
    RefuseParameters,
    /// The key is unknown.
    BadKey,
    /// There is no money left.
    NoCredit,
    /// The model does not exist.
    UnknownModel,
    /// Too many requests; with a hint where `retry_after` is given.
    Throttle,
    /// The vendor is too busy to begin.
    Overloaded,
    /// The vendor's own error, in its own shape.
    InternalError,
    /// 502 with a page of a proxy.
    BadGatewayHtml,
    /// 200 without a body.
    EmptyBody,
    /// 200 with words instead of JSON.
    NotJson,
    /// 200 with JSON that ends in the middle; the length is that of what is sent.
    TruncatedJson,
    /// The right body under a wrong media type.
    WrongContentType,
    /// A success without a picture.
    NoImage,
    /// A success with words instead of a picture, where the vendor can do that.
    TextInstead,
    /// One picture more than asked for.
    TwoImages,
    /// Base64 with a character that is none of it.
    BrokenBase64,
    /// A file that is no picture.
    NotAPicture,
    /// A picture that ends in the middle.
    TruncatedPicture,
    /// A small file that claims 60,000 x 60,000 pixels.
    HugePicture,
    /// An answer of a gigabyte.
    OversizedBody,
    /// The address of the result is not found.
    #[serde(rename = "address_404")]
    Address404,
    /// The address of the result is in a private network.
    AddressPrivate,
    /// The address of the result redirects to itself.
    AddressRedirectLoop,
    /// The answer comes late, after `ms`.
    Slow,
    /// The answer never comes; the connection stays open.
    Hang,
    /// The request is read and the work done; the connection closes without a byte.
    CloseBeforeAnswer,
    /// As before, but the connection is reset.
    Reset,
    /// The connection closes in the middle of the body.
    CloseMidBody,
    /// Half of the body comes, and then nothing more; the connection stays open.
    HangMidBody,
    /// 307 to another host, which is to be given neither the key nor the request.
    RedirectElsewhere,
    /// The task failed.
    TaskFailed,
    /// The task failed since the content is refused.
    TaskFailedContent,
    /// The task is unknown.
    TaskLost,
    /// The task's result is no longer kept.
    TaskExpired,
    /// The task never gets ready.
    TaskNeverEnds,
}

impl FaultName {
    /// When it shows, where nobody named a call.
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

    /// Whether the vendor knows nothing of it: the answer is made as if all were well, and is then
    /// spoilt on its way.
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

    /// Whether it is what became of a task, and no error of the call that asks for it.
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

    /// Whether it comes before any work that a vendor asks money for.
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
