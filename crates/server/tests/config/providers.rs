//! Providers: which settings configure one, and what is reported when some are missing.

use insta::assert_snapshot;
use retouch_server::config::{ConfigError, ProviderSettings, Settings, Sources};

use super::{file, file_refused, load, refused};

/// The provider `name` with these variables.
fn provider(variables: &[(&str, &str)], name: &str) -> Option<ProviderSettings> {
    load(variables).unwrap().providers.get(name).cloned()
}

fn of_file(text: &str) -> Result<Settings, ConfigError> {
    let (_folder, path) = file(text);
    Settings::load(&Sources { file: Some(path), ..Sources::none() })
}

#[test]
fn a_provider_needs_its_key_alone() {
    let set = [("RETOUCH_PROVIDERS__OPENAI__API_KEY", "hunter22")];
    let openai = provider(&set, "openai").unwrap();
    assert_eq!(openai.kind.name, "openai");
    assert_eq!(openai.base_url.as_str(), "https://api.openai.com/v1");
    assert!(openai.api_key.as_ref().unwrap().is("hunter22"));
    assert_eq!((openai.concurrent_max, openai.queue_max), (8, 64));
    assert_eq!((openai.connect_ms_max, openai.idle_ms_max), (5_000, 120_000));
    let settings = load(&set).unwrap();
    assert_eq!(settings.providers.len(), 1);
    let shown = serde_json::to_string(&settings.show()).unwrap();
    assert!(!format!("{settings:?}{shown}").contains("hunter"), "{shown}");
    assert!(shown.contains("[secret]"), "{shown}");
}

#[test]
fn a_server_of_ones_own_needs_its_address_alone() {
    let set = [("RETOUCH_PROVIDERS__VLLM__BASE_URL", "http://127.0.0.1:8091/v1")];
    let vllm = provider(&set, "vllm").unwrap();
    assert_eq!(vllm.base_url.as_str(), "http://127.0.0.1:8091/v1");
    assert!(vllm.api_key.is_none());
}

#[test]
fn another_address_of_a_provider_and_its_limits_can_be_set() {
    let set = [
        ("RETOUCH_PROVIDERS__DASHSCOPE__BASE_URL", "https://dashscope-intl.aliyuncs.com/api/v1"),
        ("RETOUCH_PROVIDERS__DASHSCOPE__API_KEY", "sk-1"),
        ("RETOUCH_PROVIDERS__DASHSCOPE__CONCURRENT_MAX", "2"),
        ("RETOUCH_PROVIDERS__DASHSCOPE__QUEUE_MAX", "0"),
        ("RETOUCH_PROVIDERS__DASHSCOPE__IDLE_MAX", "1 s"),
    ];
    let dashscope = provider(&set, "dashscope").unwrap();
    assert_eq!(dashscope.base_url.host_str(), Some("dashscope-intl.aliyuncs.com"));
    assert_eq!((dashscope.concurrent_max, dashscope.queue_max), (2, 0));
    assert_eq!(dashscope.idle_ms_max, 1000);
}

#[test]
fn several_of_one_kind_have_names_of_their_own() {
    let (_folder, path) = file(
        "[providers.eu-west]\nkind = \"azure\"\nbase_url = \"https://a.openai.azure.com\"\n\
         api_version = \"2025-04-01-preview\"\n[providers.my_server]\nkind = \"generic\"\n",
    );
    let sources = Sources { file: Some(path), ..Sources::none() }
        .with("RETOUCH_PROVIDERS__EU_WEST__API_KEY", "hunter22")
        .with("RETOUCH_PROVIDERS__MY_SERVER__BASE_URL", "http://10.0.0.7/v1")
        .with("RETOUCH_PROVIDERS__CELLAR__KIND", "sdcpp")
        .with("RETOUCH_PROVIDERS__CELLAR__BASE_URL", "http://10.0.0.8:1234");
    let providers = Settings::load(&sources).unwrap().providers;
    let kinds: Vec<_> =
        providers.iter().map(|(name, one)| (name.as_str(), one.kind.name)).collect();
    assert_eq!(kinds, [("cellar", "sdcpp"), ("eu-west", "azure"), ("my_server", "generic")]);
    assert_eq!(providers["eu-west"].api_version.as_deref(), Some("2025-04-01-preview"));
    assert!(providers["eu-west"].api_key.is_some());
}

#[test]
fn variables_that_are_set_to_nothing_configure_nothing() {
    let set = [
        ("RETOUCH_PROVIDERS__OPENAI__API_KEY", ""),
        ("RETOUCH_PROVIDERS__VLLM__BASE_URL", ""),
        ("RETOUCH_PROVIDERS__GEMINI__CONCURRENT_MAX", "8"),
    ];
    assert!(load(&set).unwrap().providers.is_empty());
}

#[test]
fn half_of_what_a_provider_needs_is_a_problem() {
    assert_snapshot!(file_refused(
        r#"
[providers.openai]
base_url = "https://proxy.example/v1"
[providers.generic]
api_key = "hunter22"
[providers.azure]
concurrent_max = 2
[providers.comfyui]
base_url = "http://127.0.0.1:8188"
[providers.upstairs]
kind = "sglang"
"#
    ), @r#"
    providers.azure.api_key: missing: Azure OpenAI needs an API key; set it here or in RETOUCH_PROVIDERS__AZURE__API_KEY (FILE:7)
    providers.azure.base_url: missing: Azure OpenAI needs the address of your server; set it here or in RETOUCH_PROVIDERS__AZURE__BASE_URL (FILE:7)
    providers.comfyui.workflows: missing: ComfyUI needs a workflow file for each model; set it here or in RETOUCH_PROVIDERS__COMFYUI__WORKFLOWS (FILE:9)
    providers.generic.base_url: missing: an OpenAI-compatible server needs the address of your server; set it here or in RETOUCH_PROVIDERS__GENERIC__BASE_URL (FILE:5)
    providers.openai.api_key: missing: OpenAI needs an API key; set it here or in RETOUCH_PROVIDERS__OPENAI__API_KEY (FILE:3)
    providers.upstairs.base_url: missing: SGLang needs the address of your server; set it here or in RETOUCH_PROVIDERS__UPSTAIRS__BASE_URL (FILE:11)
    "#);
}

#[test]
fn names_and_kinds_that_nobody_knows_are_problems() {
    assert_snapshot!(file_refused(
        r#"
[providers.opanai]
api_key = "hunter22"
[providers.mine]
kind = "dashscop"
[providers.Upstairs]
kind = "generic"
[providers.built-in]
api_key = "hunter22"
[providers.openai]
api_kye = "hunter22"
"#
    ), @r#"
    providers.Upstairs.kind: "Upstairs" is not a valid provider name: use at most 40 characters from a-z, 0-9, - and _, with a letter first, and not built-in (FILE:7)
    providers.built-in.api_key: "built-in" is not a valid provider name: use at most 40 characters from a-z, 0-9, - and _, with a letter first, and not built-in (FILE:9)
    providers.openai.api_kye: unknown setting; did you mean providers.openai.api_key? (FILE:11)
    providers.mine.kind: unknown provider "dashscop"; did you mean dashscope? Known providers: openai, gemini, ark, byteplus, dashscope, fal, replicate, bfl, azure, litellm, vllm, sglang, sdcpp, nim, xinference, generic, comfyui. To use a name of your choice, set kind to one of them (FILE:5)
    providers.opanai.api_key: unknown provider "opanai"; did you mean openai? Known providers: openai, gemini, ark, byteplus, dashscope, fal, replicate, bfl, azure, litellm, vllm, sglang, sdcpp, nim, xinference, generic, comfyui. To use a name of your choice, set kind to one of them (FILE:3)
    "#);
    assert_snapshot!(refused(&[
        ("RETOUCH_PROVIDERS__NOBODY__API_KEY", "hunter22"),
        ("RETOUCH_PROVIDERS__GEMINI__API_KYE", "hunter22"),
        ("RETOUCH_PROVIDERS__GEMINI", "hunter22"),
    ]), @r#"
    RETOUCH_PROVIDERS__GEMINI: unknown setting; `retouch config show` lists all settings
    RETOUCH_PROVIDERS__GEMINI__API_KYE: unknown setting; did you mean RETOUCH_PROVIDERS__GEMINI__API_KEY?
    providers.nobody.api_key: unknown provider "nobody". Known providers: openai, gemini, ark, byteplus, dashscope, fal, replicate, bfl, azure, litellm, vllm, sglang, sdcpp, nim, xinference, generic, comfyui. To use a name of your choice, set kind to one of them (RETOUCH_PROVIDERS__NOBODY__API_KEY)
    "#);
}

#[test]
fn values_that_cannot_be_are_problems() {
    assert_snapshot!(file_refused(
        r#"
[providers.openai]
api_key = "hunter 22"
base_url = "api.openai.com"
api_version = "v1"
concurrent_max = 0
connect_time_max = "long"
[providers.gemini]
api_key = "hunter22"
api_version = "v1/models"
workflows = ["edit.json"]
"#
    ), @r#"
    providers.openai.connect_time_max: "long": expected a duration such as "20 s", in ms, s, min, h or d (FILE:7)
    providers.gemini.workflows: not a setting of gemini, only of comfyui (FILE:11)
    providers.gemini.api_version: "v1/models": expected a version such as v1beta (FILE:10)
    providers.openai.api_version: not a setting of openai, only of gemini and azure (FILE:5)
    providers.openai.api_key: expected an API key on one line, in ASCII and without spaces (FILE:3)
    providers.openai.concurrent_max: 0 is out of range; expected 1 to 10000 (FILE:6)
    providers.openai.base_url: "api.openai.com": expected an address such as https://example.com (FILE:4)
    "#);
}

#[test]
fn a_copy_of_the_defaults_is_a_file_of_settings() {
    let defaults = include_str!("../../../../config.default.toml");
    assert!(of_file(defaults).unwrap().providers.is_empty());
    let forgotten = defaults.replace("api_key = \"\"", "api_key = \"hunter22\"");
    assert_snapshot!(file_refused(&forgotten).replace(char::is_numeric, "0"), @r#"
    providers.NAME.api_key: replace NAME with the provider's name (FILE:000)
    "#);
}
