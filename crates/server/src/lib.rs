//! How people reach it: HTTP, the web application, the command line, and the flow of one edit.

pub mod config;
