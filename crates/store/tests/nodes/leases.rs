//! Tests leases while other connections lock the rows that their edits belong to.

use retouch_store::{OpenEdit, Store};
use tokio::task::JoinSet;
use tokio_postgres::{Client, Error, NoTls};

use crate::place::{Place, START, assert_proved, edit, member};
use crate::together::success;

/// A connection that has locked the balance and the row of this edit, like a node that was halted
/// in the middle of a transaction. The locks are held until both returned values are dropped.
async fn halted(address: &str, edit: &OpenEdit) -> (Client, JoinSet<Result<(), Error>>) {
    let (client, connection) = tokio_postgres::connect(address, NoTls).await.unwrap();
    let mut speaking = JoinSet::new();
    speaking.spawn(connection);
    let id = edit.id;
    let lock = format!(
        "BEGIN;
         SELECT 1 FROM balance WHERE account_id IN (SELECT account_id FROM edit WHERE id = '{id}')
             FOR UPDATE;
         SELECT 1 FROM edit WHERE id = '{id}' FOR UPDATE"
    );
    client.batch_execute(&lock).await.unwrap();
    (client, speaking)
}

async fn opened(store: &Store, place: &Place, name: &str) -> OpenEdit {
    let account = member(store, name, 15).await;
    let edit = edit(place, None);
    store.open_edit(&account, edit.clone()).await.unwrap();
    edit
}

#[tokio::test]
async fn leases_are_renewed_although_somebody_else_stands_still_with_one_of_their_accounts() {
    let Some(place) = Place::new() else { return };
    let node = place.node(1).await;
    let (first, second) = (opened(&node, &place, "ada").await, opened(&node, &place, "bob").await);
    let halted = halted(place.address(), &first).await;
    let until = START.plus_ms(60_000);
    let own = node.renew_leases("node-1", until).await.unwrap();
    assert_eq!(own, [first.id, second.id].into(), "both are this node's");
    drop(halted);
    let leases = async |of: &OpenEdit| {
        let open = node.list_open_edits().await.unwrap();
        open.into_iter().find(|row| row.id == of.id).unwrap().lease_until
    };
    assert_eq!(leases(&first).await, first.lease_until, "passed over");
    assert_eq!(leases(&second).await, until);
    let open = node.list_open_edits().await.unwrap();
    for row in &open {
        node.close_edit(&row.account, &row.id, success()).await.unwrap();
    }
    assert_proved(&node).await;
}
