//! Tests a server that responds but can't do its work: callers get an error that names the cause.

use retouch_store::Error;

use crate::place::{Place, assert_proved, edit, grant, member};

#[tokio::test(flavor = "multi_thread")]
async fn a_server_without_disk_memory_or_connections_is_named_as_that() {
    let Some(place) = Place::new() else { return };
    let node = place.node(1).await;
    let ada = member(&node, "ada", 100).await;
    let other = place.connect().await;
    // An SQLSTATE of class 53 raised by the server itself, as for a full disk.
    let full = "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
                $$BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END$$;
                CREATE TRIGGER no_room BEFORE INSERT ON edit EXECUTE FUNCTION no_room()";
    other.batch_execute(full).await.unwrap();
    let refused = node.open_edit(&ada, edit(&place, None)).await.unwrap_err();
    let retouch_store::OpenError::Store(refused) = refused else { panic!("{refused}") };
    assert!(matches!(refused, Error::Exhausted { .. }), "{refused}");
    other.batch_execute("DROP FUNCTION no_room() CASCADE").await.unwrap();
    node.open_edit(&ada, edit(&place, None)).await.unwrap();
    assert_proved(&node).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lock_of_another_session_is_named_to_all_who_wait_for_it() {
    let Some(place) = Place::new() else { return };
    let node = place.node(1).await;
    let ada = member(&node, "ada", 0).await;
    let other = place.connect().await;
    other.batch_execute("BEGIN; LOCK TABLE entry IN ACCESS EXCLUSIVE MODE").await.unwrap();
    let (one, two) =
        tokio::join!(node.grant(&ada, grant("one".into())), node.grant(&ada, grant("two".into())),);
    for refused in [one.unwrap_err(), two.unwrap_err()] {
        assert!(matches!(refused, Error::Locked { .. }), "{refused}");
    }
    other.batch_execute("ROLLBACK").await.unwrap();
    node.grant(&ada, grant("one".into())).await.unwrap();
    assert_proved(&node).await;
}
