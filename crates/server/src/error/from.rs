//! Conversions from the errors of other modules and crates to the errors that callers see.

use retouch_core::Kind;
use retouch_core::edit::{Reason, Rejected};
use retouch_engine::codec::DecodeError;
use retouch_outbound::payments::PaymentError;
use retouch_providers::{InputError, InputProblem, ProviderError, Refused, RefusedKind};

use super::{ApiError, Code};
use crate::auth::admission;
use crate::auth::password::PasswordError;
use crate::auth::throttle::{Counts, Throttled, TooManyCalls};
use crate::edits::{AccountFull, BackgroundFull, StreamsFull};
use crate::http::bodies::NoRoom;

/// Seconds after which to retry a call that failed because a resource was busy or unavailable.
const RETRY_AFTER_S: u64 = 2;
/// The same for a call that failed because too much background work is in progress, which takes
/// minutes.
const BACKGROUND_RETRY_AFTER_S: u64 = 15;

impl From<Rejected> for ApiError {
    fn from(rejected: Rejected) -> Self {
        let code = match rejected.reason {
            Reason::InvalidJson => Code::InvalidJson,
            Reason::DuplicateField => Code::DuplicateField,
            Reason::MissingField => Code::MissingField,
            Reason::InvalidType => Code::InvalidType,
            Reason::InvalidValue | Reason::InvalidBase64 => Code::InvalidValue,
            Reason::ConflictingFields => Code::ConflictingFields,
            Reason::TooLong => Code::TooLong,
            Reason::TooManyImages => Code::TooManyImages,
            Reason::ImageTooLarge => Code::ImageTooLarge,
            Reason::UnknownModel => Code::UnknownModel,
            Reason::UnsupportedAspectRatio => Code::UnsupportedAspectRatio,
        };
        Self { param: rejected.param, ..Self::new(code, rejected.message) }
    }
}

impl From<Refused> for ApiError {
    fn from(refused: Refused) -> Self {
        let code = match refused.kind {
            RefusedKind::Instruction => Code::InstructionNotSupported,
            RefusedKind::Content => Code::ContentRefused,
            RefusedKind::Limit => Code::EditTooLarge,
            RefusedKind::Parameters => Code::RequestRefused,
        };
        Self { param: refused.param, ..Self::new(code, refused.message) }
    }
}

impl From<InputError> for ApiError {
    fn from(error: InputError) -> Self {
        let code = match &error.problem {
            InputProblem::Fetch(_) | InputProblem::NotStored | InputProblem::NotUploaded => {
                Code::ImageFetchFailed
            }
            InputProblem::Decode(DecodeError::TooLarge { .. }) => Code::ImageTooLarge,
            InputProblem::Decode(_) => Code::InvalidImage,
        };
        Self::about(code, &error.param, format!("`{}`: {}", error.param, error.problem))
    }
}

impl From<ProviderError> for ApiError {
    fn from(error: ProviderError) -> Self {
        match error {
            ProviderError::Refused(refused) => refused.into(),
            ProviderError::Input(error) => error.into(),
            ProviderError::Busy | ProviderError::QueueFull => overloaded(),
            ProviderError::NotAccepted { reason, retry_ms } => {
                tracing::warn!(cause = reason, "no provider accepted the request");
                let message = "No provider of this model is accepting requests at the moment. \
                               Nothing was charged; try again later.";
                let error = Self::new(Code::UpstreamError, message);
                match retry_ms {
                    Some(ms) => error.retry_after_s(ms.div_ceil(1_000)),
                    None => error,
                }
            }
            ProviderError::LimitReached { retry_ms } => {
                let message = "The providers of this model have reached this service's daily \
                               spending limit. Nothing was charged. Choose another model, or try \
                               again after midnight (UTC).";
                Self::new(Code::Overloaded, message).retry_after_s(retry_ms.div_ceil(1_000))
            }
            ProviderError::Failed(cause) => {
                tracing::warn!(cause, "a provider failed");
                let message = "The provider failed. Nothing was charged; try again.";
                Self::new(Code::UpstreamError, message)
            }
            ProviderError::Unknown(cause) => {
                tracing::warn!(cause, "the outcome at a provider is unknown");
                let message = "The provider got the request but did not answer, so its outcome \
                               is unknown. Nothing was charged. If you repeat the call, the \
                               provider may do the work twice.";
                Self::new(Code::UpstreamError, message).in_doubt()
            }
        }
    }
}

impl From<retouch_store::Error> for ApiError {
    fn from(error: retouch_store::Error) -> Self {
        match error {
            retouch_store::Error::BadCursor => {
                let message = "`cursor` did not come from this list.";
                Self::about(Code::InvalidCursor, "cursor", message)
            }
            retouch_store::Error::Busy { .. } => overloaded(),
            transient if transient.is_transient() => {
                tracing::error!(error = %transient, "a database operation failed");
                let message = format!("{} Nothing was charged; try again.", trouble(&transient));
                Self::new(Code::NotReady, message).retry_after_s(RETRY_AFTER_S)
            }
            unsure @ retouch_store::Error::Unsure { .. } => {
                tracing::error!(error = %unsure, "the outcome of a database operation is unknown");
                let message = "The connection to the database was lost during this call, so its \
                               outcome is unknown. If you sent an Idempotency-Key, repeat the call \
                               with the same key. Otherwise check first whether it was done.";
                Self::new(Code::NotReady, message).retry_after_s(RETRY_AFTER_S)
            }
            retouch_store::Error::Suspended => {
                let message = "This account is suspended. Ask the operator of this service.";
                Self::new(Code::NotAllowed, message)
            }
            retouch_store::Error::LastAdministrator => {
                let message = "This is the last administrator. Add another administrator first.";
                Self::new(Code::NotAllowed, message)
            }
            retouch_store::Error::FileGone => Self::not_found("file"),
            // Accounts that are not administrators do not learn that the address exists.
            retouch_store::Error::NotAdministrator => {
                Self::new(Code::NotFound, "There is nothing at this address.")
            }
            retouch_store::Error::EmailIsNobodys => {
                let message = "`email`: no real address is in the domain .invalid.";
                Self::about(Code::InvalidEmail, "email", message)
            }
            retouch_store::Error::LinkUnknown => {
                let message = "This link is invalid, expired or already used. Ask for a new one.";
                Self::about(Code::InvalidToken, "token", message)
            }
            retouch_store::Error::InvitationUnusable => admission::unusable(),
            retouch_store::Error::EmailsFull { emails_max } => {
                tracing::error!(emails_max, "the email queue is full");
                overloaded()
            }
            retouch_store::Error::OwnAccount => {
                Self::new(Code::NotAllowed, "You cannot suspend your own account.")
            }
            retouch_store::Error::IdentityTaken => {
                let message = "This identity is already linked to another account.";
                Self::new(Code::IdentityTaken, message)
            }
            retouch_store::Error::PasskeyTaken => {
                Self::new(Code::IdentityTaken, "This passkey is already linked to an account.")
            }
            retouch_store::Error::LastWayIn => {
                let message = "This is the account's last sign-in method. Add another one first: a \
                               password, a passkey or a provider.";
                Self::new(Code::LastWayIn, message)
            }
            retouch_store::Error::TooMany { what, most } => {
                full(&format!("An account can have at most {most} {what}. Remove one first."))
            }
            retouch_store::Error::DeliveriesFull { most } => deliveries_full(most),
            retouch_store::Error::UploadsFull { bytes_max } => uploads_full(bytes_max),
            other => Self::internal(other),
        }
    }
}

fn deliveries_full(most: usize) -> ApiError {
    let message =
        format!("{most} events already wait for this webhook. Try again when some were delivered.");
    ApiError::new(Code::WebhookFull, message)
}

/// The account's uploads take as much storage as they may.
fn uploads_full(bytes_max: u64) -> ApiError {
    let most = crate::config::shown_size(bytes_max);
    full(&format!("The uploads of an account can take at most {most}. Delete one first."))
}

/// The account has as much of something as it may have.
fn full(message: &str) -> ApiError {
    ApiError::new(Code::LimitReached, message)
}

/// What is wrong with the database, in words for the caller.
const fn trouble(error: &retouch_store::Error) -> &'static str {
    match error {
        retouch_store::Error::Exhausted { .. } => {
            "The database is out of disk space, memory or connections."
        }
        retouch_store::Error::Locked { .. } => "The database is locked by another task.",
        retouch_store::Error::Late { .. } => "The database took too long.",
        retouch_store::Error::Conflict { .. } | retouch_store::Error::Taken { .. } => {
            "Other calls kept changing the same data."
        }
        _ => "The database is not responding.",
    }
}

impl From<PaymentError> for ApiError {
    fn from(error: PaymentError) -> Self {
        match error {
            PaymentError::Unavailable(cause) => {
                tracing::warn!(cause, "the payment provider is not responding");
                let message =
                    "The payment provider is not responding. Nothing was paid; try again.";
                Self::new(Code::PaymentsUnavailable, message)
            }
            // Only the operator can fix this: a key, a price or a setting at the provider.
            other => {
                tracing::error!(cause = %other, "the payment provider rejected a request");
                let message = "The payment provider rejected the request. Nothing was paid. Ask \
                               the operator of this service.";
                Self::new(Code::PaymentsUnavailable, message)
            }
        }
    }
}

impl From<PasswordError> for ApiError {
    fn from(error: PasswordError) -> Self {
        match error {
            PasswordError::TooShort { .. }
            | PasswordError::TooLong { .. }
            | PasswordError::Common
            | PasswordError::IsEmail => {
                Self::about(Code::InvalidPassword, "password", format!("`password`: {error}."))
            }
            PasswordError::Busy { .. } => overloaded(),
            PasswordError::Failed(cause) => Self::internal(cause),
        }
    }
}

impl From<Throttled> for ApiError {
    fn from(throttled: Throttled) -> Self {
        let wait_s = match throttled {
            Throttled::TooOften { wait_s } => wait_s,
            Throttled::Store(error) => return error.into(),
        };
        let wait = match wait_s {
            ..=120 => format!("{wait_s} seconds"),
            _ => format!("{} minutes", wait_s.div_ceil(60)),
        };
        let message = format!("Too many attempts; try again in {wait}.");
        Self::new(Code::RateLimited, message).retry_after_s(wait_s)
    }
}

impl From<TooManyCalls> for ApiError {
    fn from(many: TooManyCalls) -> Self {
        let TooManyCalls { of, calls_max, wait_s, .. } = many;
        let charging = |whose| {
            format!(
                "Too many calls: each {whose} can make {calls_max} calls a minute that charge \
                 credits. Nothing was charged. Try again in {wait_s} seconds."
            )
        };
        let reading = |whose| {
            format!(
                "Too many calls: each {whose} can make {calls_max} calls a minute that read data. \
                 Try again in {wait_s} seconds, and call less often."
            )
        };
        let message = match of {
            Counts::Account => charging("account"),
            Counts::Key => charging("API key"),
            Counts::Address => charging("client address"),
            Counts::Reads => reading("account"),
            Counts::ReadsOfAddress => reading("client address"),
            Counts::Failures => format!(
                "Too many of this account's calls have failed: the limit is {calls_max} a minute. \
                 Nothing was charged. Read the errors of your last calls and fix the requests before \
                 you send them again. The next call is accepted in {wait_s} seconds."
            ),
        };
        Self::new(Code::RateLimited, message).retry_after_s(wait_s)
    }
}

impl From<AccountFull> for ApiError {
    fn from(full: AccountFull) -> Self {
        let under_way = full.under_way;
        let message = format!(
            "The account already has {under_way} edits running, the most it can have at a time. \
             Nothing was charged. Try again when one has finished."
        );
        Self::new(Code::RateLimited, message).retry_after_s(1)
    }
}

impl From<BackgroundFull> for ApiError {
    fn from(full: BackgroundFull) -> Self {
        let error = match full {
            BackgroundFull::Account(kind) => {
                let what = if kind == Kind::Video { "videos" } else { "edits" };
                let message = format!(
                    "The account has reached its limit of {what} in progress. Nothing was charged; \
                     try again when one has finished."
                );
                Self::new(Code::RateLimited, message)
            }
            BackgroundFull::All => overloaded(),
        };
        error.retry_after_s(BACKGROUND_RETRY_AFTER_S)
    }
}

impl From<StreamsFull> for ApiError {
    fn from(full: StreamsFull) -> Self {
        let error = match full {
            StreamsFull::Account => {
                let message = "The account has reached its limit of open event streams. Close one, \
                               or get the generation at intervals instead.";
                Self::new(Code::RateLimited, message)
            }
            StreamsFull::All => overloaded(),
        };
        error.retry_after_s(BACKGROUND_RETRY_AFTER_S)
    }
}

impl From<NoRoom> for ApiError {
    fn from(none: NoRoom) -> Self {
        let NoRoom::OfShare { is_account, share_bytes_max } = none else { return overloaded() };
        let whose = if is_account { "account" } else { "client address" };
        let message = format!(
            "Too much data at once: the running calls of each {whose} can use {share_bytes_max} \
             bytes of memory for their bodies, the images fetched for them and responses not yet read. \
             Nothing was charged. Try again when some have finished."
        );
        Self::new(Code::RateLimited, message).retry_after_s(RETRY_AFTER_S)
    }
}

/// The error of a server that has too much work waiting.
pub fn overloaded() -> ApiError {
    let message = "The server has too much work waiting. Nothing was charged; try again.";
    ApiError::new(Code::Overloaded, message).retry_after_s(RETRY_AFTER_S)
}
