//! Passwords: the rules, the hash, and the limit on concurrent hashing.

use retouch_server::auth::password::{PasswordError, PasswordPool};

use super::ids;

#[tokio::test]
async fn a_password_is_right_and_others_are_wrong() {
    let pool = PasswordPool::new(1, 8);
    let hash = pool.hash("correct horse".into(), &ids(1)).await.unwrap();
    assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
    assert_eq!(pool.verify("correct horse".into(), Some(hash.clone())).await, Ok(true));
    assert_eq!(pool.verify("correct horsf".into(), Some(hash.clone())).await, Ok(false));
    assert_eq!(pool.verify(String::new(), Some(hash.clone())).await, Ok(false));
    assert_eq!(pool.verify("x".repeat(1025), Some(hash)).await, Ok(false));
    assert_eq!(pool.verify("correct horse".into(), None).await, Ok(false));
}

#[tokio::test]
async fn the_same_password_has_another_hash_each_time() {
    let (pool, ids) = (PasswordPool::new(1, 8), ids(2));
    let one = pool.hash("correct horse".into(), &ids).await.unwrap();
    assert_ne!(one, pool.hash("correct horse".into(), &ids).await.unwrap());
}

#[test]
fn a_password_has_8_characters_to_1024_bytes() {
    let pool = PasswordPool::new(1, 1);
    assert_eq!(pool.check_rules("1234567"), Err(PasswordError::TooShort { chars: 7 }));
    assert_eq!(pool.check_rules("eight ch"), Ok(()));
    assert_eq!(pool.check_rules("ééééééé"), Err(PasswordError::TooShort { chars: 7 }));
    assert_eq!(pool.check_rules(&"é".repeat(512)), Ok(()));
    let long = "é".repeat(513);
    assert_eq!(pool.check_rules(&long), Err(PasswordError::TooLong { bytes: 1026 }));
}

#[tokio::test]
async fn those_beyond_the_queue_are_sent_away() {
    let pool = PasswordPool::new(1, 2);
    let ask = || pool.verify("correct horse".into(), None);
    // All four calls begin before any is done: one runs, two wait, and one is too many.
    let (one, two, three, four) = tokio::join!(biased; ask(), ask(), ask(), ask());
    assert_eq!((one, two, three), (Ok(false), Ok(false), Ok(false)));
    assert_eq!(four, Err(PasswordError::Busy { waiting: 2 }));
    assert_eq!(ask().await, Ok(false), "the places are free again");
}

#[tokio::test]
async fn what_is_no_hash_is_an_error() {
    let pool = PasswordPool::new(1, 1);
    let verdict = pool.verify("correct horse".into(), Some("plain text".into())).await;
    assert!(matches!(verdict, Err(PasswordError::Failed(_))), "{verdict:?}");
}
