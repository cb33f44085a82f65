// A question to the service, read from the address.
import { byEpoch, select, values } from './events.js';

export const LOSSES = [
  ['auto', 'Automatic'],
  ['ridge', 'Ridge (least squares)'],
  ['ols', 'Least squares, no penalty'],
  ['lasso', 'Lasso'],
  ['elastic-net', 'Elastic net'],
  ['lad', 'Least absolute deviations'],
  ['quantile', 'Quantile'],
  ['huber', 'Huber'],
  ['logistic', 'Logistic'],
];
export const LEVELS = ['0.8', '0.9', '0.95', '0.99'];

/** The most epochs that the service adds up. */
const MOST_ADDED = 1000;

/** Names with commas between them, as the service reads them: one with a comma or a quote is quoted, as in CSV. */
export const joined = (names) =>
  names.map((name) => (/[",]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(',');

const named = (text) =>
  (text.match(/"(?:[^"]|"")*"|[^,"]+/g) || []).map((each) =>
    each.startsWith('"') ? each.slice(1, -1).replaceAll('""', '"') : each.trim());

/** Which epochs are asked for: the latest, all, one or a range. The first two follow new releases. */
function kindOf(params) {
  if (params.epochs === 'all') return 'all';
  if (!params.from && !params.to) return 'latest';
  return params.to && (!params.from || params.from === params.to) ? 'one' : 'range';
}

/** The span of another stream that is most like the chosen one; without ends if it has no such epoch. */
function alike(chosen, stream, releases) {
  const mine = select(releases, { stream });
  const same = (field, list) => (list.includes(chosen[field]) ? chosen[field] : list[0]);
  const group = same('group', values(mine, 'group'));
  const sketch = same('sketch', values(select(mine, { group }), 'sketch'));
  const epochs = values(select(mine, { group, sketch }), 'epoch').sort(byEpoch);
  const { kind, from, to } = chosen;
  const within = kind === 'one' || kind === 'range'
    ? epochs.filter((each) => byEpoch(each, from) >= 0 && byEpoch(each, to) <= 0)
    : epochs.slice(kind === 'latest' ? -1 : -MOST_ADDED);
  return { stream, group, sketch, from: within[0], to: within[within.length - 1] };
}

/** The streams to add: a name asks for epochs like the chosen ones, an id or two for just these. */
function addedTo(chosen, text, releases) {
  return named(text)
    .filter((each) => chosen.streams.includes(each.split('/')[0]) && each.split('/')[0] !== chosen.stream)
    .map((each) => {
      const [from, to = from] = each.split('..').map((id) => id.split('/'));
      return from.length === 4 && to.length === 4
        ? { stream: from[0], group: from[1], sketch: from[3], from: from[2], to: to[2] }
        : alike(chosen, each.split('/')[0], releases);
    });
}

/** What the known releases leave to choose, and what of it is chosen. */
export function choices(params, releases) {
  const streams = values(releases, 'stream');
  const stream = streams.includes(params.stream) ? params.stream : streams[0];
  const groups = values(select(releases, { stream }), 'group');
  const group = groups.includes(params.group) ? params.group : groups[0];
  const mine = select(releases, { stream, group });
  const sketches = values(mine, 'sketch');
  const best = streams.length === 1 && groups.length === 1 && sketches.length > 1;
  const named = sketches.includes(params.sketch) ? params.sketch : '';
  const kind = kindOf(params);
  const sketch = named || (best && kind === 'latest' ? '' : sketches[0]);
  const epochs = values(sketch ? select(mine, { sketch }) : mine, 'epoch').sort(byEpoch);
  const last = epochs[epochs.length - 1];
  const to = kind === 'all' ? last : params.to || last;
  const first = epochs.slice(-MOST_ADDED)[0];
  const from = kind === 'all' ? first : params.from || to;
  const follows = kind === 'latest' || kind === 'all';
  const chosen = { streams, stream, groups, group, sketches, sketch, best, epochs, first, last, from, to, kind, follows };
  return { ...chosen, added: addedTo(chosen, params.with || '', releases) };
}

/** The id of a release of a series. */
const idOf = ({ stream, group, sketch }, epoch) => [stream, group, epoch, sketch].join('/');

/** An id, or a range of a series. */
const spanOf = (series) =>
  series.from === series.to ? idOf(series, series.to) : `${idOf(series, series.from)}..${idOf(series, series.to)}`;

/** The path of a release. */
export const pathOf = (id) => `v1/releases/${id.split('/').map(encodeURIComponent).join('/').replaceAll('%3A', ':')}`;

/** The newest release whose columns are those of the chosen series. */
export function sample(chosen, releases) {
  const mine = select(releases, { stream: chosen.stream, group: chosen.group, sketch: chosen.sketch || chosen.sketches[0] });
  return mine.map((each) => each.id).sort().pop();
}

/** The columns of a header, and which of them the response and the features are. */
export function columns(params, header) {
  const names = header.columns.map((each) => each.name);
  const responses = names.filter((name) => !name.includes('='));
  const planned = (header.responses || []).find((name) => names.includes(name));
  const response = names.includes(params.response) ? params.response : planned || responses[responses.length - 1] || names[0];
  const possible = names.filter((name) => name !== response);
  const asked = named(params.features || '').filter((name) => possible.includes(name));
  return { names, responses: responses.length ? responses : names, response, possible, features: asked.length ? asked : possible };
}

/** The parameters of a fit that say which question, without the releases. */
export function asked(params, cols) {
  const loss = params.loss || 'auto';
  const all = cols.features.length === cols.possible.length;
  return {
    response: cols.response,
    features: all ? '' : joined(cols.features),
    loss: loss === 'auto' ? '' : loss,
    lambda: loss === 'ols' ? '' : params.lambda,
    alpha: loss === 'elastic-net' || loss === 'huber' ? params.alpha : '',
    quantile: loss === 'quantile' ? params.quantile || '0.5' : '',
    huberThreshold: loss === 'huber' ? params.threshold || '0.1' : '',
    freeIntercept: params.free === 'yes' ? 'true' : '',
  };
}

/** The parameters that say which releases; none of them means the latest and the best. */
export function releasesOf(chosen) {
  if (!chosen.sketch) return {};
  const added = chosen.added.filter((each) => each.to);
  return chosen.from === chosen.to && added.length === 0
    ? { release: idOf(chosen, chosen.to) }
    : { releases: joined([chosen, ...added].map(spanOf)) };
}

/** The ids of an answer by series: [{ stream, group, sketch, from, to, ids }]. */
export function seriesOf(ids) {
  const all = [];
  for (const id of ids) {
    const [stream, group, epoch, sketch] = id.split('/');
    const last = all[all.length - 1];
    if (last && last.stream === stream && last.group === group && last.sketch === sketch) {
      last.to = epoch;
      last.ids.push(id);
    } else {
      all.push({ stream, group, sketch, from: epoch, to: epoch, ids: [id] });
    }
  }
  return all;
}

/** The same as in an answer: its releases by name. */
export function namedIn(answer) {
  const ids = answer.releases;
  return ids.length === 1 ? { release: ids[0] } : { releases: joined(seriesOf(ids).map(spanOf)) };
}

/** The parameters of the console that show an answer's releases again. */
export function fixedParams(params, answer) {
  const [{ stream, group, sketch, from, to }, ...added] = seriesOf(answer.releases);
  return { ...params, stream, group, sketch, epochs: '', from, to, with: joined(added.map(spanOf)) };
}
