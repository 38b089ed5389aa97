// Edits images with sharp, line by line, as worker.py does with the Python libraries.

import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import sharp from 'sharp'

sharp.cache(false)

const SEPIA = [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]]
const white = { r: 255, g: 255, b: 255, alpha: 1 }
const clear = { r: 0, g: 0, b: 0, alpha: 0 }

// The text as an image of the full size, the only form in which sharp composites it.
function words({ width, height }) {
  const size = Math.round(height * 0.06)
  return Buffer.from(
    `<svg width="${width}" height="${height}"><text x="50%" y="96%" text-anchor="middle" ` +
      `font-family="sans-serif" font-size="${size}" fill="white">Hello, world</text></svg>`,
  )
}

const edits = {
  grayscale: (image) => image.grayscale(),
  brightness: (image) => image.linear(1.2, 0),
  contrast: (image) => image.linear(1.2, -25.5),
  sepia: (image) => image.recomb(SEPIA),
  'blur 2': (image) => image.blur(2),
  'blur 8': (image) => image.blur(8),
  sharpen: (image) => image.sharpen({ sigma: 1 }),
  'rotate 90': (image) => image.rotate(90),
  'rotate 10': (image) => image.rotate(10, { background: clear }),
  flip: (image) => image.flop(),
  crop: (image, { width, height }) => {
    const part = { left: width >> 2, top: height >> 2, width: width >> 1, height: height >> 1 }
    return image.extract(part)
  },
  'resize half': (image, { width }) => image.resize({ width: Math.round(width / 2) }),
  'resize 1.5': (image, { width }) => image.resize({ width: Math.round(width * 1.5) }),
  border: (image) => image.extend({ top: 20, bottom: 20, left: 20, right: 20, background: white }),
  text: (image, size) => image.composite([{ input: words(size) }]).removeAlpha(),
}

async function edit(name, data) {
  const image = sharp(data)
  const size = await image.metadata()
  const out = edits[name](image, size).png({ compressionLevel: 1 })
  return out.toBuffer({ resolveWithObject: true })
}

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line)
  const data = readFileSync(asked.input)
  const began = performance.now()
  const { info } = await edit(asked.edit, data)
  const { size: bytes, width, height } = info
  console.log(JSON.stringify({ ms: performance.now() - began, bytes, width, height }))
}
