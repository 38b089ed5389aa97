// The steps of the plan as a list: each can be changed, switched off, moved and removed.

import { $, facts, make, say, show } from './dom.js';
import { element, read, words } from './controls.js';
import * as plan from './plan.js';

/** Sets up the buttons around the list. */
export function begin() {
  $('plan-undo').addEventListener('click', () => walk(plan.undo, 'Change undone.'));
  $('plan-redo').addEventListener('click', () => walk(plan.redo, 'Change made again.'));
  $('plan').addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const isRedo = event.key.toLowerCase() === 'y' || (event.shiftKey && event.key.toLowerCase() === 'z');
    if (!isRedo && event.key.toLowerCase() !== 'z') return;
    event.preventDefault();
    if (isRedo) walk(plan.redo, 'Change made again.');
    else walk(plan.undo, 'Change undone.');
  });
}

/** Draws the list again. What had the focus keeps it. */
export function draw() {
  const focused = document.activeElement?.closest('#plan') ? trace(document.activeElement) : null;
  const steps = plan.steps();
  $('recipe').replaceChildren(...steps.map((one, index) => item(one, index, steps.length)));
  refresh();
  show($('plan'), steps.length > 0);
  if (focused) retrace(focused);
}

/** Updates what depends on the plan besides the list. */
export function refresh() {
  $('plan-undo').disabled = !plan.canUndo();
  $('plan-redo').disabled = !plan.canRedo();
  show($('plan-changed'), plan.changed());
}

function walk(act, message) {
  act();
  say(message);
  // A disabled button loses the focus.
  if ($('plan').hidden) $('instruction').focus();
  else if (!document.activeElement || document.activeElement === document.body || document.activeElement.disabled) {
    [$('plan-undo'), $('plan-redo')].find(({ disabled }) => !disabled)?.focus();
  }
}

/** Where an element is: the ID of its step, and its position among the fields of the step. */
function trace(focus) {
  const entry = focus.closest('.step');
  if (!entry) return { id: focus.id };
  return { step: entry.dataset.step, at: fields(entry).indexOf(focus), index: [...entry.parentElement.children].indexOf(entry) };
}

const fields = (entry) => [...entry.querySelectorAll('input, select, button')];

function retrace({ id, step, at, index }) {
  if (id) return $(id)?.focus();
  const entries = [...$('recipe').children];
  const entry = entries.find(({ dataset }) => dataset.step === step) ?? entries[Math.min(index, entries.length - 1)];
  if (!entry) return $('instruction').focus();
  const found = fields(entry);
  return (found[at] && !found[at].disabled ? found[at] : found[0]).focus();
}

/** The name of a step: that of its operation, inside a part of the image that of the edit there. */
function title(step) {
  const inner = controlsOf(step).find(({ kind }) => kind === 'step');
  return inner ? title(read(step, inner.field)) : words(step.operation);
}

const controlsOf = ({ operation }) => facts.operations[operation] ?? [];

function item(one, index, count) {
  const { id, step, on, from } = one;
  const name = title(step);
  const box = make('input', { type: 'checkbox', checked: on, 'aria-label': `${name}: on` });
  box.addEventListener('input', () => plan.change('', (steps) => { plan.find(steps, id).on = box.checked; }));
  const act = (label, sign, disabled, action) => make('button', { type: 'button', className: 'quiet', textContent: sign, disabled,
    title: label, 'aria-label': `${label}: ${name}`, onclick: action });
  const move = (to) => { shift(index, to); say(`${name} is now step ${to + 1} of ${count}.`); };
  const grip = make('span', { className: 'grip', title: 'Drag to reorder', 'aria-hidden': 'true', textContent: '⠿' });
  const entry = make('li', { className: on ? 'step' : 'step off' },
    make('div', { className: 'step-head' }, grip, make('label', { className: 'step-on' }, box, make('span', { textContent: name })),
      make('span', { className: 'step-acts' },
        act('Move up', '↑', index === 0, () => move(index - 1)),
        act('Move down', '↓', index === count - 1, () => move(index + 1)),
        act('Remove', '✕', false, () => { plan.change('', (steps) => steps.filter((other) => other.id !== id)); say(`${name} removed.`); }))),
    from ? make('q', { className: 'step-from', textContent: from }) : null,
    make('div', { className: 'controls' }, ...controls(step, id)));
  entry.dataset.step = id;
  drag(grip, entry);
  return entry;
}

function controls(step, id, inside = (root) => root) {
  return controlsOf(step).flatMap((control) => {
    if (control.kind === 'step') {
      return controls(read(step, control.field), id, (root) => read(inside(root), control.field));
    }
    // Choosing a place removes coordinates, and with them their controls.
    const key = (field) => (control.instead_of ? '' : `${id}/${field}`);
    return element(control, step, (field, alter) =>
      plan.change(key(field), (steps) => { alter(inside(plan.find(steps, id).step)); })) ?? [];
  });
}

function shift(from, to) {
  plan.change('', (steps) => {
    const [moved] = steps.splice(from, 1);
    steps.splice(to, 0, moved);
  });
}

/** Moves a step by its grip, with a mouse, a pen or a finger. */
function drag(grip, entry) {
  grip.addEventListener('pointerdown', (event) => {
    if (event.button > 0) return;
    event.preventDefault();
    grip.setPointerCapture(event.pointerId);
    const entries = [...$('recipe').children];
    const from = entries.indexOf(entry);
    const centers = entries.map((other) => other.getBoundingClientRect().top + other.offsetHeight / 2);
    let to = from;
    entry.classList.add('dragged');
    const over = ({ clientY }) => {
      entry.style.transform = `translateY(${clientY - event.clientY}px)`;
      to = centers.filter((center, index) => index !== from && center < clientY).length;
      entries.forEach((other, index) => {
        other.classList.toggle('before', index === to && to < from);
        other.classList.toggle('after', index === to && to > from);
      });
    };
    const drop = () => {
      grip.removeEventListener('pointermove', over);
      entry.style.transform = '';
      for (const other of entries) other.classList.remove('dragged', 'before', 'after');
      if (to !== from) shift(from, to);
    };
    grip.addEventListener('pointermove', over);
    grip.addEventListener('lostpointercapture', drop, { once: true });
  });
}
