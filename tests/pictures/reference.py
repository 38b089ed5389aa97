"""How an independent decoder shows a file: upright, in sRGB, as RGBA. This shares no code with
Retouch's decoders."""

import io
import warnings
from pathlib import Path

from PIL import Image, ImageCms, ImageOps

SRGB = ImageCms.createProfile("sRGB")
# The formats that Retouch supports.
FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF")
# Loads all of Pillow's formats before threads use them.
Image.init()


def shown(file: Path) -> Image.Image:
    """The image as Pillow shows it. Raises Pillow's exception if it cannot read the file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with Image.open(file, formats=FORMATS) as image:
            image.load()
            profile = image.info.get("icc_profile")
            return converted(ImageOps.exif_transpose(image), profile)


def published(file: Path) -> Image.Image | None:
    """The reference image of the file's own collection, if there is one: the crate image has
    reference/KIND/images/NAME.CHECKSUM.png for images/KIND/images/NAME."""
    for folder in file.parents:
        pictures = folder.parent / "reference"
        if folder.name == "images" and pictures.is_dir():
            place = pictures / file.relative_to(folder)
            found = list(place.parent.glob(f"{glob_escaped(place.name)}.*.png"))
            return shown(found[0]) if len(found) == 1 else None
    return None


def glob_escaped(name: str) -> str:
    """A name with its wildcard characters replaced."""
    return "".join("?" if letter in "[]*?" else letter for letter in name)


def converted(image: Image.Image, profile: bytes | None) -> Image.Image:
    """Converts with the color profile if it fits the pixels, or else takes the numbers as sRGB."""
    plain = narrowed(image)
    source = plain.convert("RGB") if plain.mode == "P" else plain
    if profile and source.mode in ("RGB", "RGBA", "L", "CMYK"):
        try:
            return through(profile, source)
        except (ImageCms.PyCMSError, OSError):
            pass
    return plain.convert("RGBA")


def through(profile: bytes, image: Image.Image) -> Image.Image:
    """Converts the colors with Little CMS and keeps the opacity."""
    colours = image.convert("RGB") if image.mode == "RGBA" else image
    opened = ImageCms.ImageCmsProfile(io.BytesIO(profile))
    result = ImageCms.profileToProfile(colours, opened, SRGB, outputMode="RGB").convert("RGBA")
    if image.mode == "RGBA":
        result.putalpha(image.getchannel("A"))
    return result


def narrowed(image: Image.Image) -> Image.Image:
    """16-bit gray as 8 bits, rounded to the nearest level. Pillow's own conversion would clip it."""
    if image.mode.startswith("I"):
        wide = image.convert("I")
        return wide.point(lambda level: level * (1 / 257) + 0.5).convert("L")
    return image


def bare(image: Image.Image) -> Image.Image:
    """Clears the colors of fully transparent pixels."""
    clear = image.getchannel("A").point(lambda alpha: 255 if alpha == 0 else 0)
    image.paste((0, 0, 0, 0), mask=clear)
    return image
