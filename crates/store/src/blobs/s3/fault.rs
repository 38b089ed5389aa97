//! What a server of S3 says went wrong, without the name of any file.

use std::error::Error as _;

use object_store::Error;

/// Whether there is no such file, rather than no such bucket.
pub(in super::super) fn is_about_the_file(error: &Error) -> bool {
    let text = || error.source().map(ToString::to_string).unwrap_or_default();
    matches!(error, Error::NotFound { .. }) && !text().contains("NoSuchBucket")
}

/// What is wrong, for an operator.
pub(in super::super) fn explain(error: &Error) -> String {
    let cause = root(error);
    let code = code(&cause);
    match (error, code) {
        (_, Some("NoSuchBucket")) => "the server has no such bucket".to_owned(),
        (_, Some("SignatureDoesNotMatch")) => {
            "the secret of the access key is wrong (SignatureDoesNotMatch)".to_owned()
        }
        (_, Some("InvalidAccessKeyId")) => {
            "the server does not know the access key (InvalidAccessKeyId)".to_owned()
        }
        (Error::NotFound { .. }, None) => "the server answered: not found".to_owned(),
        (Error::PermissionDenied { .. } | Error::Unauthenticated { .. }, code) => {
            format!(
                "the access key does not have permission ({})",
                code.unwrap_or("no reason given")
            )
        }
        (_, Some(code)) => format!("the server answered {code}"),
        // An answer may repeat what it was asked for.
        (_, None) if cause.contains("status code") || cause.contains('<') => {
            cause.split([':', '<']).take(2).collect::<Vec<_>>().join(":")
        }
        (_, None) => cause,
    }
}

/// The first cause: what is around it repeats the address, and with it the file's name.
fn root(error: &Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}

/// The code in an answer of the server.
fn code(answer: &str) -> Option<&str> {
    let (_, rest) = answer.split_once("<Code>")?;
    rest.split_once("</Code>").map(|(code, _)| code)
}
