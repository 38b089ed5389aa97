//! Images that are cut off, damaged, or lying about their size, and data that is not an image.

use std::path::Path;

use base64_simd::STANDARD;

use crate::row::{Row, Sender};

/// One image of each format, from the engine's own samples.
const FORMS: [&str; 10] = [
    "baseline.jpg",
    "progressive.jpg",
    "cmyk.jpg",
    "rgb.png",
    "rgb_interlaced.png",
    "lossless.webp",
    "lossy.webp",
    "palette.gif",
    "rgb.bmp",
    "rgb_lzw.tif",
];

/// What the bytes are, the bytes, and the error code for an edit of them.
type Bad = (String, Vec<u8>, &'static str);

pub(crate) fn rows(sender: &Sender) -> Vec<Row> {
    let mut bad = cuts();
    bad.extend(lies());
    bad.extend(pngs());
    bad.extend(tiffs());
    bad.extend(strangers());
    let mut rows: Vec<Row> = bad
        .into_iter()
        .map(|(name, bytes, code)| {
            let text = format!("\"{}\"", STANDARD.encode_to_string(bytes));
            Row { name, ..sender.field("imageBase64", &text, code) }
        })
        .collect();
    rows.extend(texts(sender));
    rows
}

fn sample(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/tests/pictures");
    std::fs::read(folder.join(name)).unwrap()
}

fn cuts() -> Vec<Bad> {
    let mut cuts = Vec::new();
    for name in FORMS {
        let whole = sample(name);
        for length in [4, 16, whole.len() / 2, whole.len() * 3 / 4] {
            let what = format!("{name} cut to {length} bytes");
            cuts.push((what, whole[..length].to_vec(), "invalid_image"));
        }
    }
    cuts
}

fn patched(name: &str, at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut picture = sample(name);
    picture[at..at + bytes.len()].copy_from_slice(bytes);
    picture
}

/// Small files whose heads claim giant images.
fn lies() -> Vec<Bad> {
    let jpeg = sample("baseline.jpg");
    let frame = jpeg.windows(2).position(|two| two == [0xFF, 0xC0]).unwrap();
    let giant = |name: &str| format!("a {name} that claims a giant");
    let large = "image_too_large";
    let progressive = sample("progressive.jpg");
    let scan = progressive.windows(2).rposition(|two| two == [0xFF, 0xDA]).unwrap();
    let (before, last) = progressive.split_at(scan);
    let (last, end) = last.split_at(last.len() - 2);
    let scans = [before, &last.repeat(200), end].concat();
    vec![
        (giant("JPEG"), patched("baseline.jpg", frame + 5, &[0xFF; 4]), large),
        (giant("GIF"), patched("palette.gif", 6, &[0xFF; 4]), large),
        (giant("bitmap"), patched("rgb.bmp", 18, &[0, 0xFF, 0, 0, 0, 0xFF, 0, 0]), large),
        ("a bitmap of negative size".into(), patched("rgb.bmp", 18, &[0xFF; 8]), "invalid_image"),
        (
            "a JPEG without height".into(),
            patched("baseline.jpg", frame + 5, &[0; 4]),
            "invalid_image",
        ),
        ("a GIF of size zero".into(), patched("palette.gif", 6, &[0; 4]), "invalid_image"),
        ("a JPEG of two hundred scans".into(), scans, large),
    ]
}

fn chunk(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let checked = [kind.as_slice(), content].concat();
    let sum = crc32fast::hash(&checked).to_be_bytes();
    [(content.len() as u32).to_be_bytes().as_slice(), &checked, &sum].concat()
}

/// A PNG with this head and these chunks after it.
fn png(size: (u32, u32), form: [u8; 5], rest: &[Vec<u8>]) -> Vec<u8> {
    let head = [size.0.to_be_bytes().as_slice(), &size.1.to_be_bytes(), &form].concat();
    [b"\x89PNG\r\n\x1a\n".as_slice(), &chunk(b"IHDR", &head), &rest.concat()].concat()
}

fn pngs() -> Vec<Bad> {
    let gray = [8, 0, 0, 0, 0];
    let end = chunk(b"IEND", b"");
    // No image data, as an empty stored block of zlib.
    let nothing = chunk(b"IDAT", &[0x78, 0x01, 0x01, 0, 0, 0xFF, 0xFF, 0, 0, 0, 1]);
    let noise = chunk(b"IDAT", &[0xFF; 100]);
    let body = [nothing.clone(), end.clone()];
    let (large, invalid) = ("image_too_large", "invalid_image");
    let mut wrong_sum = sample("rgb.png");
    wrong_sum[29] ^= 1;
    let bad = |name: &str, bytes: Vec<u8>, code| (format!("PNG: {name}"), bytes, code);
    vec![
        bad("65500 x 65500", png((65_500, 65_500), gray, &body), large),
        bad("65500 x 1", png((65_500, 1), gray, &body), large),
        bad("30000 x 30000", png((30_000, 30_000), gray, &body), large),
        bad("the largest numbers", png((0x7FFF_FFFF, 0x7FFF_FFFF), gray, &body), large),
        bad("0 x 0", png((0, 0), gray, &body), invalid),
        bad("4000 x 4000 of nothing", png((4_000, 4_000), gray, &body), invalid),
        bad("noise instead of zlib", png((9, 9), gray, &[noise, end.clone()]), invalid),
        bad("no data", png((9, 9), gray, std::slice::from_ref(&end)), invalid),
        bad("no end", png((9, 9), gray, &[nothing]), invalid),
        bad("a depth of 3", png((9, 9), [3, 0, 0, 0, 0], &body), invalid),
        bad("a color type of 7", png((9, 9), [8, 7, 0, 0, 0], &body), invalid),
        bad("an unknown compression", png((9, 9), [8, 0, 9, 0, 0], &body), invalid),
        bad("an unknown interlacing", png((9, 9), [8, 0, 0, 0, 9], &body), invalid),
        bad("a missing palette", png((9, 9), [8, 3, 0, 0, 0], &body), invalid),
        bad("a wrong checksum", wrong_sum, invalid),
        bad(
            "a chunk of 2 GiB",
            [png((9, 9), gray, &[]), b"\x7f\xff\xff\xffIDAT".to_vec()].concat(),
            invalid,
        ),
    ]
}

/// A TIFF of one strip with these tags.
fn tiff(tags: &[(u16, u32)]) -> Vec<u8> {
    let mut bytes = b"II\x2A\0\x08\0\0\0".to_vec();
    bytes.extend((tags.len() as u16).to_le_bytes());
    for (tag, value) in tags {
        bytes.extend(tag.to_le_bytes());
        bytes.extend([4, 0, 1, 0, 0, 0]);
        bytes.extend(value.to_le_bytes());
    }
    bytes.extend([0; 4]);
    bytes
}

fn tiffs() -> Vec<Bad> {
    let of = |width, height, rows, strip_bytes| {
        tiff(&[
            (256, width),
            (257, height),
            (258, 8),
            (259, 1),
            (262, 1),
            (273, 8),
            (277, 1),
            (278, rows),
            (279, strip_bytes),
        ])
    };
    let looped = b"II\x2A\0\x08\0\0\0\0\0\x08\0\0\0".to_vec();
    vec![
        ("TIFF: a giant".into(), of(65_500, 65_500, 65_500, u32::MAX), "image_too_large"),
        ("TIFF: strips of 4 GiB".into(), of(100, 100, u32::MAX, u32::MAX), "invalid_image"),
        ("TIFF: strips of no rows".into(), of(100, 100, 0, 10), "invalid_image"),
        ("TIFF: a directory that follows itself".into(), looped, "invalid_image"),
    ]
}

/// Bytes of other formats.
fn strangers() -> Vec<Bad> {
    let signature = b"\x89PNG\r\n\x1a\n".as_slice();
    let texts: [(&str, Vec<u8>); 14] = [
        ("HTML", b"<html><script>alert(1)</script></html>".to_vec()),
        (
            "SVG",
            b"<svg xmlns=\"http://www.w3.org/2000/svg\"><image href=\"file:///etc/passwd\"/></svg>"
                .to_vec(),
        ),
        ("XML entities", b"<!DOCTYPE a [<!ENTITY b \"b\">]><a>&b;</a>".to_vec()),
        ("PDF", b"%PDF-1.7\n1 0 obj".to_vec()),
        ("ZIP", b"PK\x03\x04\x14\0\0\0".to_vec()),
        ("ELF", b"\x7fELF\x02\x01\x01\0".to_vec()),
        ("PostScript", b"%!PS\n(%pipe%id) (w) file".to_vec()),
        (
            "ImageMagick's drawing language",
            b"push graphic-context\nimage over 0,0 0,0 'url(http://127.0.0.1/)'".to_vec(),
        ),
        ("HEIC", b"\0\0\0\x18ftypheic\0\0\0\0".to_vec()),
        ("PNG and HTML", [signature, b"<html><script>alert(1)</script>"].concat()),
        ("GIF and script", b"GIF89a/*\x01\x01\0\0*/=alert(1);//".to_vec()),
        (
            "bitmap and script",
            b"BM=1;/*aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa*/alert(1)".to_vec(),
        ),
        ("RIFF of sound", b"RIFF\x24\0\0\0WAVEfmt ".to_vec()),
        ("one byte", vec![0]),
    ];
    texts.into_iter().map(|(name, bytes)| (name.to_owned(), bytes, "invalid_image")).collect()
}

/// Malformed base64 and data URIs.
fn texts(sender: &Sender) -> Vec<Row> {
    let picture = sender.picture.as_str();
    let not_base64 = [
        "\"\"",
        "\"====\"",
        "\"!!!!\"",
        "\"A\"",
        "\"AAAAA\"",
        "\"AA=A\"",
        "\"AA==AA==\"",
        "\"\\u0000\"",
        "\"\u{ff21}\u{ff21}\u{ff21}\u{ff21}\"",
        "\"%41%41\"",
        "\"data:\"",
        "\"data:,\"",
        "\"data:image/png;base64,\"",
        "\"data:image/png;base64,!!!!\"",
        "\"data:image/png;base64,%FF\"",
        "\"http://example.com/a.png\"",
    ];
    let mut rows: Vec<Row> =
        not_base64.iter().map(|text| sender.field("imageBase64", text, "invalid_value")).collect();
    let doubled = format!("\"{picture}={picture}\"");
    rows.push(sender.field("imageBase64", &doubled, "invalid_value"));
    for text in
        ["\"data:image/png,PNG\"", "\"data:text/html;base64,PGh0bWw+\"", "\"data:a;base64,AAAA\""]
    {
        rows.push(sender.field("imageBase64", text, "invalid_image"));
    }
    let svg = r#"{"instruction":"sepia","imageUrl":"data:image/svg+xml,%3Csvg/%3E"}"#;
    rows.push(sender.edit("SVG as a data URI", svg, "invalid_image"));
    rows
}
