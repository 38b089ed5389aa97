//! Where the measured service keeps rows and images: in its folder, or on the servers that were named.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::Fallible;
use crate::arguments::Plan;
use crate::cost::postgres::Postgres;
use crate::process::Setting;

/// The bucket where the address of the server names none, and the key to it, as `tests/s3/run` makes them.
const BUCKET: &str = "retouch";
const KEYS: [(&str, &str); 2] = [
    ("RETOUCH_STORE__S3_ACCESS_KEY_ID", "retouch-test"),
    ("RETOUCH_STORE__S3_SECRET_ACCESS_KEY", "retouch-test-secret"),
];
/// What the settings of a place on a server of S3 begin with.
const S3_SETTINGS: &str = "RETOUCH_STORE__S3_";

/// The places of one case, which nobody else uses.
pub(crate) struct Places {
    /// The schema on the server of rows, where there is one.
    pub(crate) schema: Option<Schema>,
    /// The address of the server of images, where there is one.
    pub(crate) s3: Option<String>,
    /// What this case's images are kept under there.
    prefix: String,
}

/// A schema that is removed when this value goes.
pub(crate) struct Schema {
    /// The server's address.
    pub(crate) server: String,
    /// Somebody who asks it for numbers.
    pub(crate) postgres: Postgres,
    name: String,
}

impl Places {
    /// New places on the servers of the plan.
    ///
    /// # Errors
    /// When the database server does not answer.
    pub(crate) fn of(plan: &Plan) -> Fallible<Self> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("bench_{}_{number}", std::process::id());
        let schema = plan.postgres.as_ref().map(|server| Schema::make(server, &name));
        let prefix = format!("bench/{name}");
        Ok(Self { schema: schema.transpose()?, s3: plan.s3.clone(), prefix })
    }

    /// What they are called in the title of a case.
    pub(crate) fn title(&self) -> &'static str {
        match (&self.schema, &self.s3) {
            (None, None) => "",
            (Some(_), None) => ", PostgreSQL",
            (None, Some(_)) => ", S3",
            (Some(_), Some(_)) => ", PostgreSQL, S3",
        }
    }

    /// The settings that lead a service there.
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
        // What stays is in the way of nobody.
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
