//! Where images are stored: a folder, or a bucket with its credentials.

use std::path::PathBuf;

use retouch_store::{BlobsPlace, S3Keys, S3Settings};
use url::Url;

use super::duration::{MINUTE_MS, SECOND_MS};
use super::reader::Reader;
use super::store::scheme;

const KEY: &str = "store.blobs_url";
const ID_KEY: &str = "store.s3_access_key_id";
const SECRET_KEY: &str = "store.s3_secret_access_key";

/// The configured place, if any.
pub(super) fn read(reader: &mut Reader<'_>) -> Option<BlobsPlace> {
    let call_ms_max = reader.duration("store.s3_call_time_max", SECOND_MS..=10 * MINUTE_MS);
    let silence_ms_max = reader.duration("store.s3_silence_max", SECOND_MS..=10 * MINUTE_MS);
    let endpoint = reader.optional("store.s3_endpoint", endpoint);
    let authority = reader.optional("store.s3_ca_file", |text| Ok(PathBuf::from(text)));
    let bucket_in_host = reader.required("store.s3_bucket_in", |text| match text {
        "path" => Ok(false),
        "host" => Ok(true),
        _ => Err("expected path or host".to_owned()),
    });
    let bucket_in_host = bucket_in_host.unwrap_or_default();
    let keys = keys(reader);
    let text = reader.text(KEY);
    let region = Some(reader.text("store.s3_region").to_owned()).filter(|text| !text.is_empty());
    if text.is_empty() {
        return None;
    }
    let place = match scheme(text) {
        Some("s3") => bucket(text).map(|(bucket, prefix)| {
            BlobsPlace::S3(Box::new(S3Settings {
                bucket,
                prefix,
                endpoint,
                bucket_in_host,
                authority,
                region,
                keys,
                call_ms_max,
                silence_ms_max,
            }))
        }),
        _ => folder(text).map(BlobsPlace::Folder),
    };
    place.map_err(|message| reader.refuse(KEY, message)).ok()
}

/// The URL may contain a password, so no message repeats it.
fn folder(text: &str) -> Result<PathBuf, String> {
    let is_local = text.starts_with("file:///");
    let path = Url::parse(text).ok().filter(|_| is_local).and_then(|url| url.to_file_path().ok());
    path.ok_or_else(|| "expected file:///PATH or s3://BUCKET/PREFIX".to_owned())
}

/// The bucket's name and the prefix of file names.
fn bucket(text: &str) -> Result<(String, String), String> {
    let expected = "expected s3://BUCKET or s3://BUCKET/PREFIX with letters, digits, '.', '-' and \
                    '_'; the access key goes into store.s3_access_key_id";
    let plain = |text: &str| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
        !text.is_empty() && text.bytes().all(is_plain) && text != "." && text != ".."
    };
    let rest = text.strip_prefix("s3://").unwrap_or_default();
    let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    let prefix = prefix.strip_suffix('/').unwrap_or(prefix);
    let is_good = plain(bucket) && (prefix.is_empty() || prefix.split('/').all(plain));
    if is_good { Ok((bucket.to_owned(), prefix.to_owned())) } else { Err(expected.to_owned()) }
}

fn endpoint(text: &str) -> Result<Url, String> {
    let expected = "expected http:// or https://, a host and optionally a port, but no path";
    let url = Url::parse(text).map_err(|_| expected.to_owned())?;
    let is_bare = matches!(url.scheme(), "http" | "https")
        && url.path() == "/"
        && url.query().is_none()
        && url.username().is_empty()
        && url.password().is_none();
    if is_bare { Ok(url) } else { Err(expected.to_owned()) }
}

fn keys(reader: &mut Reader<'_>) -> Option<S3Keys> {
    let (id, secret) = (reader.secret(ID_KEY), reader.secret(SECRET_KEY));
    match (id, secret) {
        (None, None) => None,
        (Some(id), Some(secret)) => {
            Some(S3Keys { id: id.reveal().to_owned(), secret: secret.reveal().to_owned() })
        }
        (Some(_), None) => {
            reader.refuse_because(SECRET_KEY, format!("missing: needed with {ID_KEY}"), ID_KEY);
            None
        }
        (None, Some(_)) => {
            reader.refuse_because(ID_KEY, format!("missing: needed with {SECRET_KEY}"), SECRET_KEY);
            None
        }
    }
}
