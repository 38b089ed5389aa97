//! Sequential images whose components are in scans of their own (ISO/IEC 10918-1, A.2.2).
//!
//! The decoder reads such images wrongly without a word, so each scan is decoded as what it is: a gray
//! image of the size of its component.

use super::markers::{
    END_OF_IMAGE, Outline, START_OF_IMAGE, START_OF_SCAN, is_start_of_frame, next_marker, segment,
};
use super::{DecodeError, Format, gray};
use crate::codec::ycc;
use zune_core::colorspace::ColorSpace;

/// Coding tables, quantization tables and restart intervals, which may also be between scans.
const TABLES: [u8; 3] = [0xC4, 0xDB, 0xDD];

/// The most components of an image: cyan, magenta, yellow and black.
const COMPONENTS_MAX: usize = 4;

/// The samples of one component.
pub(super) struct Plane {
    width: usize,
    height: usize,
    /// Its share of the width and height of the image, as the sampling factors say.
    across: [usize; 2],
    down: [usize; 2],
    samples: Vec<u8>,
}

/// A component in the header of the frame.
struct Component {
    id: u8,
    factors: [u8; 2],
    quantization: u8,
}

impl Component {
    const fn new([id, factors, quantization]: [u8; 3]) -> Self {
        Self { id, factors: [factors >> 4, factors & 15], quantization }
    }
}

/// Decodes the components, in the order of the frame.
pub(super) fn planes(outline: &Outline<'_>) -> Result<Vec<Plane>, DecodeError> {
    let frame = outline.tables.iter().find(|(marker, _)| is_start_of_frame(*marker));
    let Some((marker, [precision, _, _, _, _, _, components @ ..])) = frame else {
        return Err(damaged("its frame header is too short"));
    };
    let components: Vec<Component> =
        components.as_chunks::<3>().0.iter().copied().map(Component::new).collect();
    if components.len() > COMPONENTS_MAX {
        return Err(DecodeError::unsupported(Format::Jpeg, "it has more than four components"));
    }
    let most = [0, 1].map(|side| components.iter().map(|it| it.factors[side]).max().unwrap_or(0));
    if components.iter().any(|component| component.factors.contains(&0)) {
        return Err(damaged("a component has no samples"));
    }
    let mut tables: Vec<(u8, &[u8])> =
        outline.tables.iter().filter(|(marker, _)| !is_start_of_frame(*marker)).copied().collect();
    let mut planes: Vec<Option<Plane>> = components.iter().map(|_| None).collect();
    let mut rest = outline.scan_data;
    while let Some((next, after)) = next_marker(rest) {
        let (content, after) =
            segment(next, after).ok_or_else(|| damaged("a segment is cut off"))?;
        rest = after;
        if next != START_OF_SCAN {
            tables.extend(TABLES.contains(&next).then_some((next, content)));
            continue;
        }
        let [1, id, coding, ..] = content else {
            let reason = "its components are in several scans, of which one has several components";
            return Err(DecodeError::unsupported(Format::Jpeg, reason));
        };
        let data = next_marker(after).map_or(after, |(_, behind)| {
            after.get(..after.len() - behind.len() - 2).unwrap_or_default()
        });
        let place = components.iter().position(|component| component.id == *id);
        let place = place.filter(|place| planes.get(*place).is_some_and(Option::is_none));
        let (Some(place), Some(component)) = (place, place.and_then(|at| components.get(at)))
        else {
            return Err(damaged("a scan is of no component, or of one that was there"));
        };
        let size = [outline.width, outline.height];
        let [width, height] = [0, 1].map(|side| {
            (size[side] * u32::from(component.factors[side])).div_ceil(u32::from(most[side]))
        });
        let short = |px: u32| u16::try_from(px).unwrap_or(u16::MAX).to_be_bytes();
        let ([high_y, low_y], [high_x, low_x]) = (short(height), short(width));
        let quantization = component.quantization;
        let header = [*precision, high_y, low_y, high_x, low_x, 1, 1, 0x11, quantization];
        let mut bytes = vec![0xFF, START_OF_IMAGE];
        for (marker, table) in tables.iter().copied().chain([(*marker, header.as_slice())]) {
            push(&mut bytes, marker, table);
        }
        push(&mut bytes, START_OF_SCAN, &[1, 1, *coding, 0, 63, 0]);
        bytes.extend_from_slice(data);
        bytes.extend_from_slice(&[0xFF, END_OF_IMAGE]);
        let share = |side: usize| [component.factors[side], most[side]].map(usize::from);
        if let Some(plane) = planes.get_mut(place) {
            let samples = gray(&bytes)?;
            let (width, height) = (width as usize, height as usize);
            *plane = Some(Plane { width, height, across: share(0), down: share(1), samples });
        }
    }
    let planes: Option<Vec<Plane>> = planes.into_iter().collect();
    planes.ok_or(DecodeError::Truncated { format: Format::Jpeg })
}

/// Appends a segment.
fn push(bytes: &mut Vec<u8>, marker: u8, content: &[u8]) {
    bytes.extend_from_slice(&[0xFF, marker]);
    let length = u16::try_from(content.len() + 2).unwrap_or(u16::MAX);
    bytes.extend_from_slice(&length.to_be_bytes());
    bytes.extend_from_slice(content);
}

fn damaged(reason: &str) -> DecodeError {
    DecodeError::damaged(Format::Jpeg, reason)
}

/// Writes the pixels of an image: red, green, blue and alpha, or the four components.
pub(super) fn fill(planes: &[Plane], input: ColorSpace, width: usize, pixels: &mut [u8]) {
    let mut rows: Vec<Vec<u8>> = planes.iter().map(|_| vec![0; width]).collect();
    for (y, out) in pixels.chunks_exact_mut(width * 4).enumerate() {
        for (plane, row) in planes.iter().zip(&mut rows) {
            plane.row(y, row);
        }
        // Without a fourth component, that is an opaque alpha.
        let at = |component: usize, x: usize| {
            rows.get(component).and_then(|row| row.get(x)).copied().unwrap_or(u8::MAX)
        };
        for (x, pixel) in out.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            let samples = [0, 1, 2, 3].map(|component| at(component, x));
            *pixel = match (input, samples) {
                (ColorSpace::YCbCr, [luma, blue, red, alpha]) => {
                    let [red, green, blue] = ycc::to_rgb([luma, blue, red]);
                    [red, green, blue, alpha]
                }
                _ => samples,
            };
        }
    }
}

impl Plane {
    /// A row of the image, linearly between the nearest samples.
    fn row(&self, y: usize, out: &mut [u8]) {
        let [upper, lower, low] = between(y, self.down, self.height);
        let line = |at: usize| self.samples.get(at * self.width..).unwrap_or_default();
        let (above, below) = (line(upper), line(lower));
        for (x, sample) in out.iter_mut().enumerate() {
            let [left, right, near] = between(x, self.across, self.width);
            let mix = |line: &[u8]| {
                let at = |x: usize| line.get(x).map_or(0, |sample| usize::from(*sample));
                at(left) * (ONE - near) + at(right) * near
            };
            let sum = mix(above) * (ONE - low) + mix(below) * low;
            *sample = ((sum + ONE * ONE / 2) / (ONE * ONE)) as u8;
        }
    }
}

/// The whole of a share between two samples.
const ONE: usize = 1 << 8;

/// The two samples that are nearest to the middle of a pixel, and the share of the second.
fn between(at: usize, [factor, most]: [usize; 2], count: usize) -> [usize; 3] {
    if factor == most {
        return [at, at, 0];
    }
    // The middle of the pixel is at (2 at + 1) / 2, and that of a sample at (2 sample + 1) / 2.
    let ahead = ((2 * at + 1) * factor).saturating_sub(most);
    let (first, share) = (ahead / (2 * most), ahead % (2 * most));
    [first, (first + 1).min(count - 1), share * ONE / (2 * most)]
}
