// All releases: search, what they promise, and their files.
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { Select, TextField } from './controls.js';
import { Download } from './download.js';
import { byEpoch, values } from './events.js';
import { bytes, digits, epoch, epochHeading } from './format.js';
import { pathOf } from './question.js';
import { change, href } from './state.js';
import { Badge, Card, Empty, PageHead, ProblemNote, Table } from './ui.js';

const PAGE = 100;
const FORMATS = [['avro', 'Avro'], ['json', 'JSON'], ['npz', 'npz']];

/** The page. */
export function Releases({ params, known }) {
  const [shown, setShown] = useState(PAGE);
  const [problem, setProblem] = useState(null);
  const search = (params.search || '').toLowerCase();
  const found = known.releases
    .filter((each) => each.id.toLowerCase().includes(search) || each.mechanism.includes(search))
    .filter((each) => !params.sketch || each.sketch === params.sketch)
    .sort((one, other) => byEpoch(other.epoch, one.epoch) || (one.id < other.id ? -1 : 1));
  const sketches = values(known.releases, 'sketch');
  return h('div', { class: 'page' },
    h(PageHead, { title: 'Releases', text: 'What has been published. New ones appear by themselves.' }),
    h(ProblemNote, { problem }),
    known.damaged.length > 0 && h(Damaged, { damaged: known.damaged }),
    h(Card, { title: 'Files' },
      h('div', { class: 'row filters' },
        h(TextField, { label: 'Search', name: 'search', value: params.search || '', placeholder: 'part of an id', onChange: (text) => change({ search: text }) }),
        sketches.length > 1 && h(Select, { label: 'Sketch', name: 'sketch', value: params.sketch || '', options: [['', 'all'], ...sketches.map((each) => [each, each])], onChange: (sketch) => change({ sketch }) }),
        h('p', { class: 'muted found', role: 'status' }, countOf(found.length, known.releases.length))),
      found.length ? h(List, { rows: found.slice(0, shown), setProblem }) : h(Empty, { title: 'Nothing found' }, 'No release has this in its name.'),
      found.length > shown && h('button', { class: 'button', onClick: () => setShown(shown + PAGE) }, 'Show more')));
}

const countOf = (found, all) => `${found === all ? '' : `${found} of `}${all} ${all === 1 ? 'release' : 'releases'}`;

const Damaged = ({ damaged }) =>
  h('div', { class: 'note bad' }, h('strong', null, `${damaged.length} damaged or contested`),
    h('ul', null, damaged.slice(0, 5).map((each) => h('li', { key: each.offset }, each.reason))));

function List({ rows, setProblem }) {
  const one = new Set(rows.map((each) => `${each.stream}/${each.group}`)).size === 1;
  return h(Table, {
    id: 'releases-table', caption: 'Releases', rows, keyOf: (row) => row.id,
    columns: [
      [epochHeading(rows.map((each) => each.epoch)), (row) => h('a', { href: href('fit', { stream: row.stream, group: row.group, sketch: row.sketch, from: row.epoch, to: row.epoch }), title: 'Open in the fit explorer' }, epoch(row.epoch))],
      ...(one ? [] : [['Stream', (row) => (row.group === 'all' ? row.stream : `${row.stream} / ${row.group}`)]]),
      ['Sketch', (row) => row.sketch],
      ['Mechanism', (row) => row.mechanism, 'wide'],
      ['Epsilon', (row) => h('span', null, digits(row.epsilon, 3), row.private ? '' : [' ', h(Badge, { tone: 'poor' }, 'not private')]), 'number wide'],
      ['Delta', (row) => digits(row.delta, 2), 'number wide'],
      ['Size', (row) => bytes(row.bytes), 'number wide'],
      ['Download', (row) => h('span', { class: 'downloads' }, FORMATS.map(([format, name]) => h(Download, { key: format, ...fileOf(row.id, format), name, label: `${name} of ${row.id}`, onProblem: setProblem }))), 'number'],
    ],
  });
}

const fileOf = (id, format) => ({ path: `${pathOf(id)}?format=${format}`, file: `${id.replaceAll('/', '-').replaceAll(':', '')}.${format}` });
