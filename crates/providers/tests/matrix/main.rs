//! Sends every parameter of every model in the catalogue over every route, and compares exactly
//! what the provider is sent. For each route, the snapshot has the plainest request in full. For
//! every other request, it has the differences and what is reported to the caller.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod asked;
mod cases;
mod text;

use retouch_core::Kind;
use retouch_core::catalogue::{Catalogue, EMBEDDED, Model, Route};
use retouch_providers::kinds::{self, Options};

use asked::{Asked, Request};
use cases::{Case, cases};

#[test]
fn every_route_is_asked_exactly_so() {
    let catalogue = Catalogue::parse(EMBEDDED).unwrap();
    for model in &catalogue.models {
        for (number, route) in model.routes.iter().enumerate() {
            for kind in kinds(model, route) {
                let text = written_out(&catalogue, model, route, kind);
                let (id, provider, kind) = (&model.id, &route.provider, kind.as_str());
                insta::assert_snapshot!(format!("{id}_{number}_{provider}_{kind}"), text);
            }
        }
    }
}

#[test]
fn no_parameter_is_dropped_in_silence() {
    let catalogue = Catalogue::parse(EMBEDDED).unwrap();
    let mut dropped = Vec::new();
    for model in &catalogue.models {
        for route in &model.routes {
            for kind in kinds(model, route) {
                let silent = silent(&catalogue, model, route, kind);
                let (kind, model) = (kind.as_str(), &route.model);
                dropped.extend(silent.into_iter().map(|name| format!("{kind}, {model}: {name}")));
            }
        }
    }
    assert!(dropped.is_empty(), "{dropped:#?}");
}

/// The requests that equal the plainest one and produce no warning. One shape, one size and one
/// quality are left out, because they are the defaults that the plainest request uses too.
fn silent(catalogue: &Catalogue, model: &Model, route: &Route, kind: Kind) -> Vec<String> {
    let (plain, others) = asked(catalogue, model, route, kind);
    let same = |asked: &Asked| asked.lines == plain.lines && asked.remarks == plain.remarks;
    let silent = others.iter().filter(|(case, asked)| case.has_effect && same(asked));
    let names: Vec<_> = silent.map(|(case, _)| case.name.clone()).collect();
    let is_usual = |name: &String| {
        let alike = |param: &str| names.iter().filter(|name| name.contains(param)).count() == 1;
        ["aspectRatio", "size", "quality"].iter().any(|param| name.contains(param) && alike(param))
    };
    names.iter().filter(|name| !is_usual(name)).cloned().collect()
}

/// The kinds that a route serves.
fn kinds(model: &Model, route: &Route) -> Vec<Kind> {
    let all = Kind::ALL.into_iter();
    all.filter(|kind| model.does(*kind) && route.does(*kind)).collect()
}

/// What is sent for the plainest request, and for every other one.
fn asked(
    catalogue: &Catalogue,
    model: &Model,
    route: &Route,
    kind: Kind,
) -> (Asked, Vec<(Case, Asked)>) {
    let dialect = kinds::find(&route.provider).unwrap().dialect(&Options::default()).unwrap();
    let mut all = cases(model, kind).into_iter().map(|case| {
        let asked = Asked::of(&Request { catalogue, case: &case, kind }, &*dialect, &route.model);
        (case, asked)
    });
    let (_, plain) = all.next().unwrap();
    (plain, all.collect())
}

fn written_out(catalogue: &Catalogue, model: &Model, route: &Route, kind: Kind) -> String {
    let (plain, others) = asked(catalogue, model, route, kind);
    let mut text = format!("{} at {}\n\n{plain}", route.model, route.provider);
    for (case, asked) in &others {
        text += &format!("\n# {}\n{}", case.name, asked.beside(&plain));
    }
    text
}
