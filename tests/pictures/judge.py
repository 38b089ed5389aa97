"""What must hold of every file, but for exceptions."""

from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageChops, ImageStat

import reference
from survey import survey

# How far apart two right decoders may be, in levels: the largest difference and the mean. JPEG leaves
# a level open in each component (ITU-T T.83); one of luma and one of chroma are 1 + 1.772 levels of
# blue, and how chroma is stretched to the size of luma is open too. Lossy WebP leaves the latter open.
TOLERANCES = {"JPEG": (4, 0.5), "WebP": (2, 0.3)}
EXACT = (0, 0.0)
DIFFERS = "decoded: differs"
UNREAD = "decoded: not read by Pillow"
# A transparent pixel of these is a number without a colour, or what an animation's canvas was cleared
# with.
WITHOUT_HIDDEN_COLOURS = ("GIF", "WebP")
# A sentence that says what is wrong and what to do is longer.
REASON_CHARS_MIN = 30


@dataclass
class Result:
    """What came of one file; `wrong` says why it fails the run, if it does."""

    name: str
    verdict: str
    wrong: str | None = None
    cpu_s: float = 0
    resident_bytes: int = 0
    difference: tuple[int, float] = EXACT


def judged(program: str, name: str, file: Path, same_as: Path | None) -> Result:
    """Decodes a file by both decoders; Pillow's picture may be that of another file."""
    try:
        told = survey(program, file)
    except RuntimeError as error:
        return Result(name, "crashed", wrong=str(error))
    said = told.said
    if "refused" in said:
        reason = said["reason"]
        wrong = None if len(reason) >= REASON_CHARS_MIN else f"the reason says nothing: {reason}"
        result = Result(name, f"refused: {said['refused']}", wrong)
    elif said["peak_bytes"] > said["announced_bytes"]:
        wrong = f"took {said['peak_bytes']} bytes, announced {said['announced_bytes']}"
        result = Result(name, "took too much memory", wrong)
    else:
        size = (said["width"], said["height"])
        ours = Image.frombytes("RGBA", size, told.pixels)
        result = compared(name, same_as or file, ours, kind_of(file, said["format"]))
    result.cpu_s, result.resident_bytes = told.cpu_s, told.resident_bytes
    return result


def kind_of(file: Path, kind: str) -> str:
    """The format, with that of WebP's two apart that keeps every pixel."""
    return "lossless WebP" if file.read_bytes()[12:16] == b"VP8L" else kind


def compared(name: str, file: Path, ours: Image.Image, kind: str) -> Result:
    """The verdict on what was decoded: by Pillow, else by the collection itself."""
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
    """The verdict by another decoder's picture."""
    if theirs.size != ours.size:
        wrong = f"has {ours.size}, and theirs has {theirs.size}"
        return Result(name, DIFFERS, wrong, difference=(255, 255.0))
    if kind in WITHOUT_HIDDEN_COLOURS:
        ours, theirs = reference.bare(ours), reference.bare(theirs)
    difference = ImageChops.difference(ours, theirs)
    largest = max(high for _, high in difference.getextrema())
    mean = max(ImageStat.Stat(difference).mean)
    largest_max, mean_max = TOLERANCES.get(kind, EXACT)
    if largest <= largest_max and mean <= mean_max:
        return Result(name, "decoded: agrees", difference=(largest, mean))
    wrong = f"differs by {largest} at most, by {mean:.3f} in the mean"
    return Result(name, DIFFERS, wrong, difference=(largest, mean))
