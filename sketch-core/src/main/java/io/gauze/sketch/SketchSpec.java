package io.gauze.sketch;

import java.io.Serializable;

/**
 * The shape and public parameters of a linear sketch. Sketches of equal specs can be merged.
 * Immutable.
 */
public sealed interface SketchSpec extends Serializable permits SecondMomentsSpec, CountSketchSpec {

  /** D: the entries of a row, intercept included. */
  int dimension();

  /** The number of longs in the state. */
  int stateLength();

  /** In how many buckets (blocks of the state that are sums over rows) a single row counts. */
  int bucketsTouched();

  /** An empty sketch. */
  LinearSketch<?> zero();
}
