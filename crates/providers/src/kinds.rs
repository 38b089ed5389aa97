//! The kinds of providers that this build supports, by their names in the configuration and the
//! catalogue.

mod options;

use crate::ark::Ark;
use crate::comfyui::ComfyUi;
use crate::dashscope::DashScope;
use crate::gemini::Gemini;
use crate::openai::{self, OpenAi, Profile, SdCpp};
use crate::queue::{Bfl, Fal, Replicate};
use crate::upstream::Dialect;

pub use options::{Options, OptionsError, OwnSetting};

/// A kind of provider: a hosted service, or a server that operators run themselves.
#[derive(Debug)]
pub struct ProviderKind {
    /// Its name in the configuration, or its `kind` if the operator chose another name.
    pub name: &'static str,
    /// Its name in messages.
    pub label: &'static str,
    /// Its default address. `None` for servers that operators run.
    pub base_url: Option<&'static str>,
    /// Whether it needs an API key.
    pub key: Key,
    /// Settings that only some providers have.
    pub own_settings: &'static [OwnSetting],
    make: Make,
}

/// Creates the protocol from the operator's options.
type Make = fn(&Options) -> Result<Box<dyn Dialect>, OptionsError>;

/// Whether a provider needs an API key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// The provider always needs a key.
    Needed,
    /// The provider needs a key only if its operator has set one up.
    Optional,
}

/// Every supported kind of provider, hosted ones first.
pub static KINDS: &[ProviderKind] = &[
    hosted("openai", "OpenAI", "https://api.openai.com/v1", |options| {
        open_ai(&openai::OPENAI, options)
    }),
    ProviderKind {
        own_settings: &[OwnSetting::ApiVersion],
        ..hosted("gemini", "Google Gemini", "https://generativelanguage.googleapis.com", gemini)
    },
    hosted("ark", "Volcengine Ark", "https://ark.cn-beijing.volces.com/api/v3", |_| {
        Ok(Box::new(Ark))
    }),
    hosted(
        "byteplus",
        "BytePlus ModelArk",
        "https://ark.ap-southeast.bytepluses.com/api/v3",
        |_| Ok(Box::new(Ark)),
    ),
    hosted("dashscope", "Alibaba DashScope", "https://dashscope.aliyuncs.com/api/v1", |_| {
        Ok(Box::new(DashScope))
    }),
    hosted("fal", "fal", "https://queue.fal.run", |_| Ok(Box::new(Fal))),
    hosted("replicate", "Replicate", "https://api.replicate.com/v1", |_| Ok(Box::new(Replicate))),
    hosted("bfl", "Black Forest Labs", "https://api.bfl.ai/v1", |_| Ok(Box::new(Bfl))),
    // Each Azure customer has its own address, so there is a key but no default address.
    ProviderKind {
        key: Key::Needed,
        own_settings: &[OwnSetting::ApiVersion],
        ..self_hosted("azure", "Azure OpenAI", |options| open_ai(&openai::AZURE, options))
    },
    self_hosted("litellm", "a LiteLLM proxy", |options| open_ai(&openai::LITELLM, options)),
    self_hosted("vllm", "vLLM-Omni", |options| open_ai(&openai::VLLM, options)),
    self_hosted("sglang", "SGLang", |options| open_ai(&openai::SGLANG, options)),
    self_hosted("sdcpp", "stable-diffusion.cpp", |_| Ok(Box::new(SdCpp))),
    self_hosted("nim", "NVIDIA NIM", |options| open_ai(&openai::NIM, options)),
    self_hosted("xinference", "Xinference", |options| open_ai(&openai::XINFERENCE, options)),
    self_hosted("generic", "an OpenAI-compatible server", |options| {
        open_ai(&openai::GENERIC, options)
    }),
    ProviderKind {
        own_settings: &[OwnSetting::Workflows],
        ..self_hosted("comfyui", "ComfyUI", |options| {
            Ok(Box::new(ComfyUi::new(options.parsed_workflows()?)))
        })
    },
];

/// The kind of provider with this name.
pub fn find(name: &str) -> Option<&'static ProviderKind> {
    KINDS.iter().find(|kind| kind.name == name)
}

/// All names, for a message: `a, b, c`.
pub fn names() -> String {
    let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
    names.join(", ")
}

impl ProviderKind {
    /// Whether this type of provider has `setting`.
    pub fn has(&self, setting: OwnSetting) -> bool {
        self.own_settings.contains(&setting)
    }

    /// The provider's protocol with the operator's `options`.
    ///
    /// # Errors
    /// When an option is invalid.
    pub fn dialect(&self, options: &Options) -> Result<Box<dyn Dialect>, OptionsError> {
        (self.make)(options)
    }
}

/// A hosted provider, with a default address and a required key.
const fn hosted(
    name: &'static str,
    label: &'static str,
    base_url: &'static str,
    make: Make,
) -> ProviderKind {
    ProviderKind {
        name,
        label,
        base_url: Some(base_url),
        key: Key::Needed,
        own_settings: &[],
        make,
    }
}

/// A server that operators run themselves, often without a key.
const fn self_hosted(name: &'static str, label: &'static str, make: Make) -> ProviderKind {
    ProviderKind { name, label, base_url: None, key: Key::Optional, own_settings: &[], make }
}

fn open_ai(profile: &'static Profile, options: &Options) -> Result<Box<dyn Dialect>, OptionsError> {
    let options = openai::Options { api_version: options.api_version.clone() };
    Ok(Box::new(OpenAi::new(profile, options)))
}

fn gemini(options: &Options) -> Result<Box<dyn Dialect>, OptionsError> {
    Ok(Box::new(options.api_version.as_deref().map_or_else(Gemini::default, Gemini::new)))
}
