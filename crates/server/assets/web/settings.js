// Kind, model and settings of a run, and its price.

import { $, counted, facts, make, show } from './dom.js';

let changed = () => {};

/** Sets up the fields; `whenChanged` is called after every change. */
export function begin(whenChanged) {
  changed = whenChanged;
  for (const radio of kinds()) radio.addEventListener('change', () => { fillModels(); changed('kind'); });
  $('model').addEventListener('change', () => { fillModel(); changed('model'); });
  for (const id of ['ratio', 'quality', 'duration', 'size', 'negative', 'watermark', 'extend']) {
    $(id).addEventListener('input', () => changed(id));
  }
  fillModels();
}

const kinds = () => document.querySelectorAll('input[name="kind"]');

/** `image_edit`, `text_to_image` or `video`. */
export const kind = () => document.querySelector('input[name="kind"]:checked').value;

/** The chosen model. */
export const model = () => facts.models[kind()].find(({ id }) => id === $('model').value);

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
  if (!$('quality-field').hidden) text('quality', 'quality');
  if (kind() === 'video') made.duration_seconds = Number($('duration').value);
  text('size', 'size');
  text('negative_prompt', 'negative');
  if ($('watermark').checked) made.watermark = true;
  if ($('extend').checked) made.prompt_extend = true;
  return made;
}

/** Restores the settings of an earlier request. */
export function restore(kindBefore, before) {
  for (const radio of kinds()) radio.checked = radio.value === kindBefore;
  fillModels();
  choose('model', before.model);
  fillModel();
  choose('ratio', before.aspectRatio ?? '');
  choose('quality', before.quality ?? '');
  choose('duration', before.duration_seconds);
  $('size').value = before.size ?? '';
  $('negative').value = before.negative_prompt ?? '';
  $('watermark').checked = before.watermark === true;
  $('extend').checked = before.prompt_extend === true;
  $('more').open = Boolean(before.size || before.negative_prompt || before.watermark || before.prompt_extend);
  changed('kind');
}

function choose(id, value) {
  const options = [...$(id).options].map((option) => option.value);
  if (options.includes(String(value))) $(id).value = String(value);
}

function fillModels() {
  const before = $('model').value;
  const wanted = kind() === 'video' ? facts.default_video_model : facts.default_model;
  const option = ({ id, tiers }) => {
    const prices = [...new Set(tiers.map(({ credits }) => credits))].sort((one, other) => one - other).join(' or ');
    return make('option', { value: id, textContent: `${id} · ${prices} credits` });
  };
  $('model').replaceChildren(...facts.models[kind()].map(option));
  choose('model', wanted);
  choose('model', before);
  fillModel();
}

function fillModel() {
  const { max_input_images: most, aspect_ratios: ratios, providers, quality_credits: priced, credits,
    durations_seconds: durations = [] } = model();
  const takes = kind() === 'image_edit' ? `up to ${counted(most, 'image')}`
    : kind() === 'video' && most > 0 ? 'starts from an image or from text' : 'starts from text';
  $('model-facts').textContent = `${providers[0] === 'built-in' ? 'Built-in editor' : providers[0]} · ${takes}`;
  fill('ratio', [['', ratios.includes('auto') || ratios.length === 0 ? 'Automatic' : 'Same as original'],
    ...ratios.filter((ratio) => ratio !== 'auto').map((ratio) => [ratio, ratio])]);
  show($('ratio-field'), ratios.length > 0);
  const qualities = Object.entries(priced);
  fill('quality', [['', `Standard · ${counted(credits, 'credit')}`],
    ...qualities.map(([name, cost]) => [name, `${name[0].toUpperCase()}${name.slice(1)} · ${counted(cost, 'credit')}`])]);
  show($('quality-field'), qualities.length > 0);
  fill('duration', durations.map((seconds) => [seconds, counted(seconds, 'second')]));
  show($('duration-field'), durations.length > 0);
}

function fill(id, options) {
  const before = $(id).value;
  $(id).replaceChildren(...options.map(([value, textContent]) => make('option', { value, textContent })));
  choose(id, before);
}
