//! Tests TLS to the server: it is used if the address asks for it, and only with trusted servers.

use std::sync::Arc;

use retouch_core::{SeededEntropy, TestClock};
use retouch_store::{Address, BlobsPlace, Context, Database, Error, Settings, Store};

use crate::place::START;

/// Opens a store on the server with these options in its address.
async fn open(server: &str, options: &str) -> Result<Store, Error> {
    let address = Address::parse(&format!("{server}?{options}")).unwrap();
    let settings = Settings::of(Database::Server(address), BlobsPlace::Memory);
    let clock = Arc::new(TestClock::new(START));
    Store::open(&settings, Context { clock, entropy: Arc::new(SeededEntropy::new(1)) }).await
}

#[tokio::test]
async fn a_server_that_somebody_trusted_vouches_for_is_spoken_to_and_another_is_not() {
    let Ok(server) = std::env::var("RETOUCH_TEST_POSTGRES") else { return };
    let authority = std::env::var("RETOUCH_TEST_POSTGRES_AUTHORITY").unwrap();
    let trusting = format!("sslmode=require&sslrootcert={authority}");
    let store = open(&server, &trusting).await.unwrap();
    store.ready().await.unwrap();
    let refused = open(&server, "sslmode=require").await.unwrap_err();
    assert!(refused.to_string().contains("certificate"), "{refused}");
    let another = server.replace("127.0.0.1", "another.example");
    let refused = open(&another, &format!("{trusting}&hostaddr=127.0.0.1")).await.unwrap_err();
    assert!(refused.to_string().contains("not valid for name"), "{refused}");
}

#[test]
fn an_address_says_what_it_means() {
    for (address, said) in [
        ("postgres://", "the host is missing"),
        ("mysql://db/books", "expected postgres://"),
        ("postgres://db/books?sslmode=prefer", "expected disable, require or verify-full"),
        ("postgres://db/books?sslmode=require&sslrootcert=/nowhere.pem", "sslrootcert: "),
        ("postgres://ada:hunter22@db/books?nonsense=1", "the options of PostgreSQL's own library"),
        (
            "postgres://ada:12?hunter=1@db/books?hunter=22",
            "the options of PostgreSQL's own library",
        ),
    ] {
        let refused = Address::parse(address).unwrap_err().to_string();
        assert!(refused.contains(said), "{address}: {refused}");
        assert!(!refused.contains("hunter"), "{refused}");
    }
    let plain = Address::parse("postgresql://ada:hunter22@db:6432/books").unwrap();
    assert_eq!(plain.to_string(), "postgres://db:6432/books");
    let odd = Address::parse("postgres://ada:12?hunter=1@db/books?sslmode=disable").unwrap();
    assert_eq!(odd.to_string(), "postgres://db:5432/books");
    let two = Address::parse("postgres://ada:hunter22@one:5432,two:5433/books").unwrap();
    assert_eq!(two.to_string(), "postgres://one:5432,two:5433/books");
}

#[test]
fn an_address_tells_whether_others_can_listen() {
    for (address, is_in_the_clear) in [
        ("postgres://db/books", true),
        ("postgres://localhost,db/books", true),
        ("postgres://db/books?sslmode=require", false),
        ("postgres://localhost/books", false),
        ("postgres://127.0.0.1:5432/books", false),
        ("postgres://%2Fvar%2Frun%2Fpostgresql/books", false),
    ] {
        let address = Address::parse(address).unwrap();
        assert_eq!(address.is_in_the_clear(), is_in_the_clear, "{address}");
    }
}
