"""What somebody else shows for a file: upright, in sRGB, as RGBA. Nothing here shares code with our
decoders."""

import io
import warnings
from pathlib import Path

from PIL import Image, ImageCms, ImageOps

SRGB = ImageCms.createProfile("sRGB")
# Formats that we say we read.
FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF")
# All of its formats, before threads ask for some.
Image.init()


def shown(file: Path) -> Image.Image:
    """As Pillow shows it. Raises whatever Pillow raises where it does not read the file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with Image.open(file, formats=FORMATS) as image:
            image.load()
            profile = image.info.get("icc_profile")
            return converted(ImageOps.exif_transpose(image), profile)


def published(file: Path) -> Image.Image | None:
    """What the file's own collection says that it shows, where that is told: the crate image has
    reference/KIND/images/NAME.CHECKSUM.png for images/KIND/images/NAME."""
    for folder in file.parents:
        pictures = folder.parent / "reference"
        if folder.name == "images" and pictures.is_dir():
            place = pictures / file.relative_to(folder)
            found = list(place.parent.glob(f"{glob_escaped(place.name)}.*.png"))
            return shown(found[0]) if len(found) == 1 else None
    return None


def glob_escaped(name: str) -> str:
    """A name without the characters that would mean others."""
    return "".join("?" if letter in "[]*?" else letter for letter in name)


def converted(image: Image.Image, profile: bytes | None) -> Image.Image:
    """Through the profile where it fits the pixels, else by the plain meaning of the numbers."""
    plain = narrowed(image)
    source = plain.convert("RGB") if plain.mode == "P" else plain
    if profile and source.mode in ("RGB", "RGBA", "L", "CMYK"):
        try:
            return through(profile, source)
        except (ImageCms.PyCMSError, OSError):
            pass
    return plain.convert("RGBA")


def through(profile: bytes, image: Image.Image) -> Image.Image:
    """Colours by Little CMS; opacity as it is."""
    colours = image.convert("RGB") if image.mode == "RGBA" else image
    opened = ImageCms.ImageCmsProfile(io.BytesIO(profile))
    result = ImageCms.profileToProfile(colours, opened, SRGB, outputMode="RGB").convert("RGBA")
    if image.mode == "RGBA":
        result.putalpha(image.getchannel("A"))
    return result


def narrowed(image: Image.Image) -> Image.Image:
    """Gray of 16 bits as 8 bits, rounded to nearest; Pillow's own conversion would cut it off."""
    if image.mode.startswith("I"):
        wide = image.convert("I")
        return wide.point(lambda level: level * (1 / 257) + 0.5).convert("L")
    return image


def bare(image: Image.Image) -> Image.Image:
    """Without the colours of what is wholly transparent."""
    clear = image.getchannel("A").point(lambda alpha: 255 if alpha == 0 else 0)
    image.paste((0, 0, 0, 0), mask=clear)
    return image
