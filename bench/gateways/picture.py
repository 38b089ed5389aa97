#!/usr/bin/env python3
"""Draws the calls a second of all gateways, from the figures of `retouch-bench gateway`, as an SVG.

    bench/gateways/picture.py FIGURES.json > docs/performance.svg
"""

import json
import sys
from html import escape

SIZES = ("8 KB", "1.5 MB")
LEFT, RIGHT, BAR, GAP = 150, 640, 22, 10
STYLE = """
text { font: 14px system-ui, sans-serif; fill: #1b1b1b }
.title { font-weight: 600 }
.ours { fill: #0f766e } .other { fill: #9ca3af }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f0f0 }
  .ours { fill: #2dd4bf } .other { fill: #6b7280 }
}"""


def calls(figures, size):
    """Calls a second by gateway, the fastest first. The simulator alone is no gateway."""
    start, end = f"{size}, ", ", 16 at once"
    found = {
        row["case"].removeprefix(start).removesuffix(end): row["value"]
        for row in figures
        if row["name"] == "calls" and row["case"].startswith(start) and row["case"].endswith(end)
    }
    found.pop("simulator alone")
    named = {name.replace("ours", "Retouch"): value for name, value in found.items()}
    return sorted(named.items(), key=lambda row: -row[1])


def panel(size, rows, top):
    """The bars of one size of image, and the height below them."""
    longest = rows[0][1]
    parts = [f'<text class="title" x="0" y="{top + 14}">Images of {size}: edits a second, 16 at once</text>']
    top += 28
    for name, value in rows:
        width = (RIGHT - LEFT) * value / longest
        kind = "ours" if name == "Retouch" else "other"
        parts += [
            f'<text x="0" y="{top + 16}">{escape(name)}</text>',
            f'<rect class="{kind}" x="{LEFT}" y="{top}" width="{width:.1f}" height="{BAR}" rx="2"/>',
            f'<text x="{LEFT + width + 8:.1f}" y="{top + 16}">{value:,.0f}</text>',
        ]
        top += BAR + GAP
    return parts, top + 16


def main():
    figures = json.load(open(sys.argv[1], encoding="utf-8"))["figures"]
    parts, top = [], 0
    for size in SIZES:
        more, top = panel(size, calls(figures, size), top)
        parts += more
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {RIGHT + 80} {top}" role="img">')
    print("<title>Edits a second by gateway</title>", f"<style>{STYLE}\n</style>", *parts, "</svg>", sep="\n")


main()
