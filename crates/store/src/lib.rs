//! Everything that survives a restart: the rows of the database and the stored files.
//!
//! [`Store`] holds the rows. Each public method is one action in one transaction, and whatever
//! reads or changes an account's own rows takes the account's id as its first argument. [`Blobs`]
//! holds the files. Only this crate knows SQL.
//!
//! Reading order: [`store`] (the handle), `queue`, `sqlite/writer` and `postgres/writer`
//! (many callers in one transaction), `transaction` and `rows` (what an action works with), then the
//! actions: [`account`], [`session`], [`identity`], [`passkey`], [`api_key`], [`grant`],
//! [`credits`], [`edit`], [`billing`], [`verify`], [`backup`], [`transfer`](mod@transfer), [`admin`],
//! [`mail`], [`webhook`], [`invitation`], [`service`], [`upload`], [`rate`].

pub mod account;
pub mod admin;
pub mod api_key;
mod backend;
pub mod backup;
pub mod billing;
pub mod blobs;
mod browser;
pub mod challenge;
mod credit_request;
pub mod credits;
pub mod edit;
pub mod error;
mod folder;
pub mod grant;
pub mod identity;
pub mod invitation;
pub mod mail;
mod migrations;
pub mod observer;
pub mod page;
pub mod passkey;
pub mod postgres;
pub mod prune;
mod pseudonym;
mod query;
mod queue;
pub mod rate;
mod refusal;
mod rows;
mod second_factor;
pub mod service;
pub mod session;
pub mod settings;
mod shared_sync;
pub mod spending;
mod sqlite;
pub mod store;
mod tls;
mod transaction;
pub mod transfer;
pub mod upload;
pub mod verify;
pub mod webhook;

pub use account::{Account, Deletion, FreeCredits, NewAccount};
pub use admin::{
    AccountTerms, AnyEdit, AnyEditFilter, AnyEntry, AuditAct, AuditEntry, Claimed, DayFigures,
    DayOfGrants, DayOfSignUps, Deed, User, UserDetail,
};
pub use api_key::{ApiKey, KeyFound, NewKey, Scope, Scopes, ScopesError};
pub use backup::{Backup, BackupError, back_up, restore};
pub use billing::{
    AssignPlan, CustomerTask, DueGranted, DuePlace, EventRecord, NewEvent, Notice, OpenEvents,
    Pause, PauseReason, Received, Settled,
};
pub use blobs::{Begun, Blob, BlobWalk, Blobs, BlobsPlace, Filed, Pieces, S3Keys, S3Settings};
pub use challenge::{Challenge, NewChallenge};
pub use credit_request::CreditRequest;
pub use credits::{BalanceView, BucketView, EntryView, Granted};
pub use edit::{
    Adoption, CloseError, Closed, DayOfModel, DayOfRoute, Deleted, EditChange, EditFilter,
    EditRecord, EditStatus, Expired, ExpiryPlace, Failure, IdempotencyKey, OpenEdit, OpenEditRow,
    OpenEdits, OpenError, Opened, Outcome, Removal, Shared, TaskRecord, TreeRequest,
};
pub use error::Error;
pub use folder::make_folder;
pub use grant::{NewGrant, Refresh, Refreshed, TokenPair};
pub use identity::{Identity, Subject};
pub use invitation::{Invitation, NewInvitation};
pub use mail::{
    Confirmed, EmailKind, EmailMessage, Keep, Link, Openers, PasswordReset, SignUpRequest,
};
pub use migrations::{Migration, STEPS, Step, migrate, missing_steps};
pub use observer::{BlobCall, Nobody, Observer, TransactionReport};
pub use page::{Page, PageRequest};
pub use passkey::{NewPasskey, Passkey, PasskeyCheck, PasskeyReport, PasskeyUse};
pub use postgres::Address;
pub use prune::Pruned;
pub use rate::{Counted, Limit, Whose};
pub use second_factor::{ConfirmedApp, SECRET_BYTES, SecondFactor};
pub use service::{Logo, ServiceState, StoredProvider};
pub use session::{NewBrowser, NewSession, Session};
pub use settings::{Context, Database, Schema, Settings};
pub use spending::Spending;
pub use store::Store;
pub use transfer::{
    FilesMoved, ResultsFound, Stage, TableMoved, Transfer, TransferError, Transferred, Watch,
    transfer,
};
pub use upload::{ExpiredUpload, Upload, UploadLimits};
pub use verify::{Disagreement, VerifyReport};
pub use webhook::{
    Attempt, AttemptEnd, Claim, ClaimEnd, Delivery, DeliveryStatus, Due, EventKind, NewWebhook,
    Off, SealedSecrets, Webhook, WebhookChange,
};
