/**
 * Plots as SVG text: lines with bands, bars, points and intervals, readable on light and on dark
 * pages.
 */
package io.gauze.plot;
