// The fits of single streams beside that of their sum: whether the streams tell the same.
import { h } from 'preact';
import { digits, probability, within } from './format.js';
import { Badge, Card, Table } from './ui.js';

/** A probability of Q below which streams differ, as the service says it. */
const UNLIKELY = 0.01;

const cell = (stream, name) => {
  const estimate = stream.coefficients[name];
  if (estimate === undefined) return '\u2013';
  const error = stream.standardErrors[name];
  return error === null ? within(estimate, null) : `${within(estimate, error)} \u00b1 ${digits(error, 2)}`;
};

/** The card; nothing for an answer of one stream. */
export function Streams({ answer }) {
  if (!answer.streams) return null;
  const rows = Object.keys(answer.coefficients);
  const test = (name) => answer.heterogeneity[name];
  const apart = (name) => test(name)?.pValue < UNLIKELY;
  return h(Card, { title: 'By stream', id: 'streams', aside: h('span', { class: 'muted' }, 'estimate \u00b1 standard error') },
    h(Table, {
      id: 'streams-table', caption: 'Coefficients by stream', rows, keyOf: (name) => name,
      columns: [
        ['Term', (name) => name],
        ...answer.streams.map((stream) => [stream.stream, (name) => cell(stream, name), 'number']),
        ['Q', (name) => digits(test(name)?.q ?? null, 3), 'number', 'Cochran\u2019s Q: large where the streams differ by more than their standard errors'],
        ['p', (name) => h('span', null, probability(test(name)?.pValue ?? null), apart(name) && [' ', h(Badge, { tone: 'fair' }, 'differs')]), 'number',
          'Probability of a larger Q if all streams have one coefficient'],
      ],
    }));
}
