// The URL is the state: #/page?name=value. A permalink opens the same thing in another browser.
import { useEffect, useState } from 'preact/hooks';

export const PAGES = [
  ['fit', 'Fit'],
  ['time', 'Over time'],
  ['releases', 'Releases'],
  ['budget', 'Budget'],
  ['planner', 'Planner'],
  ['path', 'Path'],
];

/** Reads the page and its parameters from the address. */
function readRoute() {
  const [path, query] = location.hash.replace(/^#\/?/, '').split('?');
  const page = PAGES.some(([name]) => name === path) ? path : 'fit';
  return { page, params: Object.fromEntries(new URLSearchParams(query || '')) };
}

/** The address of a page with these parameters; empty ones are left out. */
export function href(page, params = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== null && value !== '') query.set(name, value);
  }
  const text = query.toString().replaceAll('%2F', '/').replaceAll('%3A', ':').replaceAll('%2C', ',');
  return `#/${page}${text ? '?' + text : ''}`;
}

/** The current route; components that use it are drawn again when the address changes. */
export function useRoute() {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const changed = () => setRoute(readRoute());
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return route;
}

/** Changes parameters of the current page without an entry in the browser's history. */
export function change(changes) {
  const { page, params } = readRoute();
  const next = href(page, { ...params, ...changes });
  if (next !== location.hash) {
    history.replaceState(null, '', next);
    dispatchEvent(new HashChangeEvent('hashchange'));
  }
}
