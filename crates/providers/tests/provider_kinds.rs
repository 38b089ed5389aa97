//! The table of providers, and whether each provider supports the catalogue's routes to it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};

use retouch_core::Kind;
use retouch_core::catalogue::{Catalogue, EMBEDDED, Model, Route};
use retouch_core::edit::{Body, Edit, RequestLimits};
use retouch_providers::kinds::{self, KINDS, Key, Options, OwnSetting};
use retouch_providers::upstream::Dialect;
use serde_json::json;

fn dialect(name: &str) -> Box<dyn Dialect> {
    kinds::find(name).unwrap().dialect(&Options::default()).unwrap()
}

#[test]
fn every_provider_has_a_name_of_its_own_and_what_it_needs() {
    let names: BTreeSet<&str> = KINDS.iter().map(|provider| provider.name).collect();
    assert_eq!(names.len(), KINDS.len());
    for provider in KINDS {
        // A key is sent over encrypted connections only, unless an operator decides otherwise.
        let address = provider.base_url.map(|address| url::Url::parse(address).unwrap());
        assert!(address.as_ref().is_none_or(|address| address.scheme() == "https"));
        assert!(address.is_none() || provider.key == Key::Needed, "{}", provider.name);
        assert!(
            !dialect(provider.name)
                .probe()
                .headers
                .iter()
                .any(|(name, _)| *name == "authorization")
        );
    }
    assert!(kinds::find("nobody").is_none());
    assert!(kinds::names().starts_with("openai, gemini, "));
}

#[test]
fn a_setting_of_few_providers_is_used_by_those() {
    let versioned = Options { api_version: Some("v7".into()), ..Options::default() };
    for provider in KINDS {
        let probes = [&Options::default(), &versioned]
            .map(|options| provider.dialect(options).unwrap().probe());
        let is_used = probes[0] != probes[1];
        assert_eq!(is_used, provider.has(OwnSetting::ApiVersion), "{}", provider.name);
    }
    let workflows = BTreeMap::from([("edit".to_owned(), "no graph".to_owned())]);
    let broken = Options { workflows, ..Options::default() };
    for provider in KINDS {
        let made = provider.dialect(&broken).map(drop).map_err(|error| error.to_string());
        assert_eq!(made.is_err(), provider.has(OwnSetting::Workflows), "{}", provider.name);
        assert!(made.err().is_none_or(|error| error.starts_with("the workflow edit: ")));
    }
}

/// The routes of the catalogue, each with its model and kind.
fn all_routes(catalogue: &Catalogue) -> impl Iterator<Item = (&Model, &Route, Kind)> {
    catalogue.models.iter().flat_map(|model| {
        model.routes.iter().flat_map(move |route| {
            let kinds = model.kinds.iter().filter(|kind| route.does(**kind));
            kinds.map(move |kind| (model.as_ref(), route, *kind))
        })
    })
}

/// A request for `kind` of `model` with `pictures` input images.
fn request(catalogue: &Catalogue, model: &Model, kind: Kind, pictures: usize) -> Edit {
    let addresses: Vec<String> =
        (0..pictures).map(|number| format!("https://example.org/{number}.png")).collect();
    let mut body = json!({ "instruction": "make it night", "model": model.id });
    if pictures > 0 {
        body["imageUrls"] = json!(addresses);
    }
    let text = body.to_string();
    let limits = RequestLimits { image_bytes_max: 1 << 20 };
    catalogue.accept(kind, &Body::parse(text.as_bytes()).unwrap(), limits).unwrap()
}

#[test]
fn each_route_of_the_catalogue_can_do_what_its_model_offers() {
    let catalogue = Catalogue::parse(EMBEDDED).unwrap();
    for (model, route, kind) in all_routes(&catalogue) {
        let place =
            format!("{} by {} {} for {}", model.id, route.provider, route.model, kind.as_str());
        let dialect = dialect(&route.provider);
        let counts = match kind {
            Kind::ImageEdit => 1..=model.max_input_images,
            Kind::TextToImage => 0..=0,
            Kind::Video => 0..=model.max_input_images,
        };
        let takes = dialect.picture_rules(&route.model).count_max;
        assert!(takes >= *counts.end(), "{place}: takes {takes} of {} pictures", counts.end());
        for count in counts {
            let read = dialect.read(&request(&catalogue, model, kind, count), &route.model);
            assert!(read.is_ok(), "{place}, {count} pictures: {read:?}");
        }
    }
}

#[test]
fn the_two_models_that_must_differ_share_no_provider() {
    let catalogue = Catalogue::parse(EMBEDDED).unwrap();
    let providers = |id: &str| -> BTreeSet<String> {
        let routes = &catalogue.find_model(id).unwrap().routes;
        routes.iter().map(|route| route.provider.clone()).collect()
    };
    let (alpha, beta) = (providers("alpha-image-2-free"), providers("beta-image-2"));
    assert!(!alpha.is_empty() && !beta.is_empty());
    assert!(alpha.is_disjoint(&beta), "{alpha:?} {beta:?}");
}
