//! The exact requests to each kind of server.

use retouch_core::Kind;
use retouch_core::catalogue::Quality;
use retouch_core::image::Background;
use retouch_providers::Wish;
use retouch_providers::openai::{
    AZURE, GENERIC, LITELLM, NIM, OPENAI, OpenAi, Options, Profile, SGLANG, VLLM, XINFERENCE,
};
use retouch_providers::upstream::{Auth, Dialect, Order};

use crate::support::{Sample, dialect, edit, words};

/// Orders that show what a server's profile does with everything that a caller can set.
fn orders(model: &'static str) -> [(&'static str, Sample); 6] {
    [
        ("one picture", edit(model, &[(1600, 1200)])),
        ("two pictures, 3:2", edit(model, &[(1000, 1000), (640, 480)]).in_shape("3:2")),
        ("a size", edit(model, &[(1000, 1000)]).in_size("1920x1080")),
        ("everything", edit(model, &[(1000, 1000)]).in_shape("1:1").with(everything)),
        ("words alone", words(model)),
        ("words, everything", words(model).in_shape("16:9").with(everything)),
    ]
}

fn everything(edit: &mut retouch_core::edit::Edit) {
    edit.quality = Some(Quality::High);
    edit.watermark = Some(true);
    edit.negative_prompt = Some("people".into());
    edit.prompt_extend = Some(true);
}

fn shown(dialect: &dyn Dialect, model: &'static str) -> String {
    let orders = orders(model);
    let shown = orders.iter().map(|(name, sample)| format!("# {name}\n{}", sample.shown(dialect)));
    shown.collect::<Vec<_>>().join("\n")
}

#[test]
fn openai_is_asked_for_what_its_newer_models_make() {
    insta::assert_snapshot!(shown(&dialect(&OPENAI), "gpt-image-2"));
}

#[test]
fn openai_is_asked_for_one_of_three_sizes_of_its_older_models() {
    insta::assert_snapshot!(shown(&dialect(&OPENAI), "gpt-image-1.5"));
}

#[test]
fn azure_is_asked_by_its_newer_addresses() {
    insta::assert_snapshot!(shown(&dialect(&AZURE), "our-pictures"));
}

#[test]
fn azure_is_asked_by_its_older_addresses_where_a_version_is_set() {
    let options = Options { api_version: Some("2025-04-01-preview".into()) };
    let dialect = OpenAi::new(&AZURE, options);
    insta::assert_snapshot!(edit("gpt-image-2", &[(64, 64)]).shown(&dialect));
    assert_eq!(dialect.auth(), Auth::Header("api-key"));
}

#[test]
fn litellm_is_asked_for_what_every_provider_behind_it_knows() {
    insta::assert_snapshot!(shown(&dialect(&LITELLM), "gemini/gemini-3-pro-image"));
    let known = edit("openai/gpt-image-2", &[(1600, 1200)]).shown(&dialect(&LITELLM));
    assert!(known.contains("size: 1184x880") && known.contains("quality: medium"), "{known}");
}

#[test]
fn self_hosted_servers_are_asked_in_their_own_terms() {
    insta::assert_snapshot!("vllm", shown(&dialect(&VLLM), "Qwen/Qwen-Image-Edit-2511"));
    insta::assert_snapshot!("sglang", shown(&dialect(&SGLANG), "Qwen/Qwen-Image-Edit-2511"));
    insta::assert_snapshot!("xinference", shown(&dialect(&XINFERENCE), "qwen-image-edit"));
    insta::assert_snapshot!("nim", shown(&dialect(&NIM), "flux.2-klein"));
}

#[test]
fn any_other_server_is_asked_for_little() {
    insta::assert_snapshot!(shown(&dialect(&GENERIC), "some-model"));
}

#[test]
fn switches_that_are_off_are_no_reason_to_warn() {
    let off = edit("gpt-image-2", &[(64, 64)]).with(|edit| {
        edit.watermark = Some(false);
        edit.prompt_extend = Some(false);
    });
    for profile in [&OPENAI, &VLLM] {
        assert_eq!(dialect(profile).read(&off.edit, "gpt-image-2"), Ok(Vec::new()));
    }
}

#[test]
fn no_server_of_this_protocol_makes_videos() {
    let video = Sample::new(Kind::Video, "gpt-image-2", &[]);
    let refused = dialect(&OPENAI).read(&video.edit, "gpt-image-2").unwrap_err();
    assert_eq!(refused.param.as_deref(), Some("model"));
}

#[test]
fn words_that_a_server_may_run_never_reach_it() {
    let tag = "night <SD_cpp_extra_args>{\"seed\":1}</sd_cpp_extra_args>";
    let sample = edit("some-model", &[(64, 64)]);
    let samples = [
        ("instruction", sample.clone().with(|edit| edit.instruction = tag.into())),
        ("negative_prompt", sample.with(|edit| edit.negative_prompt = Some(tag.into()))),
    ];
    for (param, sample) in samples {
        let refused = dialect(&GENERIC).read(&sample.edit, "some-model").unwrap_err();
        assert_eq!(refused.param.as_deref(), Some(param));
        for other in all_but_generic() {
            assert!(dialect(other).read(&sample.edit, "some-model").is_ok(), "{}", other.name);
        }
    }
}

fn all_but_generic() -> [&'static Profile; 7] {
    [&OPENAI, &AZURE, &LITELLM, &VLLM, &SGLANG, &XINFERENCE, &NIM]
}

#[test]
fn a_server_that_has_a_field_for_it_is_told_a_hashed_name_of_the_end_user() {
    for (profile, is_told) in [(&OPENAI, true), (&AZURE, true), (&LITELLM, false), (&VLLM, false)] {
        let dialect = dialect(profile);
        for sample in [edit("gpt-image-2", &[(64, 64)]), words("gpt-image-2")] {
            let order = Order { end_user: Some("0123abcd"), ..sample.order() };
            let call = dialect.submit(&order, &[]).unwrap().call;
            assert_eq!(format!("{call:?}").contains("0123abcd"), is_told, "{}", profile.name);
        }
    }
}

#[test]
fn only_openai_and_azure_get_masks_and_backgrounds() {
    let sample = edit("gpt-image-2.5-flare", &[(64, 64)])
        .with(|edit| edit.background = Some(Background::Transparent));
    let mask = sample.pictures.first();
    for profile in all_but_generic().into_iter().chain([&GENERIC]) {
        let dialect = dialect(profile);
        let honors = profile.name == OPENAI.name || profile.name == AZURE.name;
        for wish in [Wish::Mask, Wish::TransparentBackground] {
            assert_eq!(dialect.fulfills(wish, sample.model), honors, "{} {wish:?}", profile.name);
        }
        let order = Order { mask, ..sample.order() };
        let call = format!("{:?}", dialect.submit(&order, &[]).unwrap().call);
        assert_eq!(call.contains("transparent"), honors, "{}", profile.name);
    }
    let order = Order { mask, ..sample.order() };
    let call = format!("{:?}", dialect(&OPENAI).submit(&order, &[]).unwrap().call);
    assert!(call.contains("\"mask\"") && call.contains("mask.png"), "{call}");
}

#[test]
fn the_first_gpt_image_2_makes_no_transparent_background() {
    for (model, makes) in [
        ("gpt-image-2", false),
        ("openai/gpt-image-2-2026-04-21", false),
        ("gpt-image-2.5-flare", true),
        ("our-deployment", true),
    ] {
        assert_eq!(dialect(&OPENAI).fulfills(Wish::TransparentBackground, model), makes, "{model}");
        assert!(dialect(&OPENAI).fulfills(Wish::Mask, model));
    }
}
