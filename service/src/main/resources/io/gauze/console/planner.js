// Before any row is read: how accurate fits can be expected to be, and what a wanted error takes.
import { h } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { getJson, query, useJson, useNews } from './api.js';
import { Chart, Legend } from './charts.js';
import { Check, NumberField, Segmented, Select, Slider } from './controls.js';
import { count, digits, percent } from './format.js';
import { choices, sample } from './question.js';
import { change } from './state.js';
import { Badge, Card, Empty, PageHead, ProblemNote, Skeleton, Table } from './ui.js';

const ERRORS = [['0.01', '1\u00a0%'], ['0.05', '5\u00a0%'], ['0.1', '10\u00a0%'], ['0.2', '20\u00a0%']];
const LOSSES = [['ridge', 'Least squares'], ['lad', 'Absolute'], ['logistic', 'Logistic']];
const USUAL_ROWS = 100000;
const STEPS = [0.1, 0.3, 1, 3, 10];
const TONES = { good: 'good', doubtful: 'fair', useless: 'poor' };
const LINES = 5;

/** The page. */
export function Planner({ params, known }) {
  const overview = useJson('v1');
  const release = known.releases.length ? sample(choices(params, known.releases), known.releases) : '';
  const own = overview.data?.advice; // advice is for the service's config
  const can = overview.data && (release || own);
  return h('div', { class: 'page' },
    h(PageHead, { title: 'Planner', text: 'How accurate fits can be expected to be, before any row is read. It costs nothing.' }),
    h(ProblemNote, { problem: overview.problem, retry: overview.retry }),
    can ? h(Plan, { params, release, own }) : !overview.problem && h('div', { class: 'card' }, overview.data && known.loaded
      ? h(Empty, { title: 'No columns yet' }, 'Advice is for the columns and the budget of a config or of a release. Start the service with a config, or wait for the first release.')
      : h(Skeleton, { lines: 6 })));
}

function Plan({ params, release, own }) {
  const given = Number(params.rows) > 0 ? Math.round(Number(params.rows)) : '';
  const loss = params.loss || 'ridge';
  const error = params.error || '0.05';
  const explained = params.explained || '0.5';
  const all = params.all === 'yes';
  const asked = { release: own ? '' : release, rows: given || (own ? '' : USUAL_ROWS), loss, explained, all: all ? 'true' : '' };
  const header = useJson(release ? `v1/releases/${release.split('/').map(encodeURIComponent).join('/')}/header` : '');
  const usual = header.data?.epsilon || 1;
  const epsilon = Number(params.epsilon) || usual;
  const answer = useJson(`v1/advise?${query({ ...asked, epsilon })}`);
  const rows = given || answer.data?.rows || USUAL_ROWS; // a config may say how many it expects
  // The search for what an error takes is slow, so that it does not hold up the rest.
  const search = useJson(answer.data ? `v1/advise?${query({ ...asked, epsilon, error })}` : '');
  const needs = Object.fromEntries((search.loading ? [] : search.data?.mechanisms || []).map((each) => [each.mechanism, each]));
  const takes = (one, field, format) => {
    if (search.loading) return '\u2026';
    const value = needs[one?.mechanism]?.[field];
    return value ? format(value) : '\u2013';
  };
  return h('div', { class: 'split' },
    h('details', { class: 'card panel', open: innerWidth >= 900 },
      h('summary', null, h('span', null, 'Plan'), h('span', { class: 'muted' }, `${count(rows)} rows, epsilon ${digits(epsilon, 2)}`)),
      h('form', { onSubmit: (e) => e.preventDefault(), 'aria-label': 'Plan' }, h('div', { class: 'fields' },
        h(NumberField, { label: 'Rows in an epoch', name: 'rows', value: rows, min: 1, step: 1, hint: 'A public guess, never the count.', onChange: (next) => change({ rows: next }) }),
        h(Slider, { label: 'Epsilon', name: 'epsilon', min: -1.3, max: 1.5, step: 0.02, value: Math.log10(epsilon), shown: (v) => digits(10 ** v, 2), onChange: (v) => change({ epsilon: String(Number((10 ** v).toPrecision(2))) }) }),
        h(Segmented, { label: 'Loss', name: 'loss', value: loss, options: LOSSES, onChange: (next) => change({ loss: next === 'ridge' ? '' : next }) }),
        h(Slider, { label: 'R squared that is expected', name: 'explained', min: 0.05, max: 0.95, step: 0.05, value: Number(explained), shown: (v) => `${Math.round(100 * v)} %`, onChange: (v) => change({ explained: v.toFixed(2) }) }),
        h(Select, { label: 'Wanted error, over that without privacy', name: 'error', value: error, options: ERRORS, onChange: (next) => change({ error: next }) }),
        h(Check, { label: 'All mechanisms', name: 'all', checked: all, onChange: (on) => change({ all: on ? 'yes' : '' }) })))),
    h('div', { class: 'main-column' },
      h(ProblemNote, { problem: answer.problem || search.problem, retry: answer.retry }),
      answer.data
        ? h('div', { class: answer.loading ? 'results busy' : 'results' },
          h(Advice, { answer: answer.data, error, epsilon, rows, takes }),
          h(Curves, { asked, answer: answer.data, error, epsilon, rows, over: params.over || 'epsilon' }),
          h(Mechanisms, { answer: answer.data, error, takes }))
        : !answer.problem && h('div', { class: 'card' }, h(Skeleton, { lines: 8 }))));
}

const rounded = (value) => count(Number(value.toPrecision(2)));
const wanted = (error) => ERRORS.find(([value]) => value === error)?.[1] || percent(Number(error));
const excess = (one) => (typeof one.predictedExcess === 'number' ? one.predictedExcess : null);

function Advice({ answer, error, epsilon, rows, takes }) {
  const best = answer.mechanisms.find((each) => each.mechanism === answer.recommended);
  const first = best || answer.mechanisms[0];
  return h('div', { class: 'stack' },
    h('div', { class: 'quality' },
      h('div', { class: 'figure' }, h('span', { class: 'figure-label' }, `Expected with epsilon ${digits(epsilon, 2)}`),
        h('span', { class: 'figure-value', id: 'expected' }, best ? percent(excess(best)) : 'nothing useful', ' ', best && h(Badge, { tone: TONES[best.verdict] }, best.verdict)),
        h('span', { class: 'muted' }, best ? `by ${best.mechanism}` : 'No mechanism beats a constant clearly.')),
      h('div', { class: 'figure' }, h('span', { class: 'figure-label' }, `Epsilon for ${wanted(error)}`),
        h('span', { class: 'figure-value', id: 'epsilon-for-error' }, takes(first, 'epsilonForError', (v) => digits(v, 2))),
        h('span', { class: 'muted' }, `with ${count(rows)} rows`)),
      h('div', { class: 'figure' }, h('span', { class: 'figure-label' }, `Rows for ${wanted(error)}`),
        h('span', { class: 'figure-value', id: 'rows-for-error' }, takes(first, 'rowsForError', rounded)),
        h('span', { class: 'muted' }, `with epsilon ${digits(epsilon, 2)}`))),
    h('p', null, answer.reason),
    answer.note && h('p', { class: 'hint' }, answer.note));
}

/** Asks for the points of the curves one after the other, so that the service has time for others. */
function useCurve(asked, over, epsilon) {
  const places = STEPS.map((step) => (over === 'epsilon' ? step : Math.max(1, Math.round(step * asked.rows))));
  const paths = places.map((place) => `v1/advise?${query({ ...asked, epsilon, [over]: place })}`);
  const [curve, setCurve] = useState({});
  const [again, setAgain] = useState(0);
  const retry = () => setAgain((n) => n + 1);
  const heard = useNews(() => curve.problem && retry());
  const key = paths.join();
  useEffect(() => {
    const abort = new AbortController();
    const before = heard.current;
    const ask = async () => {
      const answers = [];
      for (const path of paths) {
        answers.push(await getJson(path, { signal: abort.signal }));
        setCurve({ places: places.slice(0, answers.length), answers: [...answers] });
      }
    };
    ask().catch((problem) => {
      if (problem.name === 'AbortError') return;
      setCurve({ problem });
      if (heard.current > before) retry();
    });
    return () => abort.abort();
  }, [key, again]);
  return curve;
}

function Curves({ asked, answer, error, epsilon, rows, over }) {
  const curve = useCurve({ ...asked, rows }, over, epsilon);
  const names = useMemo(() => answer.mechanisms.filter((each) => each.usable && excess(each) !== null).slice(0, LINES).map((each) => each.mechanism), [answer]);
  const shownNames = names.length ? names : answer.mechanisms.filter((each) => excess(each) !== null).slice(0, LINES).map((each) => each.mechanism);
  const data = useMemo(() => curve.answers && [
    curve.places,
    ...shownNames.map((name) => curve.answers.map((one) => {
      const found = one.mechanisms.find((each) => each.mechanism === name);
      return found && excess(found) > 0 ? 100 * excess(found) : null;
    })),
  ], [curve, answer]);
  const series = shownNames.map((label, place) => ({ label, place, points: true }));
  const toggle = h(Segmented, { label: h('span', { class: 'offscreen' }, 'Over'), name: 'over', value: over, options: [['epsilon', 'over epsilon'], ['rows', 'over rows']], onChange: (next) => change({ over: next === 'epsilon' ? '' : next }) });
  return h(Card, { title: 'Predicted excess', aside: toggle },
    h(ProblemNote, { problem: curve.problem }),
    h(Legend, { series }),
    data && data[0].length > 1
      ? h(Chart, {
        data, series, id: 'plan-chart', label: `Predicted excess of each mechanism over ${over}`,
        x: { log: true, label: over, format: (value) => (one(value) ? digits(value, 1) : '') },
        y: { log: true, label: 'predicted excess, %', format: (value) => (one(value) ? digits(value, 1) : '') },
        marks: [{ axis: 'x', at: over === 'epsilon' ? epsilon : rows, text: 'plan' }, { axis: 'y', at: 100 * Number(error) }],
      })
      : h(Skeleton, { lines: 6 }));
}

/** Whether a number is a power of ten, which has a label. */
const one = (value) => Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9;

const Mechanisms = ({ answer, error, takes }) =>
  h(Card, { title: 'Mechanisms', aside: h('span', { class: 'muted' }, 'each with the whole budget') },
    h(Table, {
      id: 'plan-table', caption: 'Expected accuracy of each mechanism', rows: answer.mechanisms, keyOf: (row) => row.mechanism,
      columns: [
        ['Mechanism', (row) => row.mechanism],
        ['Predicted excess', (row) => percent(excess(row)), 'number'],
        ['Verdict', (row) => h(Badge, { tone: row.usable ? TONES[row.verdict] || 'neutral' : 'neutral' }, row.verdict), 'wide'],
        ['Gain kept', (row) => percent(row.gainKept), 'number wide'],
        [`Epsilon for ${wanted(error)}`, (row) => takes(row, 'epsilonForError', (v) => digits(v, 2)), 'number'],
        [`Rows for ${wanted(error)}`, (row) => takes(row, 'rowsForError', rounded), 'number wide'],
      ],
    }));
