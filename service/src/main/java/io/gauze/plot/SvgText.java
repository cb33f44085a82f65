package io.gauze.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Numbers and text as SVG wants them, and how wide text is about. */
final class SvgText {
  static final int FONT = 12;
  private static final double WIDTH_OF_A_CHARACTER =
      0.54; // of the font size; sans-serif, wide fonts

  private SvgText() {}

  static double width(String text) {
    return WIDTH_OF_A_CHARACTER * FONT * text.codePointCount(0, text.length());
  }

  /** Writes a number with at most two decimals, and never as -0. */
  static String number(double value) {
    String text = String.format(Locale.ROOT, "%.2f", value);
    String trimmed = text.replaceAll("\\.?0+$", "");
    return trimmed.equals("-0") ? "0" : trimmed;
  }

  /** Leaves out the middle of longer text: names often differ at the end. */
  static String shortened(String text, int most) {
    int length = text.codePointCount(0, text.length());
    if (length <= most) {
      return text;
    }
    int head = text.offsetByCodePoints(0, (most - 1) / 2);
    int tail = text.offsetByCodePoints(0, length - most / 2);
    return text.substring(0, head) + "…" + text.substring(tail);
  }

  /** Breaks text between words into lines of at most a width, where words are not longer. */
  static List<String> lines(String text, double width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.strip().split("\\s+", -1)) {
      if (line.length() > 0 && width(line + " " + word) > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.length() > 0 ? " " : "").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
