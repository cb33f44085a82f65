// Lines with bands, drawn by uPlot in the colours of the theme.
import { h } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';
import { png, save } from './download.js';
import { digits, tick } from './format.js';
import { colour, useTheme } from './theme.js';
import { useWidth } from './ui.js';

const FONT = '12px system-ui, sans-serif';
const COLOURS = ['series-1', 'series-2', 'series-3', 'series-4', 'series-5', 'series-6', 'series-7', 'series-8'];

/** The dashes of series by how often the colours before them have been used up; the first are solid. */
const DASHES = [undefined, [9, 4], [2, 3]];

/** How a series looks by its place: as many looks as there are colours times dashes. */
export const look = (place) => ({
  colour: COLOURS[place % COLOURS.length],
  dash: DASHES[Math.floor(place / COLOURS.length) % DASHES.length],
});

const axis = (label, format, more = {}) => ({
  label,
  labelFont: FONT,
  labelSize: 22,
  font: FONT,
  stroke: colour('muted'),
  grid: { stroke: colour('grid'), width: 1 },
  ticks: { show: false },
  values: (_, all, __, ___, step) => all.map((each) => (each === null ? '' : format(each, step))),
  ...more,
});

/** The steps between labels of a time axis, in seconds. Those of uPlot lack two minutes. */
const STEPS = [1, 5, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 14400, 21600, 28800, 43200,
  ...[1, 2, 3, 5, 7, 10, 15, 30, 60, 90, 180, 365, 730, 1825, 3650].map((days) => days * 86400)];

/** Times in UTC: hours, with the date where it changes; or dates alone. */
function times(_, splits, __, ___, step) {
  let before = '';
  return splits.map((seconds) => {
    const text = new Date(seconds * 1000).toISOString();
    const date = text.slice(0, 10);
    const shown = step >= 86400 ? date : text.slice(11, step >= 60 ? 16 : 19) + (date === before ? '' : `\n${date}`);
    before = date;
    return shown;
  });
}

function lines(series) {
  return series.flatMap(({ label, place, band, points, format }) => {
    const { colour: name, dash } = look(place);
    const stroke = colour(name);
    const value = (_, number) => (number === null || number === undefined ? '\u2013' : (format || digits)(number));
    const line = { label, stroke, width: 2, dash, value, points: { show: points, size: 6, fill: stroke } };
    const edge = (end) => ({ label: end, stroke: 'transparent', value, points: { show: false } });
    return band ? [line, edge(`${label} low`), edge(`${label} high`)] : [line];
  });
}

function bands(series) {
  const all = [];
  let at = 1;
  for (const { band, place } of series) {
    if (band) all.push({ series: [at + 2, at + 1], fill: `${colour(look(place).colour)}2e` });
    at += band ? 3 : 1;
  }
  return all;
}

function options({ width, height, series, x, y, marks }) {
  return {
    width,
    height,
    padding: [12, 34, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { size: 8 } },
    scales: {
      x: { time: Boolean(x.time), distr: x.log ? 3 : 1, range: x.range },
      y: { distr: y.log ? 3 : 1, range: y.range },
    },
    axes: [
      axis(x.label, x.format || tick, { grid: { show: false }, gap: 9, size: x.time ? 46 : 34, ...(x.time ? { values: times, space: 64, incrs: STEPS } : {}) }),
      axis(y.label, y.format || tick, { size: (_, labels) => 14 + 7 * Math.max(4, ...(labels || []).map((each) => each.length)) }),
    ],
    series: [{}, ...lines(series)],
    bands: bands(series),
    hooks: { draw: [(plot) => (marks || []).forEach((mark) => drawMark(plot, mark))] },
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
  };
}

/** A dashed line at a value of one axis, with a word. */
function drawMark(plot, { axis: scale, at, text }) {
  const { ctx, bbox } = plot;
  const place = plot.valToPos(at, scale, true);
  const inside = scale === 'x' ? place >= bbox.left && place <= bbox.left + bbox.width : place >= bbox.top && place <= bbox.top + bbox.height;
  if (!inside) return;
  ctx.save();
  ctx.strokeStyle = colour('muted');
  ctx.fillStyle = colour('muted');
  ctx.font = `${12 * devicePixelRatio}px system-ui, sans-serif`;
  ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
  ctx.beginPath();
  if (scale === 'x') {
    ctx.moveTo(place, bbox.top);
    ctx.lineTo(place, bbox.top + bbox.height);
    const right = place > bbox.left + bbox.width / 2;
    ctx.textAlign = right ? 'right' : 'left';
    if (text) ctx.fillText(text, place + (right ? -6 : 6) * devicePixelRatio, bbox.top + 12 * devicePixelRatio);
  } else {
    ctx.moveTo(bbox.left, place);
    ctx.lineTo(bbox.left + bbox.width, place);
  }
  ctx.stroke();
  ctx.restore();
}

/** A copy of a plot, which is transparent, on the page's ground. */
function onPaper(plot) {
  const canvas = Object.assign(document.createElement('canvas'), { width: plot.width, height: plot.height });
  const pen = canvas.getContext('2d');
  pen.fillStyle = colour('surface');
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(plot, 0, 0);
  return canvas;
}

/**
 * A chart. data is what uPlot takes: the x values, then of each series its values, and with a band
 * its low and high ends. A table with the same numbers must stand beside it. The picture's file is
 * named after the chart's id.
 */
export function Chart({ data, series, x, y, marks, label, height = 300, id }) {
  const [frame, width] = useWidth();
  const place = useRef(null);
  const drawn = useRef(null);
  const theme = useTheme();
  useEffect(() => {
    if (!width) return undefined;
    const plot = new UPlot(options({ width, height, series, x, y, marks }), data, place.current);
    drawn.current = plot.ctx.canvas;
    return () => plot.destroy();
  }, [width, theme, data, height]);
  return h('div', { ref: frame },
    h('div', { class: 'chart', role: 'img', 'aria-label': `${label}. The table has the same numbers.`, id },
      h('div', { ref: place })),
    h('p', { class: 'hint' }, 'Drag over the plot to zoom; double-click to see all again. ',
      h('button', { type: 'button', class: 'link', onClick: async () => save(await png(onPaper(drawn.current)), `${id}.png`) }, 'Save as PNG')));
}

/** Names of the series with their lines, as text beside the chart. */
export const Legend = ({ series }) =>
  h('ul', { class: 'legend' }, series.map(({ label, place }) => {
    const { colour: name, dash } = look(place);
    return h('li', { key: label },
      h('svg', { class: 'swatch', width: 22, height: 4, 'aria-hidden': true },
        h('line', { x2: 22, y1: 2, y2: 2, 'stroke-width': 3, stroke: `var(--${name})`, 'stroke-dasharray': dash?.join(' ') })),
      label);
  }));
