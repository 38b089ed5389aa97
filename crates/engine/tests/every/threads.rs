//! The same bytes on any number of threads.

use crate::every::SMALL;
use crate::every::table::{Case, cases, firsts, framed};
use rayon::{ThreadPool, ThreadPoolBuilder};
use retouch_engine::{AnyPicture, Picture};

/// Clear, half clear and opaque pixels side by side.
fn alpha(_: (u32, u32), chance: u16) -> u16 {
    match chance % 4 {
        0 => 0,
        1 => chance,
        _ => u16::MAX,
    }
}

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

fn same_on_any_number(cases: &[Case], picture: AnyPicture) {
    let pictures = [picture.clone(), picture];
    let pools = [pool(1), pool(2), pool(7)];
    for case in cases {
        let [one, two, seven] = pools.each_ref().map(|pool| pool.install(|| case.done(&pictures)));
        assert!(one == two && one == seven, "{}", case.example);
    }
}

#[test]
fn every_operation_gives_the_same_bytes_on_any_number_of_threads() {
    let picture: Picture = framed(SMALL, [9, 99, 199], alpha);
    same_on_any_number(&cases(SMALL), picture.into());
}

#[test]
fn so_it_does_to_16_bits_a_channel() {
    let picture: Picture<u16> = framed(SMALL, [9, 99, 199], alpha);
    same_on_any_number(&firsts(SMALL), picture.into());
}
