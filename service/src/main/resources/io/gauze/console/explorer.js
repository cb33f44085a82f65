// The fit explorer: a question on the left, what the release answers on the right.
import { h } from 'preact';
import { useMemo } from 'preact/hooks';
import { query, useJson } from './api.js';
import { ColumnFields, MethodFields, ReleaseFields } from './form.js';
import { percent } from './format.js';
import { asked, choices, columns, pathOf, releasesOf, sample } from './question.js';
import { Results } from './results.js';
import { Live, PageHead, ProblemNote, Skeleton, Waiting } from './ui.js';

/** The page. */
export function Explorer({ params, known }) {
  const chosen = useMemo(() => choices(params, known.releases), [params, known.releases]);
  const header = useJson(`${pathOf(sample(chosen, known.releases))}/header`);
  return h('div', { class: 'page' },
    h(PageHead, { title: 'Fit explorer', text: 'Regressions on private releases. Every answer comes from what is public already.' }),
    h(ProblemNote, { problem: header.problem, retry: header.retry }),
    header.data ? h(Explore, { params, chosen, header: header.data, releases: known.releases }) : !header.problem && h(Skeleton, { lines: 8 }));
}

function Explore({ params, chosen, header, releases }) {
  const cols = columns(params, header);
  const question = asked(params, cols);
  const where = releasesOf(chosen);
  const level = params.level || '0.95';
  const fit = useJson(`v1/fit?${query({ ...where, ...question, level })}`, chosen.follows);
  // Where lambda is given, what it would be without is the mark of the slider.
  const free = useJson(question.lambda ? `v1/fit?${query({ ...where, ...question, lambda: '', level })}` : '', chosen.follows);
  const auto = question.lambda ? free.data?.lambda : fit.data?.lambda;
  const narrow = innerWidth < 900;
  return h('div', { class: 'split' },
    h('details', { class: 'card panel', open: !narrow },
      h('summary', null, h('span', null, 'Question'), h('span', { class: 'muted' }, `${cols.response} from ${cols.features.length} columns`)),
      h('form', { onSubmit: (e) => e.preventDefault(), 'aria-label': 'Question' },
        h(ReleaseFields, { chosen }),
        h(ColumnFields, { cols }),
        h(MethodFields, { params, auto, used: fit.data?.lambda, rows: fit.data?.rowsEstimate }))),
    h('div', { class: 'main-column' },
      h(ProblemNote, { problem: fit.problem, retry: fit.retry }),
      h(Waiting, { waiting: fit.loading }, 'Fitting'),
      fit.data
        ? h(Results, { answer: fit.data, header, releases, params, question, loading: fit.loading })
        : !fit.problem && h('div', { class: 'card' }, h(Skeleton, { lines: 10 })),
      h(Live, null, fit.data && !fit.loading
        ? `Fit of ${fit.data.response}: predicted excess ${percent(fit.data.predictedExcess)}, ${fit.data.verdict || ''}`
        : '')));
}
