package io.gauze.plot;

/** How the points of a series are drawn. */
public enum Mark {
  /** A line through the points, with a band from low to high where these differ. */
  LINE,
  /** A dot for each point. */
  POINTS,
  /** A dot for each point, with a whisker from low to high. Series stand side by side. */
  INTERVAL,
  /**
   * A bar from 0 to y, with a whisker where low and high differ. Series stand side by side. Bars
   * need an x axis of categories and a linear y axis.
   */
  BAR
}
