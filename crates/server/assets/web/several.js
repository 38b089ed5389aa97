// Several models on one request: chosen beside the model, run side by side, looked at one by one.

import { $, counted, facts, local, make, show } from './dom.js';
import * as settings from './settings.js';

/** Kinds that are worth comparing: a video takes minutes and is not looked at side by side. */
const KINDS = ['image_edit', 'text_to_image'];

let changed = () => {};

/** Sets up the choice; `whenChanged` is called after every change. */
export function begin(whenChanged) {
  changed = whenChanged;
  suit(0);
}

/** Offers the models that can do what is set, and says of the others why they cannot. */
export function suit(inputs) {
  const kind = settings.kind();
  const before = others();
  const rest = facts.models[kind].filter(({ id }) => id !== settings.model().id);
  show($('several'), KINDS.includes(kind) && rest.length > 0);
  $('several-list').replaceChildren(...rest.map((model) => {
    const reason = hindrance(model, inputs);
    const box = make('input', { type: 'checkbox', value: model.id, checked: before.includes(model.id) && !reason,
      disabled: reason !== '', onchange: () => changed() });
    const words = reason ? `${model.id}, which ${reason}` : `${model.id} · ${counted(cost(model), 'credit')}`;
    return make('label', { className: 'check' }, box, make('span', { textContent: words }));
  }));
}

/** The models to run, the chosen one first. */
export function models() {
  const also = KINDS.includes(settings.kind()) ? others() : [];
  return [settings.model(), ...facts.models[settings.kind()].filter(({ id }) => also.includes(id))];
}

/** What all of them together cost. */
export const price = () => models().slice(1).reduce((sum, model) => sum + cost(model), settings.price());

const others = () => [...$('several-list').querySelectorAll('input:checked')].map(({ value }) => value);

const cost = (model) => settings.priceOf(model);

function hindrance({ max_input_images: most, aspect_ratios: ratios }, inputs) {
  const ratio = $('ratio').value;
  if (settings.kind() === 'image_edit' && inputs > most) return `takes ${counted(most, 'picture')}`;
  if (ratio && ratios.length > 0 && !ratios.includes(ratio)) return `has no shape ${ratio}`;
  return '';
}

/** A cell for each of these runs, to be filled as they end; `look` is given what is chosen. */
export function race(runs, look) {
  const cells = runs.map((run) => {
    const picture = make('span', { className: 'race-picture' }, make('span', { className: 'blank', textContent: 'Working' }));
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
      picture.replaceChildren(make('img', { src: local(version.address), alt: '' }));
      told.textContent = `${counted(version.cost, 'credit')} · ${version.seconds} s`;
      button.disabled = false;
      button.onclick = () => look(version);
      button.dataset.uuid = version.uuid;
    },
    failed(index, message) {
      const { picture, told } = cells[index];
      picture.replaceChildren(make('span', { className: 'blank', textContent: 'No result' }));
      told.textContent = `${message} Not charged.`.replace('Nothing was charged; try again. Not charged.', 'Nothing was charged.');
    },
  };
}

/** Marks the cell of the version that is looked at. */
export function point(version) {
  for (const button of $('race').querySelectorAll('.version')) {
    button.setAttribute('aria-current', String(version !== null && button.dataset.uuid === version.uuid));
  }
}

/** Takes the cells away. */
export const clear = () => show($('race'), false);
