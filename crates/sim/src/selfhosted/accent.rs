//! In what the servers differ, as data.

/// A server's accent.
#[derive(Debug)]
pub(super) struct Accent {
    /// What faults, records and counts call the server.
    pub(super) name: &'static str,
    /// Names of texts in addition to those of the protocol.
    pub(super) texts: &'static [&'static str],
    /// Names of numbers.
    pub(super) numbers: &'static [&'static str],
    /// Names of flags.
    pub(super) flags: &'static [&'static str],
    /// Names of files beside the pictures.
    pub(super) files: &'static [&'static str],
    /// The forms of an answer, the usual one first.
    pub(super) response_formats: &'static [&'static str],
    /// Whether an answer has an id and counts its pictures.
    pub(super) numbers_its_answers: bool,
}

/// vLLM-Omni 0.30.0.
pub(super) const VLLM: Accent = Accent {
    name: "vllm",
    texts: &["negative_prompt", "background", "user", "lora", "resolution", "bot_task"],
    numbers: &[
        "num_inference_steps",
        "guidance_scale",
        "true_cfg_scale",
        "seed",
        "strength",
        "layers",
        "output_compression",
    ],
    flags: &["stream"],
    files: &["mask_image", "reference_image"],
    response_formats: &["b64_json"],
    numbers_its_answers: false,
};

/// `SGLang` 0.5.23.
pub(super) const SGLANG: Accent = Accent {
    name: "sglang",
    texts: &["negative_prompt", "background", "user", "generator_device"],
    numbers: &["num_inference_steps", "guidance_scale", "true_cfg_scale", "seed"],
    flags: &["enhance_prompt"],
    files: &["mask"],
    response_formats: &["url", "b64_json"],
    numbers_its_answers: true,
};
