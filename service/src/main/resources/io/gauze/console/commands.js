// The question that the page shows, as other programs ask it.
import { query, token } from './api.js';
import { namedIn, pathOf, seriesOf } from './question.js';

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const bare = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : quoted(text));
const doubleQuoted = (text) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`; // for R and Python

/** The base of the service's address. */
export const base = () => location.href.replace(/#.*$/, '').replace(/[^/]*$/, '');

const OPTIONS = {
  response: 'response',
  features: 'features',
  loss: 'loss',
  lambda: 'lambda',
  alpha: 'alpha',
  quantile: 'quantile',
  huberThreshold: 'huber-threshold',
};

/** More epochs would make a line that nobody pastes: they are asked from the topic. */
const MOST_FILES = 60;

function cli(question, answer, level) {
  const options = Object.entries(OPTIONS)
    .filter(([name]) => question[name])
    .map(([name, option]) => `--${option} ${bare(question[name])}`);
  if (question.freeIntercept) options.push('--free-intercept');
  options.push(`--level ${level}`, '--format csv');
  const ids = answer.releases;
  if (ids.length > MOST_FILES) {
    return `./gauze fit --config ${bare(ids[0].split('/')[0])}.yaml --id ${bare(namedIn(answer).releases)} ${options.join(' ')}`;
  }
  const series = seriesOf(ids);
  const parts = ids.length === 1 ? [oneFile(ids[0])] : series.map((each) => oneFileEach(each.ids, series.length > 1));
  const files = parts.flatMap((each) => each.files);
  return [
    ...parts.map(({ address, name }) => curl(`${base()}${address}?format=avro`, `-o ${name} `)),
    `./gauze fit --release ${files.map(bare).join(',')} ${options.join(' ')}`,
  ].join('\n');
}

const oneFile = (id) => ({ address: pathOf(id), name: 'release.avro', files: ['release.avro'] });

/** curl takes all epochs of a series with one line: in the name, #1 is the epoch. */
function oneFileEach(ids, isOneOfMany) {
  const epochs = ids.map((id) => pathOf(id).split('/')[4]);
  const parts = pathOf(ids[0]).split('/');
  const start = isOneOfMany ? `${parts[2]}-` : '';
  parts[4] = `{${epochs.join(',')}}`;
  return { address: parts.join('/'), name: quoted(`${start}#1.avro`), files: epochs.map((epoch) => `${start}${epoch}.avro`) };
}

const header = () => (token() ? '-H "Authorization: Bearer $GAUZE_TOKEN" ' : '');
const curl = (address, options = '') => `curl -s ${header()}${options}${quoted(address)}`;

/** [name, text] of each program that can ask for the same fit. */
export function commands(question, answer, level) {
  const path = `v1/fit?${query({ ...namedIn(answer), ...question, level, format: 'csv' })}`;
  const address = base() + path;
  return [
    ['curl', curl(address)],
    ['CLI', cli(question, answer, level)],
    ['R', token()
      ? `read.csv(url(${doubleQuoted(address)}, headers = c(Authorization = paste("Bearer", Sys.getenv("GAUZE_TOKEN")))))`
      : `read.csv(${doubleQuoted(address)})`],
    ['Python', token()
      ? `import os, pandas\nprint(pandas.read_csv(${doubleQuoted(address)}, storage_options={"Authorization": "Bearer " + os.environ["GAUZE_TOKEN"]}))`
      : `import pandas\nprint(pandas.read_csv(${doubleQuoted(address)}))`],
  ];
}
