// What this browser stores: the draft, the runs whose answers have not been seen, the versions, and the
// images they use. Images are too large for localStorage, so everything is in IndexedDB, or only in
// memory if the browser refuses that.

const NAME = 'retouch';
const SHELVES = ['draft', 'runs', 'versions', 'pictures'];

const memory = new Map(SHELVES.map((shelf) => [shelf, new Map()]));

const opened = new Promise((resolve) => {
  try {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => SHELVES.forEach((shelf) => request.result.createObjectStore(shelf));
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => resolve(null);
    request.onblocked = () => resolve(null);
  } catch {
    resolve(null);
  }
});

async function act(shelf, mode, action, otherwise) {
  const base = await opened;
  if (!base) return otherwise(memory.get(shelf));
  return new Promise((resolve, reject) => {
    const transaction = base.transaction(shelf, mode);
    const request = action(transaction.objectStore(shelf));
    // Commit immediately: the browser drops uncommitted writes when the page is left.
    if (mode === 'readwrite') transaction.commit?.();
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });
}

/** Stores a value; resolves once it is written. */
export const keep = (shelf, key, value) =>
  act(shelf, 'readwrite', (it) => it.put(value, key), (it) => it.set(key, value));

export const find = (shelf, key) =>
  act(shelf, 'readonly', (it) => it.get(key), (it) => it.get(key));

export const list = (shelf) =>
  act(shelf, 'readonly', (it) => it.getAll(), (it) => [...it.values()]);

export const names = (shelf) =>
  act(shelf, 'readonly', (it) => it.getAllKeys(), (it) => [...it.keys()]);

export const forget = (shelf, key) =>
  act(shelf, 'readwrite', (it) => it.delete(key), (it) => it.delete(key));

/** Stores an image as bytes: a browser may drop a Blob that is written while its page is left. */
export async function keepPicture(id, blob, name) {
  await keep('pictures', id, { name, type: blob.type, bytes: await blob.arrayBuffer() });
}

/** A stored image. */
export async function findPicture(id) {
  const kept = id && await find('pictures', id).catch(() => null);
  return kept ? new File([kept.bytes], kept.name, { type: kept.type }) : null;
}

/** Deletes the images of all accounts that nothing uses any more. Images stored after the start are
 *  kept, and `isShown` is checked last: the user may add an image meanwhile. */
export async function sweepPictures(isShown) {
  const before = await names('pictures');
  const named = new Set();
  for (const shelf of ['runs', 'versions']) {
    for (const { inputs } of await list(shelf)) for (const { id } of inputs) named.add(id);
  }
  for (const { input } of (await find('draft', 'batch'))?.items ?? []) named.add(input.id);
  for (const id of before) {
    if (named.has(id) || isShown(id)) continue;
    await forget('pictures', id);
    await forget('draft', `upload ${id}`);
  }
}

/** Whether this browser stores work that the service does not have: images or a prompt. */
export async function hasDraft() {
  const draft = await find('draft', 'draft').catch(() => null);
  return Boolean(draft) && (draft.pictures.length > 0 || draft.words.trim() !== '');
}

/** Deletes everything, as users of a shared computer expect when they sign out. */
export async function forgetAll() {
  for (const shelf of SHELVES) {
    await act(shelf, 'readwrite', (it) => it.clear(), (it) => it.clear());
  }
  localStorage.removeItem('retouch.instructions');
  document.cookie = 'stage=; Path=/; Max-Age=0; SameSite=Lax';
}
