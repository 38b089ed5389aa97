//! Tests URLs at which a server serves files to anyone who knows them.

use retouch_store::{Blobs, BlobsPlace, Error, S3Settings};

use crate::network::get;
use crate::place::{NAME, Place, at, bucket};

#[tokio::test]
async fn only_a_server_has_addresses() {
    for Place { what, blobs, .. } in &Place::all() {
        let address = blobs.address(NAME, 60_000).await.unwrap();
        assert_eq!(address.is_some(), *what == "bucket", "{what}");
    }
}

#[tokio::test]
async fn an_address_gives_one_file_to_whoever_has_it() {
    let Some(settings) = bucket() else { return };
    let blobs = Blobs::open(&BlobsPlace::S3(Box::new(settings.clone()))).unwrap();
    blobs.put(NAME, b"a picture").await.unwrap();
    let another = "fedcba9876543210-picture.png";
    blobs.put(another, b"not for everybody").await.unwrap();
    let address = blobs.address(NAME, 60_000).await.unwrap().unwrap();
    let (status, kind, content) = get(&address).await;
    assert_eq!((status, kind.as_str(), content.as_slice()), (200, "image/png", &b"a picture"[..]));
    let bare = address.split_once('?').unwrap().0;
    for stranger in [bare.to_owned(), address.replace(NAME, another)] {
        assert_eq!(get(&stranger).await.0, 403, "{stranger}");
    }
    let secret = settings.keys.unwrap().secret;
    assert!(!address.contains(&secret));
}

#[tokio::test]
async fn a_bucket_is_named_in_the_path_or_in_the_host() {
    let address = async |settings: S3Settings| {
        let blobs = Blobs::open(&BlobsPlace::S3(Box::new(settings)))?;
        let address = blobs.address(NAME, 60_000).await?.unwrap();
        Ok::<_, Error>(address.split_once('?').unwrap().0.to_owned())
    };
    let in_path = at(&"https://s3.example.com:9000".parse().unwrap());
    let in_host = S3Settings { bucket_in_host: true, ..in_path.clone() };
    let path = address(in_path).await.unwrap();
    assert_eq!(path, format!("https://s3.example.com:9000/retouch/{NAME}"));
    let host = address(in_host.clone()).await.unwrap();
    assert_eq!(host, format!("https://retouch.s3.example.com:9000/{NAME}"));
    let amazon = address(S3Settings { endpoint: None, ..in_host.clone() }).await.unwrap();
    assert_eq!(amazon, format!("https://retouch.s3.us-east-1.amazonaws.com/{NAME}"));
    let number = Some("http://127.0.0.1:9000".parse().unwrap());
    let refused = address(S3Settings { endpoint: number, ..in_host }).await.unwrap_err();
    assert!(refused.to_string().contains("retouch cannot be part of the host name"), "{refused}");
}
