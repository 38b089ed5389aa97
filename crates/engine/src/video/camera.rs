//! Computes where the camera looks at any moment, so that the edges of the image never show.
//!
//! Zooms are added as logarithms, so that their speed looks constant. The widest view shows as much
//! of the image as the frame's aspect ratio, the rotation and the camera movements allow.

use super::plan::{Move, Phase};

/// The camera's view at one moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct View {
    /// The center, in pixels of the image.
    pub(super) center: (f64, f64),
    /// Image pixels per frame pixel.
    pub(super) step: f64,
    /// The camera's counterclockwise rotation in radians; the image appears rotated the other way.
    pub(super) angle: f64,
}

/// Position, angle and zoom of the camera, before they are related to an image.
#[derive(Debug, Clone, Copy, Default)]
struct State {
    zoom: f64,
    /// The position, in widths and heights of the widest frame.
    pan: (f64, f64),
    angle: f64,
}

/// The states between the phases, with the time of each.
pub(super) struct Path {
    states: Vec<(f64, State)>,
}

/// The number of moments at which the reach of the camera is measured. Between them, it moves by
/// less than a pixel.
const MOMENTS: u32 = 512;
/// The largest ratio of the closest view to the widest view.
const ZOOM_MAX: f64 = 16.0;

impl Path {
    /// Follows the phases, starting from a state of rest.
    pub(super) fn new(phases: &[Phase]) -> Self {
        let mut state = State::default();
        let mut at = 0.0;
        let mut states = vec![(at, state)];
        for phase in phases {
            phase.moves.iter().for_each(|step| state.take(*step));
            at += f64::from(phase.duration_ms);
            states.push((at, state));
        }
        Self { states }.centered()
    }

    /// Rejects zooms that would show almost nothing of the image.
    pub(super) fn check(&self) -> Result<(), String> {
        let closest = self.states.iter().map(|(_, state)| state.zoom).fold(0.0, f64::max);
        if closest.exp() > ZOOM_MAX {
            return Err(format!("the camera can zoom in at most {ZOOM_MAX} times"));
        }
        Ok(())
    }

    /// The magnification of the closest view relative to the widest.
    pub(super) fn closest(&self) -> f64 {
        self.states.iter().map(|(_, state)| state.zoom).fold(0.0, f64::max).exp()
    }

    /// Shifts all states so that the widest one has no zoom and the movements are centered.
    fn centered(mut self) -> Self {
        let least = |value: fn(&State) -> f64, states: &[(f64, State)]| {
            states.iter().map(|(_, state)| value(state)).fold(f64::INFINITY, f64::min)
        };
        let most = |value: fn(&State) -> f64, states: &[(f64, State)]| {
            states.iter().map(|(_, state)| value(state)).fold(f64::NEG_INFINITY, f64::max)
        };
        let middle = |value| (least(value, &self.states) + most(value, &self.states)) / 2.0;
        let (across, down) = (middle(|state| state.pan.0), middle(|state| state.pan.1));
        let widest = least(|state| state.zoom, &self.states);
        for (_, state) in &mut self.states {
            state.zoom -= widest;
            state.pan = (state.pan.0 - across, state.pan.1 - down);
        }
        self
    }

    /// The state at a fraction of the total time. Every phase eases in and out.
    fn at(&self, share: f64) -> State {
        let whole = self.states.last().map_or(0.0, |(end, _)| *end);
        let time = share * whole;
        let pairs = self.states.windows(2);
        let found = pairs.filter_map(|pair| Some((pair.first()?, pair.last()?)));
        let mut found = found.filter(|(_, (end, _))| time <= *end);
        match found.next() {
            Some(((start, from), (end, to))) if end > start => {
                let share = ((time - start) / (end - start)).clamp(0.0, 1.0);
                from.towards(to, share * share * (3.0 - 2.0 * share))
            }
            _ => self.states.last().map(|(_, state)| *state).unwrap_or_default(),
        }
    }
}

impl State {
    fn take(&mut self, step: Move) {
        match step {
            Move::Zoom { percent } if percent < 0.0 => {
                self.zoom -= (1.0 - percent / 100.0).ln();
            }
            Move::Zoom { percent } => self.zoom += (1.0 + percent / 100.0).ln(),
            Move::Pan { percent } => self.pan.0 += percent / 100.0,
            Move::Tilt { percent } => self.pan.1 += percent / 100.0,
            Move::Roll { degrees } => self.angle -= degrees.to_radians(),
        }
    }

    fn towards(&self, to: &Self, share: f64) -> Self {
        let between = |from: f64, to: f64| from + (to - from) * share;
        Self {
            zoom: between(self.zoom, to.zoom),
            pan: (between(self.pan.0, to.pan.0), between(self.pan.1, to.pan.1)),
            angle: between(self.angle, to.angle),
        }
    }
}

/// The path of the camera, for an image and a frame of given sizes.
pub(super) struct Camera<'p> {
    path: &'p Path,
    picture: (f64, f64),
    frame: (f64, f64),
    /// Image pixels per frame pixel in the widest view.
    widest: f64,
}

impl<'p> Camera<'p> {
    /// Finds the widest view for which the whole path stays inside the image.
    pub(super) fn new(path: &'p Path, picture: (u32, u32), frame: (u32, u32)) -> Self {
        let picture = (f64::from(picture.0), f64::from(picture.1));
        let frame = (f64::from(frame.0), f64::from(frame.1));
        let moments = (0..=MOMENTS).map(|moment| f64::from(moment) / f64::from(MOMENTS));
        let room = moments.map(|moment| {
            let reach = reach(&path.at(moment), frame);
            (picture.0 / 2.0 / reach.0).min(picture.1 / 2.0 / reach.1)
        });
        let widest = room.fold(f64::INFINITY, f64::min);
        Self { path, picture, frame, widest }
    }

    /// Image pixels per frame pixel in the widest view.
    pub(super) fn view_step(&self) -> f64 {
        self.widest
    }

    /// The view at a fraction of the total time.
    pub(super) fn view(&self, share: f64) -> View {
        let state = self.path.at(share);
        let center = (
            self.picture.0 / 2.0 + state.pan.0 * self.frame.0 * self.widest,
            self.picture.1 / 2.0 + state.pan.1 * self.frame.1 * self.widest,
        );
        View { center, step: self.widest / state.zoom.exp(), angle: state.angle }
    }
}

/// How far a view extends from the image's center, in frame pixels of the widest view.
fn reach(state: &State, frame: (f64, f64)) -> (f64, f64) {
    let scale = 0.5 / state.zoom.exp();
    let (sine, cosine) = (state.angle.sin().abs(), state.angle.cos().abs());
    (
        (frame.0 * cosine + frame.1 * sine) * scale + (state.pan.0 * frame.0).abs(),
        (frame.0 * sine + frame.1 * cosine) * scale + (state.pan.1 * frame.1).abs(),
    )
}
