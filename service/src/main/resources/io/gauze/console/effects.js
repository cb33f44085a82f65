// The effects of a fit with their intervals: what a response changes over the range of a column.
import { h } from 'preact';
import { useState } from 'preact/hooks';
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

/** How many times further than the median effect one may reach before the axis leaves out its end. */
const FURTHEST = 8;

const reach = (effect) => Math.max(...[effect.estimate, effect.low ?? 0, effect.high ?? 0].map(Math.abs));

/** The ends of an axis on which most effects can be read, and the names of those that go beyond it. */
export function span(effects, isWhole) {
  const reaches = effects.map(reach).sort((one, other) => one - other);
  const limit = isWhole ? Infinity : FURTHEST * reaches[Math.floor(reaches.length / 2)];
  const beyond = limit > 0 ? effects.filter((each) => reach(each) > limit) : [];
  const ends = effects.flatMap((each) => (beyond.includes(each)
    ? [each.estimate].filter((value) => Math.abs(value) <= limit)
    : [each.estimate, each.low ?? 0, each.high ?? 0]));
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const margin = 0.04 * (high - low || 1);
  return { low: low - margin, high: high + margin, beyond: beyond.map((each) => each.name) };
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

/** A value of an effect on the axis; an arrow at its end if the value is beyond. */
function Mark({ value, low, high, x, middle, children }) {
  if (value >= low && value <= high) return children;
  const [end, step] = value < low ? [low, -6] : [high, 6];
  return h('path', { class: 'beyond', d: `M${x(end)} ${middle - 6}l${step} 6l${-step} 6` });
}

function Row({ effect, place, middle, x, low, high }) {
  const withheld = effect.low === null;
  const held = (value) => Math.min(high, Math.max(low, value));
  const said = withheld
    ? `${effect.name}: ${digits(effect.estimate)}, interval withheld`
    : `${effect.name}: ${within(effect.estimate, effect.error)}, from ${within(effect.low, effect.error)} to ${within(effect.high, effect.error)}`;
  return h('g', { class: withheld ? 'effect withheld' : 'effect', 'data-term': effect.name },
    h('title', null, said),
    h('rect', { class: 'hover', x: 0, y: middle - ROW / 2, width: '100%', height: ROW }),
    h('text', { class: 'term', x: place - 12, y: middle + 4, 'text-anchor': 'end' }, clipped(effect.name, place - 16)),
    !withheld && h('line', { class: 'interval', x1: x(held(effect.low)), x2: x(held(effect.high)), y1: middle, y2: middle }),
    !withheld && [effect.low, effect.high].map((end, k) =>
      h(Mark, { key: k, value: end, low, high, x, middle }, h('line', { class: 'interval', x1: x(end), x2: x(end), y1: middle - 5, y2: middle + 5 }))),
    h(Mark, { value: effect.estimate, low, high, x, middle }, h('circle', { cx: x(effect.estimate), cy: middle, r: 5 })));
}

/** The plot; a withheld interval is an empty dot. */
export function EffectsPlot({ answer, header, level }) {
  const [frame, width] = useWidth();
  const [isWhole, setWhole] = useState(false);
  const effects = effectsOf(answer, header);
  const { low, high } = span(effects, isWhole);
  const { beyond } = span(effects, false);
  return h('div', { ref: frame, class: 'effects' },
    width > 0 && effects.length > 0 && h(Drawing, { effects, low, high, width, answer, level }),
    beyond.length > 0 && h('p', { class: 'hint' },
      isWhole ? 'The axis is as long as the longest interval. ' : `Beyond the axis: ${beyond.join(', ')}. `,
      h('button', { type: 'button', class: 'link', id: 'whole-axis', onClick: () => setWhole(!isWhole) }, isWhole ? 'Show most effects larger' : 'Show the whole axis')));
}

function Drawing({ effects, low, high, width, answer, level }) {
  const longest = Math.max(...effects.map((each) => widthOf(each.name)));
  const place = Math.min(Math.round(width * 0.5), 20 + longest);
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
    effects.map((effect, k) => h(Row, { key: effect.name, effect, place, middle: TOP + (k + 0.5) * ROW, x, low, high })),
    h('text', { class: 'axis', x: width < 520 ? width / 2 : (place + right) / 2, y: floor + 38, 'text-anchor': 'middle' },
      answer.loss === 'logistic' ? `change of the log odds of ${answer.response}` : `change of ${answer.response} over each column\u2019s range`));
}
