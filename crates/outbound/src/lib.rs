//! Connections to other servers, and the rules that all of them follow.
//!
//! Every outgoing connection starts here, except those of the store to the servers that hold its
//! data. There are two ways to make an HTTP call. [`client`] is for services whose address the
//! operator has configured: it adds the key and limits time and memory. [`fetch`] is for addresses
//! that come from strangers: [`address`] decides where they may lead. [`stock`] is the memory that
//! must be reserved for what arrives.
//!
//! The services themselves: [`payments`] (Stripe), [`identity`] (sign-in with OpenID Connect),
//! [`mail`] (SMTP) and [`collector`] (traces). Those that perform edits are in `retouch-providers`.

pub mod address;
pub mod client;
pub mod collector;
pub mod fetch;
pub mod identity;
pub mod mail;
pub mod payments;
pub mod stock;
mod tls;
