"""Edits images with one library, line by line: a line of JSON in, a line of JSON out.

Each edit goes from the bytes of the file to the bytes of a PNG, in memory, at the fastest level that
compresses (1). Reading the file is not timed. The library stays loaded and is used as its
documentation recommends for speed: libvips streams where the edit allows it and caches no results.
"""

import io
import json
import math
import sys
import time

SEPIA = [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]]
WORDS = "Hello, world"


def libvips():
    import pyvips

    pyvips.cache_set_max(0)

    def text(image):
        words = pyvips.Image.text(WORDS, font=f"sans {image.height * 0.045}", dpi=72)
        white = words.new_from_image([255, 255, 255]).copy(interpretation="srgb").bandjoin(words)
        place = ((image.width - words.width) // 2, image.height - 2 * words.height)
        both = image.composite2(white, "over", x=place[0], y=place[1])
        return both.extract_band(0, n=3)

    def rotate(image):
        return image.bandjoin(255).rotate(10, background=[0, 0, 0, 0])

    def crop(image):
        width, height = image.width, image.height
        return image.crop(width // 4, height // 4, width // 2, height // 2)

    edits = {
        "grayscale": lambda image: image.colourspace("b-w"),
        "brightness": lambda image: image.linear(1.2, 0, uchar=True),
        "contrast": lambda image: image.linear(1.2, -25.5, uchar=True),
        "sepia": lambda image: image.recomb(SEPIA).cast("uchar"),
        "blur 2": lambda image: image.gaussblur(2),
        "blur 8": lambda image: image.gaussblur(8),
        "sharpen": lambda image: image.sharpen(),
        "rotate 90": lambda image: image.rot90(),
        "rotate 10": rotate,
        "flip": lambda image: image.fliphor(),
        "crop": crop,
        "resize half": lambda image: image.resize(0.5),
        "resize 1.5": lambda image: image.resize(1.5),
        "border": lambda image: image.embed(
            20, 20, image.width + 40, image.height + 40, extend="white"
        ),
        "text": text,
    }
    # These read the image in another order than from top to bottom.
    whole = {"rotate 90", "rotate 10"}

    def edit(name, data):
        access = "random" if name in whole else "sequential"
        image = edits[name](pyvips.Image.new_from_buffer(data, "", access=access))
        return image.pngsave_buffer(compression=1), image.width, image.height

    return edit


def pillow():
    from PIL import Image, ImageDraw, ImageEnhance, ImageFilter, ImageFont, ImageOps

    matrix = [value for row in SEPIA for value in [*row, 0]]

    def text(image):
        font = ImageFont.load_default(image.height * 0.045)
        place = (image.width / 2, image.height * 0.96)
        ImageDraw.Draw(image).text(place, WORDS, fill="white", font=font, anchor="ms")
        return image

    def scaled(image, factor):
        size = (round(image.width * factor), round(image.height * factor))
        return image.resize(size, Image.Resampling.LANCZOS)

    def rotate(image):
        return image.convert("RGBA").rotate(-10, Image.Resampling.BILINEAR, expand=True)

    def crop(image):
        width, height = image.size
        left, top = width // 4, height // 4
        return image.crop((left, top, left + width // 2, top + height // 2))

    edits = {
        "grayscale": lambda image: image.convert("L"),
        "brightness": lambda image: ImageEnhance.Brightness(image).enhance(1.2),
        "contrast": lambda image: ImageEnhance.Contrast(image).enhance(1.2),
        "sepia": lambda image: image.convert("RGB", matrix),
        "blur 2": lambda image: image.filter(ImageFilter.GaussianBlur(2)),
        "blur 8": lambda image: image.filter(ImageFilter.GaussianBlur(8)),
        "sharpen": lambda image: image.filter(ImageFilter.UnsharpMask()),
        "rotate 90": lambda image: image.transpose(Image.Transpose.ROTATE_270),
        "rotate 10": rotate,
        "flip": lambda image: image.transpose(Image.Transpose.FLIP_LEFT_RIGHT),
        "crop": crop,
        "resize half": lambda image: scaled(image, 0.5),
        "resize 1.5": lambda image: scaled(image, 1.5),
        "border": lambda image: ImageOps.expand(image, 20, "white"),
        "text": text,
    }

    def edit(name, data):
        image = edits[name](Image.open(io.BytesIO(data)).convert("RGB"))
        out = io.BytesIO()
        image.save(out, "png", compress_level=1)
        return out.getvalue(), image.width, image.height

    return edit


def opencv():
    import cv2
    import numpy

    # The channels are blue, green, red.
    matrix = numpy.array(SEPIA)[::-1, ::-1].astype(numpy.float32)

    def text(image):
        scale = image.shape[0] / 700
        (width, _), _ = cv2.getTextSize(WORDS, cv2.FONT_HERSHEY_SIMPLEX, scale, 2)
        place = ((image.shape[1] - width) // 2, int(image.shape[0] * 0.96))
        white = (255, 255, 255)
        return cv2.putText(
            image, WORDS, place, cv2.FONT_HERSHEY_SIMPLEX, scale, white, 2, cv2.LINE_AA
        )

    def rotate(image):
        height, width = image.shape[:2]
        sine, cosine = math.sin(math.radians(10)), math.cos(math.radians(10))
        size = (
            math.ceil(width * cosine + height * sine),
            math.ceil(width * sine + height * cosine),
        )
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), -10, 1)
        turn[:, 2] += [(size[0] - width) / 2, (size[1] - height) / 2]
        clear = cv2.cvtColor(image, cv2.COLOR_BGR2BGRA)
        return cv2.warpAffine(clear, turn, size, flags=cv2.INTER_LINEAR)

    def sharpen(image):
        return cv2.addWeighted(image, 2, cv2.GaussianBlur(image, (0, 0), 1), -1, 0)

    def crop(image):
        height, width = image.shape[:2]
        top, left = height // 4, width // 4
        return image[top : top + height // 2, left : left + width // 2]

    edits = {
        "grayscale": lambda image: cv2.cvtColor(image, cv2.COLOR_BGR2GRAY),
        "brightness": lambda image: cv2.convertScaleAbs(image, alpha=1.2),
        "contrast": lambda image: cv2.convertScaleAbs(image, alpha=1.2, beta=-25.5),
        "sepia": lambda image: cv2.transform(image, matrix),
        "blur 2": lambda image: cv2.GaussianBlur(image, (0, 0), 2),
        "blur 8": lambda image: cv2.GaussianBlur(image, (0, 0), 8),
        "sharpen": sharpen,
        "rotate 90": lambda image: cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE),
        "rotate 10": rotate,
        "flip": lambda image: cv2.flip(image, 1),
        "crop": crop,
        "resize half": lambda image: cv2.resize(
            image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA
        ),
        "resize 1.5": lambda image: cv2.resize(
            image, None, fx=1.5, fy=1.5, interpolation=cv2.INTER_LANCZOS4
        ),
        "border": lambda image: cv2.copyMakeBorder(
            image, 20, 20, 20, 20, cv2.BORDER_CONSTANT, value=(255, 255, 255)
        ),
        "text": text,
    }

    def edit(name, data):
        image = cv2.imdecode(numpy.frombuffer(data, numpy.uint8), cv2.IMREAD_COLOR)
        image = edits[name](image)
        done, out = cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 1])
        if not done:
            raise RuntimeError("OpenCV wrote nothing")
        return out.tobytes(), image.shape[1], image.shape[0]

    return edit


LIBRARIES = {"libvips": libvips, "Pillow": pillow, "OpenCV": opencv}


def main():
    edit = LIBRARIES[sys.argv[1]]()
    for line in sys.stdin:
        asked = json.loads(line)
        with open(asked["input"], "rb") as file:
            data = file.read()
        began = time.perf_counter()
        out, width, height = edit(asked["edit"], data)
        took = time.perf_counter() - began
        done = {"ms": took * 1e3, "bytes": len(out), "width": width, "height": height}
        print(json.dumps(done), flush=True)


main()
