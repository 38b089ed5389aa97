//! What every operation does to pixels.

use super::Size;
use super::given::only;
use super::point::{Point, apply_all as apply_points};
use crate::{ExecuteError, Picture, Sample};

/// What an operation does to pixels.
pub(crate) trait Operation {
    /// Renders the step as plain words that parse back to the same step.
    fn words(&self) -> String;

    /// Says what is wrong with the parameters, with the numbers.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// The size that comes out, or what is wrong with doing it to these inputs.
    fn result_size(&self, inputs: &[Size]) -> Result<(u64, u64), String> {
        let (width, height) = inputs.first().copied().unwrap_or((1, 1));
        Ok((u64::from(width), u64::from(height)))
    }

    /// Bytes needed while it runs, besides the inputs and the result, of which a pixel takes so
    /// many bytes; works in place when the size stays (see [`Self::in_place`]).
    fn scratch_bytes(&self, _input: Size, _result: Size, _pixel_bytes: u64) -> u64 {
        0
    }

    /// Whether the result takes the place of the input, without a second image; what leaves
    /// every pixel where it is does so unless it says otherwise.
    fn in_place(&self) -> bool {
        self.regional()
    }

    /// The same as changes of each pixel's color alone, so that neighbors become one pass.
    fn points(&self) -> Vec<Point> {
        Vec::new()
    }

    /// Whether it is changes of each pixel's color that only the image itself can tell.
    fn measures(&self) -> bool {
        false
    }

    /// Looks at the image and tells the changes of each pixel's color; warns where there is
    /// nothing to do.
    fn measured<S: Sample>(&self, _: &Picture<S>, _warnings: &mut Vec<String>) -> Vec<Point>
    where
        Self: Sized,
    {
        self.points()
    }

    /// How far it moves something that can go both ways; neighbors of opposite signs contradict.
    fn change(&self) -> Option<f64> {
        None
    }

    /// Which of several things of its kind it moves; only changes of the same one contradict.
    fn subject(&self) -> Option<&'static str> {
        None
    }

    /// Whether a neighbor of the same kind may leave its verb out ("flip horizontally and
    /// vertically"); where a second one is rare, it would be a wrong guess.
    fn repeats(&self) -> bool {
        false
    }

    /// Whether it can be limited to a part of the image: every pixel stays where it is.
    fn regional(&self) -> bool {
        self.measures() || !self.points().is_empty()
    }

    /// Phrases that belong to it when they stand in the clause after it, where they would mean
    /// something else alone: "rotate 5 degrees and keep the size".
    fn belongings(&self) -> &'static [&'static str] {
        &[]
    }

    /// Whether it makes one image of all inputs.
    fn joins(&self) -> bool {
        false
    }

    /// The number of another image, from 2, that it lays on the first; [`Self::apply`] gets both.
    fn takes(&self) -> Option<usize> {
        None
    }

    /// Whether it cuts by what it finds in the pixels, so that [`Self::result_size`] gives the
    /// largest size that can come out.
    fn finds_size(&self) -> bool {
        false
    }

    /// Whether it makes an image out of nothing, so that it can only come first.
    fn makes(&self) -> bool {
        false
    }

    /// Does it. Joining operations get all images, those that take another one two, the others
    /// exactly one.
    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        warnings: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError>
    where
        Self: Sized,
    {
        let mut picture = only(pictures)?;
        let points = self.measured(&picture, warnings);
        apply_points(&mut picture, &points);
        Ok(picture)
    }
}
