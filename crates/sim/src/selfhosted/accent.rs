//! The differences between the servers, as data.

/// How a server differs.
#[derive(Debug)]
pub(super) struct Accent {
    /// The server's name in faults, records and counts.
    pub(super) name: &'static str,
    /// The text fields in addition to those of the protocol.
    pub(super) texts: &'static [&'static str],
    /// The number fields.
    pub(super) numbers: &'static [&'static str],
    /// The boolean fields.
    pub(super) flags: &'static [&'static str],
    /// The file fields other than the images.
    pub(super) files: &'static [&'static str],
    /// The response formats, the default first.
    pub(super) response_formats: &'static [&'static str],
    /// Whether a response has an ID and counts its images.
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

/// SGLang 0.5.23.
pub(super) const SGLANG: Accent = Accent {
    name: "sglang",
    texts: &["negative_prompt", "background", "user", "generator_device"],
    numbers: &["num_inference_steps", "guidance_scale", "true_cfg_scale", "seed"],
    flags: &["enhance_prompt"],
    files: &["mask"],
    response_formats: &["url", "b64_json"],
    numbers_its_answers: true,
};
