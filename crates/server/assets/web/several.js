// Several models for one request: choosing them, running them in parallel, comparing the results.

import { $, counted, facts, make, show } from './dom.js';
import * as settings from './settings.js';
import * as versions from './versions.js';

/** Kinds that can be compared. A video takes minutes and cannot be viewed in parallel. */
const KINDS = ['image_edit', 'text_to_image'];

let changed = () => {};

/** Sets up the choice; `whenChanged` is called after every change. */
export function begin(whenChanged) {
  changed = whenChanged;
  suit(0);
}

/** Lists the other models; those that do not support the settings are disabled, with the reason. */
export function suit(inputs) {
  const kind = settings.kind();
  const before = others();
  // The built-in editor gives the same result for each model that it serves.
  const rest = facts.models[kind].filter((one) => one.id !== settings.model().id && one.providers.length > 0 && !settings.isOurs(one));
  show($('several'), KINDS.includes(kind) && rest.length > 0);
  $('several-list').replaceChildren(...rest.map((model) => {
    const reason = hindrance(model, inputs);
    const box = make('input', { type: 'checkbox', value: model.id, checked: before.includes(model.id) && !reason,
      disabled: reason !== '', onchange: () => changed() });
    const words = reason ? `${model.id} – ${reason}` : `${model.id} · ${counted(cost(model), 'credit')}`;
    return make('label', { className: 'check' }, box, make('span', { textContent: words }));
  }));
}

/** The models to run, the chosen one first. */
export function models() {
  const also = KINDS.includes(settings.kind()) ? others() : [];
  return [settings.model(), ...facts.models[settings.kind()].filter(({ id }) => also.includes(id))];
}

/** The total cost of all chosen models. */
export const price = () => models().slice(1).reduce((sum, model) => sum + cost(model), settings.price());

const others = () => [...$('several-list').querySelectorAll('input:checked')].map(({ value }) => value);

const cost = (model) => settings.priceOf(model);

function hindrance({ max_input_images: most, aspect_ratios: ratios }, inputs) {
  const ratio = $('ratio').value;
  if (settings.kind() === 'image_edit' && inputs > most) return `accepts only ${counted(most, 'image')}`;
  if (ratio && ratios.length > 0 && !ratios.includes(ratio)) return `doesn’t support ${ratio}`;
  return '';
}

/** Shows a cell for each run and fills it when the run ends; `look` gets the chosen version. */
export function race(runs, look) {
  const cells = runs.map((run) => {
    const picture = make('span', { className: 'race-picture' }, make('span', { className: 'blank', textContent: 'Working…' }));
    const name = make('span', { className: 'name', textContent: run.fields.model });
    const told = make('span', { className: 'of' });
    const button = make('button', { type: 'button', className: 'version', disabled: true, 'aria-current': 'false' }, picture, name, told);
    return { button, picture, told };
  });
  $('race').replaceChildren(...cells.map(({ button }) => make('li', {}, button)));
  show($('race'), runs.length > 1);
  return {
    done(index, version) {
      const { button, picture, told } = cells[index];
      picture.replaceChildren(make('img', { src: versions.small(version), alt: '' }));
      told.textContent = `${counted(version.cost, 'credit')} · ${version.seconds} s`;
      button.disabled = false;
      button.onclick = () => look(version);
      button.dataset.uuid = version.uuid;
    },
    failed(index, message) {
      const { picture, told } = cells[index];
      picture.replaceChildren(make('span', { className: 'blank', textContent: 'No result' }));
      told.textContent = /charged/.test(message) ? message : `${message} Not charged.`;
    },
  };
}

/** Marks the cell of the version that is shown. */
export function point(version) {
  for (const button of $('race').querySelectorAll('.version')) {
    button.setAttribute('aria-current', String(version !== null && button.dataset.uuid === version.uuid));
  }
}

/** Hides the cells. */
export const clear = () => show($('race'), false);
