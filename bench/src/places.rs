//! Where the measured service keeps rows and images: in its folder, or on the given servers.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::Fallible;
use crate::arguments::Plan;
use crate::cost::postgres::Postgres;
use crate::process::Setting;

/// The default bucket and its key, as `tests/s3/run` creates them.
const BUCKET: &str = "retouch";
const KEYS: [(&str, &str); 2] = [
    ("RETOUCH_STORE__S3_ACCESS_KEY_ID", "retouch-test"),
    ("RETOUCH_STORE__S3_SECRET_ACCESS_KEY", "retouch-test-secret"),
];
/// The prefix of the settings for an S3 server.
const S3_SETTINGS: &str = "RETOUCH_STORE__S3_";

/// The storage of one case, which nothing else uses.
pub(crate) struct Places {
    /// The schema on the database server, if there is one.
    pub(crate) schema: Option<Schema>,
    /// The URL of the S3 server, if there is one.
    pub(crate) s3: Option<String>,
    /// The prefix of this case's images there.
    prefix: String,
}

/// A schema that is removed with this value.
pub(crate) struct Schema {
    /// The server's address.
    pub(crate) server: String,
    /// A connection for statistics.
    pub(crate) postgres: Postgres,
    name: String,
}

impl Places {
    /// New storage on the servers of the plan.
    ///
    /// # Errors
    /// If the database server does not respond.
    pub(crate) fn of(plan: &Plan) -> Fallible<Self> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("bench_{}_{number}", std::process::id());
        let schema = plan.postgres.as_ref().map(|server| Schema::make(server, &name));
        let prefix = format!("bench/{name}");
        Ok(Self { schema: schema.transpose()?, s3: plan.s3.clone(), prefix })
    }

    /// Their names in the title of a case.
    pub(crate) fn title(&self) -> &'static str {
        match (&self.schema, &self.s3) {
            (None, None) => "",
            (Some(_), None) => ", PostgreSQL",
            (None, Some(_)) => ", S3",
            (Some(_), Some(_)) => ", PostgreSQL, S3",
        }
    }

    /// The settings for a service that uses them.
    pub(crate) fn settings(&self) -> Vec<Setting> {
        let set = |name: &str, value: String| (name.to_owned(), value);
        let mut settings = Vec::new();
        if let Some(Schema { server, name, .. }) = &self.schema {
            let mark = if server.contains('?') { '&' } else { '?' };
            let url = format!("{server}{mark}options=-csearch_path%3D{name}");
            settings.push(set("RETOUCH_STORE__DATABASE_URL", url));
        }
        if let Some(address) = &self.s3 {
            let (server, bucket) = server_and_bucket(address);
            settings.extend(KEYS.map(|(name, value)| set(name, value.to_owned())));
            settings.extend(std::env::vars().filter(|(name, _)| name.starts_with(S3_SETTINGS)));
            settings.push(set("RETOUCH_STORE__S3_ENDPOINT", server.to_owned()));
            let url = format!("s3://{bucket}/{}", self.prefix);
            settings.push(set("RETOUCH_STORE__BLOBS_URL", url));
        }
        settings
    }
}

impl Schema {
    fn make(server: &str, name: &str) -> Fallible<Self> {
        let postgres = Postgres::connect(server, name)?;
        postgres.run(&format!("CREATE SCHEMA {name}"))?;
        Ok(Self { server: server.to_owned(), postgres, name: name.to_owned() })
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        // If this fails, a leftover schema does no harm.
        let _ = self.postgres.run(&format!("DROP SCHEMA {} CASCADE", self.name));
    }
}

/// `http://HOST:PORT/BUCKET` as its two parts.
fn server_and_bucket(address: &str) -> (&str, &str) {
    let address = address.trim_end_matches('/');
    let authority = address.find("://").map_or(0, |at| at + 3);
    match address.get(authority..).and_then(|rest| rest.find('/')) {
        Some(at) => {
            let (server, bucket) = address.split_at(authority + at);
            (server, bucket.trim_start_matches('/'))
        }
        None => (address, BUCKET),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bucket_stands_in_the_path_or_is_the_usual_one() {
        let parts = ("http://127.0.0.1:9000", "pictures");
        assert_eq!(server_and_bucket("http://127.0.0.1:9000/pictures"), parts);
        assert_eq!(server_and_bucket("http://127.0.0.1:9000/"), (parts.0, BUCKET));
        assert_eq!(server_and_bucket("http://127.0.0.1:9000"), (parts.0, BUCKET));
    }
}
