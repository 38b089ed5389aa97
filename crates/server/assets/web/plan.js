// The plan of the built-in editor as the user sees and changes it: which steps, in which order, with
// which values, and the way back. What is shown here is what runs.

const TOGETHER_MS = 800;
const KEPT_MAX = 200;

/** `steps` are `{ id, step, on, from, bySetting }`. They come from `words`, which may also say how the
 *  result is saved, the `output`; `shape` is the shape that the steps produce. */
const EMPTY = { steps: [], output: null, changed: false, words: '', shape: {} };

let state = EMPTY;
let past = [];
let future = [];
let last = { key: '', at: 0 };
let serial = 0;
let told = () => {};
let prompt = () => '';

/** Sets what is called after every change made by hand, and how to read the prompt. */
export function begin(whenChanged, readPrompt) {
  told = whenChanged;
  prompt = readPrompt;
}

export const steps = () => state.steps;

/** How the prompt says that the result is saved; null if it doesn't. */
export const output = () => state.output ?? null;

/** Whether the plan is no longer what the prompt says. */
export const changed = () => state.changed;

export const canUndo = () => past.length > 0;
export const canRedo = () => future.length > 0;

/** Takes over the plan that the service read from the prompt, or from `body()`. For an edit of images,
 *  the shape is a step of its own, the last. */
export function heard(plan, shape, isEdit) {
  const shapeAt = isEdit && Object.keys(shape).length > 0 ? plan.steps.length - 1 : -1;
  const steps = plan.steps.map((step, index) => described(plan, step, index, index === shapeAt));
  if (state.changed) {
    // Steps that are switched off were not sent; they keep their places.
    steps.forEach((one, index) => { one.id = state.steps.filter(({ on }) => on)[index]?.id ?? one.id; });
    const kept = new Map(steps.map((one) => [one.id, one]));
    const known = state.steps.filter(({ id, on, bySetting }) => !on || (kept.has(id) && !bySetting));
    const added = steps.filter(({ id }) => !known.some((one) => one.id === id));
    state = { ...state, steps: [...known, ...added], shape };
    return;
  }
  state = { steps, output: plan.output ?? null, changed: false, words: prompt(), shape };
}

function described(plan, step, index, bySetting) {
  const from = (plan.understood ?? []).filter((one) => one.step === index).map(({ words }) => words).join(' … ');
  serial += 1;
  return { id: serial, step, on: true, from, bySetting };
}

/** Whether the steps produce this shape. */
export const fits = (shape) => JSON.stringify(shape) === JSON.stringify(state.shape);

/** The request fields of a changed plan. If the chosen shape is another than the plan's, the service
 *  adds the step for it. */
export function body(shape) {
  const isSame = fits(shape);
  const sent = state.steps.filter(({ on, bySetting }) => on && (isSame || !bySetting));
  const output = state.output ? { output: state.output } : {};
  return { plan: { version: 1, steps: sent.map(({ step }) => step), ...output }, ...(isSame ? {} : shape) };
}

/** Changes the steps by hand. Changes with the same key in quick succession are undone together. */
export function change(key, alter) {
  const now = Date.now();
  if (key === '' || key !== last.key || now - last.at > TOGETHER_MS) remember();
  last = { key, at: now };
  const steps = structuredClone(state.steps);
  state = { ...state, steps: alter(steps) ?? steps, changed: true };
  told({ isNewShape: key === '' });
}

/** The step with this ID in a list of steps. */
export const find = (list, id) => list.find((one) => one.id === id);

export function undo() {
  walk(past, future);
}

export function redo() {
  walk(future, past);
}

function walk(from, to) {
  if (from.length === 0) return;
  to.push(state);
  const found = from.pop();
  // The steps of an earlier prompt are no longer what the prompt says.
  state = { ...found, changed: found.changed || found.words !== prompt() };
  last = { key: '', at: 0 };
  told({ isNewShape: true });
}

function remember() {
  past = [...past, state].slice(-KEPT_MAX);
  future = [];
}

/** Forgets the changes by hand, so that the prompt counts again. They can be brought back. */
export function follow() {
  if (!state.changed) return;
  remember();
  state = { ...state, changed: false };
}

/** Removes the steps. Changes made before can still be brought back. */
export function clear() {
  state = EMPTY;
}

let sentences = [];
let transparent = false;

/** Sets what the service says about the result: the steps in words, and whether parts of it are
 *  transparent. */
export function tell(words, isTransparent) {
  sentences = words;
  transparent = isTransparent;
}

export const isTransparent = () => transparent;

/** The plan in words. */
export const words = () => sentences.join(', then ').replace(/^./, (first) => first.toUpperCase());

/** What has to be saved with the draft; null if the prompt says it all. */
export const saved = () => (state.changed ? state : null);

/** Restores what was saved. */
export function restore(kept) {
  if (!kept) return;
  state = kept;
  serial = Math.max(serial, ...kept.steps.map(({ id }) => id));
  told({ isNewShape: true });
}
