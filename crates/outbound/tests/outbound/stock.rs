//! Memory that is taken out of a shared stock and returned to it.

use futures_util::future::poll_immediate;
use retouch_outbound::stock::Stock;

const KIB: u64 = 1024;

#[tokio::test]
async fn requests_for_more_than_is_free_wait_in_turn() {
    let stock = Stock::new(64 * KIB);
    let first = stock.take(40 * KIB).await.unwrap();
    assert_eq!(stock.used_bytes(), 40 * KIB);
    let mut second = Box::pin(stock.take(32 * KIB));
    let mut third = Box::pin(stock.take(KIB));
    assert!(poll_immediate(second.as_mut()).await.is_none());
    assert!(poll_immediate(third.as_mut()).await.is_none(), "it does not overtake");
    drop(first);
    let (second, third) = (second.await.unwrap(), third.await.unwrap());
    assert_eq!(stock.used_bytes(), 36 * KIB, "in units of 4 KiB");
    drop((second, third));
    assert_eq!(stock.used_bytes(), 0);
}

#[tokio::test]
async fn what_is_larger_than_the_stock_takes_all_of_it() {
    let stock = Stock::new(64 * KIB);
    assert_eq!((stock.reaches(64 * KIB), stock.reaches(64 * KIB + 1)), (true, false));
    assert!(stock.try_take(65 * KIB).is_none());
    let all = stock.take(u64::MAX).await.unwrap();
    assert_eq!((stock.used_bytes(), stock.try_take(1).is_none()), (64 * KIB, true));
    drop(all);
    assert!(stock.try_take(64 * KIB).is_some());
}

#[test]
fn memory_grows_with_what_it_has_to_cover_and_never_past_the_stock() {
    let stock = Stock::new(64 * KIB);
    let mut memory = stock.try_take(0).unwrap();
    for (bytes, used) in [(1, 4), (4 * KIB, 4), (4 * KIB + 1, 8), (100, 8), (64 * KIB, 64)] {
        assert!(stock.try_cover(&mut memory, bytes), "{bytes}");
        assert_eq!(stock.used_bytes(), used * KIB, "{bytes}");
    }
    assert!(!stock.try_cover(&mut memory, 64 * KIB + 1));
    drop(memory);
    assert_eq!(stock.used_bytes(), 0);
}

#[test]
fn memory_gives_back_what_is_more_than_is_kept() {
    let stock = Stock::new(64 * KIB);
    let mut memory = stock.try_take(40 * KIB).unwrap();
    for (bytes, used) in [(64 * KIB, 40), (17 * KIB, 20), (4 * KIB, 4), (0, 0)] {
        memory.keep(bytes);
        assert_eq!(stock.used_bytes(), used * KIB, "{bytes}");
    }
}
