// Files from the service: releases, numbers as CSV, plots as SVG or PNG.
import { h } from 'preact';
import { request, token } from './api.js';

/** Pixels of a picture to one of the plot. */
const SCALE = 2;

/** How long a browser may take to begin with a download, in milliseconds. */
const KEPT = 10000;

/** Gives the browser a file to save. */
export function save(blob, file) {
  const address = URL.createObjectURL(blob);
  Object.assign(document.createElement('a'), { href: address, download: file }).click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT);
}

/** The picture of a canvas. */
export const png = (canvas) =>
  new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The browser cannot draw the plot as PNG.'))), 'image/png');
  });

/** Draws an SVG picture as a PNG. */
async function picture(svg) {
  const address = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = SCALE * image.width;
    canvas.height = SCALE * image.height;
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    return await png(canvas);
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * A link to a file. With a token the file is fetched first, since a link cannot send one; a PNG is
 * drawn from the SVG at the path.
 */
export function Download({ path, file, name, label, onProblem }) {
  const drawn = file.endsWith('.png');
  const fetched = async (event) => {
    if (!token() && !drawn) return;
    event.preventDefault();
    try {
      const blob = await (await request(path)).blob();
      save(drawn ? await picture(blob) : blob, file);
      onProblem(null);
    } catch (problem) {
      onProblem(problem);
    }
  };
  return h('a', { href: path, download: file, onClick: fetched, 'aria-label': label }, name);
}

/** Links to an answer in some of the formats csv, svg and png; path lacks the format alone. */
export const Exports = ({ path, file, formats, label, onProblem }) =>
  h('span', { class: 'downloads' }, formats.map((format) =>
    h(Download, {
      key: format,
      path: `${path}&format=${format === 'png' ? 'svg' : format}`,
      file: `${file}.${format}`,
      name: format.toUpperCase(),
      label: `${format.toUpperCase()} of ${label}`,
      onProblem,
    })));
