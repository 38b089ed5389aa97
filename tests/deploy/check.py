"""Checks deploy/compose.yaml and deploy/kubernetes with their schemas; see run.

Usage: check.py DEPLOY COMPOSE_SCHEMA
"""

import json
import pathlib
import sys

import jsonschema
import kubernetes_validate
import yaml

# The oldest Kubernetes that gets fixes for long enough to matter, and the newest that is known here.
VERSIONS = ["1.30", "1.37"]
# Kinds that Kubernetes itself does not have.
FOREIGN = {"Kustomization", "ServiceMonitor"}

wrong = []


def check(name, found):
    """Prints and counts the problems of a file."""
    found = list(found)
    wrong.extend(found)
    print("ok " if not found else "BAD", name, *found, sep="\n     " if found else " ")


def problems_of_compose(file, schema):
    content = yaml.safe_load(file.read_text())
    schema = json.loads(schema.read_text())
    for error in jsonschema.Draft7Validator(schema).iter_errors(content):
        yield f"{'/'.join(map(str, error.absolute_path))}: {error.message}"
    declared = set(content["secrets"])
    for name, service in content["services"].items():
        for secret in set(service.get("secrets", [])) - declared:
            yield f"services/{name}: there is no secret {secret}"


def is_foreign(file):
    return any(content["kind"] in FOREIGN for content in yaml.safe_load_all(file.read_text()))


def problems_of_kubernetes(file):
    for content in yaml.safe_load_all(file.read_text()):
        for version in VERSIONS:
            try:
                kubernetes_validate.validate(content, version, strict=True)
            except kubernetes_validate.ValidationError as error:
                yield f"{content['kind']}, Kubernetes {version}: {error.message}"


def problems_of_kustomization(folder):
    content = yaml.safe_load((folder / "kustomization.yaml").read_text())
    for name in content["resources"]:
        if not (folder / name).exists():
            yield f"there is no {name}"
    applied = set(content["resources"]) | {"kustomization.yaml"}
    for file in folder.glob("*.yaml"):
        if file.name not in applied and not file.name.endswith(".example.yaml"):
            yield f"{file.name} is not applied"


def check_the_check(schema):
    """A wrong file must be found."""
    typo = {"services": {"one": {"image": "x", "readonly": True}}}
    assert list(jsonschema.Draft7Validator(json.loads(schema.read_text())).iter_errors(typo))
    for version in VERSIONS:
        service = {"apiVersion": "v1", "kind": "Service", "spec": {"port": 1}}
        try:
            kubernetes_validate.validate(service, version, strict=True)
        except kubernetes_validate.ValidationError:
            continue
        sys.exit(f"the schema of Kubernetes {version} accepts anything")


def main():
    deploy, schema = map(pathlib.Path, sys.argv[1:])
    check_the_check(schema)
    check("compose.yaml", problems_of_compose(deploy / "compose.yaml", schema))
    kubernetes = deploy / "kubernetes"
    for file in sorted(kubernetes.glob("*.yaml")):
        if is_foreign(file):
            print("--  no schema for", file.name)
            continue
        check(f"kubernetes/{file.name}", problems_of_kubernetes(file))
    check("kubernetes/kustomization.yaml: resources", problems_of_kustomization(kubernetes))
    sys.exit(f"{len(wrong)} problems" if wrong else 0)


main()
