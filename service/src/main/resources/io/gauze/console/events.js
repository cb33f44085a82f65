// The releases that the service knows, kept up to date by its events.
import { useEffect, useState } from 'preact/hooks';
import { getJson, onToken, query, request, tellNews } from './api.js';
import { learn } from './format.js';

const PAGE = 1000;
const MOST = 20000;
const SHORTEST_PAUSE = 500;
const LONGEST_PAUSE = 15000;

let state = { releases: [], damaged: [], loaded: false, live: false, latest: null };
const listeners = new Set();
let started = false;
let lastId = '';
let pause = SHORTEST_PAUSE;
let wake = () => {};
let stream = new AbortController();

function set(changes) {
  state = { ...state, ...changes };
  if (changes.releases) learn(state.releases.map((each) => each.epoch));
  listeners.forEach((listener) => listener(state));
}

async function readAll() {
  const releases = [];
  let damaged = [];
  let after = '';
  do {
    const page = await getJson(`v1/releases?${query({ limit: PAGE, after })}`);
    releases.push(...page.releases);
    damaged = page.damaged;
    after = page.next || '';
  } while (after && releases.length < MOST);
  set({ releases, damaged, loaded: true, problem: null });
  tellNews();
}

function take(event) {
  const fields = {};
  for (const line of event.split('\n')) {
    const colon = line.indexOf(': ');
    if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 2);
  }
  if (fields.id) lastId = fields.id;
  if (fields.event !== 'release') return;
  const release = JSON.parse(fields.data);
  if (state.releases.some((each) => each.id === release.id)) return;
  set({ releases: [...state.releases, release], latest: release });
  tellNews();
}

async function listen() {
  const headers = { Accept: 'text/event-stream' };
  if (lastId) headers['Last-Event-ID'] = lastId;
  stream = new AbortController();
  const response = await request('v1/events', { headers, signal: stream.signal });
  set({ live: true });
  await readAll(); // after the stream is open, so that no release falls between the two
  pause = SHORTEST_PAUSE;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const events = text.split('\n\n');
    text = events.pop();
    events.forEach(take);
  }
}

/**
 * A browser has few connections for a host, and each stream holds one: pages that nobody sees give
 * theirs back, and miss nothing, since they name the last event when they come back.
 */
function watchVisibility() {
  const changed = () => (document.hidden ? stream.abort() : wake());
  document.addEventListener('visibilitychange', changed);
  addEventListener('pagehide', () => stream.abort());
  addEventListener('pageshow', () => wake());
}

const seen = () =>
  new Promise((resolve) => {
    if (!document.hidden) resolve();
    else document.addEventListener('visibilitychange', resolve, { once: true });
  });

async function run() {
  for (;;) {
    await seen();
    try {
      await listen();
    } catch (problem) {
      if (problem.status === 400) lastId = ''; // an id of another run of the service
      if (problem.name !== 'AbortError') set({ problem: state.loaded ? null : problem });
    }
    set({ live: false });
    await new Promise((resolve) => {
      wake = resolve;
      setTimeout(resolve, pause);
    });
    pause = Math.min(LONGEST_PAUSE, pause * 2);
  }
}

/** All known releases, whether they are kept up to date now, and the one that came last. */
export function useReleases() {
  const [known, setKnown] = useState(state);
  useEffect(() => {
    listeners.add(setKnown);
    setKnown(state);
    if (!started) {
      started = true;
      onToken((needed) => needed || wake());
      watchVisibility();
      run();
    }
    return () => listeners.delete(setKnown);
  }, []);
  return known;
}

const time = (epoch) => {
  const parsed = Date.parse(epoch);
  return Number.isNaN(parsed) ? -Infinity : parsed;
};

/** Compares epochs by time; names that are no times come first, in alphabetical order. */
export function byEpoch(one, other) {
  const difference = time(one) - time(other);
  if (difference) return difference; // NaN for two names
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The distinct values of a field, sorted. */
export const values = (releases, field) =>
  [...new Set(releases.map((each) => each[field]))].sort(field === 'epoch' ? byEpoch : undefined);

/** The releases whose fields have these values. */
export const select = (releases, wanted) =>
  releases.filter((each) => Object.entries(wanted).every(([name, value]) => each[name] === value));
