//! All tests of the engine that need no process of their own.

mod codec;
mod deep;
mod evaluation;
mod every;
mod filming;
mod filters;
mod fitting;
mod handbook;
mod making;
mod marks;
mod pixels;
mod properties;
mod shaping;
mod tones;
mod understanding;
mod verify_mp4;
