//! The providers that this build knows, by the names that the configuration and the catalogue use.

/// One sort of provider: a vendor, or a server that operators run themselves.
#[derive(Debug)]
pub struct Vendor {
    /// Its name in the configuration; `kind` for a provider that the operator has named otherwise.
    pub name: &'static str,
    /// Its name for people.
    pub label: &'static str,
    /// Where it is, unless the operator says otherwise; none for servers that operators run.
    pub base_url: Option<&'static str>,
    /// Whether it answers without a key.
    pub key: Key,
    /// Settings that it has beside those that every provider has.
    pub own_settings: &'static [OwnSetting],
}

/// Whether a provider answers without a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// It does not.
    Needed,
    /// It does, unless its operator has locked it.
    Optional,
}

/// A setting that only some providers have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnSetting {
    /// `api_version`: which version of its interface is spoken.
    ApiVersion,
    /// `workflows`: files that say what it does, one for each model.
    Workflows,
}

impl OwnSetting {
    /// Both.
    pub const ALL: [Self; 2] = [Self::ApiVersion, Self::Workflows];

    /// Its name in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            Self::ApiVersion => "api_version",
            Self::Workflows => "workflows",
        }
    }
}

/// Every provider that this build knows, vendors first.
pub const VENDORS: &[Vendor] = &[
    vendor("openai", "OpenAI", "https://api.openai.com/v1"),
    Vendor {
        own_settings: &[OwnSetting::ApiVersion],
        ..vendor("gemini", "Google Gemini", "https://generativelanguage.googleapis.com")
    },
    vendor("ark", "Volcengine Ark", "https://ark.cn-beijing.volces.com/api/v3"),
    vendor("byteplus", "BytePlus ModelArk", "https://ark.ap-southeast.bytepluses.com/api/v3"),
    vendor("dashscope", "Alibaba DashScope", "https://dashscope.aliyuncs.com/api/v1"),
    vendor("fal", "fal", "https://queue.fal.run"),
    vendor("replicate", "Replicate", "https://api.replicate.com/v1"),
    vendor("bfl", "Black Forest Labs", "https://api.bfl.ai/v1"),
    // Its address is the operator's own resource, so it has a key and no usual address.
    Vendor {
        key: Key::Needed,
        own_settings: &[OwnSetting::ApiVersion],
        ..server("azure", "Azure OpenAI")
    },
    server("litellm", "LiteLLM proxy"),
    server("vllm", "vLLM-Omni"),
    server("sglang", "SGLang"),
    server("sdcpp", "stable-diffusion.cpp"),
    server("nim", "NVIDIA NIM"),
    server("generic", "an OpenAI-like server"),
    Vendor { own_settings: &[OwnSetting::Workflows], ..server("comfyui", "ComfyUI") },
];

/// The provider that goes by `name`.
pub fn find(name: &str) -> Option<&'static Vendor> {
    VENDORS.iter().find(|vendor| vendor.name == name)
}

/// Their names, for a message: `a, b, c`.
pub fn names() -> String {
    let names: Vec<&str> = VENDORS.iter().map(|vendor| vendor.name).collect();
    names.join(", ")
}

impl Vendor {
    /// Whether it has `setting`.
    pub fn has(&self, setting: OwnSetting) -> bool {
        self.own_settings.contains(&setting)
    }
}

/// Somebody who sells the work: at a known address, for a key.
const fn vendor(name: &'static str, label: &'static str, base_url: &'static str) -> Vendor {
    Vendor { name, label, base_url: Some(base_url), key: Key::Needed, own_settings: &[] }
}

/// A server that operators run themselves, often without a key.
const fn server(name: &'static str, label: &'static str) -> Vendor {
    Vendor { name, label, base_url: None, key: Key::Optional, own_settings: &[] }
}
