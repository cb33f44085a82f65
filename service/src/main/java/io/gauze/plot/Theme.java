package io.gauze.plot;

/**
 * Colours on light and on dark pages. Classes are prefixed by {@code gz} where pages share them.
 */
final class Theme {
  /** Classes of a series: for lines, and for areas. */
  record Look(String stroke, String fill) {}

  // Told apart with the usual kinds of colour blindness, and at least 3:1 against the page
  private static final String[] LIGHT = {
    "#0b62a4", "#c44e00", "#00795c", "#a8327e", "#8a6d00", "#5a4fcf", "#b3261e", "#4d4d4d"
  };
  private static final String[] DARK = {
    "#6db3f2", "#ff9e4a", "#3fcfa4", "#f08bcb", "#e5c94b", "#a99cff", "#ff8a80", "#c8c8c8"
  };

  static final String STYLE = style();

  private Theme() {}

  private static String style() {
    return "<style>\n"
        + ".gz text{font:12px sans-serif}\n"
        + ".gz .title{font:600 14px sans-serif}\n"
        + ".gz .grid,.gz .axis{stroke-width:1}\n"
        + ".gz .line{fill:none;stroke-width:1.8}\n"
        + ".gz .dashed{stroke-dasharray:5 4}\n"
        + ".gz .band{fill-opacity:.16}\n"
        + ".gz .bar{fill-opacity:.8}\n"
        + colours("#fff", "#1c1c1c", "#e4e4e4", "#767676", LIGHT)
        + "@media (prefers-color-scheme:dark){\n"
        + colours("#14171a", "#e8e8e8", "#33383d", "#8b9299", DARK)
        + "}\n</style>\n";
  }

  private static String colours(
      String page, String text, String grid, String axis, String[] series) {
    StringBuilder out = new StringBuilder();
    out.append(".gz .page{fill:").append(page).append("}.gz text{fill:").append(text);
    out.append("}.gz .whisker{stroke:")
        .append(text)
        .append("}.gz .grid{stroke:")
        .append(grid)
        .append("}.gz .axis{stroke:")
        .append(axis);
    out.append("}\n");
    for (int i = 0; i < series.length; i++) {
      out.append(".gz .s").append(i).append("{stroke:").append(series[i]).append('}');
      out.append(".gz .f").append(i).append("{fill:").append(series[i]).append("}\n");
    }
    return out.toString();
  }

  static Look look(Series series, int place) {
    int colour = series.colour().orElse(place % Series.COLOURS);
    return new Look("line s" + colour + (series.dashed() ? " dashed" : ""), "f" + colour);
  }
}
