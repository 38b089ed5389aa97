// Kind, model and settings of a run, and its price.

import { $, counted, facts, make, show } from './dom.js';

let changed = () => {};

/** Sets up the fields; `whenChanged` is called after every change. */
export function begin(whenChanged) {
  changed = whenChanged;
  for (const radio of kinds()) radio.addEventListener('change', () => { fillModels(); changed('kind'); });
  $('model').addEventListener('change', () => { fillModel(); changed('model'); });
  for (const id of ['ratio', 'quality', 'duration', 'size', 'output-format', 'compression', 'negative', 'watermark', 'extend']) {
    $(id).addEventListener('input', () => { fitFormat(); changed(id); });
  }
  fillModels();
}

const kinds = () => document.querySelectorAll('input[name="kind"]');

/** `image_edit`, `text_to_image` or `video`. */
export const kind = () => document.querySelector('input[name="kind"]:checked').value;

/** The chosen model. */
export const model = () => facts.models[kind()].find(({ id }) => id === $('model').value);

/** Whether the built-in editor serves a model. */
export const isOurs = ({ providers }) => providers[0] === 'built-in';

/** Whether the built-in editor is chosen. */
export const isBuiltIn = () => isOurs(model());

/** The price of a run, in credits. */
export const price = () => priceOf(model());

/** The pixel limit of each image size and video resolution. */
const PIXELS = {
  '1K': 1536 * 1024, '2K': 2048 * 2048, '4K': Infinity,
  '480p': 854 * 480 * 1.25, '720p': 1280 * 720 * 1.25, '1080p': 1920 * 1080 * 1.25, '4k': Infinity,
};

/** The price of a run with this model and the current settings, in credits. */
export function priceOf({ credits, tiers }) {
  const [, width = 0, height = 0] = /^\s*(\d+)[x*](\d+)\s*$/.exec($('size').value) ?? [];
  const quality = $('quality').value || 'medium';
  const fitting = tiers.filter((tier) => tier.quality === quality
    && (tier.seconds === undefined || tier.seconds === Number($('duration').value))
    && PIXELS[tier.size ?? tier.resolution] >= width * height);
  const smallest = (one, other) => (PIXELS[other.size ?? other.resolution] < PIXELS[one.size ?? one.resolution] ? other : one);
  return fitting.length > 0 ? fitting.reduce(smallest).credits : credits;
}

/** The request fields that differ from the defaults, without prompt and images. */
export function fields() {
  const made = { model: model().id };
  const text = (name, id) => { if ($(id).value.trim() !== '') made[name] = $(id).value.trim(); };
  text('aspectRatio', 'ratio');
  if (kind() === 'video') made.duration_seconds = Number($('duration').value);
  text('size', 'size');
  // The built-in editor ignores these.
  if (isBuiltIn()) return made;
  if (!$('quality-field').hidden) text('quality', 'quality');
  text('negative_prompt', 'negative');
  if ($('watermark').checked) made.watermark = true;
  if ($('extend').checked) made.prompt_extend = true;
  return made;
}

/** The field for the format of the result, if it is chosen here. */
export function format() {
  const chosen = $('output-format').value;
  return kind() === 'video' || chosen === '' ? {} : { output_format: chosen };
}

/** The fields for the format of the result, which is that of the first input unless it is chosen here or
 *  said in the prompt. JPEG has no transparency. */
export function output(first, plan) {
  if (kind() === 'video') return {};
  const { output_format: chosen } = format();
  if (!chosen && isBuiltIn() && plan.output()) return {};
  const type = first?.blob?.type ?? first?.address?.split('.').pop() ?? '';
  const usual = FORMATS.find((one) => type.includes(one.slice(0, 2))) ?? 'png';
  const fitting = usual === 'jpeg' && plan.isTransparent() ? 'png' : usual;
  const quality = Number($('compression').value);
  const isCompressed = chosen && chosen !== 'png' && quality >= 1 && quality <= 100;
  const isUsual = !chosen && fitting === 'png';
  return { ...(isUsual ? {} : { output_format: chosen ?? fitting }), ...(isCompressed ? { output_compression: Math.round(quality) } : {}) };
}

const FORMATS = ['jpeg', 'webp', 'png'];

function fitFormat() {
  show($('compression-field'), ['jpeg', 'webp'].includes($('output-format').value));
}

/** Chooses a model. */
export function choose(id) {
  pick('model', id);
  fillModel();
  changed('model');
}

/** Restores the settings of an earlier request. */
export function restore(kindBefore, before) {
  for (const radio of kinds()) radio.checked = radio.value === kindBefore;
  fillModels();
  pick('model', before.model);
  fillModel();
  pick('ratio', before.aspectRatio ?? '');
  pick('quality', before.quality ?? '');
  pick('duration', before.duration_seconds);
  pick('output-format', before.format ?? before.output_format ?? '');
  $('compression').value = before.compression ?? before.output_compression ?? $('compression').defaultValue;
  fitFormat();
  $('size').value = before.size ?? '';
  $('negative').value = before.negative_prompt ?? '';
  $('watermark').checked = before.watermark === true;
  $('extend').checked = before.prompt_extend === true;
  $('more').open = Boolean(before.size || before.format || before.negative_prompt || before.watermark || before.prompt_extend);
  changed('kind');
}

/** The choice of a format as it is to be restored. */
export const saved = () => ({ ...fields(), format: $('output-format').value, compression: $('compression').value });

function pick(id, value) {
  const options = [...$(id).options].filter(({ disabled }) => !disabled).map((option) => option.value);
  if (options.includes(String(value))) $(id).value = String(value);
}

/** The built-in editor is one entry, whatever models it serves. Models that nothing else serves are
 *  listed, but cannot be chosen. */
function fillModels() {
  const before = $('model').value;
  const models = facts.models[kind()];
  const wanted = kind() === 'video' ? facts.default_video_model : facts.default_model;
  const served = models.filter((one) => one.providers.length > 0 && !isOurs(one));
  const ours = models.filter(isOurs);
  const editor = ours.find(({ id }) => id === wanted) ?? ours[0];
  const waiting = models.filter((one) => !served.includes(one));
  const priced = ({ tiers }) => [...new Set(tiers.map(({ credits }) => credits))].sort((one, other) => one - other).join(' or ');
  const option = (one, name) => make('option', { value: one.id, textContent: `${name} · ${priced(one)} credits` });
  $('model').replaceChildren(...(editor ? [option(editor, 'Built-in editor')] : []), ...served.map((one) => option(one, one.id)));
  if (waiting.length > 0) {
    $('model').append(make('optgroup', { label: 'Need a provider' },
      ...waiting.map(({ id }) => make('option', { value: `waiting ${id}`, textContent: id, disabled: true }))));
  }
  pick('model', wanted);
  pick('model', before);
  fillModel();
}

function fillModel() {
  const { max_input_images: most, aspect_ratios: ratios, providers, quality_credits: priced, credits,
    durations_seconds: durations = [] } = model();
  const takes = kind() === 'image_edit' ? `up to ${counted(most, 'image')}`
    : kind() === 'video' && most > 0 ? 'starts from an image or from text' : 'starts from text';
  if (isBuiltIn()) $('model-facts').replaceChildren(...aboutEditor());
  else $('model-facts').textContent = `${providers[0]} · ${takes}`;
  fill('ratio', [['', ratios.includes('auto') || ratios.length === 0 ? 'Automatic' : 'Same as original'],
    ...ratios.filter((ratio) => ratio !== 'auto').map((ratio) => [ratio, ratio])]);
  show($('ratio-field'), ratios.length > 0);
  const qualities = isBuiltIn() ? [] : Object.entries(priced);
  fill('quality', [['', `Standard · ${counted(credits, 'credit')}`],
    ...qualities.map(([name, cost]) => [name, `${name[0].toUpperCase()}${name.slice(1)} · ${counted(cost, 'credit')}`])]);
  show($('quality-field'), qualities.length > 0);
  fill('duration', durations.map((seconds) => [seconds, counted(seconds, 'second')]));
  show($('duration-field'), durations.length > 0);
  show($('provider-settings'), !isBuiltIn());
  show($('format-fields'), kind() !== 'video');
}

const ABOUT = {
  image_edit: 'Exact edits on this server. It can’t invent or remove objects.',
  text_to_image: 'Draws colors, gradients, patterns, shapes and text on this server.',
  video: 'Moves a camera over a still image on this server.',
};

function aboutEditor() {
  const words = `${ABOUT[kind()]} `;
  const others = [...$('model').options].filter((option) => !option.disabled && option !== $('model').selectedOptions[0]);
  if (others.length > 0) return [`${words}For everything else, choose another model.`];
  if (!$('model').querySelector('optgroup')) return [words];
  return facts.is_administrator ? [words, make('a', { href: '/admin/providers', textContent: 'Add a provider' }), ' to use AI models.']
    : [`${words}AI models need a provider, which your administrator can add.`];
}

function fill(id, options) {
  const before = $(id).value;
  $(id).replaceChildren(...options.map(([value, textContent]) => make('option', { value, textContent })));
  pick(id, before);
}
