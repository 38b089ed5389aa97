// What this browser keeps: the draft, the runs whose answers have not been seen, the versions, and the
// pictures that they name, each once. Pictures are too large for localStorage, so all of it lies in
// IndexedDB; where a browser refuses that, it is kept as long as the page.

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
    // At once: a page that is left takes what it has not committed with it.
    if (mode === 'readwrite') transaction.commit?.();
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });
}

/** Puts a value on a shelf; resolves once it is written. */
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

/** Keeps a picture as bytes: a browser may drop a Blob that is written while its page is left. */
export async function keepPicture(id, blob, name) {
  await keep('pictures', id, { name, type: blob.type, bytes: await blob.arrayBuffer() });
}

/** A picture that was kept. */
export async function findPicture(id) {
  const kept = id && await find('pictures', id).catch(() => null);
  return kept ? new File([kept.bytes], kept.name, { type: kept.type }) : null;
}

/** Forgets the pictures that nothing names any more, whosever they are. What is kept after this has
 *  begun is left alone, and `isShown` is asked last: somebody may choose a picture meanwhile. */
export async function sweepPictures(isShown) {
  const before = await names('pictures');
  const named = new Set();
  for (const shelf of ['runs', 'versions']) {
    for (const { inputs } of await list(shelf)) for (const { id } of inputs) named.add(id);
  }
  for (const id of before) if (!named.has(id) && !isShown(id)) await forget('pictures', id);
}

/** Forgets everything, as whoever signs out on a shared machine expects. */
export async function forgetAll() {
  for (const shelf of SHELVES) {
    await act(shelf, 'readwrite', (it) => it.clear(), (it) => it.clear());
  }
  localStorage.removeItem('retouch.instructions');
}
