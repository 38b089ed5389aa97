//! Requests to the queue platforms and to ComfyUI, and how their responses are read.

#[cfg(test)]
mod queues {
    mod bfl;
    mod comfyui;
    mod comfyui_answers;
    mod fal;
    mod fal_answers;
    #[path = "../orders/order.rs"]
    mod order;
    mod replicate;
    mod replicate_answers;
    mod shapes;
    mod support;
    mod workflows;
}
