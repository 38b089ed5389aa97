//! Results as things that people own: names, stars, trees, links for others, and ZIP files.

use serde_json::{Value, json};

use crate::support::TestApp;
use crate::support::persona::{Answer, Persona};
use crate::support::pictures;

fn uuid(answer: &Answer) -> String {
    answer.ok()["generation"]["uuid"].as_str().unwrap().to_owned()
}

/// The path of one of the service's own URLs.
pub(crate) fn local(url: &Value) -> String {
    url.as_str().unwrap().strip_prefix("http://127.0.0.1:8080").unwrap().to_owned()
}

#[tokio::test]
async fn a_result_is_named_and_starred_by_its_owner_alone() {
    let app = TestApp::new().await;
    let (ada, bob) =
        (app.rich_caller("ada@example.com").await, app.caller("bob@example.com").await);
    let fields = json!({ "instruction": "go", "model": "gamma-2",
        "input_name": "C:\\photos\\tree\u{7}.jpg" });
    let made = ada.edit_with(&fields).await;
    let generation = &made.ok()["generation"];
    assert_eq!(generation["input_name"], "tree.jpg", "without folders and control characters");
    assert_eq!((&generation["name"], &generation["starred"]), (&json!(null), &json!(false)));
    let path = format!("/api/generations/{}", uuid(&made));
    let changed = ada.patch(&path, &json!({ "name": "  My tree ", "starred": true })).await.ok();
    assert_eq!((&changed["name"], &changed["starred"]), (&json!("My tree"), &json!(true)));
    assert_eq!(ada.get(&path).await.ok(), changed);
    let kept = ada.patch(&path, &json!({ "starred": false })).await.ok();
    assert_eq!(kept["name"], "My tree", "an absent field stays");
    assert_eq!(ada.patch(&path, &json!({ "name": null })).await.ok()["name"], json!(null));
    let long = ada.patch(&path, &json!({ "name": "x".repeat(101) })).await;
    long.is_error(400, "too_long", Some("name"));
    ada.patch(&path, &json!({ "starred": 1 })).await.is_error(400, "invalid_type", Some("starred"));
    bob.patch(&path, &json!({ "name": "mine" })).await.is_error(404, "not_found", None);
    let wrong = ada.edit_with(&json!({ "instruction": "go", "input_name": 5 })).await;
    wrong.is_error(400, "invalid_type", Some("input_name"));
    let long = json!({ "instruction": "go", "input_name": "x".repeat(256) });
    ada.edit_with(&long).await.is_error(400, "too_long", Some("input_name"));
    app.check().await;
}

#[tokio::test]
async fn everything_made_from_one_photo_is_a_tree() {
    let app = TestApp::new().await;
    let (ada, bob) =
        (app.rich_caller("ada@example.com").await, app.rich_caller("bob@example.com").await);
    let edit = async |who: &Persona, instruction: &str, input: Value| {
        // IDs of the same millisecond have no order.
        app.clock.advance_ms(1);
        let mut fields = json!({ "instruction": instruction, "model": "gamma-2" });
        fields.as_object_mut().unwrap().extend(input.as_object().unwrap().clone());
        who.edit_with(&fields).await
    };
    let photo = || json!({ "imageBase64": pictures::base64(9, 9) });
    let one = edit(&ada, "one", photo()).await;
    let again = edit(&ada, "again", photo()).await;
    edit(&ada, "fail", photo()).await.is_error(500, "upstream_error", None);
    let result = one.ok()["generation"]["stored_images"][0].clone();
    let child = edit(&ada, "child", json!({ "imageUrl": result })).await;
    let other = edit(&ada, "other", json!({ "imageBase64": pictures::base64(8, 8) })).await;
    let theirs = edit(&bob, "theirs", photo()).await;
    let tree = async |who: &Persona, made: &Answer, query: &str| {
        who.get(&format!("/api/generations/{}/tree{query}", uuid(made))).await
    };
    let words = |list: &Value| -> Vec<String> {
        let list = list["data"].as_array().unwrap().iter();
        list.map(|it| it["instruction"].as_str().unwrap().to_owned()).collect()
    };
    for made in [&one, &again, &child] {
        let found = tree(&ada, made, "").await.ok();
        assert_eq!(words(&found), ["one", "again", "child"], "without the failed try");
        assert_eq!(found["data"][2]["parent"], uuid(&one));
        assert!(local(&found["data"][0]["thumbnail_url"]).starts_with("/thumbnails/"));
    }
    assert_eq!(words(&tree(&ada, &other, "").await.ok()), ["other"]);
    assert_eq!(words(&tree(&bob, &theirs, "").await.ok()), ["theirs"], "the same bytes");
    tree(&bob, &one, "").await.is_error(404, "not_found", None);
    let first = tree(&ada, &child, "?limit=2").await.ok();
    let next = format!("?limit=2&cursor={}", first["next_cursor"].as_str().unwrap());
    assert_eq!(words(&first), ["one", "again"]);
    assert_eq!(words(&tree(&ada, &child, &next).await.ok()), ["child"]);
    assert_eq!(ada.delete(&format!("/api/generations/{}", uuid(&one))).await.status, 204);
    assert_eq!(words(&tree(&ada, &child, "").await.ok()), ["again", "child"]);
    app.check().await;
}

#[tokio::test]
async fn a_link_shows_a_result_to_anyone_until_it_is_turned_off() {
    let app = TestApp::new().await;
    let (ada, bob) =
        (app.rich_caller("ada@example.com").await, app.caller("bob@example.com").await);
    let made = ada.edit("a secret wish").await;
    let path = format!("/api/generations/{}", uuid(&made));
    ada.patch(&path, &json!({ "name": "Tree & sky" })).await.ok();
    let share = format!("{path}/share");
    bob.post(&share, &json!({})).await.is_error(404, "not_found", None);
    bob.delete(&share).await.is_error(404, "not_found", None);
    let shared = ada.post(&share, &json!({})).await;
    assert_eq!(shared.status, 201);
    let again = ada.post(&share, &json!({})).await;
    assert_eq!((again.status.as_u16(), again.ok()), (200, shared.ok()), "one link");
    assert_eq!(ada.get(&path).await.ok()["share_url"], shared.ok()["url"]);
    let page = local(&shared.ok()["url"]);
    let file = format!("{page}/file");
    let html = app.anon().get(&page).await;
    assert_eq!(html.header("x-robots-tag"), Some("noindex, nofollow"));
    let text = html.text();
    assert!(text.contains("Tree &#38; sky") && text.contains(&file), "{text}");
    let stored = local(&made.ok()["generation"]["stored_images"][0]);
    let image = app.anon().get(&file).await;
    assert_eq!(image.bytes, app.anon().get(&stored).await.bytes);
    assert_eq!(image.header("x-robots-tag"), Some("noindex, nofollow"));
    assert_eq!(image.header("cache-control"), Some("private, no-cache"), "a link can end");
    // The file has another address, which must not become known with the link.
    let name = stored.rsplit('/').next().unwrap();
    let told = format!("{text} {:?} {:?}", html.headers, image.headers);
    for secret in [name, &uuid(&made), "a secret wish", "ada@"] {
        assert!(!told.contains(secret), "{secret}: {told}");
    }
    let reduced = app.anon().get(&format!("{file}?reduced=true")).await;
    assert_eq!(reduced.header("content-type"), Some("image/png"));
    assert!(!format!("{:?}", reduced.headers).contains(name));
    let part = app.anon().with_header("range", "bytes=0-3").get(&file).await;
    assert_eq!((part.status.as_u16(), part.bytes.len()), (206, 4));

    assert_eq!(ada.delete(&share).await.status, 204);
    for gone in [&page, &file] {
        assert_eq!(app.anon().get(gone).await.status, 404, "{gone}");
    }
    let second = local(&ada.post(&share, &json!({})).await.ok()["url"]);
    assert_ne!(second, page, "an ended link stays ended");
    assert_eq!(app.anon().get(&second).await.status, 200);
    ada.delete(&path).await;
    assert_eq!(app.anon().get(&second).await.status, 404);
    ada.post(&share, &json!({})).await.is_error(404, "not_found", None);
    app.check().await;
}

#[tokio::test]
async fn a_link_ends_with_its_owner_and_needs_a_result() {
    let app = TestApp::new().await;
    let ada = app.member("ada@example.com").await;
    ada.edit("fail").await.is_error(500, "upstream_error", None);
    let failed = ada.get("/api/generations").await.ok()["data"][0]["uuid"].clone();
    let path = format!("/api/generations/{}/share", failed.as_str().unwrap());
    ada.post(&path, &json!({})).await.is_error(404, "not_found", None);
    let made = ada.edit("go").await;
    let shared = ada.post(&format!("/api/generations/{}/share", uuid(&made)), &json!({})).await;
    let page = local(&shared.ok()["url"]);
    assert_eq!(app.anon().get(&page).await.status, 200);
    let gone = ada.delete_with("/api/account", &json!({ "password": "correct horse" })).await;
    assert_eq!(gone.status, 204);
    assert_eq!(app.anon().get(&page).await.status, 404);
    app.check().await;
}

/// The names and contents of the files in a ZIP archive, from its list at the end.
pub(crate) fn unzipped(zip: &[u8]) -> Vec<(String, Vec<u8>)> {
    let number = |at: usize, bytes: usize| {
        zip[at..at + bytes].iter().rev().fold(0, |sum, byte| sum * 256 + usize::from(*byte))
    };
    let end = zip.len() - 22;
    assert_eq!(&zip[end..end + 4], b"PK\x05\x06");
    let (files, mut at) = (number(end + 10, 2), number(end + 16, 4));
    let mut found = Vec::new();
    for _ in 0..files {
        assert_eq!(&zip[at..at + 4], b"PK\x01\x02");
        let (crc, bytes, name, head) =
            (number(at + 16, 4), number(at + 24, 4), number(at + 28, 2), number(at + 42, 4));
        let named = String::from_utf8(zip[at + 46..at + 46 + name].to_vec()).unwrap();
        assert_eq!(&zip[head..head + 4], b"PK\x03\x04");
        let content = head + 30 + number(head + 26, 2);
        let content = zip[content..content + bytes].to_vec();
        assert_eq!(crc, crc_of(&content), "{named}");
        found.push((named, content));
        at += 46 + name;
    }
    assert_eq!(at, end);
    found
}

/// CRC-32 as in ISO 3309.
fn crc_of(bytes: &[u8]) -> usize {
    let step = |crc: u32, _| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
    let byte = |crc: u32, byte: &u8| (0..8).fold(crc ^ u32::from(*byte), step);
    (!bytes.iter().fold(u32::MAX, byte)) as usize
}

#[tokio::test]
async fn many_results_come_as_one_zip_file_with_names_that_differ() {
    let app = TestApp::new().await;
    let (ada, bob) =
        (app.rich_caller("ada@example.com").await, app.caller("bob@example.com").await);
    let mut uuids = Vec::new();
    for name in ["tree.jpg", "Tree.png", "a/b: c?.webp"] {
        let fields = json!({ "instruction": "go", "model": "gamma-2", "input_name": name });
        uuids.push(uuid(&ada.edit_with(&fields).await));
    }
    ada.patch(&format!("/api/generations/{}", uuids[2]), &json!({ "name": "b: c?" })).await.ok();
    let film = ada.video(&json!({ "instruction": "go" })).await;
    app.settled().await;
    uuids.push(uuid(&film));
    app.clock.advance_ms(1);
    ada.edit("fail").await.is_error(500, "upstream_error", None);
    let failed = ada.get("/api/generations").await.ok()["data"][0]["uuid"].clone();
    uuids.push(failed.as_str().unwrap().to_owned());
    uuids.push(uuids[0].clone());
    let zip = ada.post("/api/generations/zip", &json!({ "uuids": uuids })).await;
    assert_eq!(zip.header("content-type"), Some("application/zip"));
    let name = zip.header("content-disposition").unwrap();
    assert_eq!(name, "attachment; filename=\"retouch-2026-11-20.zip\"");
    let files = unzipped(&zip.bytes);
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let film = format!("retouch-{}.mp4", &uuids[3][..8]);
    assert_eq!(names, ["tree.png", "Tree (2).png", "b- c-.png", film.as_str()]);
    let stored = ada.get(&format!("/api/generations/{}", uuids[0])).await.ok();
    let stored = app.anon().get(&local(&stored["stored_images"][0])).await;
    assert_eq!(files[0].1, stored.bytes);

    let path = "/api/generations/zip";
    bob.post(path, &json!({ "uuids": [uuids[0]] })).await.is_error(404, "not_found", None);
    ada.post(path, &json!({ "uuids": ["x"] })).await.is_error(404, "not_found", None);
    ada.post(path, &json!({ "uuids": [failed] })).await.is_error(404, "not_found", None);
    ada.post(path, &json!({ "uuids": [] })).await.is_error(400, "invalid_value", Some("uuids"));
    app.anon().post(path, &json!({ "uuids": [] })).await.is_error(401, "unauthenticated", None);
    app.check().await;
}
