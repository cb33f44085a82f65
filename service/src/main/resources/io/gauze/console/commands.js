// The question that the page shows, as other programs ask it.
import { query, token } from './api.js';
import { namedIn, pathOf } from './question.js';

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const bare = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : quoted(text));
const inR = (text) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');

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

function cli(question, answer, level) {
  const options = Object.entries(OPTIONS)
    .filter(([name]) => question[name])
    .map(([name, option]) => `--${option} ${bare(question[name])}`);
  if (question.freeIntercept) options.push('--free-intercept');
  options.push(`--level ${level}`, '--format csv');
  const [first] = answer.releases;
  if (answer.releases.length === 1) {
    return [
      curl(`${base()}${pathOf(first)}?format=avro`, '-o release.avro '),
      `./gauze fit --release release.avro ${options.join(' ')}`,
    ].join('\n');
  }
  const range = namedIn(answer).releases;
  return `./gauze fit --config ${bare(first.split('/')[0])}.yaml --id ${bare(range)} ${options.join(' ')}`;
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
    ['R', token() ? `read.csv(text = system('${curl(address).replaceAll("'", '"')}', intern = TRUE))` : `read.csv("${inR(address)}")`],
    ['Python', token()
      ? `pandas.read_csv("${inR(address)}", storage_options={"Authorization": "Bearer " + os.environ["GAUZE_TOKEN"]})`
      : `pandas.read_csv("${inR(address)}")`],
  ];
}
