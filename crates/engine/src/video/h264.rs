//! Encodes frames as H.264, one at a time.

use super::VideoError;
use super::frame::Planes;
use openh264::OpenH264API;
use openh264::encoder::{
    BitRate, Encoder, EncoderConfig, FrameRate, IntraFramePeriod, QpRange, RateControlMode,
    VuiConfig,
};

/// The encoded frames of a video, ready for a container file.
#[derive(Debug, Default)]
pub(super) struct Coded {
    /// What a decoder needs first: the sequence and picture parameter sets.
    pub(super) parameters: [Vec<u8>; 2],
    /// All frames, each unit prefixed with its length (ISO/IEC 14496-15, section 5.3.2).
    pub(super) data: Vec<u8>,
    /// Length of each frame in bytes.
    pub(super) lengths: Vec<u32>,
    /// The frames at which decoding can start, counted from 1.
    pub(super) starts: Vec<u32>,
}

/// An encoder for frames of one size.
pub(super) struct Coder {
    encoder: Encoder,
    coded: Coded,
}

/// The target bit rate: an eighth of a bit per pixel, which keeps fine detail, from 1 Mbit/s up to
/// the 16 Mbit/s that players can easily stream.
pub(super) fn bits_per_second(size: (u32, u32), frames_per_second: u32) -> u64 {
    let pixels = u64::from(size.0) * u64::from(size.1) * u64::from(frames_per_second);
    (pixels / 8).clamp(1_000_000, 16_000_000)
}

/// The quantizer range, from almost lossless to clearly coarse. It keeps noise from making the file
/// too large.
const QUANTISERS: (u8, u8) = (14, 44);

/// How often a frame is offered to the encoder before giving up. It should be accepted long before
/// that.
const OFFERS_MAX: usize = 480;

impl Coder {
    /// Creates an encoder that uses one thread, so that the same frames give the same bytes on
    /// every machine.
    pub(super) fn new(size: (u32, u32), frames_per_second: u32) -> Result<Self, VideoError> {
        let bits = u32::try_from(bits_per_second(size, frames_per_second)).unwrap_or(u32::MAX);
        let config = EncoderConfig::new()
            .bitrate(BitRate::from_bps(bits))
            .rate_control_mode(RateControlMode::Bitrate)
            .qp(QpRange::new(QUANTISERS.0, QUANTISERS.1))
            .max_frame_rate(FrameRate::from_hz(frames_per_second as f32))
            .intra_frame_period(IntraFramePeriod::from_num_frames(frames_per_second * 2))
            // Rate control needs this; without it, the encoder prints warnings to standard error.
            // See `code`.
            .skip_frames(true)
            .scene_change_detect(false)
            .background_detection(false)
            .num_threads(1)
            .vui(VuiConfig::bt709());
        let encoder = Encoder::with_api_config(OpenH264API::from_source(), config)
            .map_err(|error| VideoError::Encoder(error.to_string()))?;
        Ok(Self { encoder, coded: Coded::default() })
    }

    /// Encodes the next frame. If the previous frames used more than their share of bits, the
    /// encoder skips a frame. That is right for a video call, but in a file the motion would jump.
    /// Each skip adds one frame's share to the budget, so the same frame is offered until it is
    /// accepted.
    pub(super) fn code(&mut self, frame: &Planes) -> Result<(), VideoError> {
        let start = self.coded.data.len();
        for _ in 0..OFFERS_MAX {
            self.offer(frame)?;
            if self.coded.data.len() > start {
                break;
            }
        }
        let length = self.coded.data.len() - start;
        if length == 0 {
            return Err(VideoError::Encoder("it dropped a frame".to_owned()));
        }
        if self.coded.data.len() > super::VIDEO_BYTES_MAX {
            return Err(VideoError::TooLarge);
        }
        self.coded.lengths.push(u32::try_from(length).unwrap_or(u32::MAX));
        Ok(())
    }

    /// Offers a frame to the encoder once and keeps the output, which may be empty.
    fn offer(&mut self, frame: &Planes) -> Result<(), VideoError> {
        let stream =
            self.encoder.encode(frame).map_err(|error| VideoError::Encoder(error.to_string()))?;
        for layer in (0..stream.num_layers()).filter_map(|index| stream.layer(index)) {
            for unit in (0..layer.nal_count()).filter_map(|index| layer.nal_unit(index)) {
                self.coded.take(without_start_code(unit));
            }
        }
        Ok(())
    }

    /// All frames.
    pub(super) fn finish(self) -> Coded {
        self.coded
    }
}

impl Coded {
    /// Stores one unit: parameter sets once and separately, everything else with its length.
    fn take(&mut self, unit: &[u8]) {
        let kind = unit.first().copied().unwrap_or_default() & 0x1F;
        match kind {
            SEQUENCE_PARAMETERS => self.parameters[0] = unit.to_vec(),
            PICTURE_PARAMETERS => self.parameters[1] = unit.to_vec(),
            _ => {
                if kind == KEY_FRAME {
                    self.starts.push(u32::try_from(self.lengths.len() + 1).unwrap_or(u32::MAX));
                    self.starts.dedup();
                }
                let length = u32::try_from(unit.len()).unwrap_or(u32::MAX);
                self.data.extend_from_slice(&length.to_be_bytes());
                self.data.extend_from_slice(unit);
            }
        }
    }
}

fn without_start_code(unit: &[u8]) -> &[u8] {
    let zeros = unit.iter().take_while(|byte| **byte == 0).count();
    unit.get(zeros + 1..).unwrap_or_default()
}

/// NAL unit types (ITU-T H.264, table 7-1).
const KEY_FRAME: u8 = 5;
const SEQUENCE_PARAMETERS: u8 = 7;
const PICTURE_PARAMETERS: u8 = 8;
