package io.gauze.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * A node of a YAML document with its place in the file. Methods that convert it throw a {@link
 * ConfigException} that says what is allowed.
 */
final class YamlValue {
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(\\d[\\d_]*)?(\\.[\\d_]*)?([eE][+-]?\\d+)?");

  /** The path of the top of a config. */
  static final String CONFIG = "the config";

  /** The path of the top of an encoding file. */
  static final String ENCODING = "the encoding file";

  private static final int MOST_SHOWN = 100;
  private static final int MOST_OPEN = 5;
  private static final Pattern WHOLE = Pattern.compile("[+-]?\\d[\\d_]*");

  private final String file;
  private final String path;
  private final Node node;

  YamlValue(String file, String path, Node node) {
    this.file = file;
    this.path = path;
    this.node = node;
  }

  /** Returns the value as text; numbers and truth values as they are written. */
  String text(String allowed) throws ConfigException {
    if (!(node instanceof ScalarNode scalar) || scalar.getValue().isBlank()) {
      throw mustBe(allowed);
    }
    return scalar.getValue();
  }

  /** Returns the value as text that matches a pattern. */
  String text(Pattern pattern, String allowed) throws ConfigException {
    String text = text(allowed);
    if (!pattern.matcher(text).matches()) {
      throw mustBe(allowed);
    }
    return text;
  }

  /**
   * Returns the value as a finite number without quotes, in which underscores may separate digits.
   */
  double number(String allowed) throws ConfigException {
    String text = text(allowed);
    if (!NUMBER.matcher(text).matches()) {
      throw mustBe(allowed);
    }
    requireUnquoted(allowed);
    try {
      double value = Double.parseDouble(text.replace("_", ""));
      if (Double.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw mustBe(allowed); // a lone sign or point
    }
    throw mustBe(allowed);
  }

  /**
   * Returns the value as a whole number in [least, most] without quotes, in which underscores may
   * separate digits.
   */
  long whole(long least, long most) throws ConfigException {
    long value = wholeText(least, most);
    requireUnquoted(wholeIn(least, most));
    return value;
  }

  /** Returns the value as {@link #whole} does; it may have quotes. */
  long wholeText(long least, long most) throws ConfigException {
    String allowed = wholeIn(least, most);
    String text = text(WHOLE, allowed);
    try {
      long value = Long.parseLong(text.replace("_", ""));
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw mustBe(allowed); // beyond 64 bits
    }
    throw mustBe(allowed);
  }

  private static String wholeIn(long least, long most) {
    return String.format(Locale.ROOT, "a whole number in [%d, %d]", least, most);
  }

  /** Refuses a text in quotes, which is none of YAML's numbers. */
  private void requireUnquoted(String allowed) throws ConfigException {
    if (node instanceof ScalarNode scalar && !scalar.isPlain()) {
      throw error("must be " + allowed + ", without quotes. Provided value: \"" + shown() + "\"");
    }
  }

  /** Returns the value as a boolean, {@code true} or {@code false}. */
  boolean truth() throws ConfigException {
    String allowed = "true or false";
    String text = text(allowed);
    if (!text.equals("true") && !text.equals("false")) {
      throw mustBe(allowed);
    }
    return text.equals("true");
  }

  /** Returns the value as an ISO 8601 duration of whole milliseconds in [least, most]. */
  Duration duration(Duration least, Duration most, String allowed) throws ConfigException {
    String text = text(allowed);
    try {
      Duration value = Duration.parse(text);
      if (value.compareTo(least) >= 0
          && value.compareTo(most) <= 0
          && value.equals(value.truncatedTo(ChronoUnit.MILLIS))) {
        return value;
      }
    } catch (DateTimeException e) {
      throw mustBe(allowed);
    }
    throw mustBe(allowed);
  }

  /**
   * Returns the value as a point in time such as {@code 2026-01-01T00:00:00Z}, to the millisecond.
   */
  Instant instant(String allowed) throws ConfigException {
    String text = text(allowed);
    try {
      Instant value = Instant.parse(text);
      return Instant.ofEpochMilli(value.toEpochMilli());
    } catch (DateTimeException | ArithmeticException e) { // or too far away for milliseconds
      throw mustBe(allowed);
    }
  }

  /** Returns the value as a path, resolved in the folder of the config. */
  Path path(String allowed) throws ConfigException {
    try {
      return Path.of(file).resolveSibling(text(allowed));
    } catch (InvalidPathException e) {
      throw mustBe(allowed);
    }
  }

  /** The elements of a list that is not empty, or the text itself. */
  List<YamlValue> listOrOne(String allowed) throws ConfigException {
    return node instanceof ScalarNode ? List.of(this) : list(allowed);
  }

  /** The elements of a list that is not empty. */
  List<YamlValue> list(String allowed) throws ConfigException {
    if (!(node instanceof SequenceNode sequence) || sequence.getValue().isEmpty()) {
      throw mustBe(allowed);
    }
    List<YamlValue> elements = new ArrayList<>();
    for (Node element : sequence.getValue()) {
      elements.add(element(elements.size(), element));
    }
    return elements;
  }

  private YamlValue element(int index, Node value) {
    return new YamlValue(file, path + "[" + index + "]", value);
  }

  /** Returns the keys and values of a mapping. */
  YamlMap map(String allowed) throws ConfigException {
    if (!(node instanceof MappingNode mapping)) {
      throw mustBe(allowed);
    }
    return YamlMap.of(this, mapping);
  }

  boolean isMap() {
    return node instanceof MappingNode;
  }

  /** Returns the node of a key below this one. */
  YamlValue child(String key, Node value) {
    return new YamlValue(
        file, path.equals(CONFIG) || path.equals(ENCODING) ? key : path + "." + key, value);
  }

  /** Checks whether two values are in one file. */
  boolean isBeside(YamlValue other) {
    return file.equals(other.file);
  }

  /** Adds the lines of this value and of all keys below it. */
  void addLines(Map<String, Integer> lines) {
    visit(value -> lines.put(value.path, line(value.node)));
  }

  /**
   * Checks that no key below this one has the value {@code "?"} of a config that is yet to be
   * filled in. Categories and texts that a column is compared with may be a question mark.
   */
  void requireFilledIn() throws ConfigException {
    List<YamlValue> open = new ArrayList<>();
    visit(
        value -> {
          if (value.node instanceof ScalarNode text
              && text.getValue().equals("?")
              && !value.path.endsWith("]")
              && !value.path.endsWith(".equals")) {
            open.add(value);
          }
        });
    if (!open.isEmpty()) {
      String others =
          open.stream().skip(1).limit(MOST_OPEN).map(v -> v.path).collect(Collectors.joining(", "));
      int more = open.size() - 1;
      throw open.get(0)
          .error(
              "is still \"?\""
                  + (more == 0
                      ? ""
                      : ", as "
                          + more
                          + (more == 1 ? " other is: " : " others are: ")
                          + others
                          + (more > MOST_OPEN ? ", ..." : ""))
                  + ". Replace "
                  + (more == 0 ? "it" : "each")
                  + " by public knowledge, never by what the rows show");
    }
  }

  /** Returns the texts of all keys of this name below this value. */
  Set<String> texts(String key) {
    Set<String> texts = new LinkedHashSet<>();
    visit(
        value -> {
          if (value.node instanceof ScalarNode scalar && value.path.endsWith("." + key)) {
            texts.add(scalar.getValue());
          }
        });
    return texts;
  }

  /** Calls {@code visitor} with this value and all below it. */
  private void visit(Consumer<YamlValue> visitor) {
    visitor.accept(this);
    if (node instanceof MappingNode mapping) {
      for (NodeTuple tuple : mapping.getValue()) {
        if (tuple.getKeyNode() instanceof ScalarNode key) {
          child(key.getValue(), tuple.getValueNode()).visit(visitor);
        }
      }
    } else if (node instanceof SequenceNode sequence) {
      for (int i = 0; i < sequence.getValue().size(); i++) {
        element(i, sequence.getValue().get(i)).visit(visitor);
      }
    }
  }

  /**
   * Returns the result of {@code maker}; its {@link IllegalArgumentException} becomes an error at
   * this place.
   */
  <T> T make(Supplier<T> maker) throws ConfigException {
    try {
      return maker.get();
    } catch (IllegalArgumentException e) {
      throw complaint(e.getMessage());
    }
  }

  /** Returns the error that this value is not one of those allowed. */
  ConfigException mustBe(String allowed) {
    return error("must be " + allowed + ". Provided value: " + shown());
  }

  /** Returns the error that this version does not support the value. */
  ConfigException notSupported(String remedy) {
    return error(shown() + " is not supported yet; " + remedy);
  }

  /** Returns an error at this place with another component's message. */
  ConfigException complaint(String problem) {
    return new ConfigException(at(node, path) + ": " + problem);
  }

  /** Returns an error at this place. */
  ConfigException error(String problem) {
    return new ConfigException(at(node, path) + " " + problem);
  }

  /** Returns an error at the place of another node, usually a key. */
  ConfigException error(Node place, String problem) {
    return new ConfigException(at(place, path) + " " + problem);
  }

  private String at(Node place, String name) {
    return file + ":" + line(place) + ": " + name;
  }

  private static int line(Node place) {
    return place.getStartMark().map(Mark::getLine).orElse(0) + 1;
  }

  /** Returns a text of the config shortened and on one line, for a message. */
  static String shown(String text) {
    String line = text.replaceAll("[\\p{Cntrl}\\s]+", " ");
    return line.length() <= MOST_SHOWN ? line : line.substring(0, MOST_SHOWN) + "...";
  }

  private String shown() {
    if (node instanceof ScalarNode scalar) {
      return scalar.getValue().isBlank() ? "nothing" : shown(scalar.getValue());
    }
    return node instanceof MappingNode ? "keys and values" : "a list";
  }
}
