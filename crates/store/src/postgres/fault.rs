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
        of(said.code(), message)
    }
}

/// The error that a state of SQL means (PostgreSQL's manual, appendix A).
fn of(code: &SqlState, message: String) -> Error {
    match code {
        &SqlState::UNIQUE_VIOLATION => Error::Taken { message },
        &SqlState::T_R_SERIALIZATION_FAILURE | &SqlState::T_R_DEADLOCK_DETECTED => {
            Error::Conflict { message }
        }
        &SqlState::LOCK_NOT_AVAILABLE => Error::Locked { message },
        &SqlState::QUERY_CANCELED => Error::Late { message },
        // Class 53: out of disk, of memory or of connections.
        code if code.code().starts_with("53") => Error::Exhausted { message },
        code if is_gone(code) => Error::Unreachable { message },
        _ => Error::Database { message },
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

/// The server is stopping, starting, has ended the connection, or is no longer the one to write to.
fn is_gone(code: &SqlState) -> bool {
    let code = code.code();
    // A statement was prepared before another node changed its table (0A000): anew on a new connection.
    // Classes 08 (connections) and 57P (the operator's doing); 25P03 and 25P04 end a
    // transaction that was left alone, and its connection with it. A server that another has taken over
    // from only reads (25006).
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
