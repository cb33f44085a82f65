package io.gauze.http.protocol;

import io.gauze.message.NearestName;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The parameters of a request's query. Each may be there once. The methods throw a {@link Problem}
 * that names the parameter and what it may be.
 */
public final class Query {
  private static final int LONGEST = 8000;
  private static final int SHOWN = 100;

  private final String raw;
  private final Map<String, String> values;

  private Query(String raw, Map<String, String> values) {
    this.raw = raw;
    this.values = values;
  }

  /** Parses the part of a URI after the question mark; empty if there is none. */
  public static Query parse(String raw) throws Problem {
    Map<String, String> values = new LinkedHashMap<>();
    if (raw.length() > LONGEST) {
      throw Problem.bad(
          "the query must have at most "
              + LONGEST
              + " characters. Provided value: "
              + raw.length());
    }
    for (String part : raw.isEmpty() ? new String[0] : raw.split("&", -1)) {
      int equals = part.indexOf('=');
      String name = decode(equals < 0 ? part : part.substring(0, equals), true);
      if (values.putIfAbsent(name, equals < 0 ? "" : decode(part.substring(equals + 1), true))
          != null) {
        throw Problem.bad("the parameter " + shown(name) + " is there twice; send it once");
      }
    }
    return new Query(raw, values);
  }

  /**
   * Decodes percent signs, strictly.
   *
   * @param plus whether a plus sign is a space, as in queries
   */
  public static String decode(String text, boolean plus) throws Problem {
    ByteBuffer bytes = ByteBuffer.allocate(3 * text.length() + 1);
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each == '%') {
        int high = i + 2 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
        int low = high < 0 ? -1 : Character.digit(text.charAt(i + 2), 16);
        if (low < 0) {
          throw Problem.bad(
              "a percent sign of the URI must be followed by two hexadecimal digits. Provided"
                  + " value: "
                  + shown(text));
        }
        bytes.put((byte) (high << 4 | low));
        i += 2;
      } else if (each == '+' && plus) {
        bytes.put((byte) ' ');
      } else {
        bytes.put(Character.toString(each).getBytes(StandardCharsets.UTF_8));
      }
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
    } catch (CharacterCodingException e) {
      throw Problem.bad("the URI must be text in UTF-8. Provided value: " + shown(text));
    }
  }

  public static String shown(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
  }

  /** Refuses parameters that a resource does not know. */
  public void check(Collection<String> known) throws Problem {
    for (String name : values.keySet()) {
      if (known.isEmpty()) {
        throw Problem.bad("this resource has no parameters. Provided value: " + shown(name));
      }
      if (!known.contains(name)) {
        throw Problem.bad(NearestName.unknown("parameter", shown(name), known).getMessage());
      }
    }
  }

  public Optional<String> text(String name) {
    return Optional.ofNullable(values.get(name));
  }

  public String text(String name, String usual) {
    return values.getOrDefault(name, usual);
  }

  public Optional<Double> number(String name) throws Problem {
    String text = values.get(name);
    if (text == null) {
      return Optional.empty();
    }
    try {
      double value = Double.parseDouble(text);
      if (Double.isFinite(value) && text.matches("[-+0-9.eE]+")) {
        return Optional.of(value);
      }
    } catch (NumberFormatException e) {
      throw notANumber(name, text);
    }
    throw notANumber(name, text);
  }

  private static Problem notANumber(String name, String text) {
    return Problem.bad(name + " must be a number. Provided value: " + shown(text));
  }

  public int whole(String name, int least, int most, int usual) throws Problem {
    String text = values.get(name);
    if (text == null) {
      return usual;
    }
    int value = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : -1;
    if (value < least || value > most) {
      throw Problem.bad(
          name + " must be in [" + least + ", " + most + "]. Provided value: " + shown(text));
    }
    return value;
  }

  public boolean flag(String name) throws Problem {
    String text = values.getOrDefault(name, "false");
    if (!text.equals("true") && !text.equals("false")) {
      throw Problem.bad(name + " must be true or false. Provided value: " + shown(text));
    }
    return text.equals("true");
  }

  /** Returns a probability in (0, 1). */
  public double share(String name, double usual) throws Problem {
    double value = number(name).orElse(usual);
    if (!(value > 0 && value < 1)) {
      throw Problem.bad(name + " must be in (0, 1). Provided value: " + shown(values.get(name)));
    }
    return value;
  }

  /** The query as it came: equal ones ask for the same. */
  public String raw() {
    return raw;
  }

  /** The parameters in their order. */
  public Map<String, String> values() {
    return values;
  }
}
