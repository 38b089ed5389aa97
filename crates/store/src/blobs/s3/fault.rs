//! Explains errors of S3 servers without revealing file names.

use std::error::Error as _;

use object_store::Error;

/// Whether the file is missing, rather than the bucket.
pub(in super::super) fn is_about_the_file(error: &Error) -> bool {
    let text = || error.source().map(ToString::to_string).unwrap_or_default();
    matches!(error, Error::NotFound { .. }) && !text().contains("NoSuchBucket")
}

/// Explains the error to an operator.
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
        // A response may repeat the request.
        (_, None) if cause.contains("status code") || cause.contains('<') => {
            cause.split([':', '<']).take(2).collect::<Vec<_>>().join(":")
        }
        (_, None) => cause,
    }
}

/// The innermost cause. The outer ones repeat the URL, and with it the file's name.
fn root(error: &Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}

/// The error code in a response.
fn code(answer: &str) -> Option<&str> {
    let (_, rest) = answer.split_once("<Code>")?;
    rest.split_once("</Code>").map(|(code, _)| code)
}
