// Where the original lies in the frame of a result. The steps of a plan that move pixels become one
// affine map, so that the before/after slider compares the same spot of the photo.

/** How far the computed size may be from the real one, as a share. Then the map is not trusted. */
const TOLERANCE = 0.01;
/** Steps whose geometry depends on pixels or on several images. */
const UNKNOWN = ['trim', 'join', 'make'];

const PLACES = ['top_left', 'top', 'top_right', 'left', 'center', 'right', 'bottom_left', 'bottom', 'bottom_right'];

/** Maps the original with `size` into a result with the size `wanted`. Returns the map as a CSS
 *  matrix `[a, b, c, d, e, f]` in pixels of the result, or null if the plan does not say. */
export function register(plan, size, wanted) {
  if (!plan?.steps || plan.steps.some(({ operation }) => UNKNOWN.includes(operation))) return null;
  let now = { ...size, matrix: [1, 0, 0, 1, 0, 0] };
  for (const step of plan.steps) {
    const move = MOVES[step.operation];
    if (!move) continue;
    const moved = move(step, now);
    if (!moved) return null;
    now = { ...moved, matrix: times(moved.matrix, now.matrix) };
  }
  const near = (one, other) => Math.abs(one - other) <= Math.max(1, other * TOLERANCE);
  return near(now.width, wanted.width) && near(now.height, wanted.height) ? now.matrix : null;
}

/** Whether the map leaves the original where it is. */
export const isIdentity = (matrix) => [1, 0, 0, 1, 0, 0].every((value, at) => Math.abs(matrix[at] - value) < 1e-6);

/** The map that applies `second` and then `first`. */
function times([a, b, c, d, e, f], [g, h, i, j, k, l]) {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

const whole = (value) => Math.floor(value + 0.5);
const shifted = (x, y, width, height) => ({ width, height, matrix: [1, 0, 0, 1, x, y] });

/** A length such as `10px` or `5%`, of a side in pixels. */
const px = (length, side) => whole(String(length).endsWith('%') ? (side * parseFloat(length)) / 100 : parseFloat(length));

/** Where `inner` starts inside `outer` at one of the nine places. */
function offset(place, outer, inner) {
  const at = PLACES.indexOf(place);
  const share = (free, third) => [0, Math.floor(free / 2), free][third];
  return [share(outer.width - inner.width, at % 3), share(outer.height - inner.height, Math.floor(at / 3))];
}

/** The largest size with this ratio inside `size`. */
const largest = ({ width, height }, ratio) => (width > height * ratio
  ? { width: whole(height * ratio), height } : { width, height: whole(width / ratio) });

const cropped = (size, inner, [x, y]) => shifted(-x, -y, inner.width, inner.height);
const grown = ({ width, height }, [left, top, right, bottom]) => shifted(left, top, width + left + right, height + top + bottom);

const CROPS = {
  ratio: (step, size) => largest(size, step.width / step.height),
  size: ({ width, height }) => ({ width, height }),
  share: (step, { width, height }) => ({ width: whole((width * step.width_percent) / 100), height: whole((height * step.height_percent) / 100) }),
};

const LIMITS = { at_most: (factor) => factor < 1, at_least: (factor) => factor > 1 };

const FACTORS = {
  exact: (step, { width, height }) => [step.width / width, step.height / height],
  width: (step, { width }) => [step.width / width],
  height: (step, { height }) => [step.height / height],
  shortest: (step, { width, height }) => [step.px / Math.min(width, height)],
  megapixels: (step, { width, height }) => [Math.sqrt((step.megapixels * 1e6) / (width * height))],
  percent: (step) => [step.percent / 100],
  stretch: (step) => [step.width_percent / 100, step.height_percent / 100],
  fit: (step, { width, height }) => [Math.min(step.width / width, step.height / height)],
};

const FLIPS = {
  left_right: ({ width, height }) => ({ width, height, matrix: [-1, 0, 0, 1, width, 0] }),
  top_bottom: ({ width, height }) => ({ width, height, matrix: [1, 0, 0, -1, 0, height] }),
  transpose: ({ width, height }) => ({ width: height, height: width, matrix: [0, 1, 1, 0, 0, 0] }),
  transverse: ({ width, height }) => ({ width: height, height: width, matrix: [0, -1, -1, 0, height, width] }),
};

const MOVES = {
  crop(step, size) {
    if (step.to === 'box') return cropped(size, step, [step.left_px, step.top_px]);
    if (step.to === 'sides') {
      const { width, height } = size;
      return grown(size, [-px(step.left, width), -px(step.top, height), -px(step.right, width), -px(step.bottom, height)]);
    }
    const inner = CROPS[step.to]?.(step, size);
    return inner ? cropped(size, inner, offset(step.place, size, inner)) : null;
  },
  cutout(step, size) {
    if (step.shape !== 'circle') return shifted(0, 0, size.width, size.height);
    const side = Math.min(size.width, size.height);
    const inner = { width: side, height: side };
    return cropped(size, inner, offset(step.place, size, inner));
  },
  resize(step, { width, height }) {
    if (step.to === 'fill') {
      const part = largest({ width, height }, step.width / step.height);
      const [x, y] = offset('center', { width, height }, part);
      const [across, down] = [step.width / part.width, step.height / part.height];
      return { width: step.width, height: step.height, matrix: [across, 0, 0, down, -x * across, -y * down] };
    }
    const [across, down = across] = FACTORS[step.to]?.(step, { width, height }) ?? [];
    if (!across) return null;
    if (step.limit in LIMITS && !LIMITS[step.limit](across)) return shifted(0, 0, width, height);
    const [wide, high] = [Math.max(1, whole(width * across)), Math.max(1, whole(height * down))];
    return { width: wide, height: high, matrix: [wide / width, 0, 0, high / height, 0, 0] };
  },
  rotate({ degrees, corners = 'grow' }, { width, height }) {
    const angle = (degrees * Math.PI) / 180;
    const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
    const size = turned({ width, height }, Math.abs(sine), Math.abs(cosine), degrees % 90 === 0 ? 'grow' : corners);
    const [x, y] = [width / 2, height / 2];
    return { ...size, matrix: [cosine, sine, -sine, cosine,
      size.width / 2 - cosine * x + sine * y, size.height / 2 - sine * x - cosine * y] };
  },
  flip: ({ sides }, size) => FLIPS[sides]?.(size) ?? null,
  pad(step, size) {
    const { width, height } = size;
    if (step.to === 'by') return grown(size, [step.px, step.px, step.px, step.px]);
    if (step.to === 'sides') return grown(size, [px(step.left, width), px(step.top, height), px(step.right, width), px(step.bottom, height)]);
    const ratio = step.width / step.height;
    const outer = step.to === 'size' ? { width: step.width, height: step.height }
      : { width: Math.max(width, whole(height * ratio)), height: Math.max(height, whole(width / ratio)) };
    return shifted(...offset(step.place, outer, size), outer.width, outer.height);
  },
  border({ width, sides = [], outer }, size) {
    const measured = (length) => Math.max(1, px(length, Math.min(size.width, size.height)));
    const each = measured(width) + (outer ? measured(outer.width) : 0);
    return grown(size, ['left', 'top', 'right', 'bottom'].map((side) => (sides.length === 0 || sides.includes(side) ? each : 0)));
  },
  polaroid(_, size) {
    const measured = (length) => Math.max(1, px(length, Math.min(size.width, size.height)));
    return grown(size, [measured('6%'), measured('6%'), measured('6%'), measured('22%')]);
  },
  shadow({ blur, distance, towards }, size) {
    const exact = (length) => (String(length).endsWith('%') ? (Math.min(size.width, size.height) * parseFloat(length)) / 100 : parseFloat(length));
    const reach = Math.ceil(Math.min(100, Math.max(0.1, exact(blur))) * 3);
    const at = PLACES.indexOf(towards);
    const [column, row] = [(at % 3) - 1, Math.floor(at / 3) - 1];
    const by = whole(column !== 0 && row !== 0 ? exact(distance) / Math.SQRT2 : exact(distance));
    const side = (shift) => Math.max(0, reach + shift);
    return grown(size, [side(-column * by), side(-row * by), side(column * by), side(row * by)]);
  },
};

/** The size after a rotation. */
function turned({ width, height }, sine, cosine, corners) {
  if (corners === 'keep') return { width, height };
  if (corners === 'cut') {
    const room = (side, reach) => Math.max(0, side - 1) / reach;
    const factor = Math.min(room(width, width * cosine + height * sine), room(height, width * sine + height * cosine));
    return { width: Math.max(1, Math.floor(width * factor)), height: Math.max(1, Math.floor(height * factor)) };
  }
  const side = (pixels) => Math.max(1, Math.ceil(pixels - 1e-3));
  return { width: side(width * cosine + height * sine), height: side(width * sine + height * cosine) };
}
