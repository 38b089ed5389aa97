"""Decodes every file of the collections and compares the results with Pillow's.

check.py SURVEY EXCEPTIONS WORD NAME=FOLDER...

Each file must be refused with a reason, decoded as Pillow decodes it, or listed in EXCEPTIONS.
Anything else fails, and so does an exception that is not needed.
"""

import os
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from exceptions import Exceptions
from judge import Result, judged


def files(folders: list[str]) -> list[tuple[str, Path]]:
    """Every file of the collections, with its name in EXCEPTIONS."""
    found = []
    for named in folders:
        name, folder = named.split("=", 1)
        paths = (path for path in Path(folder).rglob("*") if path.is_file() and path.suffix != ".rs")
        found += [(f"{name}/{path.relative_to(folder).as_posix()}", path) for path in paths]
    return sorted(found)


def report(results: list[Result]) -> None:
    """Prints the counts and the highest costs."""
    print(f"{len(results)} files")
    for verdict, count in sorted(Counter(result.verdict for result in results).items()):
        print(f"  {count:5} {verdict}")
    for what, amount in (
        ("s of CPU for two decodings", lambda result: result.cpu_s),
        ("MiB resident", lambda result: result.resident_bytes / 2**20),
    ):
        most = max(results, key=amount)
        print(f"  at most {amount(most):.1f} {what}: {most.name}")


def main() -> None:
    program, exceptions_file, word, *folders = sys.argv[1:]
    exceptions = Exceptions(Path(exceptions_file))
    all_files = files(folders)
    paths = dict(all_files)

    def judge(named: tuple[str, Path]) -> Result:
        return judged(program, *named, paths.get(exceptions.same_as(named[0])))

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(judge, (file for file in all_files if word in file[0])))
    wrong = [words for result in results if (words := exceptions.verdict(result))]
    if not word:
        wrong += exceptions.unneeded()
    if results:
        report(results)
    for count, reason in exceptions.used():
        print(f"  {count:5} excepted: {reason}")
    if wrong:
        sys.exit("\n".join([f"{len(wrong)} wrong:", *wrong]))


main()
