//! Several stored files as one ZIP archive (PKWARE's APPNOTE.TXT 6.3.10), written while it is sent.
//! Files are stored as they are: images and videos are compressed already. Memory is needed for one
//! piece of one file, and for the list of files at the end.

use std::collections::VecDeque;
use std::io;

use bytes::Bytes;
use crc32fast::Hasher;
use futures_util::StreamExt;
use futures_util::stream;
use retouch_core::Timestamp;

use super::Blobs;
use super::blob::Pieces;

/// The version of the format that a reader needs: 2.0.
const VERSION: u16 = 20;
/// The version for 64-bit numbers, which archives of 4 GiB and more have: 4.5.
const VERSION_64: u16 = 45;
/// The checksum follows the content, and names are in UTF-8.
const FLAGS: u16 = 1 << 3 | 1 << 11;
/// In place of a number that a 64-bit field has.
const ELSEWHERE: u32 = u32::MAX;
/// The number of the extra field with 64-bit numbers.
const ZIP64: u16 = 1;

/// A stored file in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filed {
    /// The name of the stored file.
    pub blob: String,
    /// Its name in the archive, which no other file there has.
    pub name: String,
    /// The time that the archive shows for it, to two seconds.
    pub at: Timestamp,
}

impl Blobs {
    /// These files as a ZIP archive. Files that no longer exist are left out. The last piece is an
    /// error if a file cannot be read.
    pub fn archive(&self, files: Vec<Filed>) -> Pieces {
        let archive = Archive {
            blobs: self.clone(),
            waiting: files.into(),
            current: None,
            done: Vec::new(),
            offset: 0,
            is_complete: false,
        };
        stream::try_unfold(archive, Archive::next).boxed()
    }
}

/// An archive that is being written.
struct Archive {
    blobs: Blobs,
    waiting: VecDeque<Filed>,
    current: Option<Current>,
    done: Vec<Member>,
    /// The number of bytes so far.
    offset: u64,
    is_complete: bool,
}

/// A file whose content is being written.
struct Current {
    member: Member,
    pieces: Pieces,
    hasher: Hasher,
}

/// A file in the archive.
struct Member {
    name: String,
    at: (u16, u16),
    bytes: u32,
    crc: u32,
    offset: u64,
}

impl Archive {
    async fn next(mut self) -> io::Result<Option<(Bytes, Self)>> {
        let piece = match self.content().await? {
            Some(piece) => piece,
            None => match self.begin().await? {
                Some(head) => head,
                None if self.is_complete => return Ok(None),
                None => self.end(),
            },
        };
        self.offset = self.offset.saturating_add(piece.len() as u64);
        Ok(Some((piece, self)))
    }

    /// The next piece of the current file, or what follows its content.
    async fn content(&mut self) -> io::Result<Option<Bytes>> {
        let Some(mut current) = self.current.take() else { return Ok(None) };
        if let Some(piece) = current.pieces.next().await.transpose()? {
            current.hasher.update(&piece);
            self.current = Some(current);
            return Ok(Some(piece));
        }
        let Current { mut member, hasher, .. } = current;
        member.crc = hasher.finalize();
        let mut text = Vec::from(*b"PK\x07\x08");
        [member.crc, member.bytes, member.bytes]
            .iter()
            .for_each(|it| put(&mut text, it.to_le_bytes()));
        self.done.push(member);
        Ok(Some(text.into()))
    }

    /// Opens the next file that still exists. Returns its head; none if there is none.
    async fn begin(&mut self) -> io::Result<Option<Bytes>> {
        while let Some(Filed { blob, name, at }) = self.waiting.pop_front() {
            let Some(blob) = self.blobs.read(&blob).await.map_err(io::Error::other)? else {
                continue;
            };
            let bytes = u32::try_from(blob.bytes).map_err(io::Error::other)?;
            let pieces = match blob.into_pieces(0..u64::from(bytes)).await {
                Ok(pieces) => pieces,
                Err(crate::Error::FileGone) => continue,
                Err(error) => return Err(io::Error::other(error)),
            };
            let member = Member { name, at: dos_time(at), bytes, crc: 0, offset: self.offset };
            let head = member.head();
            self.current = Some(Current { member, pieces, hasher: Hasher::new() });
            return Ok(Some(head.into()));
        }
        Ok(None)
    }

    /// The list of all files, which ends the archive.
    fn end(&mut self) -> Bytes {
        self.is_complete = true;
        let mut text = Vec::new();
        self.done.iter().for_each(|member| text.extend(member.entry()));
        let (files, bytes) = (self.done.len() as u64, text.len() as u64);
        let end = self.offset.saturating_add(bytes);
        if short_form(end) == ELSEWHERE {
            put(&mut text, *b"PK\x06\x06");
            put(&mut text, 44_u64.to_le_bytes());
            [VERSION_64; 2].iter().for_each(|it| put(&mut text, it.to_le_bytes()));
            // On the first disk.
            put(&mut text, [0; 8]);
            let sums = [files, files, bytes, self.offset];
            sums.iter().for_each(|it| put(&mut text, it.to_le_bytes()));
            put(&mut text, *b"PK\x06\x07\0\0\0\0");
            put(&mut text, end.to_le_bytes());
            put(&mut text, 1_u32.to_le_bytes());
        }
        put(&mut text, *b"PK\x05\x06\0\0\0\0");
        let short = u16::try_from(files).unwrap_or(u16::MAX);
        put(&mut text, short.to_le_bytes());
        put(&mut text, short.to_le_bytes());
        [bytes, self.offset].iter().for_each(|it| put(&mut text, short_form(*it).to_le_bytes()));
        put(&mut text, [0; 2]);
        text.into()
    }
}

impl Member {
    /// What precedes the content.
    fn head(&self) -> Vec<u8> {
        let mut text = Vec::from(*b"PK\x03\x04");
        self.common(&mut text, 0);
        text.extend_from_slice(self.name.as_bytes());
        text
    }

    /// The entry in the list at the end.
    fn entry(&self) -> Vec<u8> {
        let offset = short_form(self.offset);
        let extra = if offset == ELSEWHERE { 12 } else { 0 };
        let mut text = Vec::from(*b"PK\x01\x02");
        put(&mut text, VERSION_64.to_le_bytes());
        self.common(&mut text, extra);
        // No comment, the first disk, and no attributes.
        put(&mut text, [0; 10]);
        put(&mut text, offset.to_le_bytes());
        text.extend_from_slice(self.name.as_bytes());
        if offset == ELSEWHERE {
            put(&mut text, ZIP64.to_le_bytes());
            put(&mut text, 8_u16.to_le_bytes());
            put(&mut text, self.offset.to_le_bytes());
        }
        text
    }

    /// The fields that both have, from the version to the length of the extra fields.
    fn common(&self, text: &mut Vec<u8>, extra: u16) {
        let (date, time) = self.at;
        // Method 0: stored.
        let version = if extra > 0 { VERSION_64 } else { VERSION };
        [version, FLAGS, 0, time, date].iter().for_each(|it| put(text, it.to_le_bytes()));
        [self.crc, self.bytes, self.bytes].iter().for_each(|it| put(text, it.to_le_bytes()));
        let name = u16::try_from(self.name.len()).unwrap_or(u16::MAX);
        [name, extra].iter().for_each(|it| put(text, it.to_le_bytes()));
    }
}

fn put<const N: usize>(text: &mut Vec<u8>, bytes: [u8; N]) {
    text.extend_from_slice(&bytes);
}

/// `number`, or the mark that a 64-bit field has it.
fn short_form(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(ELSEWHERE)
}

/// A date and a time as archives have them, in UTC. Dates before 1980 and after 2107 do not exist
/// there.
fn dos_time(at: Timestamp) -> (u16, u16) {
    let text = at.to_string();
    let number = |place: std::ops::Range<usize>| text.get(place).and_then(|it| it.parse().ok());
    let parts = || -> Option<[u16; 6]> {
        Some([
            number(0..4)?,
            number(5..7)?,
            number(8..10)?,
            number(11..13)?,
            number(14..16)?,
            number(17..19)?,
        ])
    };
    match parts() {
        Some([year @ 1980..=2107, month, day, hour, minute, second]) => {
            ((year - 1980) << 9 | month << 5 | day, hour << 11 | minute << 5 | (second / 2))
        }
        _ => (1 << 5 | 1, 0),
    }
}
