// Coefficients over lambda: what the penalty does to each.
import { h } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { query, useJson } from './api.js';
import { Chart, Legend } from './charts.js';
import { Select, Slider } from './controls.js';
import { Exports } from './download.js';
import { digits } from './format.js';
import { ColumnFields, ReleaseFields } from './form.js';
import { asked, choices, columns, pathOf, releasesOf, sample } from './question.js';
import { change } from './state.js';
import { Card, PageHead, ProblemNote, Skeleton, Table, Waiting } from './ui.js';

const LOSSES = [['ridge', 'Ridge'], ['lasso', 'Lasso'], ['elastic-net', 'Elastic net'], ['huber', 'Huber']];

/** The page. */
export function PathPage({ params, known }) {
  const chosen = useMemo(() => choices(params, known.releases), [params, known.releases]);
  const header = useJson(`${pathOf(sample(chosen, known.releases))}/header`);
  return h('div', { class: 'page' },
    h(PageHead, { title: 'Path', text: 'Effects over the weight of the penalty. They have no intervals: those of a given lambda say nothing of what the penalty takes away.' }),
    h(ProblemNote, { problem: header.problem, retry: header.retry }),
    header.data ? h(Path, { params, chosen, header: header.data }) : !header.problem && h(Skeleton, { lines: 8 }));
}

function Path({ params, chosen, header }) {
  const cols = columns(params, header);
  const loss = params.loss && params.loss !== 'auto' ? params.loss : 'lasso';
  const question = { ...asked({ ...params, loss }, cols), lambda: '' };
  const path = `v1/path?${query({ ...releasesOf(chosen), ...question, points: 61 })}`;
  const answer = useJson(path, chosen.follows);
  return h('div', { class: 'split' },
    h('details', { class: 'card panel', open: innerWidth >= 900 },
      h('summary', null, h('span', null, 'Question'), h('span', { class: 'muted' }, `${cols.response} from ${cols.features.length} columns`)),
      h('form', { onSubmit: (e) => e.preventDefault(), 'aria-label': 'Question' },
        h(ReleaseFields, { chosen }),
        h(ColumnFields, { cols }),
        h('div', { class: 'fields' },
          h(Select, { label: 'Penalty', name: 'loss', value: loss, options: LOSSES, onChange: (next) => change({ loss: next }) }),
          loss === 'elastic-net' &&
            h(Slider, { label: 'Share of ridge (alpha)', name: 'alpha', min: 0, max: 1, step: 0.05, value: Number(params.alpha || 0.5), shown: (v) => v.toFixed(2), onChange: (v) => change({ alpha: v.toFixed(2) }) })))),
    h('div', { class: 'main-column' },
      h(ProblemNote, { problem: answer.problem, retry: answer.retry }),
      h(Waiting, { waiting: answer.loading }, 'Fitting'),
      answer.data ? h(Drawn, { answer: answer.data, path, header }) : !answer.problem && h('div', { class: 'card' }, h(Skeleton, { lines: 10 }))));
}

/** Effects, so that columns of different units can share an axis. */
function effects(answer, header) {
  const ranges = Object.fromEntries(header.columns.map((each) => [each.name, each.upper - each.lower]));
  const fitted = answer.path.filter((each) => each.coefficients);
  const names = Object.keys(fitted[0]?.coefficients || {}).filter((name) => name in ranges);
  return { fitted, names, of: (name) => fitted.map((each) => each.coefficients[name] * ranges[name]) };
}

function Drawn({ answer, path, header }) {
  const [problem, setProblem] = useState(null);
  const files = (formats, label) => h(Exports, { path, file: `path-of-${answer.response}`, formats, label, onProblem: setProblem });
  const { fitted, names, of } = useMemo(() => effects(answer, header), [answer, header]);
  const data = useMemo(() => [fitted.map((each) => each.lambda), ...names.map(of)], [fitted, names]);
  const series = names.map((label, place) => ({ label, place }));
  const step = Math.max(1, Math.floor(fitted.length / 12));
  const rows = fitted.map((each, k) => ({ each, k })).filter(({ k }) => k % step === 0);
  return h('div', { class: 'stack' },
    h(ProblemNote, { problem }),
    h(Card, { title: `Effects on ${answer.response} over lambda` },
      h(Legend, { series }),
      h(Chart, {
        data, series, height: 360, id: 'path-chart', label: `Effects on ${answer.response} over lambda`,
        x: { log: true, label: 'lambda', format: powers },
        y: { label: `change of ${answer.response} over the range` },
        marks: [{ axis: 'x', at: answer.chosen, text: `auto ${digits(answer.chosen, 3)}` }, { axis: 'y', at: 0 }],
      })),
    h(Card, { title: `Numbers, with lambda ${digits(answer.chosen, 3)} chosen`, aside: files(['csv'], 'the path') },
      h(Table, {
        id: 'path-table', caption: `Effects on ${answer.response} by lambda`, keyOf: ({ each }) => each.lambda, rows,
        columns: [
          ['Lambda', ({ each }) => digits(each.lambda, 3)],
          ...names.map((name, place) => [name, ({ k }) => digits(data[place + 1][k], 3), 'number']),
        ],
      })));
}

/** Only powers of ten have a label. */
const powers = (value) => (Math.abs(Math.log10(value) % 1) < 1e-9 ? digits(value, 1) : '');
