// The frame around all pages: navigation, theme, whether events come in, and the token.
import { h, render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { onToken, setToken, useJson } from './api.js';
import { Budget } from './budget.js';
import { useReleases } from './events.js';
import { Explorer } from './explorer.js';
import { epoch } from './format.js';
import { OverTime } from './overtime.js';
import { PathPage } from './path.js';
import { Planner } from './planner.js';
import { Releases } from './releases.js';
import { href, PAGES, useRoute } from './state.js';
import { toggleTheme, useTheme } from './theme.js';
import { Empty, Live, ProblemNote, Skeleton } from './ui.js';

const VIEWS = {
  fit: Explorer,
  time: OverTime,
  releases: Releases,
  budget: Budget,
  planner: Planner,
  path: PathPage,
};

/** Pages that say something without any release. */
const ALWAYS = ['budget', 'planner'];

const Logo = () =>
  h('svg', { class: 'logo', viewBox: '0 0 32 32', 'aria-hidden': true },
    h('rect', { width: 32, height: 32, rx: 7 }),
    h('path', { class: 'mesh', d: 'M7 10h18M7 16h18M7 22h18M11 6v20M21 6v20' }),
    h('path', { class: 'curve', d: 'M6 23C12 22 15 10 26 9' }));

function Theme() {
  const theme = useTheme();
  const other = theme === 'dark' ? 'light' : 'dark';
  return h('button', {
    class: 'icon-button', type: 'button', id: 'theme', onClick: toggleTheme,
    'aria-label': `Show in ${other}`, title: `Show in ${other}`,
  }, h('svg', { viewBox: '0 0 20 20', 'aria-hidden': true }, theme === 'dark'
    ? h('path', { d: 'M10 3v2M10 15v2M3 10h2M15 10h2M5 5l1.5 1.5M13.5 13.5L15 15M15 5l-1.5 1.5M6.5 13.5L5 15M10 7a3 3 0 100 6 3 3 0 000-6z' })
    : h('path', { d: 'M16 11.5A6.5 6.5 0 018.5 4 6.5 6.5 0 1016 11.5z' })));
}

function Navigation({ page }) {
  return h('nav', { 'aria-label': 'Pages' }, PAGES.map(([name, label]) =>
    h('a', { key: name, href: href(name), 'aria-current': page === name ? 'page' : undefined }, label)));
}

function Status({ known, version }) {
  const text = known.live ? 'Live' : known.loaded ? 'Reconnecting' : 'Connecting';
  return h('div', { class: 'status' },
    h('span', { class: known.live ? 'dot live' : 'dot' }),
    h('span', { id: 'live' }, text),
    version && h('span', { class: 'muted version' }, version));
}

function TokenDialog() {
  const [needed, setNeeded] = useState(false);
  const [refused, setRefused] = useState('');
  const dialog = useRef(null);
  useEffect(() => onToken((isNeeded) => isNeeded && setNeeded(true)), []);
  useEffect(() => {
    if (needed) dialog.current?.showModal();
  }, [needed]);
  if (!needed) return null;
  const submit = async (event) => {
    event.preventDefault();
    const given = new FormData(event.target).get('token').trim();
    const answer = await fetch('v1', { headers: { Authorization: `Bearer ${given}` } }).catch(() => null);
    if (answer && answer.status !== 401) {
      setRefused('');
      setNeeded(false);
      setToken(given);
    } else {
      setRefused(answer ? 'The service does not take this token.' : 'The service cannot be reached. Is it still running?');
    }
  };
  return h('dialog', { ref: dialog, class: 'token', 'aria-labelledby': 'token-title', onCancel: (e) => e.preventDefault() },
    h('form', { onSubmit: submit },
      h('h2', { id: 'token-title' }, 'This service asks for a token'),
      h('p', { class: 'muted' }, 'It is kept in this tab until you close it, and sent to this service alone.'),
      h('label', { for: 'token' }, 'Token'),
      h('input', { id: 'token', name: 'token', type: 'password', autocomplete: 'off', required: true, autofocus: true }),
      refused && h('p', { class: 'error-text', role: 'alert' }, refused),
      h('button', { class: 'button primary', type: 'submit' }, 'Open')));
}

function Waiting({ known }) {
  if (known.problem && known.problem.status !== 401) return h(ProblemNote, { problem: known.problem });
  if (!known.loaded) return h('div', { class: 'card' }, h(Skeleton, { lines: 6 }));
  return h('div', { class: 'card' }, h(Empty, { title: 'No release yet' },
    h('p', null, 'The console waits for the first one, and shows it when it comes. A release is published when its epoch is over.'),
    h('span', { class: 'pulse', 'aria-hidden': true })));
}

function App() {
  const { page, params } = useRoute();
  const known = useReleases();
  const { data } = useJson('v1');
  const [said, setSaid] = useState('');
  const first = useRef(true);
  useEffect(() => {
    document.title = `${PAGES.find(([name]) => name === page)[1]} \u00b7 Gauze`;
    if (!first.current) document.querySelector('h1')?.focus({ preventScroll: true });
    first.current = false;
    scrollTo(0, 0);
  }, [page]);
  useEffect(() => {
    if (known.latest) setSaid(`New release ${known.latest.sketch}, epoch ${epoch(known.latest.epoch)}`);
  }, [known.latest]);
  const shows = known.releases.length > 0 || ALWAYS.includes(page);
  return h('div', { class: 'shell' },
    h('a', { class: 'skip', href: '#main', onClick: skip }, 'Skip to the page'),
    h('header', { class: 'bar' },
      h('a', { class: 'brand', href: href('fit') }, h(Logo), h('span', null, 'Gauze')),
      h(Navigation, { page }),
      h('div', { class: 'bar-end' }, h(Status, { known, version: data?.version }), h(Theme))),
    h('main', { id: 'main', tabindex: -1, key: page },
      shows ? h(VIEWS[page], { params, known }) : h(Waiting, { known })),
    h(Live, null, said),
    h(TokenDialog));
}

function skip(event) {
  event.preventDefault();
  document.getElementById('main').focus();
}

render(h(App), document.getElementById('console'));
