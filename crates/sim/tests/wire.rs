//! The simulators as a client sees them: bytes on a connection, read without an HTTP library.

#[cfg(test)]
mod wire {
    mod client;
    mod comfyui;
    mod controls;
    mod delivery;
    mod gemini;
    mod network;
    mod openai;
    mod selfhosted;
    mod tasks;
}
