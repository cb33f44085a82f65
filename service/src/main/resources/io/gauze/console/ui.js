// Small parts that all pages share.
import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** A titled part of a page. */
export function Card({ title, aside, children, id }) {
  return h('section', { class: 'card', id, 'aria-label': title },
    (title || aside) && h('header', { class: 'card-head' }, title && h('h2', null, title), aside),
    children);
}

/** A page's title with what it is for. */
export const PageHead = ({ title, text, children }) =>
  h('div', { class: 'page-head' },
    h('div', null, h('h1', { tabindex: -1 }, title), text && h('p', { class: 'muted' }, text)),
    children);

/** An error of the service, in its own words. */
export function ProblemNote({ problem, retry }) {
  if (!problem) return null;
  return h('div', { class: 'note bad', role: 'alert' },
    h('strong', null, title(problem)),
    h('p', null, problem.message),
    retry && (problem.status === 0 || problem.status >= 500) &&
      h('button', { class: 'button', onClick: retry }, 'Try again'));
}

function title(problem) {
  if (problem.status === 0) return 'No answer';
  return `${(problem.code || 'error').replaceAll('-', ' ')} (${problem.status})`;
}

/** What to see where there is nothing yet. */
export const Empty = ({ title: heading, children }) =>
  h('div', { class: 'empty' }, h('strong', null, heading), h('div', null, children));

/** Lines that stand where numbers will be. */
export const Skeleton = ({ lines = 4 }) =>
  h('div', { class: 'skeleton', role: 'status', 'aria-label': 'Loading' },
    Array.from({ length: lines }, (_, k) => h('span', { key: k })));

/** How long an answer is waited for before the page says so, in seconds. */
const PATIENCE = 2;

/** A line that says how long an answer takes, once that is long. */
export function Waiting({ waiting, children }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    setSeconds(0);
    if (!waiting) return undefined;
    const start = performance.now();
    const timer = setInterval(() => setSeconds(Math.floor((performance.now() - start) / 1000)), 500);
    return () => clearInterval(timer);
  }, [waiting]);
  return waiting && seconds >= PATIENCE
    ? h('div', { class: 'waiting', role: 'status' }, h('progress', { 'aria-label': children }), h('span', { class: 'muted' }, `${children}: ${seconds} s`))
    : null;
}

/** A word with a colour: good, fair, poor or neutral. */
export const Badge = ({ tone = 'neutral', children, title: hint }) =>
  h('span', { class: `badge ${tone}`, title: hint }, children);

/** Copies a text, and says so. */
export function Copy({ text, label = 'Copy', id }) {
  const [done, setDone] = useState(false);
  useEffect(() => {
    const timer = done && setTimeout(() => setDone(false), 1600);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = async () => {
    await toClipboard(text);
    setDone(true);
  };
  return h('button', { class: 'button small', type: 'button', id, 'data-text': text, onClick: copy, 'aria-live': 'polite' },
    done ? 'Copied' : label);
}

/** Browsers have a clipboard for pages of this machine or with TLS; else a selection is copied. */
async function toClipboard(text) {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return;
    } catch (e) {
      // without the permission: as without the clipboard
    }
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'offscreen';
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

/** A table: columns are [title, cell of a row, class]; it scrolls inside its frame if it must. */
export function Table({ columns, rows, caption, keyOf, id }) {
  return h('div', { class: 'table-frame', tabindex: 0, role: 'region', 'aria-label': caption },
    h('table', { id },
      h('caption', { class: 'offscreen' }, caption),
      h('thead', null, h('tr', null,
        columns.map(([name, , kind, hint]) => h('th', { key: name, scope: 'col', class: kind, title: hint }, name)))),
      h('tbody', null, rows.map((row, at) =>
        h('tr', { key: keyOf ? keyOf(row) : at }, columns.map(([name, cell, kind], k) =>
          h(k ? 'td' : 'th', { key: name, class: kind, scope: k ? undefined : 'row' }, cell(row))))))));
}

/** The width of an element, kept up to date. */
export function useWidth() {
  const ref = useRef(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const watcher = new ResizeObserver(([entry]) => setWidth(Math.floor(entry.contentRect.width)));
    watcher.observe(ref.current);
    return () => watcher.disconnect();
  }, []);
  return [ref, width];
}

/** Says something to screen readers only. */
export const Live = ({ children }) =>
  h('div', { class: 'offscreen', role: 'status', 'aria-live': 'polite' }, children);
