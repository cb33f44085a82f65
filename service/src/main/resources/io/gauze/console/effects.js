// The effects of a fit with their intervals: what a response changes over the range of a column.
import { h } from 'preact';
import { digits, within } from './format.js';
import { useWidth } from './ui.js';

const ROW = 34;
const TOP = 8;
const BOTTOM = 44;

/** The effects of an answer: coefficients times the width of their column's public range. */
function effectsOf(answer, header) {
  const ranges = Object.fromEntries(header.columns.map((each) => [each.name, each.upper - each.lower]));
  return Object.keys(answer.effects).map((name) => {
    const range = ranges[name] ?? 1;
    const scaled = (numbers) => (numbers[name] === null ? null : numbers[name] * range);
    return {
      name,
      estimate: answer.effects[name],
      error: scaled(answer.standardErrors),
      low: scaled(answer.confLow),
      high: scaled(answer.confHigh),
    };
  });
}

const LEAST_TICKS = 3;

/** Round numbers of an axis: about as many as wanted, which is 3 or more, and never fewer than 3. */
export function ticks(low, high, wanted) {
  const raw = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(raw));
  const steps = [0.5, 1, 2, 5, 10].map((each) => each * power);
  const wide = steps.findIndex((each) => each >= raw);
  const few = Math.floor(high / steps[wide]) - Math.ceil(low / steps[wide]) + 1 < LEAST_TICKS;
  const step = steps[few ? wide - 1 : wide];
  const all = [];
  for (let k = Math.ceil(low / step); k * step <= high + step / 1e6; k += 1) all.push(k * step);
  return all.map((each) => (Math.abs(each) < step / 1e6 ? 0 : each)).map((at) => ({ at, text: within(at, 10 * step) }));
}

const pen = document.createElement('canvas').getContext('2d');

/** The width of a name in the plot, in pixels. */
function widthOf(name) {
  pen.font = '13px system-ui, sans-serif';
  return Math.ceil(pen.measureText(name).width);
}

/** A name that is cut at its end so that it fits. */
function clipped(name, most) {
  if (widthOf(name) <= most) return name;
  let length = name.length - 1;
  while (length > 1 && widthOf(`${name.slice(0, length)}\u2026`) > most) length -= 1;
  return `${name.slice(0, length)}\u2026`;
}

function Row({ effect, place, middle, x }) {
  const withheld = effect.low === null;
  const said = withheld
    ? `${effect.name}: ${digits(effect.estimate)}, interval withheld`
    : `${effect.name}: ${within(effect.estimate, effect.error)}, from ${within(effect.low, effect.error)} to ${within(effect.high, effect.error)}`;
  return h('g', { class: withheld ? 'effect withheld' : 'effect', 'data-term': effect.name },
    h('title', null, said),
    h('rect', { class: 'hover', x: 0, y: middle - ROW / 2, width: '100%', height: ROW }),
    h('text', { class: 'term', x: place - 12, y: middle + 4, 'text-anchor': 'end' }, clipped(effect.name, place - 16)),
    !withheld && h('line', { class: 'interval', x1: x(effect.low), x2: x(effect.high), y1: middle, y2: middle }),
    !withheld && [effect.low, effect.high].map((end, k) =>
      h('line', { key: k, class: 'interval', x1: x(end), x2: x(end), y1: middle - 5, y2: middle + 5 })),
    h('circle', { cx: x(effect.estimate), cy: middle, r: 5 }));
}

/** The plot; a withheld interval is an empty dot. */
export function EffectsPlot({ answer, header, level }) {
  const [frame, width] = useWidth();
  const effects = effectsOf(answer, header);
  return h('div', { ref: frame, class: 'effects' },
    width > 0 && effects.length > 0 && h(Drawing, { effects, width, answer, level }));
}

function Drawing({ effects, width, answer, level }) {
  const longest = Math.max(...effects.map((each) => widthOf(each.name)));
  const place = Math.min(Math.round(width * 0.5), 20 + longest);
  const ends = effects.flatMap((each) => [each.estimate, each.low ?? 0, each.high ?? 0, 0]);
  const spread = Math.max(...ends) - Math.min(...ends) || 1;
  const low = Math.min(...ends) - 0.04 * spread;
  const high = Math.max(...ends) + 0.04 * spread;
  const right = width - 14;
  const x = (value) => place + ((value - low) / (high - low)) * (right - place);
  const height = TOP + effects.length * ROW + BOTTOM;
  const floor = TOP + effects.length * ROW;
  const label = `Effects on ${answer.response} with ${100 * level} % intervals. The table has the same numbers.`;
  return h('svg', { class: 'effects-plot', width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label },
    ticks(low, high, Math.max(LEAST_TICKS, Math.floor((right - place) / 80))).map(({ at, text }) =>
      h('g', { key: at },
        h('line', { class: at === 0 ? 'zero' : 'grid', x1: x(at), x2: x(at), y1: TOP, y2: floor }),
        h('text', { class: 'tick', x: x(at), y: floor + 18, 'text-anchor': 'middle' }, text))),
    effects.map((effect, k) => h(Row, { key: effect.name, effect, place, middle: TOP + (k + 0.5) * ROW, x })),
    h('text', { class: 'axis', x: width < 520 ? width / 2 : (place + right) / 2, y: floor + 38, 'text-anchor': 'middle' },
      answer.loss === 'logistic' ? `change of the log odds of ${answer.response}` : `change of ${answer.response} over each column\u2019s range`));
}
