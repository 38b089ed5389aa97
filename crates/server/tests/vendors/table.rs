//! What each fault must come to, whoever the vendor is.

use retouch_sim::FaultName::{self, *};

/// How a call ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With a result that is paid for.
    Paid,
    /// With a result that is paid for, and a warning with this code.
    PaidWith(&'static str),
    /// With this status and code; nothing is paid.
    Error(u16, &'static str),
}

const REFUSED: End = End::Error(400, "content_refused");
const FAILED: End = End::Error(500, "upstream_error");

const PARAMETERS: End = End::Error(400, "request_refused");

/// Servers that operators run themselves refuse nothing for its content.
const SELF_HOSTED: &[(FaultName, End)] =
    &[(RefuseContentInput, PARAMETERS), (RefuseContentOutput, PARAMETERS)];

/// stable-diffusion.cpp serves one model and calls all that is wrong a parameter.
const ONE_MODEL: &[(FaultName, End)] = &[
    (RefuseContentInput, PARAMETERS),
    (RefuseContentOutput, PARAMETERS),
    (UnknownModel, PARAMETERS),
    (TaskFailedContent, FAILED),
];

/// ComfyUI finds nothing wrong but the operator's workflow. We name its tasks, so that a
/// submission without an answer is asked about, and found.
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

/// The faults of every vendor. A vendor whose protocol has no such moment answers as if nothing
/// had been planned: then the call is paid, see [`cannot_happen`].
pub const FAULTS: &[(FaultName, End)] = &[
    (RefuseContentInput, REFUSED),
    (RefuseContentOutput, REFUSED),
    (RefuseParameters, PARAMETERS),
    (BadKey, FAILED),
    (NoCredit, FAILED),
    (UnknownModel, FAILED),
    // Turned away at the door, once: the next round is let in.
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

/// A vendor, and what its protocol is like.
#[derive(Clone, Copy, Debug)]
pub struct Vendor {
    /// Its name in the configuration.
    pub provider: &'static str,
    /// Its stand-in.
    pub protocol: &'static str,
    /// One of its models that edits pictures.
    pub model: &'static str,
    /// It names tasks that are asked about.
    pub has_tasks: bool,
    /// Its results are addresses.
    pub has_addresses: bool,
    /// Faults that it shows otherwise than the others.
    pub otherwise: &'static [(FaultName, End)],
}

impl Vendor {
    /// How a call must end when `fault` happens once.
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

/// Answers at once, in base64.
pub const OPENAI: Vendor = Vendor {
    provider: "openai",
    protocol: "openai",
    model: "gpt-image-2",
    has_tasks: false,
    has_addresses: false,
    otherwise: &[],
};

/// Answers at once, in base64.
pub const AZURE: Vendor = Vendor {
    provider: "azure",
    protocol: "azure",
    model: "gpt-image-2",
    has_tasks: false,
    has_addresses: false,
    otherwise: &[],
};

/// Answers at once, in base64.
pub const VLLM: Vendor = Vendor {
    provider: "vllm",
    protocol: "vllm",
    model: "Qwen/Qwen-Image-Edit-2511",
    has_tasks: false,
    has_addresses: false,
    otherwise: SELF_HOSTED,
};

/// Answers at once, in base64.
pub const SGLANG: Vendor = Vendor {
    provider: "sglang",
    protocol: "sglang",
    model: "Qwen/Qwen-Image-Edit-2511",
    has_tasks: false,
    has_addresses: false,
    otherwise: SELF_HOSTED,
};

/// Answers by task, in base64.
pub const SDCPP: Vendor = Vendor {
    provider: "sdcpp",
    protocol: "sdcpp",
    model: "sd-cpp-local",
    has_tasks: true,
    has_addresses: false,
    otherwise: ONE_MODEL,
};

/// Answers at once, in base64.
pub const ARK: Vendor = Vendor {
    provider: "ark",
    protocol: "ark",
    model: "doubao-seedream-4-5-251128",
    has_tasks: false,
    has_addresses: false,
    otherwise: &[],
};

/// Answers at once, at addresses.
pub const DASHSCOPE: Vendor = Vendor {
    provider: "dashscope",
    protocol: "dashscope",
    model: "qwen-image-edit-plus",
    has_tasks: false,
    has_addresses: true,
    otherwise: &[],
};

/// Answers by task, at addresses.
pub const FAL: Vendor = Vendor {
    provider: "fal",
    protocol: "fal",
    model: "fal-ai/nano-banana/edit",
    has_tasks: true,
    has_addresses: true,
    otherwise: &[],
};

/// Answers by task, at addresses.
pub const REPLICATE: Vendor = Vendor {
    provider: "replicate",
    protocol: "replicate",
    model: "google/nano-banana",
    has_tasks: true,
    has_addresses: true,
    otherwise: &[],
};

/// Answers by task, at addresses.
pub const BFL: Vendor = Vendor {
    provider: "bfl",
    protocol: "bfl",
    model: "flux-2-pro",
    has_tasks: true,
    has_addresses: true,
    otherwise: &[(TwoImages, End::Paid)],
};

/// Answers by task, by calls.
pub const COMFYUI: Vendor = Vendor {
    provider: "comfyui",
    protocol: "comfyui",
    model: "edit",
    has_tasks: true,
    has_addresses: false,
    otherwise: NAMED_BY_US,
};

/// Answers at once, in base64.
pub const GEMINI: Vendor = Vendor {
    provider: "gemini",
    protocol: "gemini",
    model: "gemini-3-pro-image",
    has_tasks: false,
    has_addresses: false,
    // It says in words what it would need, which helps the caller.
    otherwise: &[(TextInstead, End::Error(400, "instruction_not_supported"))],
};
