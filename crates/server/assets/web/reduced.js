// Inputs as a preview needs them: the address of an uploaded image, or a reduced copy made here.

const SIDE_PX_MAX = 1024;
const QUALITY = 0.9;

const copies = new WeakMap();
const sizes = new Map();

/** The images of a preview as request fields. */
export async function inputs(pictures) {
  const sent = await Promise.all(pictures.map(input));
  const isReduced = sent.some(({ reduced }) => reduced) && sent.every(({ size }) => size);
  return { imageUrls: sent.map(({ address }) => address), ...(isReduced ? { input_sizes: sent.map(({ size }) => size) } : {}) };
}

async function input(picture) {
  const address = picture.url ?? picture.address;
  if (address) return { address, size: await sizeOf(picture) };
  if (!copies.has(picture.blob)) copies.set(picture.blob, reduce(picture.blob));
  return copies.get(picture.blob);
}

async function sizeOf({ width, height, preview }) {
  if (width > 0) return { width, height };
  if (!preview) return null;
  if (!sizes.has(preview)) {
    const image = new Image();
    image.src = preview;
    await image.decode().catch(() => {});
    sizes.set(preview, image.naturalWidth > 0 ? { width: image.naturalWidth, height: image.naturalHeight } : null);
  }
  return sizes.get(preview);
}

/** A copy that is small enough to be sent while the user types. What the browser can't read is sent
 *  as it is. */
async function reduce(blob) {
  const bitmap = await createImageBitmap(blob).catch(() => null);
  if (!bitmap) return { address: await dataUrl(blob), size: null };
  const size = { width: bitmap.width, height: bitmap.height };
  const factor = Math.min(1, SIDE_PX_MAX / Math.max(size.width, size.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(size.width * factor));
  canvas.height = Math.max(1, Math.round(size.height * factor));
  const pen = canvas.getContext('2d');
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const type = blob.type === 'image/jpeg' ? 'image/jpeg' : 'image/png';
  const copy = await new Promise((done) => { canvas.toBlob(done, type, QUALITY); });
  return { address: await dataUrl(copy), size, reduced: true };
}

function dataUrl(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
