// What changed since the epoch before: the distances of two fits whose noises are independent.
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { query, useJson } from './api.js';
import { byEpoch, select } from './events.js';
import { epoch, within } from './format.js';
import { normalQuantile } from './gaussian.js';
import { Card, Table } from './ui.js';

/** The release of a series before another one; undefined if there is none. */
export function before(id, releases) {
  const [stream, group, at, sketch] = id.split('/');
  return select(releases, { stream, group, sketch })
    .filter((each) => byEpoch(each.epoch, at) < 0)
    .sort((one, other) => byEpoch(one.epoch, other.epoch))
    .pop();
}

/** The change of each coefficient that both answers have; an error that is withheld gives no interval. */
export function changes(earlier, later, level) {
  const reach = normalQuantile(0.5 + level / 2);
  return Object.keys(later.coefficients)
    .filter((name) => name in earlier.coefficients)
    .map((name) => {
      const errors = [earlier, later].map((each) => (each.confLow[name] === null ? null : each.standardErrors[name]));
      const error = errors.includes(null) ? null : Math.hypot(...errors);
      const change = later.coefficients[name] - earlier.coefficients[name];
      return {
        name,
        from: earlier.coefficients[name],
        to: later.coefficients[name],
        errors,
        change,
        error,
        low: error === null ? null : change - reach * error,
        high: error === null ? null : change + reach * error,
      };
    });
}

const clear = (row) => row.low > 0 || row.high < 0;

function said(rows, earlier) {
  const compared = rows.filter((row) => row.error !== null);
  const apart = compared.filter(clear).map((row) => row.name);
  if (compared.length === 0) return 'Nothing can be compared: the intervals are withheld.';
  return apart.length === 0
    ? `No coefficient differs from ${epoch(earlier.epoch)} by more than noise and sampling explain.`
    : `Since ${epoch(earlier.epoch)} changed: ${apart.join(', ')}.`;
}

/** A card behind a fold; it asks for the earlier fit when it is opened. */
export function Changes({ answer, header, releases, question, level }) {
  const [open, setOpen] = useState(false);
  const one = answer.releases.length === 1;
  // Releases that add up all rows so far share rows and noise with the one before.
  const earlier = one && !('cumulative' in header.parameters) ? before(answer.releases[0], releases) : undefined;
  const fit = useJson(open && earlier ? `v1/fit?${query({ release: earlier.id, ...question, level })}` : '');
  if (!earlier) return null;
  const rows = fit.data ? changes(fit.data, answer, Number(level)) : [];
  return h(Card, { title: 'Since the epoch before', id: 'changes', aside: h('button', {
    class: 'button small', type: 'button', 'aria-expanded': open, onClick: () => setOpen(!open) }, open ? 'Hide' : `Compare with ${epoch(earlier.epoch)}`) },
    open && fit.problem && h('p', { class: 'hint' }, fit.problem.message),
    open && fit.data && h('div', null,
      h('p', { role: 'status' }, said(rows, earlier)),
      h(Table, {
        id: 'changes-table', caption: 'Changes of coefficients', rows, keyOf: (row) => row.name,
        columns: [
          ['Term', (row) => row.name],
          ['Before', (row) => within(row.from, row.errors[0]), 'number wide'],
          ['Now', (row) => within(row.to, row.errors[1]), 'number wide'],
          ['Change', (row) => (clear(row) ? h('strong', null, within(row.change, row.error)) : within(row.change, row.error)), 'number'],
          [`${100 * level} % interval`, (row) => (row.low === null ? 'withheld' : `${within(row.low, row.error)} to ${within(row.high, row.error)}`), 'number soft'],
        ],
      }),
      h('p', { class: 'hint' }, `Each interval is for one coefficient: of ${rows.length} that did not change, about ${within((1 - level) * rows.length, 0.1)} are called changed.`)));
}
