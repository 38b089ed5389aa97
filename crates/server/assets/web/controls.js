// The controls for one field of a step: slider, color, position, choice. What there is to control
// comes from the service.

import { make } from './dom.js';

const PLACES = ['top_left', 'top', 'top_right', 'left', 'center', 'right', 'bottom_left', 'bottom', 'bottom_right'];
/** A slider ends where the strongest word for an amount is at this part of its length. */
const STRONGEST_AT = 0.6;
const SLIDER_MAX = 400;
/** A slider for a longer range could not be set exactly. */
const WHOLE_MAX = 1000;
const KELVIN = [2000, 12_000];

/** `top_left` as words: `Top left`. */
export const words = (name) => {
  const spaced = String(name).replaceAll('_', ' ');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
};

/** The value at a path such as `outline.color`, or undefined. */
export const read = (step, field) => field.split('.').reduce((value, name) => value?.[name], step);

function write(step, field, value) {
  const names = field.split('.');
  const owner = names.slice(0, -1).reduce((found, name) => found[name], step);
  owner[names.at(-1)] = value;
}

/** The element for a control of `step`, or null if it does not apply. `change(key, alter)` gets a
 *  function that changes a copy of the step. */
export function element(control, step, change) {
  const kept = read(step, control.field);
  const usual = control.range?.usual ?? (control.kind === 'switch' ? false : undefined);
  const replaced = control.instead_of && read(step, control.instead_of) !== undefined;
  const value = kept ?? usual;
  if (value === undefined || (control.field.includes('.') && kept === undefined)) return null;
  if (control.when && read(step, control.when[0]) !== control.when[1]) return null;
  const set = (next, then) => change(control.field, (one) => { write(one, control.field, next); then?.(one); });
  return KINDS[control.kind](control, replaced ? undefined : value, set);
}

const KINDS = { number, length, color, place, choice, switch: toggle, text };

const row = (name, ...parts) => make('div', { className: parts[0].type === 'checkbox' ? 'control toggle' : 'control' }, make('span', { className: 'control-name', textContent: name, 'aria-hidden': 'true' }), ...parts);

function number(control, value, set) {
  const { name, range, whole } = control;
  return sliding({ name, range, whole, value, set });
}

/** A length keeps the unit in which it is given. */
function length({ name, ranges }, value, set) {
  const unit = String(value).endsWith('%') ? '%' : 'px';
  const range = ranges[unit === 'px' ? 0 : 1];
  return sliding({ name, range, whole: false, value: parseFloat(value), set: (next) => set(`${next}${unit}`) });
}

function sliding({ name, range, whole, value, set }) {
  const [from, to] = reach(range, value);
  const hasSlider = Boolean(range.scale) || range.unit !== '' && !whole || range.limits[1] - range.limits[0] <= WHOLE_MAX;
  const step = whole ? 1 : fineness(to - from);
  const unit = range.unit.trim().replace('degrees', '°').replace('% of the current size', '%');
  const field = make('input', { type: 'number', value: tidy(value), min: range.limits[0], max: range.limits[1],
    step: 'any', inputMode: 'decimal', 'aria-label': unit ? `${name} in ${spoken(unit)}` : name });
  const slider = hasSlider ? make('input', { type: 'range', min: from, max: to, step, 'aria-label': name }) : null;
  const tell = (next) => slider?.setAttribute('aria-valuetext', `${tidy(next)} ${spoken(unit)}`.trim());
  if (slider) {
    slider.value = value;
    slider.addEventListener('input', () => { field.value = tidy(slider.valueAsNumber); tell(slider.valueAsNumber); set(slider.valueAsNumber); });
    // A double click sets what is usual.
    const usual = range.usual ?? range.scale?.[2];
    if (usual !== undefined && usual !== null) slider.addEventListener('dblclick', () => { slider.value = usual; slider.dispatchEvent(new Event('input')); });
  }
  field.addEventListener('input', () => {
    const next = whole ? Math.round(field.valueAsNumber) : field.valueAsNumber;
    const fits = next >= range.limits[0] && next <= range.limits[1];
    field.setAttribute('aria-invalid', String(!fits));
    if (!fits) return;
    if (slider) slider.value = next;
    tell(next);
    set(next);
  });
  tell(value);
  return row(name, slider ?? make('span'), make('span', { className: 'amount' }, field, make('span', { className: 'unit', textContent: unit, 'aria-hidden': 'true' })));
}

const spoken = (unit) => ({ '%': 'percent', px: 'pixels', '°': 'degrees', K: 'kelvin' }[unit] ?? unit);

/** The part of the limits that a slider covers: what people use, and the value itself. */
function reach({ limits: [least, most], scale, unit }, value) {
  const withValue = ([from, to]) => [Math.min(from, value), Math.max(to, value)];
  if (unit === 'K') return withValue(KELVIN);
  if (unit.includes('degree') && most >= 360) return withValue([Math.max(least, -180), least < 0 ? 180 : 360]);
  const strongest = scale ? scale[4] / STRONGEST_AT : SLIDER_MAX;
  const far = Math.min(most, Math.max(Number(strongest.toPrecision(1)), Math.abs(value)));
  return withValue([least < 0 ? Math.max(least, -far) : least, far]);
}

function fineness(span) {
  if (span > 60) return 1;
  return span > 15 ? 0.1 : 0.05;
}

/** A number without the noise of floating point. */
const tidy = (value) => String(Number(value.toFixed(Math.abs(value) < 1 ? 3 : 2)));

const pen = document.createElement('canvas').getContext('2d');

/** Any CSS color as `#rrggbb` and the hexadecimal digits of its opacity. */
function hex(color) {
  if (/^#[0-9a-f]{8}$/i.test(color)) return [color.slice(0, 7), color.slice(7)];
  pen.fillStyle = '#000000';
  pen.fillStyle = color;
  return [pen.fillStyle.startsWith('#') ? pen.fillStyle : '#000000', ''];
}

function color({ name, clear, words: others }, value, set) {
  const plain = [...(clear ? ['transparent'] : []), ...others];
  const [start, opacity] = hex(value);
  const swatch = make('input', { type: 'color', value: start, 'aria-label': name });
  swatch.addEventListener('input', () => { if (pick) pick.value = ''; set(`${swatch.value}${opacity}`); });
  const pick = plain.length > 0 ? make('select', { 'aria-label': `${name}: kind` },
    ...[['', 'Solid'], ...plain.map((one) => [one, words(one)])].map(([id, textContent]) => make('option', { value: id, textContent }))) : null;
  if (pick) {
    pick.value = plain.includes(value) ? value : '';
    pick.addEventListener('input', () => set(pick.value || swatch.value));
  }
  return row(name, make('span', { className: 'swatch' }, swatch, pick));
}

function place({ name, instead_of: other }, value, set) {
  const group = `place-${Math.random().toString(36).slice(2)}`;
  const dots = PLACES.map((one) => {
    const dot = make('input', { type: 'radio', name: group, value: one, checked: one === value, 'aria-label': words(one), title: words(one) });
    dot.addEventListener('input', () => set(one, (step) => { if (other) delete step[other]; }));
    return dot;
  });
  return row(name, make('span', { className: 'places', role: 'radiogroup', 'aria-label': name }, ...dots));
}

function choice({ name, words: options }, value, set) {
  const select = make('select', { 'aria-label': name }, ...options.map((one) => make('option', { value: one, textContent: words(one) })));
  select.value = value;
  select.addEventListener('input', () => set(select.value));
  return row(name, select);
}

function toggle({ name }, value, set) {
  const box = make('input', { type: 'checkbox', checked: value, 'aria-label': name });
  box.addEventListener('input', () => set(box.checked));
  return row(name, box);
}

function text({ name }, value, set) {
  const field = make('input', { type: 'text', value, maxLength: 800, 'aria-label': name });
  field.addEventListener('input', () => { if (field.value.trim() !== '') set(field.value); });
  return row(name, field);
}
