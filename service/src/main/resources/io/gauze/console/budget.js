// What has been spent on the rows, by which streams, and what is left.
import { h } from 'preact';
import { useJson } from './api.js';
import { values } from './events.js';
import { count, digits } from './format.js';
import { share } from './gaussian.js';
import { Badge, Card, Empty, PageHead, ProblemNote, Skeleton, Table } from './ui.js';

/** The page. */
export function Budget({ known }) {
  const overview = useJson('v1');
  const on = overview.data?.ledger;
  const ledger = useJson(on ? 'v1/ledger' : '', true);
  return h('div', { class: 'page' },
    h(PageHead, { title: 'Budget', text: 'What releases have spent of the privacy budget of the rows. Fits spend nothing.' }),
    h(ProblemNote, { problem: overview.problem || ledger.problem, retry: overview.problem ? overview.retry : ledger.retry }),
    overview.data && !on && h(Off),
    ledger.data
      ? h('div', { class: 'stack' }, ledger.data.accounts.map((account) =>
        h(Account, { key: account.account + account.unit + account.neighbours, account, releases: known.releases })))
      : !overview.problem && !ledger.problem && (on || !overview.data) && h('div', { class: 'card' }, h(Skeleton, { lines: 6 })));
}

const Off = () =>
  h('div', { class: 'card' }, h(Empty, { title: 'The ledger is off' },
    h('p', null, 'What was spent is the owner\u2019s matter, so this service does not tell it unless it is started with a config and the option for it:'),
    h('pre', null, h('code', null, './gauze serve --config FILE --ledger'))));

const number = (value) => (typeof value === 'number' ? value : Infinity);
const shown = (value) => (Number.isFinite(number(value)) ? digits(number(value), 3) : 'above 100');

function Account({ account, releases }) {
  const delta = account.limit.delta;
  const spent = number(account.spent.epsilon);
  const limit = number(account.limit.epsilon);
  const finite = Number.isFinite(spent) && Number.isFinite(limit);
  const used = finite ? share(spent, limit, delta) : 1;
  const open = account.streams.reduce((sum, each) => sum + each.releasesSpent - each.releasesPublished, 0);
  return h(Card, { title: `Rows topic \u201c${account.account}\u201d`, aside: h('span', { class: 'actions' },
    h(Badge, null, `unit ${account.unit}`), h(Badge, null, account.neighbours),
    !account.private && h(Badge, { tone: 'poor' }, 'not private')) },
    h('div', { class: 'budget' },
      h(Figure, { label: 'Spent epsilon', value: shown(account.spent.epsilon), id: 'spent' }),
      h(Figure, { label: 'Limit', value: shown(account.limit.epsilon), text: `at delta ${digits(delta, 2)}` }),
      h(Figure, { label: 'Left for new sketches', value: shown(account.left.epsilon) }),
      h(Figure, { label: 'Reserved', value: count(open), text: open === 1 ? 'release that is paid for, and not out yet' : 'releases that are paid for, and not out yet' })),
    h('div', { class: 'meter', role: 'meter', 'aria-label': 'Share of the budget that is spent', 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuenow': Math.round(100 * used) },
      h('span', { style: { width: `${100 * used}%` } })),
    h('p', { class: 'hint', id: 'exhaustion' }, exhaustion(account, used, releases)),
    account.streams.length ? h(Streams, { account }) : h('p', { class: 'muted' }, 'Nothing spent yet.'));
}

const Figure = ({ label, value, text, id }) =>
  h('div', { class: 'budget-figure' }, h('span', { class: 'muted' }, label), h('span', { class: 'figure-value', id }, value), text && h('span', { class: 'hint' }, text));

/** When the budget ends if epochs go on as so far: costs of equal epochs add up in the square of mu. */
function exhaustion(account, used, releases) {
  if (account.unit.startsWith('row')) {
    return 'A row counts in one epoch alone, so that each epoch spends the budget on its own rows: it does not run out with time.';
  }
  if (account.unit.startsWith('key')) return 'The budget covers all snapshots of a key together.';
  if (number(account.left.epsilon) <= 0) return 'Nothing is left: no further epoch is released.';
  const streams = account.streams.map((each) => each.stream);
  const times = values(releases.filter((each) => streams.includes(each.stream)), 'epoch').map(Date.parse).filter((each) => !Number.isNaN(each));
  if (times.length < 2 || used <= 0 || used >= 1) return 'When it ends can be told after two epochs.';
  const length = Math.min(...times.slice(1).map((each, k) => each - times[k]));
  const spent = times[times.length - 1] + length - times[0];
  const end = new Date(times[0] + spent / used);
  return `${digits(100 * used, 2)} % of the way: if epochs go on as so far, the budget ends about ${end.toISOString().slice(0, 16).replace('T', ' ')} UTC.`;
}

const Streams = ({ account }) =>
  h(Table, {
    id: 'budget-table', caption: `Spending of streams on the rows topic ${account.account}`, rows: account.streams, keyOf: (row) => `${row.stream}/${row.group}`,
    columns: [
      ['Stream', (row) => (row.group === 'all' ? row.stream : `${row.stream} / ${row.group}`)],
      ['Epsilon', (row) => shown(row.epsilon), 'number'],
      ['Epochs', (row) => count(row.epochs), 'number'],
      ['Releases paid', (row) => count(row.releasesSpent), 'number wide'],
      ['Published', (row) => count(row.releasesPublished), 'number wide'],
    ],
  });
