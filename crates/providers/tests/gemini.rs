//! What goes to Google and what its answers mean: pictures, videos, troubles.

#[cfg(test)]
mod gemini {
    mod answers;
    #[path = "../orders/edit.rs"]
    mod edit;
    mod fit;
    mod pictures;
    mod support;
    mod troubles;
    mod videos;
}
