// The run as it is set up now: what the preview shows is what a run sends.

import * as instruction from './instruction.js';
import * as pictures from './pictures.js';
import * as plan from './plan.js';
import * as settings from './settings.js';
import * as stage from './stage.js';
import * as versions from './versions.js';

/** The images of the run. */
export const inputs = () => (settings.kind() === 'text_to_image' ? [] : pictures.usable());

/** Whether each image is edited alone, because the model does not accept so many together. */
export const isEach = () => settings.kind() === 'image_edit' && inputs().length > settings.model().max_input_images;

/** The images of the preview. */
export const previewed = () => (isEach() ? [stage.lookedAt() ?? inputs()[0]] : inputs());

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

/** The name of the file that an image goes back to. */
function nameOf({ address, name }) {
  const version = address && versions.ofAddress(address);
  return version ? version.inputName : name;
}

/** The kind and the fields of a run without its images, of which `first` is the first. `words` describe
 *  it to people. */
export function current(model = settings.model(), [first] = inputs()) {
  const { aspectRatio, size, ...rest } = settings.fields();
  const name = first && settings.kind() === 'image_edit' ? nameOf(first) : null;
  const named = name ? { input_name: name } : {};
  const chosen = task();
  const fields = { ...chosen, ...rest, model: model.id, ...settings.output(first, plan), ...named };
  return { kind: settings.kind(), fields, words: chosen.plan ? plan.words() : instruction.text() };
}
