package io.gauze.source;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The value of a record's key, whichever serializer wrote it. Two keys are equal if their {@link
 * #text}s are. Immutable.
 */
public sealed interface KeyValue permits KeyValue.Scalar, KeyValue.Members, KeyValue.Elements {
  /** The kind of a value that has no parts. */
  enum Kind {
    TEXT,
    LITERAL,
    NULL
  }

  /**
   * Writes the value as a part of an object or list. Stops soon after {@link RecordSize#MAX_BYTES}
   * characters: numbers with exponents are far longer when they are written out.
   */
  void write(StringBuilder out);

  /** Returns whether there is a value: neither null nor an object without any. */
  boolean isPresent();

  /** The normal form of the whole key. A text and a number that look the same have the same one. */
  default String text() {
    StringBuilder out = new StringBuilder();
    write(out);
    return out.toString();
  }

  /** Returns the member at a path such as {@code address.city}; empty if there is none. */
  default Optional<KeyValue> member(String path) {
    return Optional.empty();
  }

  /** Returns a null. */
  static KeyValue none() {
    return new Scalar("null", Kind.NULL);
  }

  /** Returns a text. */
  static KeyValue ofText(String text) {
    return new Scalar(text, Kind.TEXT);
  }

  /** Returns a number in normal form. */
  static KeyValue ofNumber(String written) {
    return new Scalar(KeyText.of(written), Kind.LITERAL);
  }

  /** Returns a number, exactly, in normal form. */
  static KeyValue of(BigDecimal number) {
    return new Scalar(KeyText.of(number), Kind.LITERAL);
  }

  /** Returns a boolean. */
  static KeyValue of(boolean truth) {
    return new Scalar(Boolean.toString(truth), Kind.LITERAL);
  }

  /** Returns an object; a member that is null is the same as none. */
  static KeyValue of(Map<String, KeyValue> members) {
    SortedMap<String, KeyValue> present = new TreeMap<>(members);
    present.values().removeIf(value -> !value.isPresent());
    return new Members(present);
  }

  /** A value without parts. */
  record Scalar(String written, Kind kind) implements KeyValue {
    @Override
    public String text() {
      return written;
    }

    @Override
    public boolean isPresent() {
      return kind != Kind.NULL;
    }

    @Override
    public void write(StringBuilder out) {
      if (kind == Kind.TEXT) {
        quote(written, out);
      } else {
        out.append(written);
      }
    }
  }

  /** An object, without the members that are null. */
  record Members(SortedMap<String, KeyValue> members) implements KeyValue {
    @Override
    public boolean isPresent() {
      return !members.isEmpty();
    }

    @Override
    public Optional<KeyValue> member(String path) {
      KeyValue whole = members.get(path);
      int point = path.indexOf('.');
      if (whole != null || point < 0) {
        return Optional.ofNullable(whole);
      }
      return Optional.ofNullable(members.get(path.substring(0, point)))
          .flatMap(inner -> inner.member(path.substring(point + 1)));
    }

    @Override
    public void write(StringBuilder out) {
      String separator = "{";
      for (Map.Entry<String, KeyValue> member : members.entrySet()) {
        if (out.length() > RecordSize.MAX_BYTES) {
          return;
        }
        quote(member.getKey(), out.append(separator));
        member.getValue().write(out.append(':'));
        separator = ",";
      }
      out.append(members.isEmpty() ? "{}" : "}");
    }
  }

  /** A list. */
  record Elements(List<KeyValue> elements) implements KeyValue {
    @Override
    public boolean isPresent() {
      return true;
    }

    @Override
    public void write(StringBuilder out) {
      out.append('[');
      for (int i = 0; i < elements.size() && out.length() <= RecordSize.MAX_BYTES; i++) {
        elements.get(i).write(i == 0 ? out : out.append(','));
      }
      out.append(']');
    }
  }

  private static void quote(String text, StringBuilder out) {
    out.append('"').append(text.replace("\\", "\\\\").replace("\"", "\\\"")).append('"');
  }
}
