// Light or dark: as the system says, until somebody chooses.
import { useEffect, useState } from 'preact/hooks';

const KEY = 'gauze.theme';
const dark = matchMedia('(prefers-color-scheme: dark)');
const watchers = new Set();

const stored = () => localStorage.getItem(KEY) || '';
const current = () => stored() || (dark.matches ? 'dark' : 'light');

function apply() {
  document.documentElement.dataset.theme = current();
  watchers.forEach((watcher) => watcher(current()));
}

dark.addEventListener('change', apply);
apply();

/** Changes to the other theme; choosing the system's own follows the system again. */
export function toggleTheme() {
  const next = current() === 'dark' ? 'light' : 'dark';
  if ((next === 'dark') === dark.matches) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, next);
  apply();
}

/** The theme that is shown. */
export function useTheme() {
  const [theme, setTheme] = useState(current);
  useEffect(() => {
    watchers.add(setTheme);
    return () => watchers.delete(setTheme);
  }, []);
  return theme;
}

/** A colour of the style sheet, for a canvas. */
export const colour = (name) =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
