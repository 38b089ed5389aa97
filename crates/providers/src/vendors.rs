//! The providers that this build knows, by the names that the configuration and the catalogue use.

mod options;

use crate::ark::Ark;
use crate::comfyui::ComfyUi;
use crate::dashscope::DashScope;
use crate::gemini::Gemini;
use crate::openai::{self, OpenAi, Profile, SdCpp};
use crate::queue::{Bfl, Fal, Replicate};
use crate::upstream::Dialect;

pub use options::{Options, OptionsError, OwnSetting};

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
    make: Make,
}

/// How a protocol is made from what the operator says of it.
type Make = fn(&Options) -> Result<Box<dyn Dialect>, OptionsError>;

/// Whether a provider answers without a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// It does not.
    Needed,
    /// It does, unless its operator has locked it.
    Optional,
}

/// Every provider that this build knows, vendors first.
pub static VENDORS: &[Vendor] = &[
    vendor("openai", ("OpenAI", "https://api.openai.com/v1"), |options| {
        open_ai(&openai::OPENAI, options)
    }),
    Vendor {
        own_settings: &[OwnSetting::ApiVersion],
        ..vendor("gemini", ("Google Gemini", "https://generativelanguage.googleapis.com"), gemini)
    },
    vendor("ark", ("Volcengine Ark", "https://ark.cn-beijing.volces.com/api/v3"), |_| {
        Ok(Box::new(Ark))
    }),
    vendor(
        "byteplus",
        ("BytePlus ModelArk", "https://ark.ap-southeast.bytepluses.com/api/v3"),
        |_| Ok(Box::new(Ark)),
    ),
    vendor("dashscope", ("Alibaba DashScope", "https://dashscope.aliyuncs.com/api/v1"), |_| {
        Ok(Box::new(DashScope))
    }),
    vendor("fal", ("fal", "https://queue.fal.run"), |_| Ok(Box::new(Fal))),
    vendor("replicate", ("Replicate", "https://api.replicate.com/v1"), |_| Ok(Box::new(Replicate))),
    vendor("bfl", ("Black Forest Labs", "https://api.bfl.ai/v1"), |_| Ok(Box::new(Bfl))),
    // Its address is the operator's own resource, so it has a key and no usual address.
    Vendor {
        key: Key::Needed,
        own_settings: &[OwnSetting::ApiVersion],
        ..server("azure", "Azure OpenAI", |options| open_ai(&openai::AZURE, options))
    },
    server("litellm", "a LiteLLM proxy", |options| open_ai(&openai::LITELLM, options)),
    server("vllm", "vLLM-Omni", |options| open_ai(&openai::VLLM, options)),
    server("sglang", "SGLang", |options| open_ai(&openai::SGLANG, options)),
    server("sdcpp", "stable-diffusion.cpp", |_| Ok(Box::new(SdCpp))),
    server("nim", "NVIDIA NIM", |options| open_ai(&openai::NIM, options)),
    server("xinference", "Xinference", |options| open_ai(&openai::XINFERENCE, options)),
    server("generic", "an OpenAI-compatible server", |options| open_ai(&openai::GENERIC, options)),
    Vendor {
        own_settings: &[OwnSetting::Workflows],
        ..server("comfyui", "ComfyUI", |options| {
            Ok(Box::new(ComfyUi::new(options.parsed_workflows()?)))
        })
    },
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

    /// Its protocol, as the operator's `options` have it.
    ///
    /// # Errors
    /// When they say what cannot be.
    pub fn dialect(&self, options: &Options) -> Result<Box<dyn Dialect>, OptionsError> {
        (self.make)(options)
    }
}

/// Somebody who sells the work: at a known address, for a key.
const fn vendor(
    name: &'static str,
    (label, base_url): (&'static str, &'static str),
    make: Make,
) -> Vendor {
    Vendor { name, label, base_url: Some(base_url), key: Key::Needed, own_settings: &[], make }
}

/// A server that operators run themselves, often without a key.
const fn server(name: &'static str, label: &'static str, make: Make) -> Vendor {
    Vendor { name, label, base_url: None, key: Key::Optional, own_settings: &[], make }
}

fn open_ai(profile: &'static Profile, options: &Options) -> Result<Box<dyn Dialect>, OptionsError> {
    let options = openai::Options { api_version: options.api_version.clone() };
    Ok(Box::new(OpenAi::new(profile, options)))
}

fn gemini(options: &Options) -> Result<Box<dyn Dialect>, OptionsError> {
    Ok(Box::new(options.api_version.as_deref().map_or_else(Gemini::default, Gemini::new)))
}
