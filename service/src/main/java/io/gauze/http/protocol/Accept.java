package io.gauze.http.protocol;

import io.gauze.http.protocol.Call.Format;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The header Accept (RFC 9110, section 12.5.1). */
final class Accept {
  private Accept() {}

  /** Returns the format with the greatest weight, the first of equals; empty if none is wanted. */
  static Optional<Format> best(String header, List<Format> formats) {
    if (header.isBlank()) {
      return Optional.of(formats.get(0));
    }
    Optional<Format> best = Optional.empty();
    double most = 0;
    for (Format format : formats) {
      double weight = weight(header, format.type().replaceFirst(";.*", ""));
      if (weight > most) {
        most = weight;
        best = Optional.of(format);
      }
    }
    return best;
  }

  /** Returns the weight of the most specific range that a type is in; 0 if it is in none. */
  private static double weight(String header, String type) {
    String family = type.substring(0, type.indexOf('/')) + "/*";
    int closest = 0;
    double weight = 0;
    for (String part : header.toLowerCase(Locale.ROOT).split(",", -1)) {
      String[] pieces = part.split(";", -1);
      String range = pieces[0].strip();
      int closeness =
          range.equals(type) ? 3 : range.equals(family) ? 2 : range.equals("*/*") ? 1 : 0;
      if (closeness > closest) {
        closest = closeness;
        weight = quality(pieces);
      }
    }
    return weight;
  }

  private static double quality(String[] pieces) {
    for (int k = 1; k < pieces.length; k++) {
      String piece = pieces[k].strip();
      if (piece.matches("q=(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?)")) {
        return Double.parseDouble(piece.substring(2));
      }
    }
    return 1;
  }
}
