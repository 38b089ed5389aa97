//! Made pictures, against values worked out by hand.

use super::made;
use retouch_engine::Picture;

const WHITE: [u8; 4] = [255; 4];
const BLACK: [u8; 4] = [0, 0, 0, 255];
const RED: [u8; 4] = [255, 0, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];

fn at(picture: &Picture, x: u32, y: u32) -> [u8; 4] {
    picture.pixel(x, y).unwrap()
}

#[test]
fn plain_pictures_are_of_one_color() {
    let picture = made("a plain #12345678 picture of 7x5 pixels");
    assert_eq!(picture.size(), (7, 5));
    assert!(
        picture.pixels().as_chunks::<4>().0.iter().all(|pixel| *pixel == [0x12, 0x34, 0x56, 0x78])
    );
}

#[test]
fn gradients_go_from_corner_to_corner() {
    // Middles of four pixels: 1/8, 3/8, 5/8, 7/8 of the way.
    let across = made("a gradient from black to white, left to right, 4x2");
    let row: Vec<u8> = (0..4).map(|x| at(&across, x, 1)[0]).collect();
    assert_eq!(row, [32, 96, 159, 223]);
    let down = made("a gradient from black to white, top to bottom, 2x4");
    assert_eq!((0..4).map(|y| at(&down, 0, y)[0]).collect::<Vec<_>>(), [32, 96, 159, 223]);
    let back = made("a gradient from black to white, right to left, 4x2");
    assert_eq!(at(&back, 0, 0)[0], 223);
    let three = made("a gradient from red to white to blue, left to right, 3x1");
    assert_eq!(at(&three, 1, 0), WHITE);
    let round = made("a radial gradient from white to black 101x101");
    assert_eq!((at(&round, 50, 50), at(&round, 0, 0)[0] < 5), (WHITE, true));
    let clear = made("a gradient from red to transparent, left to right, 4x1");
    assert_eq!(at(&clear, 1, 0), [255, 0, 0, 159]);
}

#[test]
fn patterns_have_sharp_edges_where_they_fall_on_pixels() {
    let stripes = made("vertical stripes in red and blue, 2px wide, 8x2");
    let row: Vec<[u8; 4]> = (0..8).map(|x| at(&stripes, x, 0)).collect();
    assert_eq!(row, [RED, RED, BLUE, BLUE, RED, RED, BLUE, BLUE]);
    let board = made("a checkerboard with 4 squares 8x8 pixels");
    assert_eq!([at(&board, 0, 0), at(&board, 2, 0), at(&board, 2, 2)], [BLACK, WHITE, BLACK]);
    // Seven pixels for two stripes: the fourth is half of each.
    let uneven = made("2 vertical black and white stripes 7x1");
    assert_eq!(
        (at(&uneven, 2, 0), at(&uneven, 3, 0), at(&uneven, 4, 0)),
        (BLACK, [128, 128, 128, 255], WHITE)
    );
    let grid = made("a red grid on white with 2 squares 8x8");
    assert_eq!([at(&grid, 0, 3), at(&grid, 4, 3), at(&grid, 3, 3)], [RED, RED, WHITE]);
    let dots = made("red dots on white, 1 across, 9x9");
    assert_eq!([at(&dots, 4, 4), at(&dots, 0, 0)], [RED, WHITE]);
}

#[test]
fn shapes_cover_what_their_outline_holds() {
    let share = |words: &str| {
        let picture =
            made(&format!("a black {words} with a size of 100px in the center on white, 200x200"));
        let dark: u64 =
            picture.pixels().as_chunks::<4>().0.iter().map(|p| 255 - u64::from(p[0])).sum();
        dark as f64 / 255.0 / 10_000.0
    };
    let quarter_pi = std::f64::consts::FRAC_PI_4;
    for (shape, area) in [
        ("square", 1.0),
        ("circle", quarter_pi),
        ("ellipse", quarter_pi * 2.0 / 3.0),
        ("rectangle", 2.0 / 3.0),
        ("triangle", 0.5),
        ("diamond", 0.5),
        ("ring", quarter_pi * (1.0 - 0.36)),
        // A pentagram of circumradius 1/2: 10 sin(36) / (2 (3 + sqrt 5) / 2 ...) as computed
        // from its ten corners by the shoelace formula.
        ("star", 0.280_6),
    ] {
        let covered = share(shape);
        assert!((covered - area).abs() < 0.01, "{shape}: {covered} instead of {area}");
    }
}

#[test]
fn noise_is_even_and_always_the_same() {
    let noise = made("colored noise 100x100");
    assert_eq!(noise, made("colored noise 100x100"));
    let mean = noise.pixels().iter().map(|level| u64::from(*level)).sum::<u64>() as f64 / 40_000.0;
    assert!((mean - (127.5 * 3.0 + 255.0) / 4.0).abs() < 2.0, "{mean}");
    let gray = made("gray noise 50x50");
    assert!(gray.pixels().as_chunks::<4>().0.iter().all(|p| p[0] == p[1] && p[1] == p[2]));
}

#[test]
fn any_number_of_threads_makes_the_same_picture() {
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    for words in
        ["a radial gradient from red to blue 333x222", "diagonal red and white stripes 200x100"]
    {
        assert_eq!(pool(1).install(|| made(words)), pool(4).install(|| made(words)));
    }
}
