//! What the server or the way to it says, told apart by what to do about it.

use tokio_postgres::error::SqlState;

use crate::Error;

impl From<tokio_postgres::Error> for Error {
    fn from(error: tokio_postgres::Error) -> Self {
        let Some(said) = error.as_db_error() else {
            return without_answer(&error);
        };
        // The details of a message may hold what people have written; they are left out.
        let message = format!("{} ({})", said.message(), said.code().code());
        match said.code() {
            &SqlState::UNIQUE_VIOLATION => Self::Taken { message },
            code if is_conflict(code) => Self::Conflict { message },
            code if is_gone(code) => Self::Unreachable { message },
            _ => Self::Database { message },
        }
    }
}

/// An error of the way to the server.
fn without_answer(error: &tokio_postgres::Error) -> Error {
    let mut message = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(deeper) = cause {
        message = format!("{message}: {deeper}");
        cause = deeper.source();
    }
    Error::Unreachable { message }
}

/// Others were in the way: their locks, or how they met ours.
fn is_conflict(code: &SqlState) -> bool {
    [
        &SqlState::T_R_SERIALIZATION_FAILURE,
        &SqlState::T_R_DEADLOCK_DETECTED,
        &SqlState::LOCK_NOT_AVAILABLE,
        &SqlState::QUERY_CANCELED,
    ]
    .contains(&code)
}

/// The server is stopping, starting, full, has ended the connection, or is no longer the one to write to.
fn is_gone(code: &SqlState) -> bool {
    let code = code.code();
    // A statement was prepared before another node changed its table (0A000): anew on a new connection.
    // Classes 08 (connections), 53 (resources) and 57P (the operator's doing); 25P03 and 25P04 end a
    // transaction that was left alone, and its connection with it. A server that another has taken over
    // from only reads (25006).
    code.starts_with("08")
        || code.starts_with("57P")
        || ["0A000", "53300", "25006", "25P03", "25P04"].contains(&code)
}
