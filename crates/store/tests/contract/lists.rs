//! Lists: pages, cursors, limits.

use retouch_store::{Error, PageRequest};

use crate::edits::opened;
use crate::place::{HOUR_MS, Place, first, member, member_with};

#[tokio::test]
async fn pages_follow_each_other_without_gap_or_repetition() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member_with(&store, "ada@example.com", 600).await;
    let mut made = Vec::new();
    for _ in 0..7 {
        place.clock.advance_ms(HOUR_MS);
        made.push(opened(&place, &store, &ada).await);
    }
    let (mut seen, mut cursor) = (Vec::new(), None);
    loop {
        let page = store.list_edits(&ada, &PageRequest { limit: 3, cursor }).await.unwrap();
        seen.push(page.data.len());
        for edit in page.data {
            assert_eq!(Some(edit.id), made.pop(), "newest first");
        }
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(seen, [3, 3, 1]);
    let entries = store.list_entries(&ada, &first(8)).await.unwrap();
    assert_eq!((entries.data.len(), entries.next_cursor), (8, None), "exactly one full page");
}

#[tokio::test]
async fn a_cursor_of_another_list_or_a_made_up_one_is_refused() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    opened(&place, &store, &ada).await;
    let of_entries = store.list_entries(&ada, &first(1)).await.unwrap().next_cursor.unwrap();
    let mut misspelt = of_entries.clone();
    misspelt.replace_range(8..9, if &of_entries[8..9] == "A" { "B" } else { "A" });
    for cursor in [of_entries, String::new(), "AAAA".into(), "ö".into(), "0".repeat(10_000)] {
        let page = PageRequest { limit: 1, cursor: Some(cursor.clone()) };
        assert_eq!(store.list_edits(&ada, &page).await, Err(Error::BadCursor), "{cursor}");
    }
    let page = PageRequest { limit: 1, cursor: Some(misspelt) };
    assert_eq!(store.list_entries(&ada, &page).await, Err(Error::BadCursor));
}

#[tokio::test]
async fn a_page_has_one_to_a_hundred_rows() {
    let place = Place::new();
    let store = place.open().await;
    for limit in [0, 101, u32::MAX] {
        let answer = store.list_accounts(&first(limit)).await;
        assert_eq!(answer, Err(Error::BadLimit { limit }));
    }
    assert!(store.list_accounts(&first(100)).await.unwrap().data.is_empty());
}

#[tokio::test]
async fn accounts_and_keys_are_listed_newest_first() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member(&store, "ada@example.com").await;
    place.clock.advance_ms(1);
    let bob = member(&store, "bob@example.com").await;
    let page = store.list_accounts(&first(1)).await.unwrap();
    assert_eq!(page.data[0].id, bob);
    let next = PageRequest { limit: 1, cursor: page.next_cursor };
    let page = store.list_accounts(&next).await.unwrap();
    assert_eq!((&page.data[0].id, page.next_cursor), (&ada, None));
}
