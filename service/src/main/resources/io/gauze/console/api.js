// Requests to the service. Paths are relative, so that the console works behind a proxy's prefix.
import { useEffect, useRef, useState } from 'preact/hooks';

const KEY = 'gauze.token';
const askers = new Set();
const hearers = new Set();

export const token = () => sessionStorage.getItem(KEY) || '';

/** Keeps the token until the tab is closed, and asks again for what was refused. */
export function setToken(value) {
  sessionStorage.setItem(KEY, value);
  askers.forEach((asker) => asker(false));
}

/** Calls back with whether the service asks for a token. */
export function onToken(asker) {
  askers.add(asker);
  return () => askers.delete(asker);
}

/** Says that the service is there again, or has a new release. */
export const tellNews = () => hearers.forEach((hearer) => hearer());

/** Calls back with each news, and returns a reference to how many there were. */
export function useNews(hear) {
  const latest = useRef(hear);
  latest.current = hear;
  const heard = useRef(0);
  useEffect(() => {
    const hearer = () => {
      heard.current++;
      latest.current();
    };
    hearers.add(hearer);
    return () => hearers.delete(hearer);
  }, []);
  return heard;
}

/** A problem document of the service, or that the service cannot be reached. */
class Problem extends Error {
  constructor(status, code, detail) {
    super(detail);
    this.status = status;
    this.code = code;
  }
}

async function problemOf(response) {
  try {
    const body = await response.json();
    return new Problem(response.status, body.code, body.detail);
  } catch (e) {
    return new Problem(response.status, 'no-answer', `The service answered ${response.status}.`);
  }
}

/** Asks the service; a wrong answer is thrown as a Problem. */
export async function request(path, options = {}) {
  const headers = { ...(options.headers || {}) };
  const sent = token();
  if (sent) headers.Authorization = `Bearer ${sent}`;
  let response;
  try {
    response = await fetch(path, { ...options, headers });
  } catch (e) {
    if (e.name === 'AbortError') throw e;
    throw new Problem(0, 'unreachable', 'The service cannot be reached. Is it still running?');
  }
  if (response.status === 401) {
    if (sent !== token()) return request(path, options); // the token came while this was on its way
    askers.forEach((asker) => asker(true));
  }
  if (!response.ok) throw await problemOf(response);
  return response;
}

export const getJson = async (path, options) =>
  (await request(path, { headers: { Accept: 'application/json' }, ...options })).json();

/** A query string; empty values are left out. */
export function query(params) {
  const all = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== null && value !== '') all.set(name, value);
  }
  return all.toString().replaceAll('%2F', '/').replaceAll('%3A', ':').replaceAll('%2C', ',');
}

/**
 * The JSON of a path. While another path loads, the data of the one before stay, so that nothing
 * jumps; loading says that they are not yet those of this path. An empty path asks nothing. With
 * news the path is asked again if its answer follows them, or if the last answer was a problem.
 */
export function useJson(path, follows = false) {
  const [state, setState] = useState({});
  const [again, setAgain] = useState(0);
  const retry = () => setAgain((n) => n + 1);
  const heard = useNews(() => (follows || state.problem) && retry());
  useEffect(() => onToken((needed) => needed || retry()), []);
  useEffect(() => {
    if (!path) {
      setState({});
      return undefined;
    }
    const abort = new AbortController();
    const before = heard.current;
    getJson(path, { signal: abort.signal })
      .then((data) => {
        setState({ data, path });
      })
      .catch((problem) => {
        if (problem.name === 'AbortError') return;
        setState({ problem, path });
        if (heard.current > before) retry(); // the news came before the problem
      });
    return () => abort.abort();
  }, [path, again]);
  return { ...state, loading: Boolean(path) && state.path !== path, retry };
}
