package io.gauze.audit;

/** The pair of events {@code statistic > above} and {@code statistic < below}. */
record Events(double above, double below) {
  static Events symmetric(double threshold) {
    return new Events(threshold, -threshold);
  }
}
