"""The rules for every file without an exception."""

from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageChops, ImageStat

import reference
from survey import survey

# How much two correct decoders may differ, in levels: the largest difference and the mean. JPEG allows
# one level in each component (ITU-T T.83). One of luma and one of chroma make 1 + 1.772 levels of blue,
# and JPEG does not define how chroma is upsampled. Lossy WebP does not define that either.
TOLERANCES = {"JPEG": (4, 0.5), "WebP": (2, 0.3)}
EXACT = (0, 0.0)
DIFFERS = "decoded: differs"
UNREAD = "decoded: not read by Pillow"
# In these formats, a transparent pixel is a number without a color, or the color that an animation's
# canvas was cleared with.
WITHOUT_HIDDEN_COLOURS = ("GIF", "WebP")
# A message that says what is wrong and what to do is longer.
REASON_CHARS_MIN = 30


@dataclass
class Result:
    """The result for one file. `wrong` says why it fails the run, if it does."""

    name: str
    verdict: str
    wrong: str | None = None
    cpu_s: float = 0
    resident_bytes: int = 0
    difference: tuple[int, float] = EXACT


def judged(program: str, name: str, file: Path, same_as: Path | None) -> Result:
    """Decodes a file with both decoders. `same_as` is a file with the same image for Pillow, if needed."""
    try:
        told = survey(program, file)
    except RuntimeError as error:
        return Result(name, "crashed", wrong=str(error))
    said = told.said
    if "refused" in said:
        reason = said["reason"]
        wrong = None if len(reason) >= REASON_CHARS_MIN else f"the reason is too short: {reason}"
        result = Result(name, f"refused: {said['refused']}", wrong)
    elif said["peak_bytes"] > said["announced_bytes"]:
        wrong = f"used {said['peak_bytes']} bytes but announced {said['announced_bytes']}"
        result = Result(name, "used too much memory", wrong)
    else:
        size = (said["width"], said["height"])
        ours = Image.frombytes("RGBA", size, told.pixels)
        result = compared(name, same_as or file, ours, kind_of(file, said["format"]))
    result.cpu_s, result.resident_bytes = told.cpu_s, told.resident_bytes
    return result


def kind_of(file: Path, kind: str) -> str:
    """The format, with lossless WebP as a format of its own."""
    return "lossless WebP" if file.read_bytes()[12:16] == b"VP8L" else kind


def compared(name: str, file: Path, ours: Image.Image, kind: str) -> Result:
    """The verdict on a decoded image: by comparison with Pillow, or else with the collection's reference."""
    try:
        theirs = reference.shown(file)
    except Exception as error:  # Pillow raises a dozen kinds.
        wrong = f"decoded, and Pillow says {type(error).__name__}: {error}"
        result = Result(name, UNREAD, wrong)
    else:
        result = beside(name, theirs, ours, kind)
    if result.wrong and (published := reference.published(file)):
        again = beside(name, published, ours, kind)
        if not again.wrong or result.verdict == UNREAD:
            return again
    return result


def beside(name: str, theirs: Image.Image, ours: Image.Image, kind: str) -> Result:
    """The verdict by comparison with another decoder's image."""
    if theirs.size != ours.size:
        wrong = f"is {ours.size}, but the reference is {theirs.size}"
        return Result(name, DIFFERS, wrong, difference=(255, 255.0))
    if kind in WITHOUT_HIDDEN_COLOURS:
        ours, theirs = reference.bare(ours), reference.bare(theirs)
    difference = ImageChops.difference(ours, theirs)
    largest = max(high for _, high in difference.getextrema())
    mean = max(ImageStat.Stat(difference).mean)
    largest_max, mean_max = TOLERANCES.get(kind, EXACT)
    if largest <= largest_max and mean <= mean_max:
        return Result(name, "decoded: agrees", difference=(largest, mean))
    wrong = f"differs by at most {largest}, and by {mean:.3f} on average"
    return Result(name, DIFFERS, wrong, difference=(largest, mean))
