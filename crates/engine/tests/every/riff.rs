//! WebP files made chunk by chunk.

/// The head of a file whose chunks are this long.
pub(crate) fn riff_head(length: usize, form: &[u8; 4]) -> Vec<u8> {
    [b"RIFF", (length as u32 + 4).to_le_bytes().as_slice(), form].concat()
}

pub(crate) fn riff_chunk(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let padding: &[u8] = if content.len() % 2 == 1 { &[0] } else { &[] };
    [kind, (content.len() as u32).to_le_bytes().as_slice(), content, padding].concat()
}

pub(crate) fn number24(value: u32) -> [u8; 3] {
    let [low, middle, high, _] = value.to_le_bytes();
    [low, middle, high]
}
