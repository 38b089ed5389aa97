// What this browser keeps: the draft, the runs whose answers have not been seen, the versions.
// Pictures are too large for localStorage, so all of it lies in IndexedDB; where a browser refuses
// that, it is kept as long as the page.

const NAME = 'retouch';
const SHELVES = ['draft', 'runs', 'versions'];

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

export const forget = (shelf, key) =>
  act(shelf, 'readwrite', (it) => it.delete(key), (it) => it.delete(key));

/** Forgets everything, as whoever signs out on a shared machine expects. */
export async function forgetAll() {
  for (const shelf of SHELVES) {
    await act(shelf, 'readwrite', (it) => it.clear(), (it) => it.clear());
  }
  localStorage.removeItem('retouch.instructions');
}
