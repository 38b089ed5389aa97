//! Packs of credits, and requests for credits, on both databases.

use retouch_core::billing::{Facts, Pack, Payment};
use retouch_core::credits::{BucketKind, Grant};
use retouch_core::{AccountId, Credits};
use retouch_store::Store;

use crate::place::{HOUR_MS, Place, START, assert_proved, member};
use crate::plans::deed;

/// A paid pack of 300 credits, of which `back` of 490 cents went back, as seen after `hours`.
fn pack(back: i64, hours: i64) -> Facts {
    let payment = Payment { amount: 490, refunded: back, disputed: 0 };
    let (id, credits) = ("cs_1".to_owned(), Credits::from(300));
    Facts {
        seen_at: START.plus_ms(hours * HOUR_MS),
        customer: Some("cus_ada".into()),
        pack: Some(Pack { id, credits, paid: true, payment }),
        ..Facts::default()
    }
}

async fn available(store: &Store, account: &AccountId) -> i64 {
    store.balance(account).await.unwrap().available.get()
}

#[tokio::test]
async fn a_pack_brings_its_credits_once_less_what_went_back() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    store.keep_customer(&ada, "cus_ada".into()).await.unwrap();
    let before = available(&store, &ada).await;
    let unpaid = Facts { pack: pack(0, 0).pack.map(|it| Pack { paid: false, ..it }), ..pack(0, 0) };
    store.settle_facts(unpaid).await.unwrap();
    for (back, hours, brings) in [(0, 1, 300), (0, 2, 300), (245, 3, 150), (490, 4, 0), (0, 5, 300)]
    {
        store.settle_facts(pack(back, hours)).await.unwrap();
        assert_eq!(available(&store, &ada).await, before + brings, "{back} at {hours}");
        // An earlier state changes nothing.
        assert!(store.settle_facts(pack(490, hours - 1)).await.is_err());
    }
    assert_proved(&store).await;
}

#[tokio::test]
async fn a_grant_answers_the_request() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    assert!(store.ask_for_credits(&ada, "for photos".into()).await.unwrap());
    assert!(!store.ask_for_credits(&ada, "again".into()).await.unwrap());
    let found = store.find_credit_request(&ada).await.unwrap().unwrap();
    assert_eq!((found.words.as_str(), found.created_at), ("for photos", START));
    let grant = Grant {
        kind: BucketKind::Operator,
        credits: Credits::from(10),
        source_key: "form:1".into(),
        expires_at: None,
        priority: None,
        description: "asked".into(),
    };
    store.grant_as(&ada, grant, deed()).await.unwrap();
    assert_eq!(store.list_credit_requests().await.unwrap(), []);
    store.ask_for_credits(&ada, String::new()).await.unwrap();
    assert!(store.dismiss_credit_request(&ada, deed()).await.unwrap());
    assert!(!store.dismiss_credit_request(&ada, deed()).await.unwrap());
    assert_proved(&store).await;
}
