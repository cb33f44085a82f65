// One coefficient over epochs, with its band; each epoch may be added up with those before it.
import { h } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { query, useJson } from './api.js';
import { Chart } from './charts.js';
import { Select, Slider } from './controls.js';
import { Exports } from './download.js';
import { digits, epoch, epochHeading, percent, within } from './format.js';
import { ColumnFields } from './form.js';
import { asked, choices, columns, LOSSES, pathOf, sample } from './question.js';
import { change } from './state.js';
import { Card, Empty, Live, PageHead, ProblemNote, Skeleton, Table, Waiting } from './ui.js';

const MOST_WINDOW = 48;
const MOST_READ = 2000;
const SHOWN = 400;

/** The page. */
export function OverTime({ params, known }) {
  const chosen = useMemo(() => withSketch(choices(params, known.releases)), [params, known.releases]);
  const header = useJson(`${pathOf(sample(chosen, known.releases))}/header`);
  return h('div', { class: 'page' },
    h(PageHead, { title: 'Over time', text: 'A coefficient and its interval, epoch by epoch. New epochs appear by themselves.' }),
    h(ProblemNote, { problem: header.problem, retry: header.retry }),
    header.data ? h(Series, { params, chosen, header: header.data }) : !header.problem && h(Skeleton, { lines: 8 }));
}

/** A series has one sketch. */
const withSketch = (chosen) => ({ ...chosen, sketch: chosen.sketch || chosen.sketches[0] });

function Series({ params, chosen, header }) {
  const cols = columns(params, header);
  const question = asked(params, cols);
  const window = Math.max(1, Number(params.window) || 1);
  // No more epochs than the service reads for one answer: the latest ones.
  const most = Math.min(SHOWN, Math.floor(MOST_READ / window));
  const epochs = chosen.epochs.slice(-most);
  const level = params.level || '0.95';
  const { stream, group, sketch } = chosen;
  const path = `v1/series?${query({ stream, group, sketch, from: epochs[0], window: window > 1 ? window : '', ...question, level })}`;
  const answer = useJson(path, true);
  const terms = [...cols.features, '(intercept)'];
  const term = terms.includes(params.term) ? params.term : terms[0];
  return h('div', { class: 'split' },
    h('details', { class: 'card panel', open: innerWidth >= 900 },
      h('summary', null, h('span', null, 'Question'), h('span', { class: 'muted' }, `${term} on ${cols.response}`)),
      h('form', { onSubmit: (e) => e.preventDefault(), 'aria-label': 'Question' },
        h(SeriesFields, { chosen, params, terms, term, window }),
        h(ColumnFields, { cols }))),
    h('div', { class: 'main-column' },
      h(ProblemNote, { problem: answer.problem, retry: answer.retry }),
      h(Waiting, { waiting: answer.loading }, 'Fitting'),
      answer.data
        ? h(Drawn, { answer: answer.data, path, term, level, cut: epochs.length < chosen.epochs.length })
        : !answer.problem && h('div', { class: 'card' }, h(Skeleton, { lines: 10 }))));
}

function SeriesFields({ chosen, params, terms, term, window }) {
  return h('div', { class: 'fields' },
    chosen.streams.length > 1 &&
      h(Select, { label: 'Stream', name: 'stream', value: chosen.stream, options: chosen.streams, onChange: (stream) => change({ stream, group: '', sketch: '', response: '', features: '' }) }),
    chosen.groups.length > 1 &&
      h(Select, { label: 'Group', name: 'group', value: chosen.group, options: chosen.groups, onChange: (group) => change({ group }) }),
    chosen.sketches.length > 1 &&
      h(Select, { label: 'Sketch', name: 'sketch', value: chosen.sketch, options: chosen.sketches, onChange: (sketch) => change({ sketch }) }),
    h(Select, { label: 'Coefficient', name: 'term', value: term, options: terms, onChange: (each) => change({ term: each }) }),
    h(Slider, {
      label: 'Window', name: 'window', min: 1, max: Math.min(MOST_WINDOW, Math.max(2, chosen.epochs.length)), step: 1, value: window,
      shown: (v) => (v === 1 ? 'each epoch alone' : `${v} epochs added up`),
      onChange: (v) => change({ window: v === 1 ? '' : String(v) }),
    }, h('p', { class: 'hint' }, 'More epochs: shorter intervals, slower to follow a change.')),
    h(Select, { label: 'Loss', name: 'loss', value: params.loss || 'auto', options: LOSSES.slice(0, 6), onChange: (loss) => change({ loss: loss === 'auto' ? '' : loss, lambda: '' }) }));
}

function points(answer, term) {
  return answer.epochs.map((each) => ({
    epoch: each.epoch,
    time: Date.parse(each.epoch) / 1000,
    estimate: each.coefficients?.[term] ?? null,
    error: each.standardErrors?.[term] ?? null,
    low: each.confLow?.[term] ?? null,
    high: each.confHigh?.[term] ?? null,
    excess: each.predictedExcess ?? null,
    reason: each.error?.message,
  }));
}

function Drawn({ answer, path, term, level, cut }) {
  const [problem, setProblem] = useState(null);
  const all = useMemo(() => points(answer, term), [answer, term]);
  const isTime = all.every((each) => !Number.isNaN(each.time));
  const data = useMemo(() => [
    all.map((each, k) => (isTime ? each.time : k + 1)),
    all.map((each) => each.estimate),
    all.map((each) => each.low),
    all.map((each) => each.high),
  ], [all]);
  const last = all[all.length - 1];
  if (!last) return h(Empty, { title: 'No epoch' }, 'This series has no release yet.');
  const interval = `${100 * level} % interval`;
  const said = `${epoch(last.epoch)}: ${term} is ${within(last.estimate, last.error)}`;
  return h('div', { class: 'stack' },
    h(ProblemNote, { problem }),
    h(Card, { title: `Coefficient of ${term} on ${answer.response}`, aside: h('span', { class: 'muted' }, `with the ${interval}`) },
      all.length === 1 && !isTime ? h(Empty, { title: 'One release' }, 'It is of all rows together, so there is nothing over time.') : h(Chart, {
        data, label: `Coefficient of ${term} over epochs`, id: 'series-chart',
        series: [{ label: term, place: 0, band: true, points: all.length <= 60 }],
        x: { time: isTime, range: isTime && all.length === 1 ? [all[0].time - 60, all[0].time + 60] : undefined, label: isTime ? 'epoch (UTC)' : 'epoch', format: (place) => (all[place - 1] ? epoch(all[place - 1].epoch) : '') },
        y: { label: `${answer.response} per unit of ${term}` },
        marks: [{ axis: 'y', at: 0 }],
      }),
      cut && h('p', { class: 'hint' }, `The latest ${all.length} epochs.`)),
    h(Card, { title: 'Epochs, the latest first', aside: h(Exports, { path, file: `series-of-${answer.response}`, formats: ['csv'], label: 'all epochs and coefficients', onProblem: setProblem }) },
      h(Table, {
        id: 'series-table', caption: `Coefficient of ${term} by epoch`, keyOf: (row) => row.epoch,
        rows: [...all].reverse().slice(0, 100),
        columns: [
          [epochHeading(all.map((each) => each.epoch)), (row) => epoch(row.epoch)],
          ['Estimate', (row) => (row.reason ? h('span', { class: 'muted', title: row.reason }, 'refused') : within(row.estimate, row.error)), 'number'],
          [interval, (row) => (row.reason ? '\u2013' : row.low === null ? 'withheld' : `${within(row.low, row.error)} to ${within(row.high, row.error)}`), 'number soft'],
          ['Std. error', (row) => digits(row.error, 2), 'number wide'],
          ['Predicted excess', (row) => percent(row.excess), 'number wide'],
        ],
      })),
    h(Live, null, said));
}
