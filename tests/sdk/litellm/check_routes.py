"""Compares the routes of models.toml with LiteLLM's table of models: shutdown dates and prices."""

import datetime
import importlib.util
import json
import pathlib
import sys
import tomllib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))

from sdk_check import ok

TABLE = "model_prices_and_context_window_backup.json"
CATALOGUE = pathlib.Path(__file__).resolve().parents[3] / "models.toml"
# LiteLLM's name for a provider's model. The first one that is in its table counts.
NAMES = {
    "openai": ["{}"],
    "azure": ["azure/{}"],
    "gemini": ["gemini/{}"],
    "dashscope": ["dashscope/{}"],
    "fal": ["fal_ai/{}"],
    "replicate": ["replicate/{}"],
    "ark": ["volcengine/{}"],
    "byteplus": ["byteplus/{}"],
    "bfl": ["black_forest_labs/{}"],
}
# The catalogue must have at least this many matches, so that a renaming cannot disable the check.
MATCHES_MIN = 6


def table():
    package = pathlib.Path(importlib.util.find_spec("litellm").origin).parent
    return json.loads((package / TABLE).read_text())


def routes(catalogue):
    return [(model["id"], route) for model in catalogue["models"] for route in model.get("routes", [])]


def found(known, route):
    names = [name.format(route["model"]) for name in NAMES.get(route["provider"], [])]
    return next((known[name] for name in names if name in known), None)


def shut_down(known, catalogue, today):
    """Routes to models that are shut down, or whose end is too late in the catalogue."""
    wrong = []
    for model, route in routes(catalogue):
        day = (found(known, route) or {}).get("deprecation_date")
        if day and (day <= today or route.get("ends", "9999-12-31") > day):
            wrong.append(f"{model}: {route['model']} at {route['provider']} ends on {day}")
    return wrong


def dearer(known, catalogue):
    """Routes with a price per image that is higher in the table than in the catalogue."""
    wrong = []
    for model, route in routes(catalogue):
        entry = found(known, route) or {}
        # Prefer the entry for the quality: the plain entry may be for another quality.
        by_quality = f"fal_ai/medium/1024-x-1024/{route['model']}"
        cost = known.get(by_quality, entry).get("output_cost_per_image")
        if cost and cost > float(route["cost_usd"]) + 1e-9:
            wrong.append(f"{model}: {route['model']} at {route['provider']} costs {cost}")
    return wrong


def main():
    known, catalogue = table(), tomllib.loads(CATALOGUE.read_text())
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    matched = sum(found(known, route) is not None for _, route in routes(catalogue))
    ok(f"{matched} of {len(routes(catalogue))} routes are in LiteLLM's table", matched >= MATCHES_MIN)
    wrong = shut_down(known, catalogue, today)
    ok(f"no route ends earlier in the table: {wrong}", not wrong)
    wrong = dearer(known, catalogue)
    ok(f"no route is more expensive in the table: {wrong}", not wrong)
    # The checks find what they should.
    old = {"id": "old", "routes": [{"provider": "openai", "model": "gpt-image-1", "cost_usd": "0.01"}]}
    ok("a route to a model that is shut down is found", shut_down(known, {"models": [old]}, "2026-11-22"))
    late = {**old, "routes": [{**old["routes"][0], "ends": "2027-01-01"}]}
    ok("and an end that is too late", shut_down(known, {"models": [late]}, "2026-01-01"))
    dear = [{"provider": "fal", "model": "fal-ai/nano-banana-2", "cost_usd": "0.01"}]
    ok("and a cost that is too low", dearer(known, {"models": [{"id": "dear", "routes": dear}]}))


main()
