package io.gauze.demo;

import io.gauze.accounting.Guarantee;
import io.gauze.fit.FitSource;

/**
 * What the releases of the demo promise.
 *
 * @param each the guarantee of a stream
 * @param summary what people read
 * @param sentence the whole guarantee
 * @param sites whether the releases are those of several sites
 */
record DemoPromise(Guarantee each, String summary, String sentence, boolean sites) {
  /** Returns the promise of one stream. */
  static DemoPromise of(Guarantee guarantee) {
    return new DemoPromise(guarantee, guarantee.summary(), guarantee.sentence(), false);
  }

  /**
   * Returns the promise of several sites.
   *
   * @param each the guarantee of each of them
   */
  static DemoPromise of(Guarantee each, FitSource merged) {
    return new DemoPromise(
        each,
        merged.guarantee().path("summary").asText(),
        merged.guarantee().path("sentence").asText(),
        true);
  }
}
