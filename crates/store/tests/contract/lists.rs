//! Tests lists: pages, cursors and limits.

use retouch_core::{AccountId, EditId};
use retouch_store::{EditFilter, EditStatus, Error, OpenEdit, PageRequest, TreeRequest};

use crate::edits::{opened, stored_as, success};
use crate::place::{HOUR_MS, Place, START, first, member, member_with};

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
        let page = store
            .list_edits(&ada, &EditFilter::default(), &PageRequest { limit: 3, cursor })
            .await
            .unwrap();
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
        assert_eq!(
            store.list_edits(&ada, &EditFilter::default(), &page).await,
            Err(Error::BadCursor),
            "{cursor}"
        );
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

#[tokio::test]
async fn a_search_finds_words_kinds_and_ends_and_nothing_of_others() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member_with(&store, "ada@example.com", 600).await;
    let bob = member(&store, "bob@example.com").await;
    let mut names = Vec::new();
    for words in ["Make it grey", "100% brighter", "a_b", "make it warmer"] {
        let edit = OpenEdit { instruction: words.into(), ..place.edit() };
        names.push(edit.id);
        store.open_edit(&ada, edit).await.unwrap();
    }
    store.close_edit(&ada, &names[0], success(6)).await.unwrap();
    store.open_edit(&bob, place.edit()).await.unwrap();
    let found = async |words: &str, kind, status| {
        let filter =
            EditFilter { words: Some(words.into()), kind, status, ..EditFilter::default() };
        let page = store.list_edits(&ada, &filter, &first(10)).await.unwrap();
        page.data.iter().map(|edit| edit.instruction.clone()).collect::<Vec<_>>()
    };
    assert_eq!(found("MAKE it", None, None).await, ["make it warmer", "Make it grey"]);
    assert_eq!(found("%", None, None).await, ["100% brighter"], "no pattern of the caller's");
    assert_eq!(found("_", None, None).await, ["a_b"]);
    assert_eq!(found("\\", None, None).await, [""; 0]);
    assert_eq!(found(" ", None, None).await.len(), 4, "nothing is everything");
    assert_eq!(found("", None, Some(EditStatus::Succeeded)).await, ["Make it grey"]);
    assert_eq!(found("", Some(retouch_core::Kind::Video), None).await, [""; 0]);
}

#[tokio::test]
async fn a_page_of_a_search_looks_at_a_part_and_the_next_one_continues() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member_with(&store, "ada@example.com", 600).await;
    let open = async |words: &str| {
        let edit = OpenEdit { instruction: words.into(), ..place.edit() };
        store.open_edit(&ada, edit).await.unwrap();
    };
    open("make it warmer").await;
    open("make it brighter").await;
    // 11,000 more, all of them older.
    let copy = "INSERT INTO edit (account_id, id, kind, status, model, provider, instruction, cost,
            blob, stored, warnings, owner, lease_until, created_at)
        SELECT account_id, '01900000-0000-7000-8000-0' || (10000000000 + number), kind, status, model,
            provider, CASE number WHEN 9 THEN 'make it cooler' ELSE 'blur it' END, cost, blob,
            stored, warnings, owner, lease_until, created_at
        FROM edit, (WITH RECURSIVE counted(number) AS (
            SELECT 1 UNION ALL SELECT number + 1 FROM counted WHERE number < 11000)
            SELECT number FROM counted) AS numbers WHERE instruction = 'make it warmer'";
    place.database.execute(copy).unwrap();
    let filter = EditFilter { words: Some("make".into()), ..EditFilter::default() };
    let (mut pages, mut cursor) = (Vec::new(), None);
    loop {
        let page = PageRequest { limit: 10, cursor };
        let page = store.list_edits(&ada, &filter, &page).await.unwrap();
        pages.push(page.data.iter().map(|edit| edit.instruction.clone()).collect::<Vec<_>>());
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    let none: [&str; 0] = [];
    assert_eq!(pages[0], ["make it brighter", "make it warmer"]);
    assert_eq!(pages[1], none);
    assert_eq!(pages[2..].concat(), ["make it cooler"]);
    let all = store.list_edits(&ada, &EditFilter::default(), &first(10)).await.unwrap();
    assert_eq!(all.data.len(), 10, "a list without a search has full pages");
    let since = EditFilter { from: Some(START), ..filter };
    let page = store.list_edits(&ada, &since, &first(10)).await.unwrap();
    assert_eq!((page.data.len(), page.next_cursor), (2, None), "the rest is older than asked for");
}

#[tokio::test]
async fn edits_of_edits_are_a_tree() {
    let place = Place::new();
    let store = place.open().await;
    let ada = member_with(&store, "ada@example.com", 600).await;
    let bob = member(&store, "bob@example.com").await;
    let made_from = async |account, blob: Option<String>| {
        let edit = OpenEdit { input_blob: blob, ..place.edit() };
        let (id, blob) = (edit.id, edit.blob.clone());
        store.open_edit(account, edit).await.unwrap();
        store.close_edit(account, &id, stored_as(&blob, 6)).await.unwrap();
        (id, blob)
    };
    let (one, first_blob) = made_from(&ada, None).await;
    let (two, second_blob) = made_from(&ada, Some(first_blob.clone())).await;
    let (three, _) = made_from(&ada, Some(first_blob.clone())).await;
    let (four, _) = made_from(&ada, Some(second_blob)).await;
    let (alone, _) = made_from(&ada, Some("nobody-knows-this-blob.png".into())).await;
    let (theirs, _) = made_from(&bob, Some(first_blob)).await;
    let tree = async |account: &AccountId, edit: EditId| {
        let found =
            store.list_tree(account, None, TreeRequest { edit, page: first(10) }).await.unwrap();
        let found = found.map(|page| page.data).unwrap_or_default();
        found.iter().map(|edit| (edit.id, edit.parent)).collect::<Vec<_>>()
    };
    let whole = [(one, None), (two, Some(one)), (three, Some(one)), (four, Some(two))];
    for edit in [one, two, three, four] {
        assert_eq!(tree(&ada, edit).await, whole);
    }
    assert_eq!(tree(&ada, alone).await, [(alone, None)]);
    assert_eq!(tree(&bob, theirs).await, [(theirs, None)], "of somebody else's result");
    assert_eq!(tree(&bob, one).await, []);
    store.delete_edit(&ada, &two).await.unwrap();
    assert_eq!(tree(&ada, four).await, [whole[0], whole[2], whole[3]]);
}
