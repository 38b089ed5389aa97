// Zooming and panning an image by wheel, pinch, drag, keys and buttons. Without zoom, dragging moves
// the before/after slider (`slide`) instead. Side by side, all images in the frame move together.

const MOST = 16;
const STEP = 1.5;
const KEY_PX = 48;

/** Makes `canvas` zoomable in `frame`. `slide` gets the position of a drag, from 0 to 1. */
export function zoomable(frame, canvas, { slide, told }) {
  let scale = 1;
  let x = 0;
  let y = 0;
  const fingers = new Map();

  function apply() {
    const room = (size, side) => Math.max(0, (size * scale - side) / 2);
    const clamp = (value, most) => Math.min(most, Math.max(-most, value));
    const pane = canvas.parentElement;
    x = clamp(x, room(canvas.offsetWidth, pane.clientWidth));
    y = clamp(y, room(canvas.offsetHeight, pane.clientHeight));
    const transform = scale === 1 ? '' : `translate(${x}px, ${y}px) scale(${scale})`;
    for (const one of frame.querySelectorAll('.sheetlet')) one.style.transform = transform;
    frame.classList.toggle('zoomed', scale > 1);
    told(scale);
  }

  function zoomTo(wanted, at = center()) {
    const next = Math.min(MOST, Math.max(1, wanted));
    const { px, py } = fromCenter(at);
    x = px - ((px - x) * next) / scale;
    y = py - ((py - y) * next) / scale;
    scale = next;
    apply();
  }

  function center(pane = canvas.parentElement) {
    const box = pane.getBoundingClientRect();
    return { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 };
  }

  /** The position in the pane under the pointer, from its center. */
  function fromCenter({ clientX, clientY }) {
    const isOver = (pane) => {
      const box = pane.getBoundingClientRect();
      return clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom;
    };
    const middle = center([...frame.children].find(isOver));
    return { px: clientX - middle.clientX, py: clientY - middle.clientY };
  }

  function slideTo(event) {
    const box = canvas.getBoundingClientRect();
    slide(Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)));
  }

  function pinch() {
    const [one, two] = [...fingers.values()];
    return {
      apart: Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY),
      at: { clientX: (one.clientX + two.clientX) / 2, clientY: (one.clientY + two.clientY) / 2 },
    };
  }

  function press(event) {
    if (event.button > 0) return;
    frame.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, event);
    if (fingers.size === 1 && scale === 1) slideTo(event);
    frame.classList.add('moving');
  }

  function moveFinger(event) {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const pinchedBefore = fingers.size === 2 ? pinch() : null;
    fingers.set(event.pointerId, event);
    if (pinchedBefore) {
      const now = pinch();
      zoomTo((scale * now.apart) / Math.max(1, pinchedBefore.apart), now.at);
    } else if (scale > 1) {
      x += event.clientX - before.clientX;
      y += event.clientY - before.clientY;
      apply();
    } else {
      slideTo(event);
    }
  }

  function lift(event) {
    fingers.delete(event.pointerId);
    if (fingers.size === 0) frame.classList.remove('moving');
  }

  function key(event) {
    const moves = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const acts = { '+': () => zoomTo(scale * STEP), '=': () => zoomTo(scale * STEP), '-': () => zoomTo(scale / STEP), 0: whole };
    const move = scale > 1 ? moves[event.key] : undefined;
    if (event.ctrlKey || event.metaKey || event.altKey || !(move || acts[event.key])) return;
    event.preventDefault();
    if (!move) return acts[event.key]();
    x += move[0] * KEY_PX;
    y += move[1] * KEY_PX;
    apply();
  }

  function whole() {
    scale = 1;
    x = 0;
    y = 0;
    apply();
  }

  frame.addEventListener('pointerdown', press);
  frame.addEventListener('pointermove', moveFinger);
  frame.addEventListener('pointerup', lift);
  frame.addEventListener('pointercancel', lift);
  frame.addEventListener('keydown', key);
  frame.addEventListener('wheel', (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoomTo(scale * Math.exp(-event.deltaY / 200), event);
  }, { passive: false });
  new ResizeObserver(apply).observe(frame);
  return { more: () => zoomTo(scale * STEP), less: () => zoomTo(scale / STEP), whole, scale: () => scale };
}
