// Photos for checks, made by the browser: the repository contains no large files.

/** Makes JPEG files of this size: gradients, shapes and grain, each a little different. */
export async function photos(page, count, { width, height, grain = 24, quality = 0.9 }) {
  const made = [];
  for (let number = 0; number < count; number += 1) {
    const encoded = await page.evaluate(paint, { width, height, grain, quality, number });
    made.push({ name: `product ${String(number + 1).padStart(3, '0')}.jpg`, mimeType: 'image/jpeg', buffer: Buffer.from(encoded, 'base64') });
  }
  return made;
}

/** Runs in the page. */
async function paint({ width, height, grain, quality, number }) {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d');
  const sky = context.createLinearGradient(0, 0, width, height);
  sky.addColorStop(0, `hsl(${number * 37}, 60%, 70%)`);
  sky.addColorStop(1, `hsl(${number * 37 + 80}, 50%, 30%)`);
  context.fillStyle = sky;
  context.fillRect(0, 0, width, height);
  for (let shape = 0; shape < 40; shape += 1) {
    context.fillStyle = `hsl(${shape * 47 + number * 11}, 70%, ${20 + (shape * 13) % 60}%)`;
    const [x, y] = [((shape * 379 + number * 17) % 1000) / 1000, ((shape * 613) % 1000) / 1000];
    context.fillRect(x * width, y * height, width / 12, height / 9);
  }
  const pixels = context.getImageData(0, 0, width, height);
  let state = 1 + number;
  for (let at = 0; grain > 0 && at < pixels.data.length; at += 4) {
    state = (state * 1664525 + 1013904223) >>> 0;
    const by = (state / 2 ** 32 - 0.5) * grain;
    for (let channel = 0; channel < 3; channel += 1) pixels.data[at + channel] += by;
  }
  context.putImageData(pixels, 0, 0);
  const url = canvas.toDataURL('image/jpeg', quality);
  return url.slice(url.indexOf(',') + 1);
}
