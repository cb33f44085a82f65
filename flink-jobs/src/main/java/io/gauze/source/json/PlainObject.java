package io.gauze.source.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gauze.source.RecordSize;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Reads rows as most programs write them: flat objects without escapes, whose names mostly come in
 * the order of the record before. It takes a third of the time of a parser of all of JSON. It gives
 * up on every other record, which must then be read anew by {@link JsonImage}: what it reads
 * itself, it gives to the image by the same calls in the same order.
 *
 * <p>Bytes become names, numbers and texts here without checks but these: a name is one of a table,
 * a number has the form of RFC 8259, and a text is well-formed UTF-8. Not thread-safe; a record of
 * numbers allocates nothing.
 */
final class PlainObject {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int PLACES = 256; // the most members of an object
  private static final int TABLE = 1024; // a power of two
  private static final int MOST_NAMES = TABLE / 2;
  private static final int PROBES = 8;
  private static final int LONGEST_NAME = 256; // bytes
  private static final int MOST_SKIPPED = 64;
  private static final int STOP = -1;
  private static final char REPLACEMENT = '\ufffd';
  private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
  private static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};
  private static final byte[] NULL = {'n', 'u', 'l', 'l'};

  private final RowFields fields;
  private final RowFields.Inside inside;
  private final PlainNumber number = new PlainNumber();
  private final Name[] last = new Name[PLACES]; // by position in the object
  private final Name[] table = new Name[TABLE]; // by hash, then the next free places
  private int names;
  private int failed; // records in a row that were not plain
  private int skip; // how many of the next records are not tried

  /** A name with its closing quote, and what is read of its member; field is -1 for nothing. */
  private static final class Name {
    private final byte[] text;
    private final int field;
    private final boolean number;
    private final boolean literal;
    private final long word; // the first eight bytes, as far as there are
    private final long mask;

    Name(byte[] text, int field, RowFields fields) {
      this.text = text;
      this.field = field;
      this.number = field >= 0 && fields.wantsNumber(field);
      this.literal = field >= 0 && fields.wantsLiteral(field);
      this.mask = text.length < Long.BYTES ? (1L << (Byte.SIZE * text.length)) - 1 : -1;
      this.word = (long) LONG.get(Arrays.copyOf(text, Math.max(Long.BYTES, text.length)), 0) & mask;
    }

    boolean isAt(byte[] bytes, int at) {
      if (text.length <= Long.BYTES && at <= bytes.length - Long.BYTES) {
        return ((long) LONG.get(bytes, at) & mask) == word;
      }
      int end = at + text.length;
      return end <= bytes.length && Arrays.equals(bytes, at, end, text, 0, text.length);
    }
  }

  /** Creates a reader of these fields. */
  PlainObject(RowFields fields) {
    this.fields = fields;
    this.inside = fields.inside();
  }

  /**
   * Reads a record.
   *
   * @return whether it was read; if not, the image holds nothing that counts
   */
  boolean read(byte[] bytes, RowImage into) {
    if (skip > 0) {
      skip--;
      return false;
    }
    boolean plain = isPlain(bytes, into);
    failed = plain ? 0 : Math.min(failed + 1, MOST_SKIPPED);
    skip = failed;
    return plain;
  }

  private boolean isPlain(byte[] bytes, RowImage into) {
    if (bytes.length < 2 || bytes.length > RecordSize.MAX_BYTES || bytes[0] != '{') {
      return false;
    }
    into.begin();
    int at = 1;
    for (int place = 0; place < PLACES; place++) {
      at = member(bytes, at, place, into);
      if (at < 0) {
        return false;
      }
      at = blanks(bytes, at);
      if (at == bytes.length || bytes[at] != ',') {
        boolean ends = at < bytes.length && bytes[at] == '}';
        return ends && blanks(bytes, at + 1) == bytes.length;
      }
      at++;
    }
    return false;
  }

  /** Reads a name and its value; returns the index after them, or STOP if they are not plain. */
  private int member(byte[] bytes, int from, int place, RowImage into) {
    int at = skipTo('"', bytes, from);
    Name name = at < 0 ? null : name(bytes, at, place);
    if (name == null) {
      return STOP;
    }
    at = skipTo(':', bytes, at + name.text.length);
    return at < 0 ? STOP : value(name, bytes, blanks(bytes, at), into);
  }

  /** Returns the index after blanks and this character, or STOP if another one is there. */
  private static int skipTo(char expected, byte[] bytes, int from) {
    int at = blanks(bytes, from);
    return at < bytes.length && bytes[at] == expected ? at + 1 : STOP;
  }

  private static int blanks(byte[] bytes, int from) {
    int at = from;
    while (at < bytes.length && isBlank(bytes[at])) {
      at++;
    }
    return at;
  }

  private static boolean isBlank(byte b) {
    return b <= ' ' && (b == ' ' || b == '\n' || b == '\r' || b == '\t');
  }

  /** Returns the name that begins at an index, or null if it is not plain. */
  private Name name(byte[] bytes, int at, int place) {
    Name expected = last[place];
    if (expected != null && expected.isAt(bytes, at)) {
      return expected;
    }
    int end = endOfText(bytes, at);
    if (end < 0 || end - at > LONGEST_NAME) {
      return null;
    }
    Name found = known(bytes, at, end);
    last[place] = found;
    return found;
  }

  private Name known(byte[] bytes, int at, int end) {
    int hash = 0;
    for (int i = at; i < end; i++) {
      hash = 31 * hash + bytes[i];
    }
    for (int probe = 0; probe < PROBES; probe++) {
      int index = ((hash ^ hash >>> 10) + probe) & (TABLE - 1);
      if (table[index] == null) {
        table[index] = names < MOST_NAMES ? added(bytes, at, end) : null;
        return table[index];
      }
      if (table[index].isAt(bytes, at)) {
        return table[index];
      }
    }
    return null;
  }

  /** Returns a new name; null if it is not UTF-8, or its member may be an object that is read. */
  private Name added(byte[] bytes, int at, int end) {
    String text = new String(bytes, at, end - at, UTF_8);
    int field = fields.index(text);
    boolean isObject = field < 0 && inside.object(text).all().length > 0;
    if (isObject || text.indexOf(REPLACEMENT) >= 0) {
      return null;
    }
    names++;
    return new Name(Arrays.copyOfRange(bytes, at, end + 1), field, fields);
  }

  /** Reads a value; returns the index after it, or STOP if it is not plain. */
  private int value(Name name, byte[] bytes, int at, RowImage into) {
    if (at == bytes.length) {
      return STOP;
    }
    byte first = bytes[at];
    if (first <= '9' && first >= '-') {
      return number(name, bytes, at, into);
    }
    return switch (first) {
      case '"' -> text(name, bytes, at + 1, into);
      case 't' -> word(TRUE, name, bytes, at, into);
      case 'f' -> word(FALSE, name, bytes, at, into);
      case 'n' -> word(NULL, name, bytes, at, into);
      default -> STOP;
    };
  }

  private int number(Name name, byte[] bytes, int at, RowImage into) {
    int end = number.read(bytes, at);
    if (end >= 0 && name.number) {
      into.number(name.field, number.value());
    }
    if (end >= 0 && name.literal) {
      into.literal(name.field, new String(bytes, at, end - at, UTF_8));
    }
    return end;
  }

  private int text(Name name, byte[] bytes, int at, RowImage into) {
    int end = endOfText(bytes, at);
    if (end < 0) {
      return STOP;
    }
    boolean ascii = true;
    for (int i = at; i < end; i++) {
      ascii &= bytes[i] >= 0;
    }
    if (name.field < 0) {
      return ascii ? end + 1 : STOP;
    }
    String text = new String(bytes, at, end - at, UTF_8);
    if (!ascii && text.indexOf(REPLACEMENT) >= 0) {
      return STOP;
    }
    into.text(name.field, text);
    return end + 1;
  }

  /** Returns the index of the closing quote, or STOP if an escape or a control comes first. */
  private static int endOfText(byte[] bytes, int from) {
    for (int at = from; at < bytes.length; at++) {
      byte b = bytes[at];
      if (b == '"') {
        return at;
      }
      if (b == '\\' || (b >= 0 && b < ' ')) {
        return STOP;
      }
    }
    return STOP;
  }

  private int word(byte[] word, Name name, byte[] bytes, int at, RowImage into) {
    int end = at + word.length;
    if (end > bytes.length || !Arrays.equals(bytes, at, end, word, 0, word.length)) {
      return STOP;
    }
    if (name.field >= 0 && word == NULL) {
      into.missing(name.field);
    } else if (name.field >= 0) {
      into.truth(name.field, word == TRUE);
    }
    return end;
  }
}
