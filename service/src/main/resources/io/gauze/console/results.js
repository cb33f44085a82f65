// What a fit says: how good it is expected to be, effects, numbers, warnings, guarantee, commands.
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { query } from './api.js';
import { Changes } from './changes.js';
import { base, commands } from './commands.js';
import { Exports } from './download.js';
import { EffectsPlot } from './effects.js';
import { count, digits, ends, percent, probability, within } from './format.js';
import { fixedParams, namedIn, seriesOf } from './question.js';
import { href } from './state.js';
import { Streams } from './streams.js';
import { Badge, Card, Copy, ProblemNote, Table } from './ui.js';

const TONES = { good: 'good', doubtful: 'fair', useless: 'poor' };

/** The epochs of a series. */
function when(from, to, count) {
  const [first, last] = ends(from, to).map((each) => h('span', { class: 'together' }, each));
  const text = count === 1 ? [from === 'all' ? '' : 'epoch ', first] : [`${count} epochs, `, first, ' to ', last];
  return from.endsWith('Z') ? [...text, ' UTC'] : text;
}

/** One line on how good the fit is expected to be. */
function Quality({ answer, params }) {
  const { predictedExcess: excess, verdict } = answer;
  const series = seriesOf(answer.releases);
  const { sketch } = series[0];
  const alike = series.every((each) => each.from === series[0].from && each.to === series[0].to && each.ids.length === series[0].ids.length);
  const spans = (alike ? series.slice(0, 1) : series).map(({ stream, from, to, ids }, k) =>
    h('span', { key: ids[0] }, k > 0 && '; ', !alike && `${stream}: `, when(from, to, ids.length)));
  const link = base() + href('fit', fixedParams(params, answer));
  return h('div', { class: 'quality' },
    h('div', { class: 'figure' },
      h('span', { class: 'figure-label' }, 'Predicted excess'),
      h('span', { class: 'figure-value', id: 'excess' }, excess === null || excess === undefined ? '\u2013' : percent(excess), ' ',
        verdict && h(Badge, { tone: TONES[verdict] || 'neutral' }, verdict)),
      h('span', { class: 'muted' }, 'How much larger its error is expected to be than without privacy.')),
    h('div', { class: 'figure' },
      h('span', { class: 'figure-label' }, 'Release'),
      h('span', { class: 'figure-text', id: 'used' }, series.length === 1 ? `${sketch}, ` : `${series.length} streams${alike ? ', ' : ': '}`, spans),
      answer.rowsEstimate > 0 && h('span', { class: 'muted' }, `about ${count(Number(answer.rowsEstimate.toPrecision(3)))} rows, as the release tells`)),
    h('div', { class: 'figure' },
      h('span', { class: 'figure-label' }, 'Fit'),
      h('span', { class: 'figure-text' }, `${answer.loss}, lambda ${digits(answer.lambda, 3)}`),
      h(Summary, { summary: answer.summary || {} }),
      h('span', { class: 'actions' }, h(Copy, { text: link, label: 'Copy permalink', id: 'permalink' }))));
}

const FIGURES = [['rSquared', 'R squared'], ['residualScale', 'Residual scale'], ['shortened', 'Cut off long rows', 100, ' %']];

/** Estimates of the whole fit, each with its error; what is withheld says why when it is pointed at. */
const Summary = ({ summary }) =>
  FIGURES.filter(([name]) => summary[name]).map(([name, label, times = 1, unit = '']) => {
    const { estimate, stdError, reason } = summary[name];
    const error = times * stdError;
    const text = estimate === null ? 'withheld' : `${within(times * estimate, error)} \u00b1 ${digits(error, 2)}${unit}`;
    return h('span', { key: name, class: 'muted', title: reason, id: name }, `${label} ${text}`,
      reason && h('span', { class: 'offscreen' }, `: ${reason}`));
  });

function rows(answer) {
  return Object.keys(answer.coefficients).map((name) => ({
    name,
    estimate: answer.coefficients[name],
    error: answer.standardErrors[name],
    low: answer.confLow[name],
    high: answer.confHigh[name],
    p: answer.confLow[name] === null ? null : answer.pValue[name],
    sampling: answer.samplingErrors[name],
    privacy: answer.privacyErrors[name],
  }));
}

const twoDigits = (value) => (value === null ? '\u2013' : digits(value, 2));

/** The tidy table; numbers have as many digits as their error supports. */
function FitTable({ answer, level }) {
  const all = rows(answer);
  const withheld = all.some((row) => row.low === null || row.error === null);
  const reason = answer.messages.map((each) => each.message.replace(/\.$/, '')).filter((each) => /no standard error|withheld/.test(each));
  return h('div', null,
    h(Table, {
      id: 'fit-table',
      caption: `Coefficients of the fit of ${answer.response}`,
      keyOf: (row) => row.name,
      rows: all,
      columns: [
        ['Term', (row) => row.name],
        ['Estimate', (row) => within(row.estimate, row.error), 'number'],
        ['Std. error', (row) => twoDigits(row.error), 'number wide'],
        [`${100 * level} % interval`, (row) => (row.low === null ? 'withheld' : `${within(row.low, row.error)} to ${within(row.high, row.error)}`), 'number soft'],
        ['p', (row) => probability(row.p), 'number wide', 'Probability of a test this far from 0 if the coefficient is 0'],
        ['Sampling', (row) => twoDigits(row.sampling), 'number wide', 'The part of the standard error from the sample of rows'],
        ['Privacy', (row) => twoDigits(row.privacy), 'number wide', 'The part of the standard error from the noise'],
      ],
    }),
    withheld && h('p', { class: 'hint' }, `Withheld: ${reason.join('; ') || 'the release cannot support an honest interval'}.`));
}

/** A message, with its code for those who look it up. */
const Said = (each) => h('li', { key: each.code + each.message, title: each.code }, `${each.message} ${each.action}`);

/** The messages of the service: the three most severe, and the others behind a fold. */
const Warnings = ({ messages }) =>
  messages.length > 0 && h('div', { class: 'note warn', id: 'warnings' },
    h('strong', null, messages.length === 1 ? 'Know before you use it' : `${messages.length} things to know before you use it`),
    h('ul', null, messages.slice(0, 3).map(Said)),
    messages.length > 3 && h('details', { class: 'more' }, h('summary', null, `${messages.length - 3} more`), h('ul', null, messages.slice(3).map(Said))));

/** What the release promises. */
function Guarantee({ guarantee }) {
  const text = guarantee.streams ? guarantee.summary : guarantee.text || guarantee.sentence;
  const rest = text.indexOf(' This assumes ');
  return h(Card, { title: 'Guarantee', id: 'guarantee', aside: guarantee.private === false
    ? h(Badge, { tone: 'poor' }, 'not private')
    : h(Badge, null, guarantee.streams ? `${guarantee.streams.length} streams, each with its own`
      : `epsilon ${digits(guarantee.epsilon, 3)}, delta ${digits(guarantee.delta, 2)}`) },
    h('p', null, rest < 0 ? text : text.slice(0, rest)),
    guarantee.streams && h('details', { class: 'more' }, h('summary', null, 'The guarantee of each stream in full'), h('p', null, guarantee.sentence)),
    rest > 0 && h('details', { class: 'more' }, h('summary', null, 'Assumptions and why it holds'), h('p', null, text.slice(rest + 1))),
    h('p', { class: 'hint' }, 'Fits cost no privacy: ask as many questions as you like.'));
}

/** The same fit from other programs. */
function SameAs({ question, answer, level }) {
  const all = commands(question, answer, level);
  const [name, setName] = useState(all[0][0]);
  const text = all.find(([each]) => each === name)[1];
  return h(Card, { title: 'The same elsewhere', id: 'same', aside: h(Copy, { text, id: 'copy-command' }) },
    h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Program' }, all.map(([each]) =>
      h('button', { key: each, type: 'button', role: 'tab', id: `tab-${each}`, 'aria-selected': each === name, 'aria-controls': 'command', onClick: () => setName(each) }, each))),
    h('pre', { id: 'command', role: 'tabpanel', tabindex: 0, 'aria-labelledby': `tab-${name}` }, h('code', null, text)));
}

/** All of it. */
export function Results({ answer, header, releases, params, question, loading }) {
  const level = params.level || '0.95';
  const [problem, setProblem] = useState(null);
  const path = `v1/fit?${query({ ...namedIn(answer), ...question, level })}`;
  const files = (formats, label) => h(Exports, { path, file: `fit-of-${answer.response}`, formats, label, onProblem: setProblem });
  return h('div', { class: loading ? 'results busy' : 'results', 'aria-busy': loading },
    h(Quality, { answer, params }),
    h(Warnings, { messages: answer.messages }),
    h(ProblemNote, { problem }),
    h(Card, { title: `Effects on ${answer.response}`, aside: files(['svg', 'png'], 'the plot') }, h(EffectsPlot, { answer, header, level })),
    h(Card, { title: 'Coefficients in the units of the data', aside: files(['csv'], 'the coefficients') },
      h(FitTable, { answer, level })),
    h(Streams, { answer }),
    h(Changes, { key: answer.releases[0], answer, header, releases, question, level }),
    h(SameAs, { question, answer, level }),
    h(Guarantee, { guarantee: answer.guarantee }));
}
