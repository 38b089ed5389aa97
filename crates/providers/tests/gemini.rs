//! Requests to Google and what its responses mean: images, videos, errors.

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
