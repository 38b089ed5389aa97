//! Nothing: cargo fetches packages only for something that could be built of them.
