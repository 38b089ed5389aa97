//! How each fault must end, whichever provider it happens at.

use retouch_sim::FaultName::{self, *};

/// How a call ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With a result that is paid for.
    Paid,
    /// With a result that is paid for, and a warning with this code.
    PaidWith(&'static str),
    /// With this status and code. Nothing is charged.
    Error(u16, &'static str),
}

const REFUSED: End = End::Error(400, "content_refused");
const FAILED: End = End::Error(500, "upstream_error");

const PARAMETERS: End = End::Error(400, "request_refused");

/// Servers that operators run themselves refuse nothing for its content.
const SELF_HOSTED: &[(FaultName, End)] =
    &[(RefuseContentInput, PARAMETERS), (RefuseContentOutput, PARAMETERS)];

/// stable-diffusion.cpp serves one model and reports every error as an invalid parameter.
const ONE_MODEL: &[(FaultName, End)] = &[
    (RefuseContentInput, PARAMETERS),
    (RefuseContentOutput, PARAMETERS),
    (UnknownModel, PARAMETERS),
    (TaskFailedContent, FAILED),
];

/// ComfyUI finds nothing wrong except with the operator's workflow. The service names its tasks, so
/// a submission without an answer can be looked up, and is found.
const NAMED_BY_US: &[(FaultName, End)] = &[
    (RefuseContentInput, FAILED),
    (RefuseContentOutput, FAILED),
    (RefuseParameters, FAILED),
    (TaskFailedContent, FAILED),
    (BadGatewayHtml, End::Paid),
    (EmptyBody, End::Paid),
    (NotJson, End::Paid),
    (TruncatedJson, End::Paid),
    (OversizedBody, End::Paid),
    (CloseBeforeAnswer, End::Paid),
    (Reset, End::Paid),
    (CloseMidBody, End::Paid),
];

/// The faults of every provider. If a protocol has no such moment, the provider answers as if there
/// were no fault, and the call is paid: see [`cannot_happen`].
pub const FAULTS: &[(FaultName, End)] = &[
    (RefuseContentInput, REFUSED),
    (RefuseContentOutput, REFUSED),
    (RefuseParameters, PARAMETERS),
    (BadKey, FAILED),
    (NoCredit, FAILED),
    (UnknownModel, FAILED),
    // Refused once. The next round is accepted.
    (Throttle, End::Paid),
    (Overloaded, End::Paid),
    (InternalError, FAILED),
    (BadGatewayHtml, FAILED),
    (EmptyBody, FAILED),
    (NotJson, FAILED),
    (TruncatedJson, FAILED),
    (WrongContentType, End::Paid),
    (NoImage, FAILED),
    (TextInstead, FAILED),
    (TwoImages, End::PaidWith("extra_results")),
    (BrokenBase64, FAILED),
    (NotAPicture, FAILED),
    (TruncatedPicture, FAILED),
    (HugePicture, FAILED),
    (OversizedBody, FAILED),
    (Address404, FAILED),
    (AddressPrivate, FAILED),
    (AddressRedirectLoop, FAILED),
    (Slow, End::Paid),
    (Hang, FAILED),
    (CloseBeforeAnswer, FAILED),
    (Reset, FAILED),
    (CloseMidBody, FAILED),
    (TaskFailed, FAILED),
    (TaskFailedContent, REFUSED),
    (TaskLost, FAILED),
    (TaskExpired, FAILED),
    (TaskNeverEnds, FAILED),
];

/// A provider, and what its protocol is like.
#[derive(Clone, Copy, Debug)]
pub struct TestedProvider {
    /// Its name in the configuration.
    pub provider: &'static str,
    /// Its simulator.
    pub protocol: &'static str,
    /// One of its models that edits images.
    pub model: &'static str,
    /// Whether it names tasks, which are polled.
    pub has_tasks: bool,
    /// Whether its results are URLs.
    pub has_addresses: bool,
    /// Faults that it shows differently from the others.
    pub otherwise: &'static [(FaultName, End)],
}

impl TestedProvider {
    /// How a call must end if `fault` happens once.
    pub fn expected(&self, fault: FaultName, usual: End) -> End {
        let own = self.otherwise.iter().find(|(name, _)| *name == fault);
        match own {
            _ if self.cannot_happen(fault) => End::Paid,
            Some((_, end)) => *end,
            None => usual,
        }
    }

    fn cannot_happen(&self, fault: FaultName) -> bool {
        match fault {
            TaskFailed | TaskFailedContent | TaskLost | TaskExpired | TaskNeverEnds => {
                !self.has_tasks
            }
            Address404 | AddressPrivate | AddressRedirectLoop => !self.has_addresses,
            _ => false,
        }
    }
}

/// Answers directly, in base64.
pub const OPENAI: TestedProvider = TestedProvider {
    provider: "openai",
    protocol: "openai",
    model: "gpt-image-2",
    has_tasks: false,
    has_addresses: false,
    otherwise: &[],
};

/// Answers directly, in base64.
pub const AZURE: TestedProvider = TestedProvider {
    provider: "azure",
    protocol: "azure",
    model: "gpt-image-2",
    has_tasks: false,
    has_addresses: false,
    otherwise: &[],
};

/// Answers directly, in base64.
pub const VLLM: TestedProvider = TestedProvider {
    provider: "vllm",
    protocol: "vllm",
    model: "Qwen/Qwen-Image-Edit-2511",
    has_tasks: false,
    has_addresses: false,
    otherwise: SELF_HOSTED,
};

/// Answers directly, in base64.
pub const SGLANG: TestedProvider = TestedProvider {
    provider: "sglang",
    protocol: "sglang",
    model: "Qwen/Qwen-Image-Edit-2511",
    has_tasks: false,
    has_addresses: false,
    otherwise: SELF_HOSTED,
};

/// Answers through a task, in base64.
pub const SDCPP: TestedProvider = TestedProvider {
    provider: "sdcpp",
    protocol: "sdcpp",
    model: "sd-cpp-local",
    has_tasks: true,
    has_addresses: false,
    otherwise: ONE_MODEL,
};

/// Answers directly, in base64.
pub const ARK: TestedProvider = TestedProvider {
    provider: "ark",
    protocol: "ark",
    model: "doubao-seedream-4-5-251128",
    has_tasks: false,
    has_addresses: false,
    otherwise: &[],
};

/// Answers directly, with URLs.
pub const DASHSCOPE: TestedProvider = TestedProvider {
    provider: "dashscope",
    protocol: "dashscope",
    model: "qwen-image-edit-plus",
    has_tasks: false,
    has_addresses: true,
    otherwise: &[],
};

/// Answers through a task, with URLs.
pub const FAL: TestedProvider = TestedProvider {
    provider: "fal",
    protocol: "fal",
    model: "fal-ai/nano-banana/edit",
    has_tasks: true,
    has_addresses: true,
    otherwise: &[],
};

/// Answers through a task, with URLs.
pub const REPLICATE: TestedProvider = TestedProvider {
    provider: "replicate",
    protocol: "replicate",
    model: "google/nano-banana",
    has_tasks: true,
    has_addresses: true,
    otherwise: &[],
};

/// Answers through a task, with URLs.
pub const BFL: TestedProvider = TestedProvider {
    provider: "bfl",
    protocol: "bfl",
    model: "flux-2-pro",
    has_tasks: true,
    has_addresses: true,
    otherwise: &[(TwoImages, End::Paid)],
};

/// Answers through a task, whose results are fetched with further calls.
pub const COMFYUI: TestedProvider = TestedProvider {
    provider: "comfyui",
    protocol: "comfyui",
    model: "edit",
    has_tasks: true,
    has_addresses: false,
    otherwise: NAMED_BY_US,
};

/// Answers directly, in base64.
pub const GEMINI: TestedProvider = TestedProvider {
    provider: "gemini",
    protocol: "gemini",
    model: "gemini-3-pro-image",
    has_tasks: false,
    has_addresses: false,
    // Its reply says what it would need, which helps the caller.
    otherwise: &[(TextInstead, End::Error(400, "instruction_not_supported"))],
};
