// Controls of forms. Each has a label, and calls onChange with a text.
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';

let next = 0;

function useId() {
  const [id] = useState(() => `field-${(next += 1)}`);
  return id;
}

/** A choice; options are texts or [value, label]. */
export function Select({ label, value, options, onChange, hint, name, disabled }) {
  const id = useId();
  return h('div', { class: 'field' },
    h('label', { for: id }, label),
    h('select', { id, name, value, disabled, onChange: (e) => onChange(e.target.value) },
      options.map((option) => {
        const [key, text] = Array.isArray(option) ? option : [option, option];
        return h('option', { key, value: key, selected: key === value }, text);
      })),
    hint && h('p', { class: 'hint' }, hint));
}

/** A number that is taken when the field is left, or Enter is pressed. */
export function NumberField({ label, value, onChange, hint, name, placeholder, step = 'any', min, max }) {
  const id = useId();
  return h('div', { class: 'field' },
    h('label', { for: id }, label),
    h('input', {
      id, name, type: 'number', inputmode: 'decimal', value, placeholder, step, min, max,
      onChange: (e) => onChange(e.target.value),
    }),
    hint && h('p', { class: 'hint' }, hint));
}

/** A text that is taken as it is typed. */
export function TextField({ label, value, onChange, name, placeholder, type = 'search' }) {
  const id = useId();
  return h('div', { class: 'field' },
    h('label', { for: id }, label),
    h('input', { id, name, type, value, placeholder, onInput: (e) => onChange(e.target.value) }));
}

/** One of a few values, side by side. */
export function Segmented({ label, value, options, onChange, name }) {
  return h('fieldset', { class: 'field segmented' },
    h('legend', null, label),
    h('div', { class: 'segments' }, options.map(([key, text]) =>
      h('label', { key, class: key === value ? 'on' : '' },
        h('input', { type: 'radio', name, value: key, checked: key === value, onChange: () => onChange(key) }),
        h('span', null, text)))));
}

/** Any of several names. */
export function Chips({ label, all, chosen, onChange, name }) {
  const toggle = (each) =>
    onChange(all.filter((one) => (one === each) !== chosen.includes(one)));
  const full = chosen.length === all.length;
  return h('fieldset', { class: 'field' },
    h('legend', null, label, ' ', h('span', { class: 'muted' }, `${chosen.length} of ${all.length}`),
      h('button', { type: 'button', class: 'link', disabled: full, onClick: () => onChange(all) }, 'all')),
    h('div', { class: 'chips' }, all.map((each) =>
      h('label', { key: each, class: chosen.includes(each) ? 'chip on' : 'chip' },
        h('input', { type: 'checkbox', name, value: each, checked: chosen.includes(each), onChange: () => toggle(each) }),
        h('span', null, each)))));
}

/** A slider with a mark; the value follows at once, onChange after a short pause. */
export function Slider({ label, value, min, max, step, mark, markLabel, shown, onChange, name, children, disabled }) {
  const id = useId();
  const [dragged, setDragged] = useState(null);
  useEffect(() => {
    if (dragged === null) return undefined;
    const timer = setTimeout(() => {
      onChange(dragged);
      setDragged(null);
    }, 150);
    return () => clearTimeout(timer);
  }, [dragged]);
  const now = dragged === null ? value : dragged;
  const place = mark === undefined ? null : (mark - min) / (max - min);
  return h('div', { class: 'field' },
    h('div', { class: 'field-row' }, h('label', { for: id }, label), h('output', { for: id }, shown(now))),
    h('div', { class: place === null ? 'slider' : 'slider marked' },
      h('input', {
        id, name, type: 'range', min, max, step, value: now, disabled, 'aria-valuetext': shown(now),
        onInput: (e) => setDragged(Number(e.target.value)),
      }),
      place !== null && place >= 0 && place <= 1 &&
        h('span', { class: 'mark', style: { left: `calc(8px + ${place} * (100% - 16px))` } }, markLabel)),
    children);
}

/** A box to tick. */
export function Check({ label, checked, onChange, name }) {
  const id = useId();
  return h('div', { class: 'check' },
    h('input', { id, name, type: 'checkbox', checked, onChange: (e) => onChange(e.target.checked) }),
    h('label', { for: id }, label));
}
