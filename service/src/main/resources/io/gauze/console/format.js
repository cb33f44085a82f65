// Numbers for people: with as many digits as their error supports.

const MINUS = '\u2212';
const sign = (text) => text.replace(/^-/, MINUS).replace('e-', 'e' + MINUS);
const known = (value) => typeof value === 'number' && Number.isFinite(value);

function grouped(value, decimals) {
  return value.toLocaleString('en', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
}

/** A number with this many significant digits. */
export function digits(value, count = 3) {
  if (!known(value)) return value === null || value === undefined ? '\u2013' : String(value);
  if (value === 0) return '0';
  const size = Math.floor(Math.log10(Math.abs(value)));
  if (size < -4 || size > 8) return sign(value.toExponential(count - 1));
  const rounded = Number(value.toPrecision(count));
  return sign(grouped(rounded, Math.max(0, count - 1 - size)));
}

/** A number rounded to the second digit of its error; without an error to four digits. */
export function within(value, error) {
  if (!known(value)) return '\u2013';
  if (!known(error) || error <= 0) return digits(value, 4);
  const place = Math.floor(Math.log10(error)) - 1; // of the last digit that means anything
  if (Math.max(Math.abs(value), error) < 1e-4 || place > 6) {
    const size = value === 0 ? place : Math.floor(Math.log10(Math.abs(value)));
    return sign(value.toExponential(Math.min(6, Math.max(0, size - place))));
  }
  const step = 10 ** Math.max(0, place);
  const rounded = place > 0 ? Math.round(value / step) * step : value;
  return sign(grouped(rounded, Math.min(12, Math.max(0, -place))).replace(/^-(0(\.0+)?)$/, '$1'));
}

/** A probability, or that it is very small. */
export function probability(value) {
  if (!known(value)) return '\u2013';
  return value < 0.0001 ? '< 0.0001' : value.toFixed(value < 0.001 ? 4 : 3);
}

/** A share in percent. */
export function percent(value) {
  if (!known(value)) return '\u2013';
  const hundred = 100 * value;
  if (hundred >= 1e4) return '> 10,000 %';
  return `${hundred >= 100 ? grouped(hundred, 0) : digits(hundred, hundred < 0.01 ? 1 : 2)} %`;
}

/** A whole number. */
export const count = (value) => (known(value) ? sign(grouped(Math.round(value), 0)) : '\u2013');

/** A number of bytes. */
export function bytes(value) {
  if (value < 1024) return `${value} B`;
  return value < 1048576 ? `${digits(value / 1024, 2)} KiB` : `${digits(value / 1048576, 2)} MiB`;
}

let exact = false;

/** Learns from all epochs whether they differ in seconds. */
export function learn(epochs) {
  exact = epochs.some((text) => !/:00(\.0+)?Z$/.test(text) && text.endsWith('Z'));
}

/** A label of an axis whose labels are this far apart: with the decimals of the step. */
export function tick(value, step) {
  const decimals = [0, 1, 2, 3, 4, 5, 6].find((each) => Math.abs(step * 10 ** each - Math.round(step * 10 ** each)) < 1e-6);
  return decimals === undefined || step >= 1e9 ? digits(value) : value === 0 ? '0' : sign(grouped(value, decimals));
}

/** The heading of a column of epochs. */
export const epochHeading = (epochs) => (epochs.some((text) => text.endsWith('Z')) ? 'Epoch (UTC)' : 'Epoch');

/** The ends of a span of epochs; a date that both have is said once. */
export function ends(from, to) {
  const [first, last] = [epoch(from), epoch(to)];
  const same = first.length > 11 && first.slice(0, 11) === last.slice(0, 11);
  return [first, same ? last.slice(11) : last];
}

/** An epoch: its time in UTC, with seconds if those of any epoch are not 0. */
export function epoch(text) {
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(:\d{2})?(\.\d+)?Z$/.exec(text);
  if (!match) return text === 'all' ? 'all rows' : text;
  const seconds = exact ? match[3] || ':00' : '';
  return `${match[1]} ${match[2]}${seconds}`;
}
