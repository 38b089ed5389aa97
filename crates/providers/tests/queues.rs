//! What the queue platforms and ComfyUI are sent, and what their answers are taken for.

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
