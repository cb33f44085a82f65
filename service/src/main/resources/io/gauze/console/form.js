// The form of a question. It reads from and writes to the address alone.
import { h } from 'preact';
import { Check, Chips, NumberField, Segmented, Select, Slider } from './controls.js';
import { digits, epoch } from './format.js';
import { joined, LEVELS, LOSSES } from './question.js';
import { change } from './state.js';

const DECADES = 3;

const one = (names) => names.map((name) => [name, name === 'all' ? 'all' : name]);

/** Which releases: stream, group, sketch, and one epoch or several that are added up. */
export function ReleaseFields({ chosen }) {
  const { kind } = chosen;
  const epochs = [...chosen.epochs].reverse().map((each) => [each, epoch(each)]);
  const choose = (next) => {
    const sketch = chosen.sketch || chosen.sketches[0];
    if (next === 'latest') change({ epochs: '', from: '', to: '' });
    else if (next === 'all') change({ epochs: 'all', from: '', to: '', sketch });
    else if (next === 'one') change({ epochs: '', from: chosen.to, to: chosen.to, sketch });
    else change({ epochs: '', from: chosen.first, to: chosen.last, sketch });
  };
  return h('div', { class: 'fields' },
    chosen.streams.length > 1 &&
      h(Select, { label: 'Stream', name: 'stream', value: chosen.stream, options: one(chosen.streams), onChange: (stream) => change({ stream, group: '', sketch: '', from: '', to: '', with: '', response: '', features: '' }) }),
    chosen.streams.length > 1 && h(AddedStreams, { chosen }),
    chosen.groups.length > 1 &&
      h(Select, { label: 'Group', name: 'group', value: chosen.group, options: one(chosen.groups), onChange: (group) => change({ group, from: '', to: '' }) }),
    chosen.sketches.length > 1 &&
      h(Select, { label: 'Sketch', name: 'sketch', value: chosen.sketch, options: [...(chosen.best && kind === 'latest' ? [['', 'the most accurate']] : []), ...one(chosen.sketches)], onChange: (sketch) => change({ sketch }) }),
    chosen.epochs.length > 1 &&
      h(Segmented, { label: 'Epochs', name: 'epochs', value: kind, options: [['latest', 'Latest'], ['all', 'All'], ['one', 'One'], ['range', 'Range']], onChange: choose }),
    kind === 'all' &&
      h('p', { class: 'hint' }, 'All epochs so far, at most 1,000, added up. Intervals get shorter with each new one.'),
    kind === 'one' &&
      h(Select, { label: 'Epoch', name: 'epoch', value: chosen.to, options: epochs, onChange: (each) => change({ from: each, to: each }) }),
    kind === 'range' && h('div', { class: 'pair' },
      h(Select, { label: 'From', name: 'from', value: chosen.from, options: epochs, onChange: (from) => change({ from, to: chosen.to }) }),
      h(Select, { label: 'To', name: 'to', value: chosen.to, options: epochs, onChange: (to) => change({ from: chosen.from, to }) })));
}

/** Streams whose releases are added to those of the chosen one. */
function AddedStreams({ chosen }) {
  const others = chosen.streams.filter((each) => each !== chosen.stream);
  const added = chosen.added.map((each) => each.stream);
  const lacking = chosen.added.filter((each) => !each.to).map((each) => each.stream);
  return h('div', null,
    h(Chips, { label: 'Add streams', name: 'with', all: others, chosen: added, onChange: (names) => change({ with: joined(names), sketch: chosen.sketch || chosen.sketches[0] }) }),
    lacking.length > 0 && h('p', { class: 'hint' }, `Without a release of these epochs: ${lacking.join(', ')}.`));
}

/** What is explained by what. */
export function ColumnFields({ cols }) {
  const take = (features) => change({ features: features.length === cols.possible.length ? '' : joined(features) });
  return h('div', { class: 'fields' },
    h(Select, { label: 'Response', name: 'response', value: cols.response, options: cols.responses, onChange: (response) => change({ response, features: '' }) }),
    h(Chips, { label: 'Features', name: 'feature', all: cols.possible, chosen: cols.features, onChange: (next) => next.length && take(next) }));
}

/** How it is fitted. */
export function MethodFields({ params, auto, used, rows }) {
  const loss = params.loss || 'auto';
  const middle = auto > 0 ? auto : Math.max(1, rows || 1) / 1000;
  const center = Math.log10(middle);
  const lambda = params.lambda ? Number(params.lambda) : used;
  const low = center - DECADES;
  const place = lambda > 0 ? Math.min(center + DECADES, Math.max(low, Math.log10(lambda))) : low;
  const without = loss === 'ols';
  return h('div', { class: 'fields' },
    h(Select, { label: 'Loss', name: 'loss', value: loss, options: LOSSES, onChange: (next) => change({ loss: next === 'auto' ? '' : next, lambda: '' }) }),
    loss === 'quantile' &&
      h(Slider, { label: 'Quantile', name: 'quantile', min: 0.05, max: 0.95, step: 0.05, value: Number(params.quantile || 0.5), shown: (v) => v.toFixed(2), onChange: (v) => change({ quantile: v.toFixed(2) }) }),
    loss === 'huber' &&
      h(NumberField, { label: 'Threshold, in the encoded scale', name: 'threshold', value: params.threshold || '0.1', min: 0, onChange: (threshold) => change({ threshold }) }),
    loss === 'elastic-net' &&
      h(Slider, { label: 'Share of ridge (alpha)', name: 'alpha', min: 0, max: 1, step: 0.05, value: Number(params.alpha || 0.5), shown: (v) => v.toFixed(2), onChange: (v) => change({ alpha: v.toFixed(2) }) }),
    !without && h(Slider, {
      label: 'Penalty (lambda)', name: 'lambda', min: low, max: center + DECADES, step: 0.01, value: place,
      mark: auto > 0 ? center : auto === 0 ? low : undefined, markLabel: 'auto',
      shown: (v) => (params.lambda || v !== place ? digits(v === place && params.lambda ? lambda : 10 ** v, 3) : used === undefined ? 'auto' : `auto, ${digits(used, 3)}`),
      onChange: (v) => change({ lambda: String(Number((10 ** v).toPrecision(4))) }),
    }, params.lambda
      ? h('button', { type: 'button', class: 'link', id: 'auto', onClick: () => change({ lambda: '' }) }, 'Back to automatic')
      : h('p', { class: 'hint' }, 'Chosen from the noise of the release.')),
    h(Segmented, { label: 'Interval level', name: 'level', value: params.level || '0.95', options: LEVELS.map((each) => [each, `${100 * each} %`]), onChange: (level) => change({ level: level === '0.95' ? '' : level }) }),
    h(Check, { label: 'Leave the intercept out of the penalty', name: 'free', checked: params.free === 'yes', onChange: (on) => change({ free: on ? 'yes' : '' }) }));
}
