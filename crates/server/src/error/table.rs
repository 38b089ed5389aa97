//! Every error code, with its type, its status and what it means. The documents are made from it.

use serde::{Serialize, Serializer};
use utoipa::ToSchema;

/// Families of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ErrorType {
    /// The request cannot be done as it is.
    InvalidRequestError,
    /// The caller is not known.
    AuthenticationError,
    /// The balance does not cover the cost.
    InsufficientCredits,
    /// The caller is known and may not.
    PermissionError,
    /// Too many calls.
    RateLimitError,
    /// Our side.
    ServerError,
}

/// One row of the table.
#[derive(Debug)]
pub struct Row {
    /// The code.
    pub code: Code,
    /// The code as it is written.
    pub name: &'static str,
    /// The family.
    pub kind: ErrorType,
    /// The HTTP status.
    pub status: u16,
    /// What it means and what to do.
    pub meaning: &'static str,
}

macro_rules! table {
    ($($code:ident $name:literal $kind:ident $status:literal $meaning:literal)*) => {
        /// Names of errors that programs may rely on.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $(#[doc = $meaning] $code,)*
        }

        impl Code {
            /// All codes, in the order of the documents.
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
    DuplicateField "duplicate_field" InvalidRequestError 400 "A key stands twice in the body."
    MissingField "missing_field" InvalidRequestError 400 "A field that the call needs is not there."
    InvalidType "invalid_type" InvalidRequestError 400 "A field holds a value of another type."
    InvalidValue "invalid_value" InvalidRequestError 400 "A field holds a value that cannot be meant."
    ConflictingFields "conflicting_fields" InvalidRequestError 400 "Two fields say different things."
    TooLong "too_long" InvalidRequestError 400 "A text has too many characters."
    TooManyImages "too_many_images" InvalidRequestError 400 "There are more input images than the model takes."
    UnknownModel "unknown_model" InvalidRequestError 400 "There is no such model; the message lists them."
    UnsupportedAspectRatio "unsupported_aspect_ratio" InvalidRequestError 400 "The model does not offer this shape."
    ImageTooLarge "image_too_large" InvalidRequestError 400 "An input image has more bytes or pixels than are accepted."
    ImageFetchFailed "image_fetch_failed" InvalidRequestError 400 "An input image could not be fetched from its address."
    InvalidImage "invalid_image" InvalidRequestError 400 "An input is not a picture that can be decoded."
    InstructionNotSupported "instruction_not_supported" InvalidRequestError 400 "The engine that serves the model cannot do what the instruction asks; the message quotes the words."
    EditTooLarge "edit_too_large" InvalidRequestError 400 "The pictures and the instruction together ask for more than can be done."
    ContentRefused "content_refused" InvalidRequestError 400 "The provider does not work on such content."
    RequestRefused "request_refused" InvalidRequestError 400 "The provider that serves the model does not accept a field of the request; the message says what it said."
    InvalidIdempotencyKey "invalid_idempotency_key" InvalidRequestError 400 "The Idempotency-Key is not 1 to 255 visible characters."
    InvalidCursor "invalid_cursor" InvalidRequestError 400 "The cursor is not one that a list has given."
    InvalidEmail "invalid_email" InvalidRequestError 400 "The e-mail address is not one."
    InvalidPassword "invalid_password" InvalidRequestError 400 "The password is too short, too long, too common, or the same as the email address."
    InvalidInvitation "invalid_invitation" InvalidRequestError 400 "The invitation has been used, has expired, or is for another email address."
    InvalidToken "invalid_token" InvalidRequestError 400 "The link has been used, is too old or is none; ask for another."
    InvalidSignature "invalid_signature" InvalidRequestError 400 "The webhook is not signed by whom it should come from."
    SignInNotCompleted "sign_in_not_completed" InvalidRequestError 400 "A sign-in through a provider cannot be completed: it was begun elsewhere or too long ago, or its answer is not believed."
    Unauthenticated "unauthenticated" AuthenticationError 401 "Neither a valid API key nor a valid session came with the call."
    InvalidCredentials "invalid_credentials" AuthenticationError 401 "The e-mail address and the password do not belong together."
    SecondFactorRequired "second_factor_required" AuthenticationError 401 "The account uses two-step sign-in: send the code of its authenticator app, or a recovery code, as `code`."
    InvalidCode "invalid_code" AuthenticationError 401 "The code of the authenticator app or the recovery code is wrong or has been used."
    PasskeyRefused "passkey_refused" AuthenticationError 401 "The passkey opens nothing here, or its answer is not believed."
    InsufficientCredits "insufficient_credits" InsufficientCredits 402 "The balance does not cover the cost of the call."
    KeyCreditLimitReached "key_credit_limit_reached" InsufficientCredits 402 "The API key has used up the credits that it was given."
    CrossSiteRequest "cross_site_request" PermissionError 403 "The call came with a cookie from another site's page."
    SessionRequired "session_required" PermissionError 403 "The call needs a signed-in session; an API key is not enough."
    MissingScope "missing_scope" PermissionError 403 "The API key does not have the scope that the call needs; the message names it."
    NotAllowed "not_allowed" PermissionError 403 "The caller may not do this."
    SignInAgain "sign_in_again" PermissionError 403 "The call needs a sign-in within the last ten minutes. Sign in again, or send the password where the call accepts it."
    SignUpClosed "sign_up_closed" PermissionError 403 "Sign-up is closed; the operator makes accounts."
    InvitationRequired "invitation_required" PermissionError 403 "You need an invitation to sign up."
    EmailDomainNotAllowed "email_domain_not_allowed" PermissionError 403 "Only addresses of certain domains can sign up without an invitation; the message lists them."
    EmailNotVerified "email_not_verified" PermissionError 403 "The provider does not vouch for the e-mail address, so no account can be made with it."
    ProvidersPaused "providers_paused" PermissionError 403 "Providers refused the content of too many calls of the account; until an administrator has looked, only the built-in editor works."
    PaymentReview "payment_review" PermissionError 403 "A payment of the account is under review; until an administrator has looked, only the built-in editor works."
    NotFound "not_found" InvalidRequestError 404 "There is nothing at this address, or nothing of the caller's."
    MethodNotAllowed "method_not_allowed" InvalidRequestError 405 "The address does not take this method; `Allow` lists those it takes."
    EmailTaken "email_taken" InvalidRequestError 409 "There is an account with this e-mail address."
    IdentityTaken "identity_taken" InvalidRequestError 409 "The identity or the passkey opens an account already."
    LastWayIn "last_way_in" InvalidRequestError 409 "Nobody could sign in to the account any more; add another way first."
    LimitReached "limit_reached" InvalidRequestError 409 "The account has as many of them as it may; remove one first."
    IdempotencyInProgress "idempotency_in_progress" InvalidRequestError 409 "The first call with this Idempotency-Key is still running; try again later."
    GenerationRunning "generation_running" InvalidRequestError 409 "The generation is still running and cannot be deleted yet."
    AlreadySubscribed "already_subscribed" InvalidRequestError 409 "The account has the plan already."
    PlanRunning "plan_running" InvalidRequestError 409 "The account is charged for a plan, which has to be ended first."
    ResultExpired "result_expired" InvalidRequestError 410 "The result was kept as long as the account's plan says, and has been removed."
    BodyTooLarge "body_too_large" InvalidRequestError 413 "The body has more bytes than are accepted."
    UnsupportedMediaType "unsupported_media_type" InvalidRequestError 415 "The body is not declared as application/json."
    RangeNotSatisfiable "range_not_satisfiable" InvalidRequestError 416 "The file has none of the bytes that `Range` asks for; `Content-Range` says how many it has."
    IdempotencyMismatch "idempotency_mismatch" InvalidRequestError 422 "The Idempotency-Key was used with another body."
    RateLimited "rate_limited" RateLimitError 429 "Too many calls; `Retry-After` says how long to wait."
    TooManyRefusals "too_many_refusals" RateLimitError 429 "Providers refused the content of too many calls of the account today; `Retry-After` says how long to wait."
    ServerError "server_error" ServerError 500 "Something went wrong on our side."
    UpstreamError "upstream_error" ServerError 500 "The provider that serves the model failed; nothing was charged."
    StorageFailed "storage_failed" ServerError 500 "The result could not be stored; nothing was charged."
    OutcomePending "outcome_pending" ServerError 500 "How the call ends is not known yet: it could not be recorded, another server goes on with it, or this server is stopping. The generation's record will say."
    Overloaded "overloaded" ServerError 503 "More work is waiting than may wait; nothing was charged."
    BillingNotConfigured "billing_not_configured" ServerError 503 "Nobody can pay here: the operator gives plans."
    PaymentsUnavailable "payments_unavailable" ServerError 503 "The vendor of payments does not answer or does not accept the call; nothing was paid."
    MailNotConfigured "mail_not_configured" ServerError 503 "No mail is sent from here: the operator sets passwords."
    IdentityProviderUnavailable "identity_provider_unavailable" ServerError 503 "The provider that vouches for people does not answer. Try again, or sign in another way."
    PasskeysNotAvailable "passkeys_not_available" ServerError 503 "Browsers have no passkeys at the address of this service."
    NotReady "not_ready" ServerError 503 "The database or the image store does not answer."
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.row().name)
    }
}
