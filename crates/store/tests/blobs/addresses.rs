//! Addresses at which a server gives files to whoever has them.

use retouch_store::{Blobs, BlobsPlace};

use crate::network::get;
use crate::place::{NAME, Place, bucket};

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
    let blobs = Blobs::open(&BlobsPlace::S3(settings.clone())).unwrap();
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
