//! Classifies errors of the server and of the connection by how to handle them.

use tokio_postgres::error::SqlState;

use crate::Error;

impl From<tokio_postgres::Error> for Error {
    fn from(error: tokio_postgres::Error) -> Self {
        let Some(said) = error.as_db_error() else {
            return without_answer(&error);
        };
        // The details of a message are left out, because they may contain user data.
        let message = format!("{} ({})", said.message(), said.code().code());
        of(said.code(), message)
    }
}

/// The error for an SQLSTATE code (PostgreSQL manual, appendix A).
fn of(code: &SqlState, message: String) -> Error {
    match code {
        &SqlState::UNIQUE_VIOLATION => Error::Taken { message },
        &SqlState::T_R_SERIALIZATION_FAILURE | &SqlState::T_R_DEADLOCK_DETECTED => {
            Error::Conflict { message }
        }
        &SqlState::LOCK_NOT_AVAILABLE => Error::Locked { message },
        &SqlState::QUERY_CANCELED => Error::Late { message },
        // Class 53: out of disk space, memory or connections.
        code if code.code().starts_with("53") => Error::Exhausted { message },
        code if is_gone(code) => Error::Unreachable { message },
        _ => Error::Database { message },
    }
}

/// An error of the connection to the server.
fn without_answer(error: &tokio_postgres::Error) -> Error {
    let mut message = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(deeper) = cause {
        message = format!("{message}: {deeper}");
        cause = deeper.source();
    }
    Error::Unreachable { message }
}

/// Whether the server is starting or stopping, has closed the connection, or no longer accepts
/// writes.
fn is_gone(code: &SqlState) -> bool {
    let code = code.code();
    // 0A000: another node changed a table after a statement on it was prepared, so the statement
    // must be prepared again on a new connection. Classes 08 (connections) and 57P (operator
    // intervention). 25P03 and 25P04 end a transaction that was idle or ran too long, and its
    // connection. 25006: the server became read-only after a failover.
    code.starts_with("08")
        || code.starts_with("57P")
        || ["0A000", "25006", "25P03", "25P04"].contains(&code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_state_is_named_as_what_it_is() {
        let name = |code| of(&SqlState::from_code(code), String::new()).name();
        for code in ["53000", "53100", "53200", "53300", "53400"] {
            assert_eq!(name(code), "exhausted", "{code}");
        }
        for (code, expected) in [
            ("55P03", "locked"),
            ("57014", "late"),
            ("40001", "conflict"),
            ("40P01", "conflict"),
            ("23505", "conflict"),
            ("57P01", "unreachable"),
            ("08006", "unreachable"),
            ("42601", "failed"),
        ] {
            assert_eq!(name(code), expected, "{code}");
        }
    }
}
