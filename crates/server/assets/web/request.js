// The run as it is set up now: what the preview shows is what a run sends.

import * as instruction from './instruction.js';
import * as pictures from './pictures.js';
import * as plan from './plan.js';
import * as settings from './settings.js';

/** The images of the run. */
export const inputs = () => (settings.kind() === 'text_to_image' ? [] : pictures.usable());

/** The shape that the settings ask for. */
export function shape() {
  const { aspectRatio, size } = settings.fields();
  return { ...(aspectRatio ? { aspectRatio } : {}), ...(size ? { size } : {}) };
}

/** What to do: the prompt, or the plan if the user has changed it. */
export function task() {
  const isPlan = plan.changed() && settings.isBuiltIn() && settings.kind() !== 'video';
  return isPlan ? plan.body(shape()) : { instruction: instruction.text(), ...shape() };
}

/** The kind and the fields of a run without its images. `words` describe it to people. */
export function current(model = settings.model()) {
  const { aspectRatio, size, ...rest } = settings.fields();
  const [first] = inputs();
  const named = first?.name && settings.kind() === 'image_edit' ? { input_name: first.name } : {};
  const chosen = task();
  const fields = { ...chosen, ...rest, model: model.id, ...settings.output(first, plan.isTransparent()), ...named };
  return { kind: settings.kind(), fields, words: chosen.plan ? plan.words() : instruction.text() };
}
