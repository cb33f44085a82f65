package io.gauze.benchmarks.papers;

/**
 * One point of a curve in a figure: the median of some repetitions, and a range around it.
 *
 * @param variant the curve
 * @param x the place on the x axis
 * @param median of the repetitions
 * @param low their 20 % point
 * @param high their 80 % point
 */
public record FigureRow(String variant, double x, double median, double low, double high) {}
