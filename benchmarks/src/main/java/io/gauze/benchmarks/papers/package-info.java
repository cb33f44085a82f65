/** Figures of papers, measured again. */
package io.gauze.benchmarks.papers;
