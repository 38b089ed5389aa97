//! Creates the images or the video for an order, and applies faults to them.

use std::sync::Arc;

use bytes::Bytes;

use crate::fault::{FaultName, Moment};
use crate::files::File;
use crate::picture::{self, Drawing, Drawn, Format};
use crate::world::World;

/// The text that is returned instead of an image.
const WORDS: &str = "I cannot show that as an image, but I can describe it to you.";

/// The results that an order should get.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Wanted {
    /// The provider.
    pub(crate) provider: &'static str,
    /// The prompt.
    pub(crate) prompt: String,
    /// What determines the colors: [`picture::seed`].
    pub(crate) seed: [u8; 32],
    /// The number of results.
    pub(crate) count: usize,
    /// Width and height in pixels.
    pub(crate) size: (u32, u32),
    /// The type of the results.
    pub(crate) kind: Kind,
}

/// An image or a video.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An image in this format.
    Picture(Format),
    /// An MP4 video. It is always the same file, with 64 by 64 pixels and a length of one second.
    Video,
}

/// What is returned.
#[derive(Debug)]
pub(crate) struct Delivery {
    /// The results: as many as wanted, unless a fault changes this.
    pub(crate) files: Vec<Delivered>,
    /// Text instead of results.
    pub(crate) text: Option<&'static str>,
}

/// One result.
#[derive(Debug)]
pub(crate) struct Delivered {
    /// The content.
    pub(crate) bytes: Bytes,
    /// The content as base64.
    pub(crate) base64: Arc<str>,
    /// The declared media type.
    pub(crate) media_type: &'static str,
    /// The file extension.
    pub(crate) extension: &'static str,
    /// The intended width and height of the image, in pixels.
    pub(crate) size: (u32, u32),
    provider: &'static str,
    prompt: String,
    fault: Option<FaultName>,
}

impl World {
    /// Creates the results.
    pub(crate) fn deliver(&self, wanted: &Wanted) -> Delivery {
        let fault = self.faults.take(wanted.provider, Moment::Delivery, &wanted.prompt);
        let fault = fault.map(|fault| fault.name);
        let count = match fault {
            Some(FaultName::NoImage | FaultName::TextInstead) => 0,
            Some(FaultName::TwoImages) => wanted.count + 1,
            _ => wanted.count,
        };
        Delivery {
            files: (0..count).map(|index| self.one(wanted, index, fault)).collect(),
            text: (fault == Some(FaultName::TextInstead)).then_some(WORDS),
        }
    }

    fn one(&self, wanted: &Wanted, index: usize, fault: Option<FaultName>) -> Delivered {
        let size = self.options.size.unwrap_or(wanted.size);
        let drawn = match wanted.kind {
            Kind::Video => Arc::clone(&self.video),
            Kind::Picture(format) => self.picture(wanted.seed, index, (size, format)),
        };
        let (media_type, extension) = match wanted.kind {
            Kind::Video => ("video/mp4", "mp4"),
            Kind::Picture(format) => (format.media_type(), format.extension()),
        };
        let (bytes, base64) = spoilt(&drawn, fault);
        let (provider, prompt) = (wanted.provider, wanted.prompt.clone());
        Delivered { bytes, base64, media_type, extension, size, provider, prompt, fault }
    }

    fn picture(
        &self,
        mut seed: [u8; 32],
        index: usize,
        ((width, height), format): ((u32, u32), Format),
    ) -> Arc<Drawn> {
        if let Some(picture) = &self.picture {
            return Arc::clone(picture);
        }
        // Each index gets a different image. The first has the seed itself.
        seed.rotate_left(index % 32);
        self.pictures.draw(Drawing { width, height, format, seed })
    }
}

fn spoilt(drawn: &Drawn, fault: Option<FaultName>) -> (Bytes, Arc<str>) {
    let both = |bytes: Bytes| {
        let drawn = Drawn::of(bytes);
        (drawn.bytes, drawn.base64)
    };
    let half = drawn.bytes.len() / 2;
    match fault {
        Some(FaultName::NotAPicture) => both(Bytes::from_static(b"This is text, not an image.")),
        Some(FaultName::TruncatedPicture) => both(drawn.bytes.slice(..half)),
        Some(FaultName::HugePicture) => both(picture::claiming_to_be_huge()),
        Some(FaultName::BrokenBase64) => {
            let (head, tail) = drawn.base64.split_at(drawn.base64.len() / 2);
            (drawn.bytes.slice(half..), format!("{head}*?{tail}").into())
        }
        _ => (drawn.bytes.clone(), Arc::clone(&drawn.base64)),
    }
}

impl Delivered {
    /// An address below `origin` where the result can be downloaded, unless a fault changes this.
    pub(crate) fn address(&self, world: &World, origin: &str) -> String {
        let name = format!("{}.{}", name_of(&self.bytes), self.extension);
        let provider = self.provider;
        match self.fault {
            Some(FaultName::AddressPrivate) => format!("http://10.11.12.13/{provider}/{name}"),
            Some(FaultName::Address404) => format!("{origin}/_sim/files/{provider}/gone-{name}"),
            Some(FaultName::AddressRedirectLoop) => format!("{origin}/_sim/loop/{name}"),
            _ => {
                let address = format!("{origin}/_sim/files/{provider}/{name}");
                let (media_type, bytes) = (self.media_type, self.bytes.clone());
                world.files.keep(File { name, media_type, bytes, prompt: self.prompt.clone() });
                address
            }
        }
    }
}

fn name_of(bytes: &Bytes) -> String {
    let [a, b, c, d, ..] = picture::seed::<&[u8]>("", &[bytes]);
    format!("{:08x}", u32::from_be_bytes([a, b, c, d]))
}
