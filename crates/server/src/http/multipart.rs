//! Finds a file in a `multipart/form-data` body (RFC 7578) that has arrived as a whole. The file is
//! a slice of the body, not a copy.

use bytes::Bytes;

/// The boundary in a `Content-Type` of `multipart/form-data`; `None` for any other type, or without
/// a boundary.
pub fn boundary(content_type: &str) -> Option<&str> {
    let (essence, parameters) = content_type.split_once(';')?;
    if !essence.trim().eq_ignore_ascii_case("multipart/form-data") {
        return None;
    }
    let named = parameters.split(';').filter_map(|parameter| parameter.trim().split_once('='));
    let (_, value) = named.into_iter().find(|(name, _)| name.eq_ignore_ascii_case("boundary"))?;
    Some(value.trim_matches('"')).filter(|value| !value.is_empty())
}

/// The content of the first part named `name`.
pub fn find_file(body: &Bytes, boundary: &str, name: &str) -> Option<Bytes> {
    let delimiter = format!("\r\n--{boundary}");
    // The first delimiter may be at the very start, without a line break before it.
    let first = delimiter.trim_start();
    let mut at = match body.starts_with(first.as_bytes()) {
        true => first.len(),
        false => find(body, delimiter.as_bytes())? + delimiter.len(),
    };
    loop {
        let part = body.get(at..)?;
        if part.starts_with(b"--") {
            return None;
        }
        let head_end = find(part, b"\r\n\r\n")?;
        let content_at = at + head_end + b"\r\n\r\n".len();
        let content_bytes = find(body.get(content_at..)?, delimiter.as_bytes())?;
        if is_named(part.get(..head_end)?, name) {
            return Some(body.slice(content_at..content_at + content_bytes));
        }
        at = content_at + content_bytes + delimiter.len();
    }
}

/// Whether the headers of a part say that it has this name.
fn is_named(head: &[u8], name: &str) -> bool {
    let head = String::from_utf8_lossy(head);
    let dispositions = head.lines().filter_map(|line| line.split_once(':'));
    dispositions.filter(|(header, _)| header.eq_ignore_ascii_case("content-disposition")).any(
        |(_, value)| {
            let mut fields = value.split(';').filter_map(|field| field.trim().split_once('='));
            fields.any(|(field, value)| {
                field.eq_ignore_ascii_case("name") && value.trim_matches('"') == name
            })
        },
    )
}

/// Where `needle` first begins in `bytes`.
fn find(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    let start = *needle.first()?;
    let mut from = 0;
    loop {
        let rest = bytes.get(from..)?;
        let at = from + rest.iter().position(|byte| *byte == start)?;
        if bytes.get(at..)?.starts_with(needle) {
            return Some(at);
        }
        from = at + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(text: &str) -> Bytes {
        Bytes::copy_from_slice(text.as_bytes())
    }

    #[test]
    fn the_named_part_is_found_whatever_is_around_it() {
        let form = body(
            "preamble\r\n--X\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nhi\r\n--X\r\n\
             content-disposition: form-data; name=\"file\"; filename=\"a;b.png\"\r\n\
             Content-Type: image/png\r\n\r\n\r\n-\r\n--Y\r\n\r\n--X--\r\n",
        );
        assert_eq!(find_file(&form, "X", "file").unwrap(), "\r\n-\r\n--Y\r\n");
        assert_eq!(find_file(&form, "X", "note").unwrap(), "hi");
        assert_eq!(find_file(&form, "X", "other"), None);
        assert_eq!(find_file(&form, "Z", "file"), None);
        let form = body(
            "------x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nno\r\n------x\r\n\
             Content-Disposition: form-data; name=\"logo\"; filename=\"l.png\"\r\n\
             Content-Type: image/png\r\n\r\n\x01\r\n--\x02\r\n------x--\r\n",
        );
        assert_eq!(find_file(&form, "----x", "logo").unwrap(), "\x01\r\n--\x02");
        let first = body("--X\r\nContent-Disposition: form-data; name=file\r\n\r\nA\r\n--X--");
        assert_eq!(find_file(&first, "X", "file").unwrap(), "A");
    }

    #[test]
    fn what_is_cut_off_is_not_found() {
        let form = "--X\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nabc\r\n--X--";
        for end in 0..form.len() - 2 {
            assert_eq!(find_file(&body(&form[..end]), "X", "file"), None, "{end}");
        }
    }

    #[test]
    fn the_boundary_is_read_from_the_content_type() {
        let read = |text| boundary(text).unwrap_or_default();
        assert_eq!(read("multipart/form-data; boundary=abc"), "abc");
        assert_eq!(read("Multipart/Form-Data;charset=utf-8; Boundary=\"a b\""), "a b");
        assert_eq!(read("multipart/form-data"), "");
        assert_eq!(read("multipart/form-data; boundary="), "");
        assert_eq!(read("image/png; boundary=abc"), "");
    }
}
