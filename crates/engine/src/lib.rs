//! The built-in editor: instruction to plan to pixels.
