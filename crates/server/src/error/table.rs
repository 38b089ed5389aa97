//! Every error code, with its type, its status and its meaning. `docs/errors.md` and the page at
//! `/docs` are generated from this table.

use serde::{Serialize, Serializer};
use utoipa::ToSchema;

/// Families of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ErrorType {
    /// The request is wrong.
    InvalidRequestError,
    /// The caller has not proved who they are.
    AuthenticationError,
    /// The balance does not cover the cost.
    InsufficientCredits,
    /// The caller may not do this.
    PermissionError,
    /// Too many calls.
    RateLimitError,
    /// The server failed or is overloaded.
    ServerError,
}

/// One row of the table.
#[derive(Debug)]
pub struct Row {
    /// The code.
    pub code: Code,
    /// The code as responses show it.
    pub name: &'static str,
    /// The family.
    pub kind: ErrorType,
    /// The HTTP status.
    pub status: u16,
    /// What it means and what to do about it.
    pub meaning: &'static str,
}

macro_rules! table {
    ($($code:ident $name:literal $kind:ident $status:literal $meaning:literal)*) => {
        /// Names of errors. Programs rely on them, so they never change.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $(#[doc = $meaning] $code,)*
        }

        impl Code {
            /// All codes, in the order in which the documentation lists them.
            pub const ALL: &'static [Row] = &[
                $(Row {
                    code: Code::$code,
                    name: $name,
                    kind: ErrorType::$kind,
                    status: $status,
                    meaning: $meaning,
                },)*
            ];

            /// This code's row of the table.
            pub fn row(self) -> &'static Row {
                &Self::ALL[self as usize]
            }
        }
    };
}

table! {
    InvalidJson "invalid_json" InvalidRequestError 400 "The body is not a JSON object in UTF-8."
    InvalidForm "invalid_form" InvalidRequestError 400 "The form (multipart/form-data) is malformed, ends early or has too many parts."
    DuplicateField "duplicate_field" InvalidRequestError 400 "A key appears twice in the body."
    MissingField "missing_field" InvalidRequestError 400 "A required field is missing."
    InvalidType "invalid_type" InvalidRequestError 400 "A field has the wrong type."
    InvalidValue "invalid_value" InvalidRequestError 400 "A field has an invalid value."
    ConflictingFields "conflicting_fields" InvalidRequestError 400 "Two fields contradict each other."
    TooLong "too_long" InvalidRequestError 400 "A text has too many characters."
    TooManyImages "too_many_images" InvalidRequestError 400 "There are more input images than the model accepts."
    UnknownModel "unknown_model" InvalidRequestError 400 "There is no such model. The message lists the models."
    UnsupportedAspectRatio "unsupported_aspect_ratio" InvalidRequestError 400 "The model does not support this aspect ratio."
    ImageTooLarge "image_too_large" InvalidRequestError 400 "An input image has too many bytes or pixels."
    ImageFetchFailed "image_fetch_failed" InvalidRequestError 400 "An input image could not be fetched from its URL."
    InvalidImage "invalid_image" InvalidRequestError 400 "An input image cannot be decoded."
    InstructionNotSupported "instruction_not_supported" InvalidRequestError 400 "The built-in editor or the provider cannot do what the instruction asks. The built-in editor quotes the words that stopped it."
    EditTooLarge "edit_too_large" InvalidRequestError 400 "The images and the instruction together exceed a limit."
    ContentRefused "content_refused" InvalidRequestError 400 "The provider refused the content of the request."
    RequestRefused "request_refused" InvalidRequestError 400 "The provider rejected a field of the request. The message says why."
    InvalidIdempotencyKey "invalid_idempotency_key" InvalidRequestError 400 "The Idempotency-Key is not 1 to 255 visible ASCII characters."
    InvalidCursor "invalid_cursor" InvalidRequestError 400 "The cursor did not come from this list."
    InvalidEmail "invalid_email" InvalidRequestError 400 "The email address is invalid."
    InvalidPassword "invalid_password" InvalidRequestError 400 "The password is too short, too long, too common, or the same as the email address."
    InvalidInvitation "invalid_invitation" InvalidRequestError 400 "The invitation has been used, has expired, or is for another email address."
    InvalidToken "invalid_token" InvalidRequestError 400 "The link is invalid, expired or already used. Ask for a new one."
    InvalidSignature "invalid_signature" InvalidRequestError 400 "The webhook's signature is missing or invalid."
    SignInNotCompleted "sign_in_not_completed" InvalidRequestError 400 "The sign-in through a provider could not be completed: it was started in another browser or took too long, or the provider's response could not be verified."
    Unauthenticated "unauthenticated" AuthenticationError 401 "The call has no valid API key and no valid session."
    InvalidCredentials "invalid_credentials" AuthenticationError 401 "The email address or the password is wrong."
    SecondFactorRequired "second_factor_required" AuthenticationError 401 "The account uses two-step sign-in. Send the code from its authenticator app, or a recovery code, as `code`."
    InvalidCode "invalid_code" AuthenticationError 401 "The code from the authenticator app or the recovery code is wrong or already used."
    PasskeyRefused "passkey_refused" AuthenticationError 401 "The passkey is unknown or disabled, or its response could not be verified."
    InsufficientCredits "insufficient_credits" InsufficientCredits 402 "The balance does not cover the cost of the call."
    KeyCreditLimitReached "key_credit_limit_reached" InsufficientCredits 402 "The API key has reached one of its credit limits. The message says which: in total, a day or a month."
    CrossSiteRequest "cross_site_request" PermissionError 403 "The call did not come from one of this server's own pages. Programs should use an API key."
    SessionRequired "session_required" PermissionError 403 "The call needs a signed-in session. An API key is not enough."
    MissingScope "missing_scope" PermissionError 403 "The API key does not have the scope that the call needs. The message names it."
    NotAllowed "not_allowed" PermissionError 403 "You are not allowed to do this."
    SignInAgain "sign_in_again" PermissionError 403 "The call needs a sign-in within the last ten minutes. Sign in again, or send the password where the call accepts it."
    SignUpClosed "sign_up_closed" PermissionError 403 "Sign-up is closed. Ask the operator for an account."
    InvitationRequired "invitation_required" PermissionError 403 "You need an invitation to sign up."
    EmailDomainNotAllowed "email_domain_not_allowed" PermissionError 403 "Only addresses in certain domains can sign up without an invitation. The message lists them."
    EmailNotVerified "email_not_verified" PermissionError 403 "The provider has not verified the email address, so no account can be created with it."
    ProvidersPaused "providers_paused" PermissionError 403 "Providers refused the content of too many of the account's calls. Until an administrator has reviewed the account, only the built-in editor works."
    PaymentReview "payment_review" PermissionError 403 "A payment of the account is under review. Until an administrator has reviewed it, only the built-in editor works."
    NotFound "not_found" InvalidRequestError 404 "There is nothing at this address, or it is not yours."
    MethodNotAllowed "method_not_allowed" InvalidRequestError 405 "The address does not support this method. `Allow` lists the methods it supports."
    EmailTaken "email_taken" InvalidRequestError 409 "There is already an account with this email address."
    IdentityTaken "identity_taken" InvalidRequestError 409 "The identity or the passkey is already linked to an account."
    LastWayIn "last_way_in" InvalidRequestError 409 "This is the account's last sign-in method. Add another one first."
    LimitReached "limit_reached" InvalidRequestError 409 "The account has as many of these as it may have. Remove one first."
    IdempotencyInProgress "idempotency_in_progress" InvalidRequestError 409 "The first call with this Idempotency-Key is still running. Try again later."
    Canceled "canceled" InvalidRequestError 409 "The call was canceled before a provider had the work. Nothing was charged."
    NotCancelable "not_cancelable" InvalidRequestError 409 "The generation has ended, or a provider may have the work already."
    GenerationRunning "generation_running" InvalidRequestError 409 "The generation is still running and cannot be deleted yet."
    AlreadySubscribed "already_subscribed" InvalidRequestError 409 "The account already has this plan."
    PlanRunning "plan_running" InvalidRequestError 409 "The account has a paid plan. Cancel the plan first."
    WebhookOff "webhook_off" InvalidRequestError 409 "The webhook is off, so nothing is sent to it. Turn it on first."
    WebhookFull "webhook_full" InvalidRequestError 409 "As many events wait for the webhook as may. Wait until some have been delivered."
    ResultExpired "result_expired" InvalidRequestError 410 "The result was kept as long as the account's plan allows, and has been removed."
    BodyTooLarge "body_too_large" InvalidRequestError 413 "The body is larger than the server accepts."
    UnsupportedMediaType "unsupported_media_type" InvalidRequestError 415 "The Content-Type of the body is not one that the call accepts, which is `application/json` for most calls. The message says what to send."
    RangeNotSatisfiable "range_not_satisfiable" InvalidRequestError 416 "The file has none of the bytes in `Range`. `Content-Range` says how many it has."
    IdempotencyMismatch "idempotency_mismatch" InvalidRequestError 422 "The Idempotency-Key was already used with another body."
    RateLimited "rate_limited" RateLimitError 429 "Too many calls. `Retry-After` says how many seconds to wait."
    TooManyRefusals "too_many_refusals" RateLimitError 429 "Providers refused the content of too many of the account's calls today. `Retry-After` says how many seconds to wait."
    ServerError "server_error" ServerError 500 "Something went wrong on our side."
    UpstreamError "upstream_error" ServerError 500 "The provider that serves the model failed. Nothing was charged."
    StorageFailed "storage_failed" ServerError 500 "The result could not be stored. Nothing was charged."
    OutcomePending "outcome_pending" ServerError 500 "The outcome of the call is not known yet: it could not be recorded, another server is finishing the call, or this server is stopping. The generation's record will show it."
    Overloaded "overloaded" ServerError 503 "The server has too much work waiting. Nothing was charged. Try again later."
    BillingNotConfigured "billing_not_configured" ServerError 503 "Online payment is not set up on this server. Ask the operator for a plan."
    PaymentsUnavailable "payments_unavailable" ServerError 503 "The payment provider is not responding or rejected the request. Nothing was paid."
    MailNotConfigured "mail_not_configured" ServerError 503 "This server does not send email. Ask the operator to reset your password."
    IdentityProviderUnavailable "identity_provider_unavailable" ServerError 503 "The identity provider is not responding. Try again, or use another sign-in method."
    PasskeysNotAvailable "passkeys_not_available" ServerError 503 "Browsers do not support passkeys at this server's address."
    WebhooksNotAvailable "webhooks_not_available" ServerError 503 "Webhooks are not set up on this server."
    NotReady "not_ready" ServerError 503 "The database or the image store is not responding."
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.row().name)
    }
}
